// live_tree.c - finds the items of a set that are live in a range of sections.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "live_tree.h"

#include <assert.h>
#include <string.h>

gmem_status_t gmem_live_tree_create(const gmem_packing_t *packing,
                                    gmem_scratch_t *memory,
                                    gmem_live_tree_t *tree) {
  *tree = (gmem_live_tree_t){.packing = packing, .leaf_base = 1};
  while (tree->leaf_base < packing->count)
    tree->leaf_base *= 2;
  GMEM_TRY_ZEROS(tree->ends, memory, 2 * tree->leaf_base);
  return GMEM_OK;
}

void gmem_live_tree_clear(gmem_live_tree_t *tree) {
  memset(tree->ends, 0, 2 * tree->leaf_base * sizeof *tree->ends);
}

void gmem_live_tree_insert(gmem_live_tree_t *tree, uint32_t item) {
  uint32_t end = tree->packing->items[item].end;
  assert(item < tree->packing->count);
  for (size_t node = tree->leaf_base + item; node > 0; node /= 2)
    if (tree->ends[node] < end)
      tree->ends[node] = end;
}

// The first leaf at or to the right of |node| that ends after |begin|; 0 when
// there is none.
static size_t next_leaf(const gmem_live_tree_t *tree, size_t node,
                        uint32_t begin) {
  while (tree->ends[node] <= begin) {
    while (node & 1) // nothing further right below this parent
      node /= 2;
    if (node == 0)
      return 0;
    ++node;
  }
  while (node < tree->leaf_base) {
    node *= 2;
    node += tree->ends[node] <= begin;
  }
  return node;
}

uint32_t gmem_live_tree_next(const gmem_live_tree_t *tree, uint32_t from,
                             uint32_t begin, uint32_t end) {
  if (from >= tree->packing->count)
    return GMEM_NO_ITEM;
  size_t leaf = next_leaf(tree, tree->leaf_base + from, begin);
  if (leaf == 0)
    return GMEM_NO_ITEM;
  uint32_t item = (uint32_t)(leaf - tree->leaf_base);
  return tree->packing->items[item].begin < end ? item : GMEM_NO_ITEM;
}
