// hill_climb.c - lowers the peak of a placement by local search: guided
// ejection.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The search keeps a valid placement of *some* items below a ceiling slightly
// lower than the best peak so far, and tries to insert the others. An item is
// inserted where that is cheapest, and the items in the way are ejected:
//
//   ceiling  ------------------         ------------------
//            |###|   |##|                |###| |new|  |
//            |###|=========|    ->       |###| |   |====|  ->  out: ==, ##
//
// The cost of ejecting an item is its weight, which grows with its duration and
// with each time it could not be inserted. So items that are hard to place tend
// to stay, and cycles do not last. Ties are broken by a random number, and
// occasionally a neighbour moves to another free offset; the seed is fixed.
// When all items are inserted, they are moved down as far as possible, and the
// ceiling is lowered.
//
// Adapted from "guided ejection search" for vehicle routing (Nagata and Braysy,
// "A powerful route minimization heuristic for the vehicle routing problem with
// time windows", Operations Research Letters 37, 2009). Hill climbing over
// allocation orders relies on failure weights, too (Arm's Regor, Apache TVM);
// moving single items is about 100 times cheaper than reallocating all of them.

#include <assert.h>

#include "algorithms.h"
#include "packed_items.h"
#include "packing_query.h"
#include "search.h"

enum {
  // The ceiling is lowered by this fraction of the remaining gap to the bound.
  LADDER = 20,
  // Weights: a constant for every item, an addition proportional to its
  // duration, and an addition for each failure.
  WEIGHT = 50,
  WEIGHT_OF_DURATION = 1000,
  WEIGHT_OF_FAILURE = 100,
  // Of an item whose bytes are live at different times: it may be moved only
  // together with most of what lies between its parts.
  WEIGHT_OF_PART = 1000,
  // The limit of items for which sums of weights do not overflow.
  MOST_ITEMS = 1 << 18,
};
// Larger than the cost of ejecting all items.
static const uint64_t WEIGHT_OF_FIXED = UINT64_C(1) << 45;
static const uint64_t HEAVIEST = UINT64_C(1) << 26;

typedef struct climb_s {
  const gmem_packing_t *packing;
  gmem_search_t *search;
  gmem_packed_items_t packed;
  uint64_t *weights; // cost of ejecting each item
  uint32_t *waiting; // items that are not inserted
  uint32_t waiting_count;
  gmem_order_t *order; // scratch, 2 * count
  uint64_t ceiling;    // no item ends above it
  uint64_t random;     // state of the generator
} climb_t;

//===--- cheapest offsets -------------------------------------------------===//

// The keys of the lowest and the highest offset of |item|; false when there is
// none.
static bool range_of(const climb_t *climb, uint32_t item, uint64_t *first,
                     uint64_t *last) {
  const gmem_packing_t *packing = climb->packing;
  const gmem_item_t *self = &packing->items[item];
  uint64_t lowest;
  if (!gmem_item_align(packing, self, 0, &lowest) ||
      self->size > climb->ceiling || lowest > climb->ceiling - self->size)
    return false;
  uint64_t highest = climb->ceiling - self->size;
  highest -= (packing->base + highest) & (self->alignment - 1);
  *first = gmem_time_key((int64_t)lowest);
  *last = gmem_time_key((int64_t)highest);
  return true;
}

// Evaluates all positions of |item|, which is not inserted, that touch other
// items, the bottom or the ceiling: no other position is cheaper. Spends the
// corresponding work.
static gmem_cheapest_t choose_place(climb_t *climb, uint32_t item) {
  gmem_cheapest_t best = {.cost = UINT64_MAX};
  uint64_t at, last; // keys
  if (!range_of(climb, item, &at, &last))
    return best;
  gmem_search_spend(climb->search, gmem_packed_items_bar(&climb->packed, item));
  const gmem_order_t *low = climb->packed.lows, *high = climb->packed.highs;
  const uint64_t *weights = climb->weights;
  uint64_t cost = 0;
  for (; low->key < at; ++low)
    cost += weights[low->index];
  for (;;) {
    for (; high->key <= at; ++high)
      cost -= weights[high->index];
    gmem_consider(&best, at, cost, &climb->random);
    if (at == last)
      return best;
    for (; low->key <= at; ++low)
      cost += weights[low->index];
    at = high->key < low->key ? high->key : low->key;
    at = at < last ? at : last;
  }
}

