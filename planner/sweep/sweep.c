// sweep.c - plans for any number of buffers, outwards from the time of peak
// pressure.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The items that are live in the section with the highest pressure are stacked
// without gaps, so that they end at the lower bound. Every other item is live
// entirely before or entirely after that section. Moving away from it in both
// directions, each item is placed in the best gap between the items that are
// live when it enters:
//
//        leave <- enter | stack | enter -> leave
//   ...  --+  +----+ +--+-------+--+ +---+   ...
//          |  |    | |  long-lived | |   |
//        --+  +----+ +--+-------+--+ +---+
//                        peak
//
// A step needs only the set of live items: no interference lists are made, and
// the time is O(n log n), dominated by sorting. Two-sided sweeps of register
// allocators start at the peak, too; Sekiyama et al., "Profile-guided memory
// optimization for deep neural networks" (2018), start at the largest buffers.

#include <assert.h>
#include <string.h>

#include "algorithms.h"
#include "gap_index.h"
#include "packing_query.h"
#include "search.h"
#include "sweep_repair.h"

typedef enum item_key_e {
  BY_SIZE,   // largest first
  BY_LENGTH, // longest first
  BY_AREA,   // most bytes times sections first
  BY_BEGIN,  // earliest first
  BY_END,    // latest first
  ITEM_KEYS
} item_key_t;

// One variant of the sweep.
typedef struct variant_s {
  item_key_t stack;  // order in which the peak is stacked
  item_key_t groups; // order of those that enter together
  gmem_gap_rule_t rule;
} variant_t;

// Bytes that fixed items occupy at any time.
typedef struct obstacle_s {
  uint64_t offset, top;
  uint32_t item; // one of them
} obstacle_t;

typedef struct sweep_s {
  const gmem_packing_t *packing;
  gmem_scratch_t *memory;
  gmem_search_t *search;
  uint32_t count, section_count;
  gmem_hulls_t hulls;
  uint32_t *by_end;    // items
  uint32_t *first_end; // as first_begin
  gmem_order_t *order, *scratch;
  obstacle_t *obstacles; // by offset, disjoint
  size_t fixed_count, obstacle_count;
  gmem_gap_index_t gaps;
  uint64_t *best, *trial; // offsets; |best| is the caller's
  uint64_t best_peak;     // GMEM_UNLIMITED: none so far
  variant_t variant;
  uint32_t peak; // section
  bool failed;   // an item would end above GMEM_MAX_ADDRESS
  uint32_t failed_item;
} sweep_t;

//===--- hulls ------------------------------------------------------------===//

// Extends hulls until items that conflict without sharing a section intersect.
static void widen(sweep_t *sweep) {
  const gmem_packing_t *packing = sweep->packing;
  gmem_hull_t *hulls = sweep->hulls.at;
  for (uint32_t i = 0; packing->extra && i < sweep->count; ++i)
    for (size_t k = packing->extra_starts[i]; k < packing->extra_starts[i + 1];
         ++k) {
      gmem_hull_t *other = &hulls[packing->extra[k]];
      if (hulls[i].end <= other->begin)
        hulls[i].end = other->begin + 1;
      else if (other->end <= hulls[i].begin)
        hulls[i].begin = other->end - 1;
    }
}

static bool is_fixed(const sweep_t *sweep, uint32_t item) {
  return sweep->fixed_count && gmem_is_fixed(&sweep->packing->items[item]);
}

static void list_hulls(sweep_t *sweep) {
  uint32_t first = sweep->packing->first_section;
  for (uint32_t i = 0; i < sweep->count; ++i) {
    const gmem_item_t *item = &sweep->packing->items[i];
    sweep->hulls.at[i] = (gmem_hull_t){.begin = item->begin - first,
                                       .end = item->end - first,
                                       .extent = item->extent};
    sweep->fixed_count += gmem_is_fixed(item);
  }
  widen(sweep);
}

