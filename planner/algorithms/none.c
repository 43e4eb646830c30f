// none.c - no reuse: all items are disjoint, in order of addition.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The baseline for the other algorithms, and the layout of weights, which are
// live as long as the model.

#include "algorithms.h"
#include "cursor.h"
#include "item_order.h"
#include "packing_query.h"

gmem_status_t gmem_none_pack(const gmem_task_t *task) {
  const gmem_packing_t *packing = task->packing;
  gmem_cursor_t cursor;
  gmem_order_t *order;
  gmem_search_spend(task->search, packing->count);
  GMEM_TRY(gmem_cursor_create(packing, task->memory, &cursor));
  GMEM_TRY_NEW(order, task->memory, 2 * (size_t)packing->count);
  GMEM_TRY(gmem_item_order(packing, GMEM_KEY_ADDITION, order, task->memory));
  for (uint32_t i = 0; i < packing->count; ++i) {
    uint32_t index = order[i].index;
    const gmem_item_t *item = &packing->items[index];
    task->offsets[index] = item->fixed_offset;
    if (!gmem_is_fixed(item) &&
        !gmem_cursor_take(&cursor, item, &task->offsets[index]))
      return gmem_no_address(packing, index, task->memory->diag);
  }
  return GMEM_OK;
}
