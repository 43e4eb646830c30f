// packed_items.c - placed items, which can be removed again, and the barriers
// between them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "packed_items.h"

#include <assert.h>
#include <string.h>

#include "packing_query.h"

//===--- set-up -----------------------------------------------------------===//

enum {
  FEW_ITEMS = 1024, // up to here a scan of all items is faster than lists
  WALK_PER_NEIGHBOUR =
      16, // or when the lists average at least this fraction of all items
  MOST_WALKED = 1 << 13, // limits the time of a move to about 10 us
  PAIRS_PER_ITEM = 200,  // the limit of list entries per item
  MOST_CLASHES = 256,    // barriers of one item for another
  MOST_MORE = 1 << 16,   // barriers besides one for each other item
};

static gmem_status_t allocate(gmem_packed_items_t *packed,
                              gmem_scratch_t *memory) {
  size_t count = packed->packing->count;
  size_t more = packed->packing->part_count * count;
  packed->room = count + (more < MOST_MORE ? more : MOST_MORE);
  GMEM_TRY_NEW(packed->offsets, memory, count);
  GMEM_TRY_ZEROS(packed->is_packed, memory, count);
  GMEM_TRY_NEW(packed->by_low, memory, count);
  GMEM_TRY_NEW(packed->by_high, memory, count);
  GMEM_TRY_NEW(packed->scratch, memory, packed->room);
  GMEM_TRY_NEW(packed->lows, memory, packed->room + 1);
  GMEM_TRY_NEW(packed->highs, memory, packed->room + 1);
  GMEM_TRY_NEW(packed->tops, memory, packed->room);
  return GMEM_OK;
}

gmem_status_t gmem_packed_items_create(const gmem_packing_t *packing,
                                       gmem_scratch_t *memory,
                                       gmem_packed_items_t *packed,
                                       bool *out_supported) {
  *packed = (gmem_packed_items_t){.packing = packing};
  *out_supported = false;
  uint64_t count = packing->count, pairs = 0;
  GMEM_TRY(gmem_count_conflicts(packing, NULL, &pairs, memory));
  uint64_t degree = count ? 2 * pairs / count : 0;
  packed->is_sorted =
      packing->is_plain &&
      (count <= FEW_ITEMS ||
       (count <= MOST_WALKED && count <= WALK_PER_NEIGHBOUR * degree));
  if (!packed->is_sorted) {
    GMEM_TRY(gmem_adjacency_create(
        packing, (size_t)count * PAIRS_PER_ITEM + (size_t)FEW_ITEMS * FEW_ITEMS,
        memory, &packed->adjacency));
    if (!packed->adjacency.is_complete)
      return GMEM_OK;
  }
  *out_supported = true;
  return allocate(packed, memory);
}

//===--- insertion and removal --------------------------------------------===//

// The offset of |item|, or its end.
static int64_t key_of(const gmem_packed_items_t *packed, uint32_t item,
                      bool by_high) {
  uint64_t extent = packed->packing->items[item].extent;
  return packed->offsets[item] + (by_high ? (int64_t)extent : 0);
}

