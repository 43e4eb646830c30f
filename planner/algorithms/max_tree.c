// max_tree.c - finds the first of many numbers that is large enough.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "max_tree.h"

#include <assert.h>
#include <string.h>

gmem_status_t gmem_max_tree_create(size_t count, gmem_scratch_t *memory,
                                   gmem_max_tree_t *tree) {
  for (tree->leaf_base = 1; tree->leaf_base < count;)
    tree->leaf_base *= 2;
  GMEM_TRY_ZEROS(tree->most, memory, 2 * tree->leaf_base);
  return GMEM_OK;
}

void gmem_max_tree_clear(gmem_max_tree_t *tree) {
  memset(tree->most, 0, 2 * tree->leaf_base * sizeof *tree->most);
}

void gmem_max_tree_set(gmem_max_tree_t *tree, size_t index, uint64_t number) {
  size_t node = tree->leaf_base + index;
  assert(index < tree->leaf_base);
  for (tree->most[node] = number; node > 1; node /= 2) {
    uint64_t beside = tree->most[node ^ 1];
    number = number > beside ? number : beside;
    tree->most[node / 2] = number;
  }
}

size_t gmem_max_tree_next(const gmem_max_tree_t *tree, size_t from,
                          uint64_t least) {
  size_t node = tree->leaf_base + from;
  assert(least > 0 && from <= tree->leaf_base);
  if (from == tree->leaf_base)
    return SIZE_MAX;
  while (tree->most[node] < least) {
    while (node & 1) // nothing further right below this parent
      node /= 2;
    if (node == 0)
      return SIZE_MAX;
    ++node;
  }
  while (node < tree->leaf_base)
    node = 2 * node + (tree->most[2 * node] < least);
  return node - tree->leaf_base;
}
