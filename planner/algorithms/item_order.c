// item_order.c - the orders in which items are placed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "item_order.h"

#include "adjacency.h"
#include "packing_query.h"
#include "top_tree.h"

// Maps 128-bit products to 64-bit keys in nearly the same order: the number of
// bits, followed by the leading bits.
static uint64_t product_key(uint64_t a, uint64_t b) {
  __extension__ typedef unsigned __int128 wide_t;
  wide_t product = (wide_t)a * b;
  uint64_t bits = 0;
  for (; product >> 56; product >>= 1)
    ++bits;
  return bits << 56 | (uint64_t)product;
}

static uint64_t key_of(const gmem_packing_t *packing, uint32_t index,
                       gmem_item_key_t key) {
  const gmem_item_t *item = &packing->items[index];
  switch (key) {
  case GMEM_KEY_ADDITION:
    return ~(uint64_t)gmem_first_buffer(packing, index);
  case GMEM_KEY_SIZE:
    return item->size;
  case GMEM_KEY_AREA:
    return product_key(item->size, item->duration);
  case GMEM_KEY_SECTIONS:
    return product_key(item->size, item->end - item->begin);
  case GMEM_KEY_DURATION:
    return item->duration;
  case GMEM_KEY_END:
    return item->end;
  default:
    return 0;
  }
}

//===--- conflicts --------------------------------------------------------===//

static gmem_status_t key_conflicts(const gmem_packing_t *packing,
                                   gmem_item_key_t key, gmem_order_t *order,
                                   gmem_scratch_t *memory) {
  gmem_degree_t *degrees;
  GMEM_TRY_NEW(degrees, memory, packing->count);
  GMEM_TRY(gmem_count_conflicts(packing, degrees, NULL, memory));
  for (uint32_t i = 0; i < packing->count; ++i)
    order[i].key =
        key == GMEM_KEY_CONFLICTS ? degrees[i].items : degrees[i].bytes;
  gmem_scratch_drop(memory, degrees);
  return GMEM_OK;
}

//===--- pressure ---------------------------------------------------------===//

// Fills |tree| with the sum of the live extents of each section.
static void raise_pressure(const gmem_packing_t *packing, gmem_top_tree_t *tree,
                           uint64_t *changes) {
  for (uint32_t i = 0; i < packing->count; ++i) {
    const gmem_item_t *item = &packing->items[i];
    changes[item->begin - packing->first_section] += item->extent;
    changes[item->end - packing->first_section] -= item->extent;
  }
  uint64_t pressure = 0;
  for (uint32_t i = 0; i < packing->section_count; ++i) {
    uint32_t section = packing->first_section + i;
    pressure += changes[i];
    gmem_item_t slice = {.begin = section, .end = section + 1};
    gmem_top_tree_raise(tree, &slice, pressure);
  }
}

static gmem_status_t key_pressure(const gmem_packing_t *packing,
                                  gmem_order_t *order, gmem_scratch_t *memory) {
  gmem_top_tree_t tree;
  uint64_t *changes;
  GMEM_TRY_ZEROS(changes, memory, (size_t)packing->section_count + 1);
  GMEM_TRY(gmem_top_tree_create(packing, memory, &tree));
  raise_pressure(packing, &tree, changes);
  for (uint32_t i = 0; i < packing->count; ++i)
    order[i].key = gmem_top_tree_above(&tree, &packing->items[i]);
  gmem_top_tree_destroy(memory, &tree);
  gmem_scratch_drop(memory, changes);
  return GMEM_OK;
}

//===--- all orders -------------------------------------------------------===//

gmem_status_t gmem_item_order(const gmem_packing_t *packing,
                              gmem_item_key_t key, gmem_order_t *order,
                              gmem_scratch_t *memory) {
  for (uint32_t i = 0; i < packing->count; ++i)
    order[i] = (gmem_order_t){key_of(packing, i, key), i};
  if (key == GMEM_KEY_BEGIN) // the canonical order
    return GMEM_OK;
  if (key == GMEM_KEY_CONFLICTS || key == GMEM_KEY_CONFLICT_BYTES)
    GMEM_TRY(key_conflicts(packing, key, order, memory));
  else if (key == GMEM_KEY_PRESSURE)
    GMEM_TRY(key_pressure(packing, order, memory));
  for (uint32_t i = 0; i < packing->count; ++i)
    order[i].key = ~order[i].key; // the largest comes first
  gmem_sort_order(order, order + packing->count, packing->count);
  return GMEM_OK;
}