// Fixed items are treated as always live.
static void list_obstacles(sweep_t *sweep) {
  const gmem_item_t *items = sweep->packing->items;
  size_t count = 0;
  for (uint32_t i = 0; i < sweep->count; ++i)
    if (is_fixed(sweep, i))
      sweep->order[count++] = (gmem_order_t){items[i].fixed_offset, i};
  gmem_sort_order(sweep->order, sweep->scratch, count);
  for (size_t i = 0; i < count; ++i) {
    uint32_t item = sweep->order[i].index;
    uint64_t offset = items[item].fixed_offset;
    uint64_t top = offset + items[item].size;
    size_t known = sweep->obstacle_count;
    obstacle_t *last = &sweep->obstacles[known ? known - 1 : 0];
    if (known == 0 || last->top < offset)
      sweep->obstacles[sweep->obstacle_count++] =
          (obstacle_t){offset, top, item};
    else if (last->top < top)
      last->top = top;
  }
}

static void compute_pressure(sweep_t *sweep) {
  uint64_t *pressure = sweep->hulls.pressure;
  for (uint32_t i = 0; i < sweep->count; ++i) { // modulo 2^64
    const gmem_hull_t *hull = &sweep->hulls.at[i];
    assert(hull->begin < hull->end && hull->end <= sweep->section_count);
    pressure[hull->begin] += hull->extent;
    pressure[hull->end] -= hull->extent;
  }
  for (uint32_t i = 1; i < sweep->section_count; ++i)
    pressure[i] += pressure[i - 1];
}

//===--- orders -----------------------------------------------------------===//

static uint64_t key_of(const gmem_hull_t *hull, item_key_t key) {
  uint64_t length = hull->end - hull->begin;
  switch (key) {
  case BY_SIZE:
    return ~hull->extent;
  case BY_LENGTH:
    return ~length;
  case BY_AREA:
    return hull->extent > UINT64_MAX / length ? 0 : ~(hull->extent * length);
  case BY_BEGIN:
    return hull->begin;
  default:
    return ~(uint64_t)hull->end;
  }
}

static void sort_items(sweep_t *sweep, uint32_t *items, size_t count,
                       item_key_t key) {
  if (count < 2)
    return;
  for (size_t i = 0; i < count; ++i)
    sweep->order[i] =
        (gmem_order_t){key_of(&sweep->hulls.at[items[i]], key), items[i]};
  gmem_sort_order(sweep->order, sweep->scratch, count);
  for (size_t i = 0; i < count; ++i)
    items[i] = sweep->order[i].index;
}

// Lists the items by the section in which they begin (or end): those of section
// s are [first[s], first[s + 1]). |first| has two more entries than there are
// sections.
static void count_sort(const sweep_t *sweep, bool by_end, uint32_t *items,
                       uint32_t *first) {
  const gmem_hull_t *hulls = sweep->hulls.at;
  memset(first, 0, ((size_t)sweep->section_count + 2) * sizeof *first);
  for (uint32_t i = 0; i < sweep->count; ++i)
    ++first[(by_end ? hulls[i].end : hulls[i].begin) + 1];
  for (uint32_t i = 0; i <= sweep->section_count; ++i)
    first[i + 1] += first[i];
  for (uint32_t i = 0; i < sweep->count; ++i)
    items[first[by_end ? hulls[i].end : hulls[i].begin]++] = i;
  memmove(first + 1, first, ((size_t)sweep->section_count + 1) * sizeof *first);
  first[0] = 0;
  assert(first[sweep->section_count + 1] == sweep->count);
}

static void list_orders(sweep_t *sweep, item_key_t groups) {
  gmem_hulls_t *hulls = &sweep->hulls;
  count_sort(sweep, false, hulls->by_begin, hulls->first_begin);
  count_sort(sweep, true, sweep->by_end, sweep->first_end);
  for (uint32_t i = 0; i <= sweep->section_count; ++i) {
    uint32_t begin = hulls->first_begin[i], end = sweep->first_end[i];
    sort_items(sweep, hulls->by_begin + begin,
               hulls->first_begin[i + 1] - begin, groups);
    sort_items(sweep, sweep->by_end + end, sweep->first_end[i + 1] - end,
               groups);
  }
}

