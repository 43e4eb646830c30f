// top_tree.c - the height of the stack in each section.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "top_tree.h"

#include <assert.h>

gmem_status_t gmem_top_tree_create(const gmem_packing_t *packing,
                                   gmem_scratch_t *memory,
                                   gmem_top_tree_t *tree) {
  *tree = (gmem_top_tree_t){.packing = packing, .leaf_base = 1};
  while (tree->leaf_base < packing->section_count)
    tree->leaf_base *= 2;
  GMEM_TRY_ZEROS(tree->top, memory, 2 * tree->leaf_base);
  GMEM_TRY_ZEROS(tree->raised, memory, 2 * tree->leaf_base);
  return GMEM_OK;
}

static uint64_t higher(uint64_t a, uint64_t b) { return a > b ? a : b; }

static size_t leaf_of(const gmem_top_tree_t *tree, uint32_t section) {
  assert(section >= tree->packing->first_section &&
         section - tree->packing->first_section < tree->packing->section_count);
  return tree->leaf_base + section - tree->packing->first_section;
}

static void raise_node(gmem_top_tree_t *tree, size_t node, uint64_t top) {
  tree->raised[node] = higher(tree->raised[node], top);
  tree->top[node] = higher(tree->top[node], top);
}

static void update_above(gmem_top_tree_t *tree, size_t node) {
  while ((node /= 2) > 0)
    tree->top[node] =
        higher(tree->raised[node],
               higher(tree->top[2 * node], tree->top[2 * node + 1]));
}

void gmem_top_tree_raise(gmem_top_tree_t *tree, const gmem_item_t *item,
                         uint64_t top) {
  size_t first = leaf_of(tree, item->begin);
  size_t last = leaf_of(tree, item->end - 1);
  for (size_t low = first, high = last + 1; low < high; low /= 2, high /= 2) {
    if (low & 1)
      raise_node(tree, low++, top);
    if (high & 1)
      raise_node(tree, --high, top);
  }
  update_above(tree, first);
  update_above(tree, last);
}

static uint64_t raised_above(const gmem_top_tree_t *tree, size_t node) {
  uint64_t top = 0;
  while ((node /= 2) > 0)
    top = higher(top, tree->raised[node]);
  return top;
}

uint64_t gmem_top_tree_above(const gmem_top_tree_t *tree,
                             const gmem_item_t *item) {
  size_t first = leaf_of(tree, item->begin);
  size_t last = leaf_of(tree, item->end - 1);
  uint64_t top = higher(raised_above(tree, first), raised_above(tree, last));
  for (size_t low = first, high = last + 1; low < high; low /= 2, high /= 2) {
    if (low & 1)
      top = higher(top, tree->top[low++]);
    if (high & 1)
      top = higher(top, tree->top[--high]);
  }
  return top;
}
