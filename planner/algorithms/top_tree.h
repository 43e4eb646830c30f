// top_tree.h - the height of the stack in each section.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_TOP_TREE_H_
#define GMEM_PLANNER_TOP_TREE_H_

#include "items.h"

// A segment tree over the sections of a packing. |raised| of a node applies to
// all sections below it; |top| is the maximum over them.
typedef struct gmem_top_tree_s {
  const gmem_packing_t *packing;
  uint64_t *top, *raised; // of node 1 (the root), 2, 3...
  size_t leaf_base;       // node of the first section; a power of two
} gmem_top_tree_t;

// All sections start at 0. The tree is in |memory|. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_top_tree_create(const gmem_packing_t *packing,
                                   gmem_scratch_t *memory,
                                   gmem_top_tree_t *tree);

// Frees the tree before the rest of the memory that it was created in.
static inline void gmem_top_tree_destroy(gmem_scratch_t *memory,
                                         gmem_top_tree_t *tree) {
  gmem_scratch_drop(memory, tree->raised);
  gmem_scratch_drop(memory, tree->top);
}

// Raises every section in which |item| may be live to at least |top|. O(log
// sections).
void gmem_top_tree_raise(gmem_top_tree_t *tree, const gmem_item_t *item,
                         uint64_t top);

// The maximum over these sections. O(log sections).
uint64_t gmem_top_tree_above(const gmem_top_tree_t *tree,
                             const gmem_item_t *item);

#endif // GMEM_PLANNER_TOP_TREE_H_
