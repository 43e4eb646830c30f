// pool_tree.h - branch and bound for the assignment of few movers to pools.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_POOL_TREE_H_
#define GMEM_PLANNER_POOL_TREE_H_

#include "pool_layout.h"

enum { GMEM_POOL_TREE_MOVERS = 40 };

// pool_tree.c: for few movers, searches for the plan with the highest benefit
// by branch and bound, and writes it to |plan| when it is better than |*worth|
// (has_plan), or when there was none. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_pool_tree(gmem_pool_layout_t *layout, gmem_placement_t *plan,
                             bool *has_plan, gmem_benefit_t *benefit,
                             gmem_diag_t *diag);

#endif // GMEM_PLANNER_POOL_TREE_H_