//===--- one sweep --------------------------------------------------------===//

static bool place(sweep_t *sweep, uint32_t item, uint32_t leaves) {
  gmem_gap_need_t need = {.extent = sweep->hulls.at[item].extent,
                          .alignment = sweep->packing->items[item].alignment,
                          .leaves = leaves};
  if (gmem_gap_index_place(&sweep->gaps, item, &need, sweep->variant.rule,
                           &sweep->trial[item]))
    return true;
  sweep->failed = true;
  sweep->failed_item = item;
  return false;
}

static void push_obstacles(sweep_t *sweep) {
  for (size_t i = 0; i < sweep->obstacle_count; ++i) {
    const obstacle_t *obstacle = &sweep->obstacles[i];
    gmem_gap_index_push(&sweep->gaps, obstacle->item, obstacle->offset,
                        obstacle->top, UINT32_MAX);
  }
}

static bool is_in_stack(const sweep_t *sweep, uint32_t item) {
  const gmem_hull_t *hull = &sweep->hulls.at[item];
  return hull->begin <= sweep->peak && sweep->peak < hull->end &&
         !is_fixed(sweep, item);
}

// Fills |order| with the items of the stack, in any order.
static size_t list_stack(sweep_t *sweep) {
  size_t count = 0;
  uint32_t last = sweep->hulls.first_begin[sweep->peak + 1];
  for (uint32_t i = 0; i < last; ++i) {
    uint32_t item = sweep->hulls.by_begin[i];
    if (is_in_stack(sweep, item))
      sweep->order[count++].index = item;
  }
  return count;
}

// The lower bound counts only the size of the topmost item, without its
// padding. Where the pressure exceeds the goal by at most that padding, an item
// with enough padding is placed on top: the longest, because the pressure
// around the peak is equally high.
static void put_slack_on_top(sweep_t *sweep, size_t count) {
  const gmem_packing_t *packing = sweep->packing;
  gmem_order_t *order = sweep->order;
  uint64_t pressure = sweep->hulls.pressure[sweep->peak];
  uint32_t longest = 0;
  size_t top = count;
  for (size_t i = 0; pressure > packing->goal && i < count; ++i) {
    const gmem_item_t *item = &packing->items[order[i].index];
    const gmem_hull_t *hull = &sweep->hulls.at[order[i].index];
    if (item->extent - item->size >= pressure - packing->goal &&
        hull->end - hull->begin > longest) {
      longest = hull->end - hull->begin;
      top = i;
    }
  }
  for (; top + 1 < count; ++top) {
    gmem_order_t swap = order[top];
    order[top] = order[top + 1];
    order[top + 1] = swap;
  }
}

static bool place_stack(sweep_t *sweep) {
  size_t count = list_stack(sweep);
  for (size_t i = 0; i < count; ++i)
    sweep->order[i].key =
        key_of(&sweep->hulls.at[sweep->order[i].index], sweep->variant.stack);
  gmem_sort_order(sweep->order, sweep->scratch, count);
  put_slack_on_top(sweep, count);
  gmem_gap_index_clear(&sweep->gaps);
  push_obstacles(sweep);
  for (size_t i = 0; i < count; ++i) {
    uint32_t item = sweep->order[i].index;
    if (!place(sweep, item, sweep->hulls.at[item].end))
      return false;
  }
  return true;
}

static uint64_t obstacle_before(const sweep_t *sweep, size_t next) {
  return next < sweep->obstacle_count ? sweep->obstacles[next].offset
                                      : UINT64_MAX;
}

