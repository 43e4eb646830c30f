// branch_and_bound.h - one tree search: decides whether the items can be
// stacked below a capacity.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_BRANCH_AND_BOUND_H_
#define GMEM_PLANNER_BRANCH_AND_BOUND_H_

#include "branch_and_bound_state.h"

typedef enum gmem_tree_result_e {
  GMEM_TREE_FOUND,      // the floors of the items are a placement
  GMEM_TREE_INFEASIBLE, // proved: no placement exists
  GMEM_TREE_STOPPED,    // the limit was reached first
} gmem_tree_result_t;

// Whether the search supports |packing| within its memory limit.
bool gmem_branch_and_bound_supports(const gmem_packing_t *packing);

// Prepares a tree in |memory|. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_branch_and_bound_create(const gmem_packing_t *packing,
                                           gmem_scratch_t *memory,
                                           gmem_tree_t *tree);

// Searches for a placement with a peak of at most |capacity|, trying items in
// the order of |order| (all items, preferred first). Ends after |node_limit|
// nodes or when |search| ends. Adds weight to tree->failures, one entry per
// section, where the search failed.
gmem_tree_result_t gmem_branch_and_bound_run(gmem_tree_t *tree,
                                             uint64_t capacity,
                                             const uint32_t *order,
                                             uint64_t node_limit,
                                             gmem_search_t *search);

#endif // GMEM_PLANNER_BRANCH_AND_BOUND_H_
