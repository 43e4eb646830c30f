// sub_problem.h - a problem of some buffers of another one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_SUB_PROBLEM_H_
#define GMEM_PLANNER_SUB_PROBLEM_H_

#include "planner_internal.h"

// Copies the pool of |problem|, which can be loose (gmem_can_be_loose), without
// a capacity and with |alignment|, its buffers of at least |least| bytes, and
// their aliases and conflicts to |to|, which is empty. ids[i]: the copy of
// buffer i. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_copy_large(const gmem_problem_t *problem, uint64_t least,
                              uint64_t alignment, gmem_problem_t *to,
                              uint32_t *ids, gmem_diag_t *diag);

#endif // GMEM_PLANNER_SUB_PROBLEM_H_