// Restores the stack, for the other direction.
static void restore_stack(sweep_t *sweep) {
  size_t count = list_stack(sweep), next = 0;
  for (size_t i = 0; i < count; ++i)
    sweep->order[i].key = sweep->trial[sweep->order[i].index];
  gmem_sort_order(sweep->order, sweep->scratch, count);
  gmem_gap_index_clear(&sweep->gaps);
  for (size_t i = 0; i < count || next < sweep->obstacle_count;) {
    if (i < count && sweep->order[i].key < obstacle_before(sweep, next)) {
      uint32_t item = sweep->order[i++].index;
      const gmem_hull_t *hull = &sweep->hulls.at[item];
      gmem_gap_index_push(&sweep->gaps, item, sweep->trial[item],
                          sweep->trial[item] + hull->extent,
                          UINT32_MAX - hull->begin);
      continue;
    }
    const obstacle_t *obstacle = &sweep->obstacles[next++];
    gmem_gap_index_push(&sweep->gaps, obstacle->item, obstacle->offset,
                        obstacle->top, UINT32_MAX);
  }
}

static bool sweep_right(sweep_t *sweep) {
  const gmem_hulls_t *hulls = &sweep->hulls;
  uint32_t leave = sweep->first_end[sweep->peak + 1];
  for (uint32_t i = hulls->first_begin[sweep->peak + 1]; i < sweep->count;
       ++i) {
    uint32_t item = hulls->by_begin[i], begin = hulls->at[item].begin;
    for (; hulls->at[sweep->by_end[leave]].end <= begin; ++leave)
      if (!is_fixed(sweep, sweep->by_end[leave]))
        gmem_gap_index_remove(&sweep->gaps, sweep->by_end[leave]);
    if (!is_fixed(sweep, item) && !place(sweep, item, hulls->at[item].end))
      return false;
  }
  return true;
}

// Removes the items that begin at or after |section|, from number |leave| - 1
// of by_begin down, and returns the number of the rest.
static uint32_t leave_left(sweep_t *sweep, uint32_t section, uint32_t leave) {
  const gmem_hulls_t *hulls = &sweep->hulls;
  while (leave > hulls->first_begin[section]) {
    uint32_t item = hulls->by_begin[--leave];
    if (!is_fixed(sweep, item))
      gmem_gap_index_remove(&sweep->gaps, item);
  }
  return leave;
}

static bool sweep_left(sweep_t *sweep) {
  uint32_t leave = sweep->hulls.first_begin[sweep->peak + 1];
  for (uint32_t end = sweep->peak + 1; end-- > 0;) {
    uint32_t first = sweep->first_end[end], last = sweep->first_end[end + 1];
    if (first < last)
      leave = leave_left(sweep, end, leave);
    for (uint32_t i = first; i < last; ++i) {
      uint32_t item = sweep->by_end[i];
      if (!is_fixed(sweep, item) &&
          !place(sweep, item, UINT32_MAX - sweep->hulls.at[item].begin))
        return false;
    }
  }
  return true;
}

static void keep_better(sweep_t *sweep) {
  for (uint32_t i = 0; i < sweep->count; ++i)
    if (is_fixed(sweep, i))
      sweep->trial[i] = sweep->packing->items[i].fixed_offset;
  uint64_t peak = gmem_packing_peak(sweep->packing, sweep->trial);
  if (peak >= sweep->best_peak)
    return;
  sweep->best_peak = peak;
  memcpy(sweep->best, sweep->trial, sweep->count * sizeof *sweep->best);
  gmem_search_found(sweep->search, peak);
}

// Returns false when no other variant is to be tried.
static bool try_variant(sweep_t *sweep) {
  sweep->gaps.steps = 0;
  if (place_stack(sweep) && sweep_right(sweep)) {
    restore_stack(sweep);
    if (sweep_left(sweep))
      keep_better(sweep);
  }
  return gmem_search_spend(sweep->search, sweep->gaps.steps + sweep->count) &&
         sweep->best_peak > sweep->packing->goal;
}

//===--- variants ---------------------------------------------------------===//

// The first and the last section with the highest pressure.
static void find_peaks(const sweep_t *sweep, uint32_t peaks[2]) {
  peaks[0] = peaks[1] = 0;
  for (uint32_t i = 1; i < sweep->section_count; ++i) {
    if (sweep->hulls.pressure[i] > sweep->hulls.pressure[peaks[0]])
      peaks[0] = peaks[1] = i;
    else if (sweep->hulls.pressure[i] == sweep->hulls.pressure[peaks[0]])
      peaks[1] = i;
  }
}

