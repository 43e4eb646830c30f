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

// Bytes that fixed items occupy at any time.
typedef struct obstacle_s {
  uint64_t offset, top;
  uint32_t item; // one of them
} obstacle_t;

// One variant of the sweep.
typedef struct variant_s {
  gmem_hull_key_t stack_key; // order in which the peak is stacked
  gmem_gap_rule_t rule;      // for the others
  uint32_t peak;             // section
} variant_t;

typedef struct sweep_s {
  const gmem_packing_t *packing;
  gmem_scratch_t *memory;
  gmem_search_t *search;
  uint32_t count, section_count;
  gmem_hulls_t hulls;
  gmem_order_t *order, *scratch;
  obstacle_t *obstacles; // by offset, disjoint
  uint32_t obstacle_count;
  gmem_gap_index_t gaps;
  uint64_t *best, *trial; // offsets; |best| is the caller's
  uint64_t best_peak;     // GMEM_UNLIMITED: none so far
  variant_t variant;
  uint32_t failed_item; // the last that would end above GMEM_MAX_ADDRESS
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
  return sweep->obstacle_count && gmem_is_fixed(&sweep->packing->items[item]);
}

static void list_hulls(sweep_t *sweep) {
  uint32_t first = sweep->packing->first_section;
  for (uint32_t i = 0; i < sweep->count; ++i) {
    const gmem_item_t *item = &sweep->packing->items[i];
    sweep->hulls.at[i] = (gmem_hull_t){.begin = item->begin - first,
                                       .end = item->end - first,
                                       .extent = item->extent};
  }
  widen(sweep);
}

// Fixed items are treated as always live.
static void list_obstacles(sweep_t *sweep) {
  const gmem_item_t *items = sweep->packing->items;
  uint32_t count = 0, known = 0;
  for (uint32_t i = 0; i < sweep->count; ++i)
    if (gmem_is_fixed(&items[i]))
      sweep->order[count++] = (gmem_order_t){items[i].fixed_offset, i};
  gmem_sort_order(sweep->order, sweep->scratch, count);
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t item = sweep->order[i].index;
    uint64_t offset = items[item].fixed_offset;
    uint64_t top = offset + items[item].size;
    sweep->trial[item] = offset;
    if (known == 0 || sweep->obstacles[known - 1].top < offset)
      sweep->obstacles[known++] = (obstacle_t){offset, top, item};
    else if (sweep->obstacles[known - 1].top < top)
      sweep->obstacles[known - 1].top = top;
  }
  sweep->obstacle_count = known;
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

static void sort_items(sweep_t *sweep, uint32_t *items, size_t count,
                       gmem_hull_key_t key) {
  if (count < 2)
    return;
  for (size_t i = 0; i < count; ++i)
    sweep->order[i] = (gmem_order_t){
        gmem_hull_key(&sweep->hulls.at[items[i]], key), items[i]};
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
    ++first[by_end ? hulls[i].end : hulls[i].begin];
  for (uint32_t i = 0; i <= sweep->section_count; ++i)
    first[i + 1] += first[i];
  for (uint32_t i = sweep->count; i-- > 0;)
    items[--first[by_end ? hulls[i].end : hulls[i].begin]] = i;
  assert(first[sweep->section_count + 1] == sweep->count);
}

