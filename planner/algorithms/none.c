// none.c - no reuse: all items are disjoint, in order of addition.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The baseline for the other algorithms, and the layout of weights, which are
// live as long as the model.

#include "algorithms.h"
#include "cursor.h"
#include "packing.h"
#include "packing_query.h"
#include "planner_memory.h"
#include "sort.h"

// Sorts the items by the first buffer of each.
static void order_by_addition(const gmem_packing_t *packing,
                              gmem_order_t *order) {
  for (uint32_t i = 0; i < packing->count; ++i)
    order[i] = (gmem_order_t){gmem_first_buffer(packing, i), i};
  gmem_sort_order(order, order + packing->count, packing->count);
}

static gmem_status_t stack(gmem_cursor_t *cursor, const gmem_order_t *order,
                           uint64_t *offsets, gmem_diag_t *diag) {
  const gmem_packing_t *packing = cursor->packing;
  for (uint32_t i = 0; i < packing->count; ++i) {
    uint32_t index = order[i].index;
    const gmem_item_t *item = &packing->items[index];
    offsets[index] = item->fixed_offset;
    if (item->fixed_offset == GMEM_NOT_FIXED &&
        !gmem_cursor_take(cursor, item, &offsets[index]))
      return gmem_no_address(packing, index, diag);
  }
  return GMEM_OK;
}

gmem_status_t gmem_none_pack(const gmem_packing_t *packing,
                             gmem_search_t *search, uint64_t *offsets,
                             gmem_diag_t *diag) {
  gmem_cursor_t cursor;
  size_t count = 2 * (size_t)packing->count;
  gmem_status_t status = gmem_cursor_create(packing, &cursor, diag);
  gmem_order_t *order =
      gmem_planner_alloc(packing->allocator, count, sizeof *order);
  if (status == GMEM_OK && !order)
    status = gmem_planner_out_of_memory(diag);
  if (status == GMEM_OK) {
    order_by_addition(packing, order);
    status = stack(&cursor, order, offsets, diag);
  }
  gmem_search_spend(search, packing->count);
  gmem_planner_free(packing->allocator, order, count, sizeof *order);
  gmem_cursor_destroy(&cursor);
  return status;
}
