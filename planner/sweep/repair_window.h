// repair_window.h - the window of a packing that a repair re-places.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_REPAIR_WINDOW_H_
#define GMEM_PLANNER_REPAIR_WINDOW_H_

#include "hulls.h"
#include "items.h"
#include "planner_internal.h"

enum {
  GMEM_REPAIR_MAX_LEVELS = 7,   // of the tree of ends: 32^7 items
  GMEM_REPAIR_MAX_FREE = 2048,  // items of a window that may move
  GMEM_REPAIR_MAX_SLOTS = 8192, // the movable items and the obstacles
  GMEM_REPAIR_MAX_TIGHT_ITEMS = 16,
};

// An item in a window.
typedef struct gmem_slot_s {
  uint64_t offset, top; // bytes
  uint32_t begin, end;  // sections
  uint32_t item;
} gmem_slot_t;

// The largest end of each FAN_OUT items in the order of their begin, of each
// FAN_OUT of these, and so on: finds the items that are live at a time.
typedef struct gmem_end_tree_s {
  uint32_t *levels[GMEM_REPAIR_MAX_LEVELS];
  int level_count;
} gmem_end_tree_t;

typedef struct gmem_repair_s {
  const gmem_packing_t *packing;
  const gmem_hulls_t *hulls;
  gmem_search_t *search;
  gmem_scratch_t *memory;
  uint64_t *offsets;
  uint64_t goal;   // peak to reach, in bytes
  uint64_t target; // >= goal: the peak of windows that could not be repaired
  uint64_t limit;  // units of work of the search at which the repair ends
  uint64_t steps;  // units of work not yet reported to the search
  uint32_t *bad;   // items above the goal
  uint32_t bad_count;
  uint64_t seed;
  uint32_t round; // number of passes over all items so far
  gmem_end_tree_t ends;
  uint32_t tight_items[GMEM_REPAIR_MAX_TIGHT_ITEMS]; // items that must end
                                                     // exactly at the goal
  uint32_t tight_item_count;
  // The window.
  uint32_t begin, end; // sections
  uint32_t hot;        // section with the highest pressure
  uint32_t tight_end;  // free items that are tight: they come first,
  uint32_t stack_end;  // then the stack, up to this number
  uint32_t free_count;
  uint32_t other_count; // number of items in |order| that may not move
  uint32_t obstacle_count, slot_count;
  uint32_t *free_items;          // in order of placement
  uint32_t *kept;                // the best order of this phase so far
  uint64_t *free_offsets;        // in order of placement
  gmem_slot_t *obstacles;        // by offset
  gmem_slot_t *slots;            // these and the items placed so far, by offset
  gmem_order_t *order, *scratch; // one per item
} gmem_repair_t;

static inline uint64_t gmem_repair_end_of(const gmem_repair_t *repair,
                                          uint32_t item) {
  return repair->offsets[item] + repair->packing->items[item].size;
}

// Reports |steps| to the search. False when the repair must end.
bool gmem_repair_spend(gmem_repair_t *repair);

// Creates the tree of |count| items, at least one, in |memory|. Fails with
// OUT_OF_MEMORY.
gmem_status_t gmem_end_tree_create(const gmem_hulls_t *hulls, size_t count,
                                   gmem_scratch_t *memory,
                                   gmem_end_tree_t *tree);

// A lower bound, from whole nodes of the tree, on how many items before number
// |position| of by_begin end at or before |section|.
uint32_t gmem_end_tree_skip(const gmem_end_tree_t *tree, uint32_t position,
                            uint32_t section);

// Makes a window around |item| in which about |count| items begin. False when
// it would have too many items.
bool gmem_repair_open_window(gmem_repair_t *repair, uint32_t item,
                             uint32_t count);

// The highest end of the free items of the window.
uint64_t gmem_repair_window_peak(const gmem_repair_t *repair);

#endif // GMEM_PLANNER_REPAIR_WINDOW_H_