// The first position in |list| whose key is not below that of |item|.
static uint32_t find(const gmem_packed_items_t *packed,
                     const gmem_packed_item_t *list, bool by_high,
                     uint32_t item) {
  uint32_t low = 0, high = packed->packed_count;
  int64_t wanted = key_of(packed, item, by_high);
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (key_of(packed, list[middle].item, by_high) < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void insert(const gmem_packed_items_t *packed, gmem_packed_item_t *list,
                   bool by_high, uint32_t item) {
  const gmem_item_t *self = &packed->packing->items[item];
  uint32_t at = find(packed, list, by_high, item);
  memmove(list + at + 1, list + at, (packed->packed_count - at) * sizeof *list);
  list[at] = (gmem_packed_item_t){self->begin, self->end, item};
}

static void erase(const gmem_packed_items_t *packed, gmem_packed_item_t *list,
                  bool by_high, uint32_t item) {
  uint32_t at = find(packed, list, by_high, item);
  while (list[at].item != item)
    ++at;
  memmove(list + at, list + at + 1,
          (packed->packed_count - at - 1) * sizeof *list);
}

void gmem_packed_items_put(gmem_packed_items_t *packed, uint32_t item,
                           int64_t offset) {
  assert(!packed->is_packed[item]);
  packed->offsets[item] = offset;
  packed->is_packed[item] = true;
  if (packed->is_sorted) {
    insert(packed, packed->by_low, false, item);
    insert(packed, packed->by_high, true, item);
  }
  ++packed->packed_count;
}

void gmem_packed_items_take(gmem_packed_items_t *packed, uint32_t item) {
  assert(packed->is_packed[item]);
  packed->is_packed[item] = false;
  if (packed->is_sorted) {
    erase(packed, packed->by_low, false, item);
    erase(packed, packed->by_high, true, item);
  }
  --packed->packed_count;
}

//===--- barriers, by scanning --------------------------------------------===//

// Lists the entries of |list| that are live with |self|. The loop has no
// branches, which would be unpredictable: every item is written, and
// overwritten by the next if it does not count.
static uint32_t select(const gmem_packed_items_t *packed,
                       const gmem_packed_item_t *list, const gmem_item_t *self,
                       gmem_order_t *selected) {
  uint32_t begin = self->begin, end = self->end, found = 0;
  for (uint32_t i = 0; i < packed->packed_count; ++i) {
    selected[found].index = list[i].item;
    found += (list[i].begin < end) & (begin < list[i].end);
  }
  return found;
}

static uint64_t bar_by_walk(gmem_packed_items_t *packed, uint32_t item) {
  const gmem_item_t *self = &packed->packing->items[item];
  gmem_order_t *lows = packed->lows, *highs = packed->highs;
  uint32_t count = select(packed, packed->by_low, self, lows);
  select(packed, packed->by_high, self, highs);
  for (uint32_t i = 0; i < count; ++i) {
    int64_t low = packed->offsets[lows[i].index] - (int64_t)self->extent;
    lows[i].key = gmem_time_key(low);
    highs[i].key = gmem_time_key(key_of(packed, highs[i].index, true));
  }
  packed->barrier_count = count;
  return packed->packed_count / 2 + 2 * (uint64_t)count;
}

//===--- barriers, from lists ---------------------------------------------===//

// Aligned offsets strictly between two ends are those strictly between the ends
// rounded outwards to aligned offsets. Ends beyond every offset are kept.
static int64_t align_down(const gmem_packing_t *packing,
                          const gmem_item_t *item, int64_t offset) {
  uint64_t excess = (packing->base + (uint64_t)offset) & (item->alignment - 1);
  int64_t aligned;
  return __builtin_sub_overflow(offset, (int64_t)excess, &aligned) ? INT64_MIN
                                                                   : aligned;
}

static int64_t align_up(const gmem_packing_t *packing, const gmem_item_t *item,
                        int64_t offset) {
  uint64_t missing =
      (0 - (packing->base + (uint64_t)offset)) & (item->alignment - 1);
  return gmem_clear_of(offset, (int64_t)missing);
}

int64_t gmem_barrier_high(const gmem_packed_items_t *packed, uint32_t at) {
  assert(at < packed->barrier_count);
  return packed->is_sorted ? key_of(packed, packed->lows[at].index, true)
                           : packed->tops[at];
}

// Sorts the infeasible distances, and joins those that overlap, so that none
// counts twice. Returns how many remain.
static uint32_t join_clashes(gmem_clash_t *clashes, uint32_t count) {
  uint32_t kept = 0;
  for (uint32_t i = 1; i < count; ++i) {
    gmem_clash_t clash = clashes[i];
    uint32_t k = i;
    for (; k && clashes[k - 1].low > clash.low; --k)
      clashes[k] = clashes[k - 1];
    clashes[k] = clash;
  }
  for (uint32_t i = 0; i < count; ++i) {
    if (kept && clashes[i].low < clashes[kept - 1].high) {
      if (clashes[i].high > clashes[kept - 1].high)
        clashes[kept - 1].high = clashes[i].high;
    } else {
      clashes[kept++] = clashes[i];
    }
  }
  return kept;
}

// Adds the barriers of |other| behind the first |count|. Until they are sorted
// the index in |lows| is their number, and the upper ends are in |highs|.
static uint32_t add_barriers(gmem_packed_items_t *packed, uint32_t item,
                             uint32_t other, size_t room, uint32_t count) {
  const gmem_packing_t *packing = packed->packing;
  const gmem_item_t *self = &packing->items[item];
  gmem_clash_t clashes[MOST_CLASHES];
  uint32_t listed = join_clashes(
      clashes,
      gmem_list_clashes(packing, other, item, clashes,
                        room < MOST_CLASHES ? room : (size_t)MOST_CLASHES));
  for (uint32_t k = 0; k < listed; ++k) {
    int64_t low = packed->offsets[other] + clashes[k].low;
    int64_t high = gmem_clear_of(packed->offsets[other], clashes[k].high);
    if (low >= high) // the interval is empty
      continue;
    low = align_down(packing, self, low);
    high = align_up(packing, self, high);
    packed->lows[count] = (gmem_order_t){gmem_time_key(low), count};
    packed->highs[count++] = (gmem_order_t){gmem_time_key(high), other};
  }
  return count;
}

static uint64_t bar_from_list(gmem_packed_items_t *packed, uint32_t item) {
  const gmem_adjacency_t *adjacency = &packed->adjacency;
  size_t first = adjacency->starts[item], last = adjacency->starts[item + 1];
  uint32_t count = 0;
  for (size_t i = first; i < last; ++i) {
    uint32_t other = adjacency->neighbours[i];
    if (packed->is_packed[other])
      count = add_barriers(packed, item, other,
                           packed->room - count - (last - 1 - i), count);
  }
  assert(count <= packed->room);
  gmem_sort_order(packed->lows, packed->scratch, count);
  for (uint32_t i = 0; i < count; ++i) {
    gmem_order_t high = packed->highs[packed->lows[i].index];
    packed->tops[i] = gmem_time_of(high.key);
    packed->lows[i].index = high.index;
  }
  gmem_sort_order(packed->highs, packed->scratch, count);
  packed->barrier_count = count;
  return 2 * (last - first) + 10 * (uint64_t)count;
}

uint64_t gmem_packed_items_bar(gmem_packed_items_t *packed, uint32_t item) {
  uint64_t steps = packed->is_sorted ? bar_by_walk(packed, item)
                                     : bar_from_list(packed, item);
  packed->lows[packed->barrier_count].key = gmem_time_key(INT64_MAX);
  packed->highs[packed->barrier_count].key = gmem_time_key(INT64_MAX);
  return steps;
}
