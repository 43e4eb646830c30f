// penalties.h - from a plan that ignores constraints to one that meets the hard
// ones and pays little for the soft ones.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_PENALTIES_H_
#define GMEM_PLANNER_PENALTIES_H_

#include "search.h"

// Improves |plan|, which gmem_check_places accepts, by the objective of
// |options|, which state their size. Pools stay, and so do optional aliases.
// Fails with OVER_BUDGET (no plan was found in which a hard constraint holds:
// |object| is its first buffer) or OUT_OF_MEMORY.
gmem_status_t gmem_reduce_penalty(const gmem_problem_t *problem,
                                  const gmem_solve_options_t *options,
                                  gmem_search_t *search, gmem_placement_t *plan,
                                  gmem_penalty_figures_t *out_figures,
                                  gmem_diag_t *diag);

#endif // GMEM_PLANNER_PENALTIES_H_
