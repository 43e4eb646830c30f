// cursor.h - filling a pool from the bottom, never stepping on a fixed item.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_CURSOR_H_
#define GMEM_PLANNER_CURSOR_H_

#include "items.h"
#include "planner_internal.h"

// Everything below |top| is taken.
typedef struct gmem_cursor_s {
  const gmem_packing_t *packing;
  gmem_order_t *fixed; // items by offset, and scratch
  size_t fixed_count;
  size_t passed; // of |fixed|: they end below the top
  uint64_t top;  // bytes from the start of the pool
} gmem_cursor_t;

// Fails with OUT_OF_MEMORY; |cursor| may be destroyed all the same.
gmem_status_t gmem_cursor_create(const gmem_packing_t *packing,
                                 gmem_cursor_t *cursor, gmem_diag_t *diag);
void gmem_cursor_destroy(gmem_cursor_t *cursor);

// Takes bytes for |item| at the lowest aligned offset that is not below the top
// and touches no fixed item, and moves the top behind them. Returns false and
// changes nothing when they would end above every address.
bool gmem_cursor_take(gmem_cursor_t *cursor, const gmem_item_t *item,
                      uint64_t *out_offset);

#endif // GMEM_PLANNER_CURSOR_H_
