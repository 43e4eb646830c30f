// solve_pools.h - plans all pools of a problem with one algorithm.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_SOLVE_POOLS_H_
#define GMEM_PLANNER_SOLVE_POOLS_H_

#include "gmem/planner.h"

// pack_pools.c: a gmem_algorithm_fn; |engine| is a const gmem_engine_t *.
// Assigns every buffer to a pool, runs the engine on every pool, compares with
// its limit and writes the plan. All buffers start in their first candidate;
// spill.c selects the ones that leave a pool that is too small. Fails with
// OVER_BUDGET, or with the status of the engine.
gmem_status_t gmem_pack_pools(const gmem_problem_t *problem,
                              gmem_search_t *search, gmem_placement_t *plan,
                              void *engine, gmem_diag_t *diag);

#endif // GMEM_PLANNER_SOLVE_POOLS_H_
