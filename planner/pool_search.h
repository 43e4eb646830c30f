// pool_search.h - who goes to which pool, by search.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_POOL_SEARCH_H_
#define GMEM_PLANNER_POOL_SEARCH_H_

#include "pool_layout.h"

// pool_search.c: from the plan of |pools|, if |has_plan|, looks for one whose
// places are worth more, and if not, for any. Sets *out_found when |plan| is a
// better one now; else it is as it was. Takes its share of the steps. Fails
// with OUT_OF_MEMORY.
gmem_status_t gmem_pool_search(gmem_pools_t *pools, bool has_plan,
                               bool *out_found, gmem_diag_t *diag);

// pool_climb.c: raises movers of |layout| to candidates that are worth more,
// where that throws out what is worth less, until nothing does or the steps of
// the stage are spent. All movers must have a place, and have one at the end.
// |scratch|: room for two entries per mover.
void gmem_pool_climb(gmem_pool_layout_t *layout, gmem_order_t *scratch);

// pool_tree.c: of few movers, looks for the plan that is worth most by branch
// and bound, and keeps it in |plan| when it is worth more than |*worth|
// (has_plan), or when there is none. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_pool_tree(gmem_pool_layout_t *layout, gmem_placement_t *plan,
                             bool *has_plan, gmem_worth_t *worth,
                             gmem_diag_t *diag);
enum { GMEM_POOL_TREE_MOVERS = 40 };

#endif // GMEM_PLANNER_POOL_SEARCH_H_
