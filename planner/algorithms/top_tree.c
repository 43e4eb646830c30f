// top_tree.c - the height of the stack in each section.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "top_tree.h"

#include <string.h>

#include "planner_memory.h"

gmem_status_t gmem_top_tree_create(const gmem_packing_t *packing,
                                   gmem_top_tree_t *tree, gmem_diag_t *diag) {
  *tree = (gmem_top_tree_t){.packing = packing, .leaf_base = 1};
  while (tree->leaf_base < packing->section_count)
    tree->leaf_base *= 2;
  size_t nodes = 2 * tree->leaf_base;
  tree->top =
      gmem_planner_alloc(packing->allocator, 2 * nodes, sizeof *tree->top);
  if (!tree->top)
    return gmem_planner_out_of_memory(diag);
  tree->raised = tree->top + nodes;
  memset(tree->top, 0, 2 * nodes * sizeof *tree->top);
  return GMEM_OK;
}

void gmem_top_tree_destroy(gmem_top_tree_t *tree) {
  if (tree->top)
    gmem_planner_free(tree->packing->allocator, tree->top, 4 * tree->leaf_base,
                      sizeof *tree->top);
  *tree = (gmem_top_tree_t){0};
}

static uint64_t higher(uint64_t a, uint64_t b) { return a > b ? a : b; }

static size_t leaf_of(const gmem_top_tree_t *tree, uint32_t section) {
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
