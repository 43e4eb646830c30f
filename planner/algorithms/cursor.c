// cursor.c - fills a pool from the bottom, skipping fixed items.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cursor.h"

#include <assert.h>

#include "packing.h"

static size_t count_fixed(const gmem_packing_t *packing) {
  size_t count = 0;
  for (uint32_t i = 0; i < packing->count; ++i)
    count += gmem_is_fixed(&packing->items[i]);
  return count;
}

gmem_status_t gmem_cursor_create(const gmem_packing_t *packing,
                                 gmem_scratch_t *memory,
                                 gmem_cursor_t *cursor) {
  size_t count = count_fixed(packing), next = 0;
  *cursor = (gmem_cursor_t){.packing = packing, .fixed_count = count};
  GMEM_TRY_NEW(cursor->fixed, memory, 2 * count);
  for (uint32_t i = 0; i < packing->count; ++i)
    if (gmem_is_fixed(&packing->items[i]))
      cursor->fixed[next++] = (gmem_order_t){packing->items[i].fixed_offset, i};
  gmem_sort_order(cursor->fixed, cursor->fixed + count, count);
  return GMEM_OK;
}

bool gmem_cursor_take(gmem_cursor_t *cursor, const gmem_item_t *item,
                      uint64_t *out_offset) {
  const gmem_packing_t *packing = cursor->packing;
  uint64_t offset, end;
  size_t passed = cursor->passed;
  if (!gmem_item_align(packing, item, cursor->top, &offset))
    return false;
  // Fixed items that end below the offset are skipped permanently: it only
  // grows.
  for (; passed < cursor->fixed_count; ++passed) {
    const gmem_item_t *fixed = &packing->items[cursor->fixed[passed].index];
    uint64_t fixed_end = fixed->fixed_offset + fixed->size;
    if (fixed->fixed_offset >= offset &&
        fixed->fixed_offset - offset >= item->size)
      break;
    if (fixed_end > offset &&
        !gmem_item_align(packing, item, fixed_end, &offset))
      return false;
  }
  if (!gmem_add_bytes(offset, item->size, &end))
    return false;
  assert(offset >= cursor->top);
  cursor->passed = passed;
  cursor->top = end;
  *out_offset = offset;
  return true;
}
