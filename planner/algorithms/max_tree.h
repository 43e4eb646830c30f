// max_tree.h - finds the first of many numbers that is large enough.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_MAX_TREE_H_
#define GMEM_PLANNER_MAX_TREE_H_

#include "planner_memory.h"
#include "scratch.h"

// The numbers are the leaves of a tree, and every node stores the maximum of
// the numbers below it. With the ends of items that are sorted by begin, it is
// a priority search tree: it finds the items that are live in a range.
typedef struct gmem_max_tree_s {
  uint64_t *most;   // of node 1 (the root), 2, 3...
  size_t leaf_base; // node of number 0; a power of two
} gmem_max_tree_t;

// |count| numbers, all 0, in |memory|. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_max_tree_create(size_t count, gmem_scratch_t *memory,
                                   gmem_max_tree_t *tree);

// Sets all numbers to 0.
void gmem_max_tree_clear(gmem_max_tree_t *tree);

// O(log n).
void gmem_max_tree_set(gmem_max_tree_t *tree, size_t index, uint64_t number);

// The index of the first number from |from| on that is at least |least|, which
// is not 0; SIZE_MAX when there is none. O(log n).
size_t gmem_max_tree_next(const gmem_max_tree_t *tree, size_t from,
                          uint64_t least);

#endif // GMEM_PLANNER_MAX_TREE_H_
