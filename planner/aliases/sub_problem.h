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

// What is decided about an optional alias.
typedef enum gmem_alias_state_e {
  GMEM_ALIAS_OPEN,
  GMEM_ALIAS_ELSEWHERE, // not in place
  GMEM_ALIAS_IN_PLACE,
} gmem_alias_state_t;

// The same with all buffers and the pool's alignment: without the aliases that
// are elsewhere, and those in place are not optional. |states|: by alias;
// ids[i]: i. Fails with OUT_OF_MEMORY, or INVALID_ARGUMENT if not all of these
// can be in place.
gmem_status_t gmem_copy_decided(const gmem_problem_t *problem,
                                const uint8_t *states, uint32_t *ids,
                                gmem_problem_t *to, gmem_diag_t *diag);

#endif // GMEM_PLANNER_SUB_PROBLEM_H_
