// placements.h - a plan as an array of placements, one per buffer, and its
// size. C11 and C++17.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   gmem_placement_t *plan = NULL;
//   gmem_plan_create(problem, &plan, &diag);
//   plan[buffer] = (gmem_placement_t){.offset = 64, .pool = 0};
//   uint64_t bytes = gmem_plan_peak(problem, plan);
//   gmem_plan_free(problem, plan);
//
// plan[i] is the placement of buffer i of the problem. Any array of
// gmem_problem_buffer_count(problem) placements is a plan; gmem_plan_create is
// a convenience.

#ifndef GMEM_PLANNER_PLACEMENTS_H_
#define GMEM_PLANNER_PLACEMENTS_H_

#include "gmem/planner/problem.h"

GMEM_BEGIN_C

typedef struct gmem_placement_s {
  uint64_t offset; // bytes from the start of the pool
  uint32_t pool;
} gmem_placement_t;

typedef struct gmem_plan_figures_s {
  uint64_t peak;        // bytes: sum of the pool sizes
  uint64_t lower_bound; // bytes: no plan has a lower peak. gmem_lower_bound, or
                        //   the peak itself when a search proved it optimal
  uint64_t steps;       // work done; the same on every machine
  bool optimal;         // proved: no plan has a lower peak
  bool cancelled;       // the progress callback ended the search
} gmem_plan_figures_t;

// Allocates an array with one placement per buffer of |problem|, all zero, with
// the allocator of the problem. Fails with OUT_OF_MEMORY; *out_plan is then
// NULL.
GMEM_MUST_USE gmem_status_t gmem_plan_create(const gmem_problem_t *problem,
                                             gmem_placement_t **out_plan,
                                             gmem_diag_t *diag);

// Frees a plan that gmem_plan_create or gmem_csv_read returned for |problem|.
// No buffer may have been added to the problem since. NULL is allowed.
void gmem_plan_free(const gmem_problem_t *problem, gmem_placement_t *plan);

// Size of pool |pool| under |plan|, in bytes: the largest offset + size in it,
// 0 when it is empty.
uint64_t gmem_plan_pool_size(const gmem_problem_t *problem,
                             const gmem_placement_t *plan, uint32_t pool);

// Sum of the sizes of all pools, in bytes; UINT64_MAX on overflow.
// O(pools x buffers). Thread-safe.
uint64_t gmem_plan_peak(const gmem_problem_t *problem,
                        const gmem_placement_t *plan);

GMEM_END_C
#endif // GMEM_PLANNER_PLACEMENTS_H_
