// packed_items.h - the items that have a place, which they can lose again, and
// what bars places for another.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_PACKED_ITEMS_H_
#define GMEM_PLANNER_PACKED_ITEMS_H_

#include "adjacency.h"
#include "items.h"
#include "planner_internal.h"

// Where a barrier begins or ends. A barrier is an open interval of offsets that
// one item cannot have as long as |item| is where it is.
typedef struct gmem_barrier_end_s {
  int64_t offset; // bytes, a multiple of the alignment of the barred item
  uint32_t item;
} gmem_barrier_end_t;

typedef struct gmem_packed_item_s {
  uint32_t begin, end; // sections
  uint32_t item;
} gmem_packed_item_t;

typedef struct gmem_packed_items_s {
  const gmem_packing_t *packing;
  int64_t *offsets; // of every item; the last one, when it has no place now
  bool *is_packed;  // by item
  uint32_t packed_count;
  // Few items, or a plain packing with too many conflicts for lists: all that
  // are packed, by the offset at which they begin and end. Walking over both is
  // faster than sorting lists.
  bool is_sorted;
  gmem_packed_item_t *by_low, *by_high;
  gmem_adjacency_t adjacency; // else
  gmem_order_t *scratch;      // 2 * count
  uint32_t *others;           // 2 * count
  // The barriers of the item that gmem_packed_items_bar was called for: the
  // ends of each, sorted by offset, and behind them one at INT64_MAX.
  gmem_barrier_end_t *lows, *highs;
  uint32_t barrier_count;
} gmem_packed_items_t;

// With no item packed. *out_supported: false when the packing is too large, and
// nothing else may be done with |packed| than destroying it.
// Fails with OUT_OF_MEMORY; destroying is harmless in every case.
gmem_status_t gmem_packed_items_create(const gmem_packing_t *packing,
                                       gmem_packed_items_t *packed,
                                       bool *out_supported, gmem_diag_t *diag);
void gmem_packed_items_destroy(gmem_packed_items_t *packed);

// Packs |item|, which is not packed, at |offset|; and undoes that.
void gmem_packed_items_put(gmem_packed_items_t *packed, uint32_t item,
                           int64_t offset);
void gmem_packed_items_take(gmem_packed_items_t *packed, uint32_t item);

// Finds what bars places for |item|, which is not packed. Returns the steps of
// work that this took.
uint64_t gmem_packed_items_bar(gmem_packed_items_t *packed, uint32_t item);

// Where the barrier that |other| puts up for |item| ends.
int64_t gmem_barrier_high(const gmem_packed_items_t *packed, uint32_t item,
                          uint32_t other);

#endif // GMEM_PLANNER_PACKED_ITEMS_H_