//===--- ejection ---------------------------------------------------------===//

static void eject(climb_t *climb, uint32_t item) {
  gmem_packed_items_take(&climb->packed, item);
  climb->waiting[climb->waiting_count++] = item;
}

// Ejects the items that overlap the one whose barriers have been computed at
// |offset|.
static void make_room(climb_t *climb, int64_t offset) {
  const gmem_packed_items_t *packed = &climb->packed;
  for (uint32_t i = 0; packed->lows[i].key < gmem_time_key(offset); ++i) {
    if (gmem_barrier_high(packed, i) > offset)
      eject(climb, packed->lows[i].index);
  }
}

static void lower_ceiling(climb_t *climb, uint64_t peak) {
  const gmem_packing_t *packing = climb->packing;
  climb->ceiling = peak - (peak - packing->goal + LADDER - 1) / LADDER;
  for (uint32_t i = 0; i < packing->count; ++i)
    if (climb->packed.is_packed[i] &&
        (uint64_t)climb->packed.offsets[i] + packing->items[i].size >
            climb->ceiling)
      eject(climb, i);
}

//===--- moves ------------------------------------------------------------===//

// Moves a neighbour, whose barriers have been computed, to a random free
// offset; its own is one of them.
static void move_neighbour(climb_t *climb) {
  gmem_packed_items_t *packed = &climb->packed;
  if (packed->barrier_count == 0)
    return;
  uint32_t chosen = gmem_random_below(&climb->random, packed->barrier_count);
  uint32_t item = packed->lows[chosen].index;
  if (!packed->is_packed[item] || gmem_is_fixed(&climb->packing->items[item]))
    return;
  gmem_packed_items_take(packed, item);
  gmem_cheapest_t choice = choose_place(climb, item);
  gmem_packed_items_put(packed, item, choice.offset);
}

static uint32_t next_waiting(climb_t *climb) {
  assert(climb->waiting_count > 0);
  uint32_t at = gmem_random_below(&climb->random, climb->waiting_count);
  uint32_t item = climb->waiting[at];
  climb->waiting[at] = climb->waiting[--climb->waiting_count];
  return item;
}

// Inserts one item. Returns false when fixed items leave no offset below the
// ceiling.
static bool insert_one(climb_t *climb) {
  uint32_t item = next_waiting(climb);
  gmem_cheapest_t choice = choose_place(climb, item);
  if (choice.cost >= WEIGHT_OF_FIXED)
    return false;
  if (choice.cost > 0) {
    if (climb->weights[item] < HEAVIEST)
      climb->weights[item] += WEIGHT_OF_FAILURE;
    make_room(climb, choice.offset);
  }
  gmem_packed_items_put(&climb->packed, item, choice.offset);
  if (choice.cost > 0)
    move_neighbour(climb);
  return true;
}

//===--- improvement ------------------------------------------------------===//

static uint64_t lowest_place(climb_t *climb, uint32_t item) {
  const gmem_packing_t *packing = climb->packing;
  const gmem_packed_items_t *packed = &climb->packed;
  uint64_t at = 0;
  (void)gmem_item_align(packing, &packing->items[item], 0, &at);
  gmem_search_spend(climb->search, gmem_packed_items_bar(&climb->packed, item));
  for (uint32_t i = 0; packed->lows[i].key < gmem_time_key((int64_t)at); ++i) {
    int64_t high = gmem_barrier_high(packed, i);
    if (high > (int64_t)at) // its current offset is higher, so this cannot fail
      (void)gmem_item_align(packing, &packing->items[item], (uint64_t)high,
                            &at);
  }
  return at;
}

// All items are inserted. Moves each, from the lowest on, down as far as
// possible.
static void compact(climb_t *climb) {
  const gmem_packing_t *packing = climb->packing;
  gmem_packed_items_t *packed = &climb->packed;
  gmem_order_t *order = climb->order;
  for (uint32_t i = 0; i < packing->count; ++i)
    order[i] = (gmem_order_t){(uint64_t)packed->offsets[i], i};
  gmem_sort_order(order, order + packing->count, packing->count);
  for (uint32_t i = 0; i < packing->count && !climb->search->cancelled; ++i) {
    uint32_t item = order[i].index;
    if (gmem_is_fixed(&packing->items[item]))
      continue;
    gmem_packed_items_take(packed, item);
    uint64_t offset = lowest_place(climb, item);
    gmem_packed_items_put(packed, item, (int64_t)offset);
  }
}

