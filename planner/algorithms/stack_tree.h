// stack_tree.h - one tree search: can the items be stacked below a capacity?
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_STACK_TREE_H_
#define GMEM_PLANNER_STACK_TREE_H_

#include "gmem/planner.h"
#include "items.h"
#include "stack_place.h"

typedef enum gmem_tree_result_e {
  GMEM_TREE_FOUND,      // offsets of the tree are a placement
  GMEM_TREE_INFEASIBLE, // proved: there is none
  GMEM_TREE_STOPPED,    // the limit came first
} gmem_tree_result_t;

// Whether the search can treat |packing| at all, and its memory is no burden.
bool gmem_stack_tree_supports(const gmem_packing_t *packing);

// Fails with OUT_OF_MEMORY; the tree may be destroyed all the same.
gmem_status_t gmem_stack_tree_create(const gmem_packing_t *packing,
                                     gmem_stack_tree_t *tree,
                                     gmem_diag_t *diag);
void gmem_stack_tree_destroy(gmem_stack_tree_t *tree);

// Searches for a placement with a peak of at most |capacity|, in the order of
// |order| (all items, the first preferred). Ends after |node_limit| nodes, or
// when |search| says so. tree->failures, one per section, gain weight where the
// search failed.
gmem_tree_result_t gmem_stack_tree_run(gmem_stack_tree_t *tree,
                                       uint64_t capacity, const uint32_t *order,
                                       uint64_t node_limit,
                                       gmem_search_t *search);

#endif // GMEM_PLANNER_STACK_TREE_H_
