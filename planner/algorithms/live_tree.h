// live_tree.h - finds the items of a set that are live in a range of sections.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_LIVE_TREE_H_
#define GMEM_PLANNER_LIVE_TREE_H_

#include "items.h"

// A priority search tree: the items of a packing, which are sorted by begin,
// are its leaves, and every node stores the latest end below it.
typedef struct gmem_live_tree_s {
  const gmem_packing_t *packing;
  uint32_t *ends;   // of node 1 (the root), 2, 3...; 0: no item of the set
  size_t leaf_base; // node of item 0; a power of two
} gmem_live_tree_t;

// Creates an empty set in |memory|. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_live_tree_create(const gmem_packing_t *packing,
                                    gmem_scratch_t *memory,
                                    gmem_live_tree_t *tree);

void gmem_live_tree_clear(gmem_live_tree_t *tree);
// O(log n).
void gmem_live_tree_insert(gmem_live_tree_t *tree, uint32_t item);

// The first item of the set that is not below |from|, begins before section
// |end| and ends after section |begin|; GMEM_NO_ITEM when there is none. O(log
// n).
uint32_t gmem_live_tree_next(const gmem_live_tree_t *tree, uint32_t from,
                             uint32_t begin, uint32_t end);

#endif // GMEM_PLANNER_LIVE_TREE_H_