// Copies the placement, in which all items are inserted. Returns its peak.
static uint64_t keep(const climb_t *climb, uint64_t *offsets) {
  for (uint32_t i = 0; i < climb->packing->count; ++i)
    offsets[i] = (uint64_t)climb->packed.offsets[i];
  return gmem_packing_peak(climb->packing, offsets);
}

// Work without improvement after which the search gives up: enough to insert
// every item about a thousand times, at about one unit per barrier.
static uint64_t patience_of(const climb_t *climb) {
  enum { MOST_IN_THE_WAY = 1 << 10 };
  uint64_t count = climb->packing->count;
  uint64_t each = count < MOST_IN_THE_WAY ? count : MOST_IN_THE_WAY;
  return count * each *
         gmem_by_effort(climb->search->effort, 1 << 8, 1 << 12, 1 << 16);
}

static void search_lower(climb_t *climb, uint64_t *offsets) {
  const gmem_packing_t *packing = climb->packing;
  uint64_t peak = gmem_packing_peak(packing, offsets);
  uint64_t patience = patience_of(climb);
  uint64_t end = climb->search->steps + patience;
  lower_ceiling(climb, peak);
  while (gmem_search_spend(climb->search, 1) && climb->search->steps < end) {
    if (climb->waiting_count > 0) {
      if (!insert_one(climb))
        return;
      continue;
    }
    compact(climb);
    peak = keep(climb, offsets);
    if (peak <= packing->goal)
      return;
    end = climb->search->steps + patience;
    lower_ceiling(climb, peak);
  }
}

//===--- set-up -----------------------------------------------------------===//

static uint64_t weight_of(const gmem_packing_t *packing,
                          const gmem_item_t *item) {
  uint64_t sections = item->end - item->begin;
  uint64_t weight = WEIGHT +
                    sections * WEIGHT_OF_DURATION / packing->section_count +
                    (uint64_t)item->part_count * WEIGHT_OF_PART;
  return weight < HEAVIEST ? weight : HEAVIEST;
}

static gmem_status_t start(climb_t *climb, const uint64_t *offsets,
                           gmem_scratch_t *memory) {
  const gmem_packing_t *packing = climb->packing;
  size_t count = packing->count;
  GMEM_TRY_NEW(climb->weights, memory, count);
  GMEM_TRY_NEW(climb->waiting, memory, count);
  GMEM_TRY_NEW(climb->order, memory, 2 * count);
  for (uint32_t i = 0; i < count; ++i) {
    const gmem_item_t *item = &packing->items[i];
    climb->weights[i] =
        gmem_is_fixed(item) ? WEIGHT_OF_FIXED : weight_of(packing, item);
    gmem_packed_items_put(&climb->packed, i, (int64_t)offsets[i]);
  }
  return GMEM_OK;
}

gmem_status_t gmem_hill_climb_pack(const gmem_task_t *task) {
  const gmem_packing_t *packing = task->packing;
  gmem_search_t *search = task->search;
  bool supported;
  if (packing->count > MOST_ITEMS ||
      gmem_packing_peak(packing, task->offsets) <= packing->goal)
    return GMEM_OK;
  climb_t climb = {.packing = packing,
                   .search = search,
                   .random = UINT64_C(0x9E3779B97F4A7C15)};
  GMEM_TRY(gmem_packed_items_create(packing, task->memory, &climb.packed,
                                    &supported));
  if (!supported)
    return GMEM_OK;
  GMEM_TRY(start(&climb, task->offsets, task->memory));
  uint64_t steps = // a second at normal effort
      gmem_by_effort(search->effort, 1 << 23, 1 << 27, UINT64_C(1) << 31);
  uint64_t limit = gmem_search_limit_stage(search, steps);
  search_lower(&climb, task->offsets);
  search->stage_limit = limit;
  return GMEM_OK;
}

gmem_status_t gmem_greedy_hill_climb_pack(const gmem_task_t *task) {
  GMEM_TRY(gmem_pack(gmem_greedy_by_size_pack, task->packing, task->search,
                     task->offsets, task->memory->diag));
  return gmem_hill_climb_pack(task);
}
