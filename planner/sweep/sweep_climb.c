// sweep_climb.c - thorough searches in a window of a large problem.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The window becomes a packing of its own; items that are live beyond it are
// fixed.

#include "sweep_climb.h"

#include <assert.h>

#include "algorithms.h"
#include "packing_query.h"
#include "search.h"

enum {
  MIN_CLIMB = 100, // items; smaller windows are left to other searches
  EXACT_STEPS = 8, // as many as a climb gets
};

// An obstacle in the packing of a window. It does not count towards the peak:
// bytes above the goal that it occupies are repaired elsewhere.
static gmem_item_t fix(const gmem_repair_t *repair, const gmem_slot_t *slot) {
  gmem_item_t item = repair->packing->items[slot->item];
  uint64_t end = slot->top < repair->goal ? slot->top : repair->goal;
  item.size = end - slot->offset;
  item.extent = slot->top - slot->offset;
  assert(slot->offset < end && end <= slot->top);
  item.fixed_offset = slot->offset;
  item.begin = slot->begin + repair->packing->first_section;
  item.end = slot->end + repair->packing->first_section;
  return item;
}

// Items of a packing are in order of time: |order| maps them to the window.
static void order_items(gmem_repair_t *repair) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < repair->free_count; ++i, ++count) {
    const gmem_hull_t *hull = &repair->hulls->at[repair->free_items[i]];
    repair->order[count] =
        (gmem_order_t){(uint64_t)hull->begin << 32 | hull->end, count};
  }
  for (uint32_t i = 0; i < repair->obstacle_count; ++i, ++count) {
    const gmem_slot_t *slot = &repair->obstacles[i];
    repair->order[count] =
        (gmem_order_t){(uint64_t)slot->begin << 32 | slot->end, count};
  }
  gmem_sort_order(repair->order, repair->scratch, count);
}

static void list_items(gmem_repair_t *repair, gmem_item_t *items,
                       uint64_t *offsets) {
  uint32_t count = repair->free_count + repair->obstacle_count;
  order_items(repair);
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t from = repair->order[i].index;
    if (from < repair->free_count) {
      items[i] = repair->packing->items[repair->free_items[from]];
      offsets[i] = repair->offsets[repair->free_items[from]];
    } else {
      items[i] = fix(repair, &repair->obstacles[from - repair->free_count]);
      offsets[i] = items[i].fixed_offset;
    }
  }
}

static bool can_climb(const gmem_repair_t *repair) {
  if (!repair->packing->is_plain || repair->free_count < MIN_CLIMB ||
      repair->obstacle_count > GMEM_REPAIR_MAX_FREE)
    return false;
  for (uint32_t i = 0; i < repair->obstacle_count; ++i)
    if (repair->obstacles[i].offset >= repair->goal)
      return false;
  return true;
}

// Runs |algorithm| on the window, with at most |steps|.
static gmem_status_t run(gmem_repair_t *repair, gmem_pack_t *algorithm,
                         const gmem_packing_t *window, uint64_t *offsets,
                         uint64_t steps) {
  gmem_search_t *search = repair->search;
  uint64_t left = repair->limit - search->steps;
  uint64_t limit = gmem_search_limit_stage(search, steps < left ? steps : left);
  GMEM_TRY(gmem_pack(algorithm, window, search, offsets, repair->memory->diag));
  search->stage_limit = limit;
  return GMEM_OK;
}

// Runs the thorough searches on the window as a packing of its own.
static gmem_status_t search_in(gmem_repair_t *repair,
                               const gmem_packing_t *window, uint64_t *offsets,
                               uint64_t steps) {
  gmem_search_t *search = repair->search;
  GMEM_TRY(run(repair, gmem_hill_climb_pack, window, offsets, steps));
  if (search->steps >= repair->limit ||
      gmem_packing_peak(window, offsets) <= repair->goal ||
      gmem_search_effort(search) == GMEM_EFFORT_FAST)
    return GMEM_OK;
  GMEM_TRY(run(repair, gmem_exact_pack, window, offsets, EXACT_STEPS * steps));
  search->proved = false; // of the window only
  return GMEM_OK;
}

static gmem_status_t climb_in(gmem_repair_t *repair, gmem_scratch_t *memory,
                              uint64_t steps) {
  gmem_packing_t window = *repair->packing; // a view
  uint64_t *offsets;
  window.is_plain = repair->obstacle_count == 0;
  window.count = repair->free_count + repair->obstacle_count;
  window.first_section += repair->begin;
  window.section_count = repair->end - repair->begin;
  GMEM_TRY_NEW(window.items, memory, window.count);
  GMEM_TRY_NEW(offsets, memory, window.count);
  list_items(repair, window.items, offsets);
  uint64_t before = gmem_packing_peak(&window, offsets);
  GMEM_TRY(search_in(repair, &window, offsets, steps));
  if (gmem_packing_peak(&window, offsets) >= before)
    return GMEM_OK;
  for (uint32_t i = 0; i < window.count; ++i) // |order| is that of the items
    if (repair->order[i].index < repair->free_count)
      repair->offsets[repair->free_items[repair->order[i].index]] = offsets[i];
  return GMEM_OK;
}

gmem_status_t gmem_repair_climb(gmem_repair_t *repair, uint64_t steps) {
  if (repair->search->steps >= repair->limit || !can_climb(repair))
    return GMEM_OK;
  gmem_scratch_t memory = {.allocator = repair->memory->allocator,
                           .diag = repair->memory->diag};
  gmem_status_t status = climb_in(repair, &memory, steps);
  gmem_scratch_free(&memory);
  return status;
}
