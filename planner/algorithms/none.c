// none.c - no reuse: all items are disjoint, in order of addition.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The baseline for the other algorithms, and the layout of weights, which are
// live as long as the model.

#include "algorithms.h"
#include "cursor.h"
#include "packing_query.h"

// Sorts the items by the first buffer of each.
static void order_by_addition(const gmem_packing_t *packing,
                              gmem_order_t *order) {
  for (uint32_t i = 0; i < packing->count; ++i)
    order[i] = (gmem_order_t){gmem_first_buffer(packing, i), i};
  gmem_sort_order(order, order + packing->count, packing->count);
}

gmem_status_t gmem_none_pack(const gmem_packing_t *packing,
                             gmem_search_t *search, uint64_t *offsets,
                             gmem_scratch_t *memory) {
  gmem_cursor_t cursor;
  gmem_order_t *order;
  gmem_search_spend(search, packing->count);
  GMEM_TRY(gmem_cursor_create(packing, memory, &cursor));
  GMEM_TRY_NEW(order, memory, 2 * (size_t)packing->count);
  order_by_addition(packing, order);
  for (uint32_t i = 0; i < packing->count; ++i) {
    uint32_t index = order[i].index;
    const gmem_item_t *item = &packing->items[index];
    offsets[index] = item->fixed_offset;
    if (!gmem_is_fixed(item) &&
        !gmem_cursor_take(&cursor, item, &offsets[index]))
      return gmem_no_address(packing, index, memory->diag);
  }
  return GMEM_OK;
}
