// full_pool.h - the error of a pool without room for a buffer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_FULL_POOL_H_
#define GMEM_PLANNER_FULL_POOL_H_

#include "gmem/planner.h"

// Reports in |diag| that the buffer does not fit in |pool|. Returns
// OVER_BUDGET.
gmem_status_t gmem_fail_full_pool(const gmem_problem_t *problem,
                                  uint32_t buffer, uint32_t pool,
                                  gmem_diag_t *diag);

#endif // GMEM_PLANNER_FULL_POOL_H_
