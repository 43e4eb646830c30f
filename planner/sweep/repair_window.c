// repair_window.c - the window of a packing that a repair re-places.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "repair_window.h"

#include <assert.h>

#include "search.h"

enum { FAN_OUT = 32 }; // items or nodes under one node of the tree of ends

//===--- the tree of ends -------------------------------------------------===//

static uint32_t min_of(uint32_t a, uint32_t b) { return a < b ? a : b; }

static uint32_t max_of(uint32_t a, uint32_t b) { return a > b ? a : b; }

gmem_status_t gmem_end_tree_create(const gmem_hulls_t *hulls, size_t count,
                                   gmem_scratch_t *memory,
                                   gmem_end_tree_t *tree) {
  const uint32_t *below = NULL; // NULL: the items
  assert(count > 0);
  tree->level_count = 0;
  do {
    uint32_t *level;
    GMEM_TRY_ZEROS(level, memory, count / FAN_OUT + 1);
    for (size_t i = 0; i < count; ++i)
      level[i / FAN_OUT] =
          max_of(level[i / FAN_OUT],
                 below ? below[i] : hulls->at[hulls->by_begin[i]].end);
    assert(tree->level_count < GMEM_REPAIR_MAX_LEVELS);
    tree->levels[tree->level_count++] = level;
    below = level;
    count = (count + FAN_OUT - 1) / FAN_OUT;
  } while (count > 1);
  return GMEM_OK;
}

uint32_t gmem_end_tree_skip(const gmem_end_tree_t *tree, uint32_t position,
                            uint32_t section) {
  uint32_t skip = 0;
  size_t span = FAN_OUT;
  for (int level = 0; level < tree->level_count && position % span == 0;
       ++level) {
    if (tree->levels[level][position / span - 1] > section)
      break;
    skip = (uint32_t)span;
    span *= FAN_OUT;
  }
  return skip;
}

//===--- windows ----------------------------------------------------------===//

// False when the window has too many items.
static bool add_to_window(gmem_repair_t *repair, uint32_t item) {
  const gmem_hull_t *hull = &repair->hulls->at[item];
  if (repair->begin <= hull->begin && hull->end <= repair->end &&
      !gmem_is_fixed(&repair->packing->items[item])) {
    if (repair->free_count == GMEM_REPAIR_MAX_FREE)
      return false;
    repair->free_items[repair->free_count++] = item;
    return true;
  }
  repair->order[repair->other_count++] =
      (gmem_order_t){repair->offsets[item], item};
  return true;
}

// Merges obstacles that touch and are live in all of the window: there may be
// any number of them. False when there are still too many.
static bool list_obstacles(gmem_repair_t *repair) {
  uint32_t count = 0;
  gmem_sort_order(repair->order, repair->scratch, repair->other_count);
  for (uint32_t i = 0; i < repair->other_count; ++i) {
    uint32_t item = repair->order[i].index;
    gmem_hull_t hull = repair->hulls->at[item];
    uint64_t offset = repair->offsets[item];
    gmem_slot_t slot = {.offset = offset,
                        .top = offset + hull.extent,
                        .begin = max_of(hull.begin, repair->begin),
                        .end = min_of(hull.end, repair->end),
                        .item = item};
    bool is_whole = slot.begin == repair->begin && slot.end == repair->end;
    gmem_slot_t *last = &repair->obstacles[count ? count - 1 : 0];
    if (count && is_whole && last->top == offset &&
        last->begin == repair->begin && last->end == repair->end) {
      last->top = slot.top;
      continue;
    }
    if (count == GMEM_REPAIR_MAX_SLOTS - GMEM_REPAIR_MAX_FREE)
      return false;
    repair->obstacles[count++] = slot;
  }
  repair->obstacle_count = count;
  return true;
}

// Lists the items that are live in sections [begin, end) of the window. False
// when there are too many.
static bool list_window(gmem_repair_t *repair) {
  const gmem_hulls_t *hulls = repair->hulls;
  repair->free_count = repair->other_count = 0;
  uint32_t first = hulls->first_begin[repair->begin];
  uint32_t last = hulls->first_begin[repair->end];
  if (last - first > GMEM_REPAIR_MAX_SLOTS)
    return false;
  for (uint32_t i = first; i < last; ++i)
    if (!add_to_window(repair, hulls->by_begin[i]))
      return false;
  for (uint32_t position = first; position;) {
    ++repair->steps;
    uint32_t skip = gmem_end_tree_skip(&repair->ends, position, repair->begin);
    position -= skip ? skip : 1;
    uint32_t item = hulls->by_begin[position];
    if (!skip && hulls->at[item].end > repair->begin &&
        !add_to_window(repair, item))
      return false;
  }
  return list_obstacles(repair);
}

// Makes a window around |item| in which about |count| items begin.
bool gmem_repair_open_window(gmem_repair_t *repair, uint32_t item,
                             uint32_t count) {
  const gmem_hulls_t *hulls = repair->hulls;
  gmem_hull_t hull = hulls->at[item];
  uint32_t last_item = repair->packing->count - 1;
  uint32_t first = hulls->first_begin[hull.begin];
  uint32_t last = hulls->first_begin[hull.end];
  first = first > count / 2 ? first - count / 2 : 0;
  last = min_of(last + count / 2, last_item);
  repair->begin = first ? hulls->at[hulls->by_begin[first]].begin : 0;
  repair->end = last < last_item ? hulls->at[hulls->by_begin[last]].begin
                                 : repair->packing->section_count;
  assert(repair->end <= repair->packing->section_count);
  return list_window(repair);
}

uint64_t gmem_repair_window_peak(const gmem_repair_t *repair) {
  uint64_t peak = 0;
  for (uint32_t i = 0; i < repair->free_count; ++i) {
    uint64_t end = gmem_repair_end_of(repair, repair->free_items[i]);
    peak = end > peak ? end : peak;
  }
  return peak;
}

//===--- work -------------------------------------------------------------===//

bool gmem_repair_spend(gmem_repair_t *repair) {
  uint64_t steps = repair->steps;
  repair->steps = 0;
  return gmem_search_spend(repair->search, steps) &&
         repair->search->steps < repair->limit;
}
