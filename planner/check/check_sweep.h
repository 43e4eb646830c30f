// check_sweep.h - whether buffers that are live together share bytes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_CHECK_SWEEP_H_
#define GMEM_PLANNER_CHECK_SWEEP_H_

#include "checker.h"
#include "gmem/status.h"

// check_sweep.c: looks for two blocks that are live together and overlap, when
// there are no relations. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_check_sweep(gmem_checker_t *checker, gmem_diag_t *diag);

#endif // GMEM_PLANNER_CHECK_SWEEP_H_
