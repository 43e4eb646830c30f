// alias_moves.h - moves of single buffers of the best plan.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_ALIAS_MOVES_H_
#define GMEM_PLANNER_ALIAS_MOVES_H_

#include "alias_trial.h"
#include "finer_alignment.h"

// Step 8. of the search (alias_search.c): moves single buffers where the plan
// is not near its bound, from it and from a plan that |pack| makes with a finer
// alignment. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_move_buffers(gmem_trial_t *trial, gmem_pack_pools_t *pack);

// Looks for a plan near the bound with a stack of the buffers that are live at
// the time of maximum pressure, with a few times as much work as was spent so
// far. *out_found: the best plan is near the bound. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_stack_buffers(gmem_trial_t *trial, bool *out_found);

#endif // GMEM_PLANNER_ALIAS_MOVES_H_
