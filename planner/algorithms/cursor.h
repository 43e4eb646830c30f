// cursor.h - fills a pool from the bottom, skipping fixed items.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_CURSOR_H_
#define GMEM_PLANNER_CURSOR_H_

#include "items.h"
#include "planner_internal.h"

// All bytes below |top| are in use.
typedef struct gmem_cursor_s {
  const gmem_packing_t *packing;
  gmem_order_t *fixed; // items by offset, and scratch
  size_t fixed_count;
  size_t passed; // number of |fixed| that end below the top
  uint64_t top;  // bytes from the start of the pool
} gmem_cursor_t;

// |memory| keeps the list. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_cursor_create(const gmem_packing_t *packing,
                                 gmem_scratch_t *memory, gmem_cursor_t *cursor);

// Allocates |item| at the lowest aligned offset that is not below the top and
// overlaps no fixed item, and moves the top to its end. Returns false and
// changes nothing when the end exceeds GMEM_MAX_ADDRESS.
bool gmem_cursor_take(gmem_cursor_t *cursor, const gmem_item_t *item,
                      uint64_t *out_offset);

#endif // GMEM_PLANNER_CURSOR_H_