// |groups|: the order of the items that enter together.
static void list_orders(sweep_t *sweep, gmem_hull_key_t groups) {
  gmem_hulls_t *hulls = &sweep->hulls;
  count_sort(sweep, false, hulls->by_begin, hulls->first_begin);
  count_sort(sweep, true, hulls->by_end, hulls->first_end);
  for (uint32_t i = 0; i <= sweep->section_count; ++i) {
    uint32_t begin = hulls->first_begin[i], end = hulls->first_end[i];
    sort_items(sweep, hulls->by_begin + begin,
               hulls->first_begin[i + 1] - begin, groups);
    sort_items(sweep, hulls->by_end + end, hulls->first_end[i + 1] - end,
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
  sweep->failed_item = item;
  return false;
}

static void push_obstacle(sweep_t *sweep, uint32_t number) {
  const obstacle_t *obstacle = &sweep->obstacles[number];
  gmem_gap_index_push(&sweep->gaps, obstacle->item, obstacle->offset,
                      obstacle->top, UINT32_MAX);
}

// Fills |order| with the items of the stack and, when they are placed, their
// offsets, otherwise their keys.
static size_t list_stack(sweep_t *sweep, bool are_placed) {
  const gmem_hulls_t *hulls = &sweep->hulls;
  size_t count = 0;
  for (uint32_t i = 0; i < hulls->first_begin[sweep->variant.peak + 1]; ++i) {
    uint32_t item = hulls->by_begin[i];
    const gmem_hull_t *hull = &hulls->at[item];
    if (hull->end > sweep->variant.peak && !is_fixed(sweep, item))
      sweep->order[count++] = (gmem_order_t){
          are_placed ? sweep->trial[item]
                     : gmem_hull_key(hull, sweep->variant.stack_key),
          item};
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
  uint64_t pressure = sweep->hulls.pressure[sweep->variant.peak];
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
  size_t count = list_stack(sweep, false);
  gmem_sort_order(sweep->order, sweep->scratch, count);
  put_slack_on_top(sweep, count);
  gmem_gap_index_clear(&sweep->gaps);
  for (uint32_t i = 0; i < sweep->obstacle_count; ++i)
    push_obstacle(sweep, i);
  for (size_t i = 0; i < count; ++i) {
    uint32_t item = sweep->order[i].index;
    if (!place(sweep, item, sweep->hulls.at[item].end))
      return false;
  }
  return true;
}

// Restores the stack, for the other direction. In |order|, the obstacles are
// numbered after the items.
static void restore_stack(sweep_t *sweep) {
  size_t count = list_stack(sweep, true);
  for (uint32_t i = 0; i < sweep->obstacle_count; ++i)
    sweep->order[count++] =
        (gmem_order_t){sweep->obstacles[i].offset, sweep->count + i};
  gmem_sort_order(sweep->order, sweep->scratch, count);
  gmem_gap_index_clear(&sweep->gaps);
  for (size_t i = 0; i < count; ++i) {
    uint32_t item = sweep->order[i].index;
    if (item >= sweep->count) {
      push_obstacle(sweep, item - sweep->count);
      continue;
    }
    const gmem_hull_t *hull = &sweep->hulls.at[item];
    gmem_gap_index_push(&sweep->gaps, item, sweep->trial[item],
                        sweep->trial[item] + hull->extent,
                        UINT32_MAX - hull->begin);
  }
}

static void leave(sweep_t *sweep, uint32_t item) {
  if (!is_fixed(sweep, item))
    gmem_gap_index_remove(&sweep->gaps, item);
}

static bool sweep_right(sweep_t *sweep) {
  const gmem_hulls_t *hulls = &sweep->hulls;
  uint32_t next = hulls->first_end[sweep->variant.peak + 1];
  for (uint32_t i = hulls->first_begin[sweep->variant.peak + 1];
       i < sweep->count; ++i) {
    uint32_t item = hulls->by_begin[i], begin = hulls->at[item].begin;
    for (; hulls->at[hulls->by_end[next]].end <= begin; ++next)
      leave(sweep, hulls->by_end[next]);
    if (!is_fixed(sweep, item) && !place(sweep, item, hulls->at[item].end))
      return false;
  }
  return true;
}

static bool sweep_left(sweep_t *sweep) {
  const gmem_hulls_t *hulls = &sweep->hulls;
  uint32_t next = hulls->first_begin[sweep->variant.peak + 1];
  for (uint32_t end = sweep->variant.peak + 1; end-- > 0;)
    for (uint32_t i = hulls->first_end[end]; i < hulls->first_end[end + 1];
         ++i) {
      uint32_t item = hulls->by_end[i];
      while (next > hulls->first_begin[end]) // these begin at or after |end|
        leave(sweep, hulls->by_begin[--next]);
      if (!is_fixed(sweep, item) &&
          !place(sweep, item, UINT32_MAX - hulls->at[item].begin))
        return false;
    }
  return true;
}

static void keep_better(sweep_t *sweep) {
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

static void try_all(sweep_t *sweep) {
  static const gmem_hull_key_t stacks[] = {GMEM_HULL_LENGTH, GMEM_HULL_SIZE,
                                           GMEM_HULL_AREA, GMEM_HULL_END,
                                           GMEM_HULL_BEGIN};
  static const gmem_hull_key_t groups[] = {GMEM_HULL_SIZE, GMEM_HULL_LENGTH,
                                           GMEM_HULL_AREA};
  static const gmem_gap_rule_t rules[] = {GMEM_GAP_BESIDE, GMEM_GAP_BEST,
                                          GMEM_GAP_LOWEST};
  uint32_t peaks[2];
  find_peaks(sweep, peaks);
  // A few variants for a million items, all for a thousand.
  uint64_t limit =
      sweep->search->steps +
      gmem_by_effort(sweep->search->effort, 1 << 14, 1 << 22, 1 << 22);
  for (size_t t = 0; t < 3; ++t) {
    list_orders(sweep, groups[t]);
    for (size_t p = 0; p < 1u + (peaks[1] != peaks[0]); ++p)
      for (size_t r = 0; r < 3; ++r)
        for (size_t s = 0; s < 5; ++s) {
          sweep->variant = (variant_t){stacks[s], rules[r], peaks[p]};
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
  GMEM_TRY_NEW(hulls->by_end, memory, count);
  GMEM_TRY_NEW(hulls->first_end, memory, sections);
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
  uint32_t last = gmem_members_end(packing, sweep->failed_item) - 1;
  return gmem_planner_fail(sweep->memory->diag, GMEM_ERR_OVER_BUDGET,
                           packing->members[last].buffer,
                           "the buffers exceed the address space");
}

static gmem_status_t prepare(const gmem_task_t *task, sweep_t *sweep) {
  const gmem_packing_t *packing = task->packing;
  *sweep = (sweep_t){.packing = packing,
                     .memory = task->memory,
                     .search = task->search,
                     .count = packing->count,
                     .section_count = packing->section_count,
                     .best = task->offsets,
                     .best_peak = GMEM_UNLIMITED};
  GMEM_TRY(allocate(sweep));
  list_hulls(sweep);
  list_obstacles(sweep);
  compute_pressure(sweep);
  return GMEM_OK;
}

gmem_status_t gmem_sweep_place_pack(const gmem_task_t *task) {
  sweep_t sweep;
  GMEM_TRY(prepare(task, &sweep));
  try_all(&sweep);
  return sweep.best_peak == GMEM_UNLIMITED ? fail_beyond(&sweep) : GMEM_OK;
}

gmem_status_t gmem_sweep_repair_pack(const gmem_task_t *task) {
  sweep_t sweep;
  GMEM_TRY(prepare(task, &sweep));
  list_orders(&sweep, GMEM_HULL_SIZE);
  return gmem_sweep_repair(task, &sweep.hulls);
}

gmem_status_t gmem_sweep_pack(const gmem_task_t *task) {
  if (task->packing->count == 0)
    return GMEM_OK;
  sweep_t sweep;
  GMEM_TRY(prepare(task, &sweep));
  try_all(&sweep);
  if (sweep.best_peak == GMEM_UNLIMITED)
    return fail_beyond(&sweep);
  if (sweep.best_peak <= task->packing->goal)
    return GMEM_OK;
  return gmem_sweep_repair(task, &sweep.hulls);
}
