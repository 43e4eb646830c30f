// item_order.h - the orders in which items are placed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_ITEM_ORDER_H_
#define GMEM_PLANNER_ITEM_ORDER_H_

#include "items.h"
#include "planner_internal.h"

// The primary key; ties are resolved by begin, then by canonical order.
typedef enum gmem_item_key_e {
  GMEM_KEY_BEGIN,     // earliest
  GMEM_KEY_ADDITION,  // with the buffer that was added first
  GMEM_KEY_END,       // latest: first fit backwards in time
  GMEM_KEY_SIZE,      // largest
  GMEM_KEY_AREA,      // largest size x duration
  GMEM_KEY_SECTIONS,  // largest size x number of sections in which it is live
  GMEM_KEY_DURATION,  // longest
  GMEM_KEY_PRESSURE,  // live in the section with the highest pressure
  GMEM_KEY_CONFLICTS, // most neighbours
  GMEM_KEY_CONFLICT_BYTES, // largest total size of its neighbours
} gmem_item_key_t;

// Lists the items by |key|: order[i].index, for i below the count of items;
// |order| has room for twice as many. |memory| is unchanged at the end.
// O(n log n). Fails with OUT_OF_MEMORY.
gmem_status_t gmem_item_order(const gmem_packing_t *packing,
                              gmem_item_key_t key, gmem_order_t *order,
                              gmem_scratch_t *memory);

#endif // GMEM_PLANNER_ITEM_ORDER_H_
