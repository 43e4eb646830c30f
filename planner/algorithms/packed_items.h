// packed_items.h - placed items, which can be removed again, and the barriers
// between them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_PACKED_ITEMS_H_
#define GMEM_PLANNER_PACKED_ITEMS_H_

#include "adjacency.h"
#include "planner_internal.h"

typedef struct gmem_packed_item_s {
  uint32_t begin, end; // sections
  uint32_t item;
} gmem_packed_item_t;

typedef struct gmem_packed_items_s {
  const gmem_packing_t *packing;
  int64_t *offsets; // by item; the last offset, when it is not placed
  bool *is_packed;  // by item
  uint32_t packed_count;
  // For few items, or a plain packing with too many conflicts for lists: all
  // placed items, by begin and by end. Scanning both is faster than sorting
  // lists.
  bool is_sorted;
  gmem_packed_item_t *by_low, *by_high;
  gmem_adjacency_t adjacency; // otherwise
  gmem_order_t *scratch;      // |room|
  // The barriers of the last item given to gmem_packed_items_bar: open
  // intervals of offsets that are infeasible for it while another item, the
  // index, stays at its offset. An item whose bytes are not all live at the
  // same times has several, which do not overlap. The ends of each, sorted,
  // followed by one at INT64_MAX; the keys are those of gmem_time_key, of
  // offsets that are multiples of the alignment.
  gmem_order_t *lows, *highs;
  int64_t *tops; // by position in |lows|: the upper end; not if |is_sorted|
  uint32_t barrier_count;
  size_t room; // barriers
} gmem_packed_items_t;

// Creates a set without placed items, in |memory|. *out_supported: false when
// the packing is too large; |packed| is then of no use. Fails with
// OUT_OF_MEMORY.
gmem_status_t gmem_packed_items_create(const gmem_packing_t *packing,
                                       gmem_scratch_t *memory,
                                       gmem_packed_items_t *packed,
                                       bool *out_supported);

// Places |item|, which is not placed, at |offset|; the other removes it.
void gmem_packed_items_put(gmem_packed_items_t *packed, uint32_t item,
                           int64_t offset);
void gmem_packed_items_take(gmem_packed_items_t *packed, uint32_t item);

// Computes the barriers of |item|, which is not placed. Returns the work done.
uint64_t gmem_packed_items_bar(gmem_packed_items_t *packed, uint32_t item);

// The upper end of the barrier at position |at| of |lows|.
int64_t gmem_barrier_high(const gmem_packed_items_t *packed, uint32_t at);

#endif // GMEM_PLANNER_PACKED_ITEMS_H_