// The number of variants: a few for a million items, all for a thousand.
static uint64_t steps_to_spend(const sweep_t *sweep) {
  return gmem_by_effort(sweep->search->effort, 1 << 14, 1 << 22, 1 << 22);
}

static void try_all(sweep_t *sweep) {
  static const item_key_t stacks[] = {BY_LENGTH, BY_SIZE, BY_AREA, BY_END,
                                      BY_BEGIN};
  static const item_key_t groups[] = {BY_SIZE, BY_LENGTH, BY_AREA};
  static const gmem_gap_rule_t rules[] = {GMEM_GAP_BESIDE, GMEM_GAP_BEST,
                                          GMEM_GAP_LOWEST};
  uint32_t peaks[2];
  find_peaks(sweep, peaks);
  uint64_t limit = sweep->search->steps + steps_to_spend(sweep);
  for (size_t t = 0; t < 3; ++t) {
    list_orders(sweep, groups[t]);
    for (size_t p = 0; p < 1u + (peaks[1] != peaks[0]); ++p)
      for (size_t r = 0; r < 3; ++r)
        for (size_t s = 0; s < 5; ++s) {
          sweep->peak = peaks[p];
          sweep->variant = (variant_t){stacks[s], groups[t], rules[r]};
          if (!try_variant(sweep) || sweep->search->steps > limit)
            return;
        }
  }
}

//===--- memory -----------------------------------------------------------===//

static gmem_status_t allocate(sweep_t *sweep) {
  gmem_scratch_t *memory = sweep->memory;
  gmem_hulls_t *hulls = &sweep->hulls;
  size_t count = sweep->count, sections = (size_t)sweep->section_count + 2;
  GMEM_TRY_NEW(hulls->at, memory, count);
  GMEM_TRY_NEW(hulls->by_begin, memory, count);
  GMEM_TRY_NEW(hulls->first_begin, memory, sections);
  GMEM_TRY_ZEROS(hulls->pressure, memory, sections);
  GMEM_TRY_NEW(sweep->by_end, memory, count);
  GMEM_TRY_NEW(sweep->first_end, memory, sections);
  GMEM_TRY_NEW(sweep->order, memory, count);
  GMEM_TRY_NEW(sweep->scratch, memory, count);
  GMEM_TRY_NEW(sweep->obstacles, memory, count);
  GMEM_TRY_NEW(sweep->trial, memory, count);
  return gmem_gap_index_create(&sweep->gaps, memory, sweep->packing->base,
                               sweep->packing->granule, sweep->count);
}

//===--- the engine -------------------------------------------------------===//

static gmem_status_t fail_beyond(const sweep_t *sweep) {
  const gmem_packing_t *packing = sweep->packing;
  uint32_t buffer = GMEM_NO_BUFFER;
  for (uint32_t i = 0; i < packing->member_count; ++i)
    if (packing->members[i].item == sweep->failed_item)
      buffer = packing->members[i].buffer;
  return gmem_planner_fail(sweep->memory->diag, GMEM_ERR_OVER_BUDGET, buffer,
                           "the buffers exceed the address space");
}

gmem_status_t gmem_sweep_pack(const gmem_packing_t *packing,
                              gmem_search_t *search, uint64_t *offsets,
                              gmem_scratch_t *memory) {
  if (packing->count == 0)
    return GMEM_OK;
  sweep_t sweep = {.packing = packing,
                   .memory = memory,
                   .search = search,
                   .count = packing->count,
                   .section_count = packing->section_count,
                   .best = offsets,
                   .best_peak = GMEM_UNLIMITED};
  GMEM_TRY(allocate(&sweep));
  list_hulls(&sweep);
  list_obstacles(&sweep);
  compute_pressure(&sweep);
  try_all(&sweep);
  if (sweep.best_peak == GMEM_UNLIMITED)
    return fail_beyond(&sweep);
  if (sweep.best_peak <= packing->goal)
    return GMEM_OK;
  return gmem_sweep_repair(packing, &sweep.hulls, search, offsets, memory);
}
