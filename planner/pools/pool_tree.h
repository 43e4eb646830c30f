// pool_tree.h - of few movers, the pools that are worth most, by branch and
// bound.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_POOL_TREE_H_
#define GMEM_PLANNER_POOL_TREE_H_

#include "pool_layout.h"

enum { GMEM_POOL_TREE_MOVERS = 40 };

// pool_tree.c: of few movers, looks for the plan that is worth most by branch
// and bound, and keeps it in |plan| when it is worth more than |*worth|
// (has_plan), or when there is none. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_pool_tree(gmem_pool_layout_t *layout, gmem_placement_t *plan,
                             bool *has_plan, gmem_benefit_t *benefit,
                             gmem_diag_t *diag);

#endif // GMEM_PLANNER_POOL_TREE_H_
