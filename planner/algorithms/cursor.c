// cursor.c - fills a pool from the bottom, skipping fixed items.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cursor.h"

#include "packing.h"
#include "planner_memory.h"
#include "sort.h"

static size_t count_fixed(const gmem_packing_t *packing) {
  size_t count = 0;
  for (uint32_t i = 0; i < packing->count; ++i)
    count += packing->items[i].fixed_offset != GMEM_NOT_FIXED;
  return count;
}

gmem_status_t gmem_cursor_create(const gmem_packing_t *packing,
                                 gmem_cursor_t *cursor, gmem_diag_t *diag) {
  size_t count = count_fixed(packing), next = 0;
  *cursor = (gmem_cursor_t){.packing = packing, .fixed_count = count};
  cursor->fixed =
      gmem_planner_alloc(packing->allocator, 2 * count, sizeof *cursor->fixed);
  if (!cursor->fixed)
    return gmem_planner_out_of_memory(diag);
  for (uint32_t i = 0; i < packing->count; ++i) {
    uint64_t offset = packing->items[i].fixed_offset;
    if (offset != GMEM_NOT_FIXED)
      cursor->fixed[next++] = (gmem_order_t){offset, i};
  }
  gmem_sort_order(cursor->fixed, cursor->fixed + count, count);
  return GMEM_OK;
}

void gmem_cursor_destroy(gmem_cursor_t *cursor) {
  gmem_planner_free(cursor->packing->allocator, cursor->fixed,
                    2 * cursor->fixed_count, sizeof *cursor->fixed);
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
  cursor->passed = passed;
  cursor->top = end;
  *out_offset = offset;
  return true;
}
