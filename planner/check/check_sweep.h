// check_sweep.h - checks that buffers that are live together share no bytes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_CHECK_SWEEP_H_
#define GMEM_PLANNER_CHECK_SWEEP_H_

#include "checker.h"

// check_sweep.c: finds two live blocks that overlap, in a problem without
// relations. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_check_sweep(gmem_checker_t *checker);

#endif // GMEM_PLANNER_CHECK_SWEEP_H_
