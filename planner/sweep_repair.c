// sweep_repair.c - what a sweep leaves above the goal is placed anew, together
// with what is around it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A sweep of a large problem misses the goal at a few moments only: the load
// comes near the bound there, and nowhere else. So the items around each such
// moment are taken out and packed again, with all others as obstacles:
//
//   goal  ----------------####------------
//           +--+  +--------+  +-----+          #: above the goal
//           |  |  | window |  |     |
//           +--+--+--------+--+-----+
//
// A window that can't be packed grows. It is packed first-fit in an order that
// learns: what ends above the goal goes further to the front ("squeaky wheel"
// optimization, Joslin and Clements, 1999).

#include <string.h>

#include "search.h"
#include "sweep.h"

enum {
  FAN_OUT = 32,     // items or nodes under one node of the tree of ends
  MAX_LEVELS = 7,   // 32^7 items
  MAX_FREE = 2048,  // items of a window that may move
  MAX_SLOTS = 8192, // these and the obstacles
  MAX_CROWNS = 16,
  ORDERS = 3, // by size, area, length
  PHASES = 3 * ORDERS,
  SMALL = 2000,     // items: the searches that come behind can do them as well
  MIN_CLIMB = 100,  // items; smaller windows need no climb
  EXACT_STEPS = 8,  // as many as those of a climb
  CLIMB_TRIES = 16, // so often a window is tried before it is climbed in
  CLIMB_SHIFT = 16, // steps of a climb, as a power of two, for each try
  PATIENCE = 4,     // tries that may be worse than the best before it
};

// An item in a window.
typedef struct slot_s {
  uint64_t offset, top; // bytes
  uint32_t begin, end;  // sections
  uint32_t item;
} slot_t;

typedef struct repair_s {
  const gmem_packing_t *packing;
  const gmem_allocator_t *allocator;
  const gmem_hulls_t *hulls;
  gmem_search_t *search;
  gmem_diag_t *diag;
  gmem_status_t status; // of the climbs
  uint64_t *offsets;
  uint64_t goal;   // of this packing
  uint64_t target; // >= goal: what one window could not get below
  uint64_t limit;  // steps of the search at which the repair ends
  uint64_t steps;  // not yet told to the search
  uint32_t *bad;   // items above the goal
  uint32_t bad_count;
  uint64_t seed;
  uint32_t round; // how often all was looked at
  uint32_t *ends; // the tree: largest end under each node
  size_t end_count;
  size_t level_start[MAX_LEVELS];
  int level_count;
  uint32_t crowns[MAX_CROWNS]; // items that have to end at the goal
  uint32_t crown_count;
  // The window.
  uint32_t begin, end; // sections
  uint32_t hot;        // section with the largest load
  uint32_t crowned;    // free items that are crowns: they come first,
  uint32_t head;       //   then what is stacked, up to this number
  uint32_t free_count;
  uint32_t other_count; // items that may not, in |order|
  uint32_t obstacle_count, slot_count;
  uint32_t free_items[MAX_FREE]; // in the order in which they are placed
  uint32_t kept[MAX_FREE];       // the best order so far of this phase
  uint64_t free_offsets[MAX_FREE];
  slot_t obstacles[MAX_SLOTS];   // by offset
  slot_t slots[MAX_SLOTS];       // these and what is placed so far, by offset
  gmem_order_t *order, *scratch; // one per item
} repair_t;

//===--- the tree of ends -------------------------------------------------===//

static size_t node_count(const repair_t *repair, int level) {
  size_t count = repair->packing->count;
  for (int i = 0; i <= level; ++i)
    count = (count + FAN_OUT - 1) / FAN_OUT;
  return count;
}

static void size_tree(repair_t *repair) {
  for (int level = 0; level < MAX_LEVELS; ++level) {
    size_t count = node_count(repair, level);
    repair->level_start[level] = repair->end_count;
    repair->end_count += count;
    ++repair->level_count;
    if (count == 1)
      return;
  }
}

static void fill_tree(repair_t *repair) {
  const gmem_hulls_t *hulls = repair->hulls;
  memset(repair->ends, 0, repair->end_count * sizeof *repair->ends);
  for (uint32_t i = 0; i < repair->packing->count; ++i) {
    uint32_t end = hulls->at[hulls->by_begin[i]].end;
    uint32_t *node = &repair->ends[i / FAN_OUT];
    *node = *node < end ? end : *node;
  }
  for (int level = 1; level < repair->level_count; ++level) {
    const uint32_t *below = repair->ends + repair->level_start[level - 1];
    uint32_t *above = repair->ends + repair->level_start[level];
    for (size_t i = 0; i < node_count(repair, level - 1); ++i)
      if (above[i / FAN_OUT] < below[i])
        above[i / FAN_OUT] = below[i];
  }
}

// How many items before number |position| of by_begin end at or before
// |section| for sure: whole nodes of the tree.
static uint32_t skip_ended(const repair_t *repair, uint32_t position,
                           uint32_t section) {
  uint32_t skip = 0;
  size_t span = FAN_OUT;
  for (int level = 0; level < repair->level_count && position % span == 0;
       ++level) {
    if (repair->ends[repair->level_start[level] + position / span - 1] >
        section)
      break;
    skip = (uint32_t)span;
    span *= FAN_OUT;
  }
  return skip;
}

//===--- windows ----------------------------------------------------------===//

static bool is_fixed(const repair_t *repair, uint32_t item) {
  return repair->packing->items[item].fixed_offset != GMEM_NOT_FIXED;
}

static uint32_t min_of(uint32_t a, uint32_t b) { return a < b ? a : b; }

static uint32_t max_of(uint32_t a, uint32_t b) { return a > b ? a : b; }

static uint64_t end_of(const repair_t *repair, uint32_t item) {
  return repair->offsets[item] + repair->packing->items[item].size;
}

// False when the window has too many items.
static bool add_to_window(repair_t *repair, uint32_t item) {
  const gmem_hull_t *hull = &repair->hulls->at[item];
  if (repair->begin <= hull->begin && hull->end <= repair->end &&
      !is_fixed(repair, item)) {
    if (repair->free_count == MAX_FREE)
      return false;
    repair->free_items[repair->free_count++] = item;
    return true;
  }
  repair->order[repair->other_count++] =
      (gmem_order_t){repair->offsets[item], item};
  return true;
}

// Obstacles that touch and are live in all of the window are one: there may be
// any number of them. False when what is left is still too much.
static bool list_obstacles(repair_t *repair) {
  uint32_t count = 0;
  gmem_order_sort(repair->order, repair->scratch, repair->other_count);
  for (uint32_t i = 0; i < repair->other_count; ++i) {
    uint32_t item = repair->order[i].index;
    gmem_hull_t hull = repair->hulls->at[item];
    uint64_t offset = repair->offsets[item];
    slot_t slot = {.offset = offset,
                   .top = offset + hull.extent,
                   .begin = max_of(hull.begin, repair->begin),
                   .end = min_of(hull.end, repair->end),
                   .item = item};
    bool is_whole = slot.begin == repair->begin && slot.end == repair->end;
    slot_t *last = &repair->obstacles[count ? count - 1 : 0];
    if (count && is_whole && last->top == offset &&
        last->begin == repair->begin && last->end == repair->end) {
      last->top = slot.top;
      continue;
    }
    if (count == MAX_SLOTS - MAX_FREE)
      return false;
    repair->obstacles[count++] = slot;
  }
  repair->obstacle_count = count;
  return true;
}

// Lists the items that are live in sections [begin, end) of the window. False
// when there are too many.
static bool list_window(repair_t *repair) {
  const gmem_hulls_t *hulls = repair->hulls;
  repair->free_count = repair->other_count = 0;
  uint32_t first = hulls->first_begin[repair->begin];
  uint32_t last = hulls->first_begin[repair->end];
  if (last - first > MAX_SLOTS)
    return false;
  for (uint32_t i = first; i < last; ++i)
    if (!add_to_window(repair, hulls->by_begin[i]))
      return false;
  for (uint32_t position = first; position;) {
    ++repair->steps;
    uint32_t skip = skip_ended(repair, position, repair->begin);
    position -= skip ? skip : 1;
    uint32_t item = hulls->by_begin[position];
    if (!skip && hulls->at[item].end > repair->begin &&
        !add_to_window(repair, item))
      return false;
  }
  return list_obstacles(repair);
}

// A window around |item| in which about |count| items begin.
static bool open_window(repair_t *repair, uint32_t item, uint32_t count) {
  const gmem_hulls_t *hulls = repair->hulls;
  gmem_hull_t hull = hulls->at[item];
  uint32_t last_item = repair->packing->count - 1;
  uint32_t first = hulls->first_begin[hull.begin];
  uint32_t last = hulls->first_begin[hull.end];
  first = first > count / 2 ? first - count / 2 : 0;
  last = last_item - count / 2 > last && last_item > count / 2
             ? last + count / 2
             : last_item;
  repair->begin = first ? hulls->at[hulls->by_begin[first]].begin : 0;
  repair->end = last < last_item ? hulls->at[hulls->by_begin[last]].begin
                                 : repair->packing->section_count;
  return list_window(repair);
}

//===--- crowns -----------------------------------------------------------===//

// Where the extents that are live add up to more than the goal, the bound
// counts on one item that ends at the goal and leaves bytes of its extent
// unused. No order of first-fit finds that by itself.

static uint64_t slack_of(const repair_t *repair, uint32_t item) {
  const gmem_item_t *description = &repair->packing->items[item];
  return description->extent - description->size;
}

static bool crowns(const repair_t *repair, uint32_t item, uint32_t section) {
  const gmem_hull_t *hull = &repair->hulls->at[item];
  return hull->begin <= section && section < hull->end &&
         !is_fixed(repair, item) &&
         slack_of(repair, item) >= repair->hulls->load[section] - repair->goal;
}

static bool is_crowned(const repair_t *repair, uint32_t section) {
  for (uint32_t i = 0; i < repair->crown_count; ++i)
    if (crowns(repair, repair->crowns[i], section))
      return true;
  return false;
}

// Crowns a section with the longest item that leaves enough.
static void crown(repair_t *repair, uint32_t section) {
  const gmem_hulls_t *hulls = repair->hulls;
  uint32_t best = GMEM_NO_ITEM, longest = 0;
  for (uint32_t position = hulls->first_begin[section + 1]; position;) {
    uint32_t skip = skip_ended(repair, position, section);
    position -= skip ? skip : 1;
    ++repair->steps;
    uint32_t item = hulls->by_begin[position];
    uint32_t length = hulls->at[item].end - hulls->at[item].begin;
    if (!skip && length > longest && crowns(repair, item, section)) {
      best = item;
      longest = length;
    }
  }
  if (best != GMEM_NO_ITEM)
    repair->crowns[repair->crown_count++] = best;
}

static void find_crowns(repair_t *repair) {
  if (!repair->packing->is_plain) // the load is not a bound
    return;
  for (uint32_t i = 0; i < repair->packing->section_count; ++i)
    if (repair->hulls->load[i] > repair->goal &&
        repair->crown_count < MAX_CROWNS && !is_crowned(repair, i))
      crown(repair, i);
}

static bool is_crown(const repair_t *repair, uint32_t item) {
  for (uint32_t i = 0; i < repair->crown_count; ++i)
    if (repair->crowns[i] == item)
      return true;
  return false;
}

//===--- packing a window -------------------------------------------------===//

static uint64_t align(const repair_t *repair, uint64_t offset, uint64_t mask) {
  return offset + ((0 - (repair->packing->base + offset)) & mask);
}

// From slot number |i| on, the first one that is live together with |slot| and
// begins at least |extent| above all such ones before it, and above *floor,
// which rises with them. Whether a slot is live can't be predicted, so the loop
// does not branch on it.
static uint32_t next_gap(const repair_t *repair, uint32_t i, const slot_t *slot,
                         uint64_t extent, uint64_t *floor) {
  const slot_t *slots = repair->slots;
  uint32_t count = repair->slot_count, begin = slot->begin, end = slot->end;
  uint64_t top = *floor;
  for (; i < count; ++i) {
    bool is_live = (slots[i].end > begin) & (end > slots[i].begin);
    if (is_live & (slots[i].offset >= top + extent))
      break;
    uint64_t live_top = is_live ? slots[i].top : 0;
    top = live_top > top ? live_top : top;
  }
  *floor = top;
  return i;
}

// The lowest place for |slot|; returns the number of the slot before which it
// belongs.
static uint32_t find_place(repair_t *repair, slot_t *slot) {
  uint64_t mask = repair->packing->items[slot->item].alignment - 1;
  uint64_t extent = repair->hulls->at[slot->item].extent, floor = 0;
  uint32_t i = 0;
  do {
    floor = align(repair, floor, mask);
    i = next_gap(repair, i, slot, extent, &floor);
  } while (floor != align(repair, floor, mask));
  repair->steps += i / 4 + 1;
  slot->offset = floor;
  slot->top = floor + extent;
  while (i && repair->slots[i - 1].offset > floor)
    --i;
  return i;
}

// The place of a crown, when that is free; returns as find_place does, or
// GMEM_NO_ITEM.
static uint32_t find_place_below_goal(repair_t *repair, slot_t *slot) {
  const gmem_item_t *item = &repair->packing->items[slot->item];
  uint64_t offset = repair->goal - item->size;
  offset -= (repair->packing->base + offset) & (item->alignment - 1);
  uint32_t at = 0;
  if (item->size > repair->goal || offset > repair->goal)
    return GMEM_NO_ITEM;
  for (uint32_t i = 0; i < repair->slot_count; ++i) {
    const slot_t *other = &repair->slots[i];
    bool is_live = other->end > slot->begin && slot->end > other->begin;
    if (is_live && other->offset < offset + item->extent && other->top > offset)
      return GMEM_NO_ITEM;
    at = other->offset <= offset ? i + 1 : at;
  }
  slot->offset = offset;
  slot->top = offset + item->extent;
  return at;
}

// Packs the free items in their order; returns where the topmost ends.
static uint64_t pack_window(repair_t *repair) {
  uint64_t peak = 0;
  repair->slot_count = repair->obstacle_count;
  memcpy(repair->slots, repair->obstacles,
         repair->obstacle_count * sizeof *repair->slots);
  for (uint32_t i = 0; i < repair->free_count; ++i) {
    uint32_t item = repair->free_items[i];
    const gmem_hull_t *hull = &repair->hulls->at[item];
    slot_t slot = {.begin = hull->begin, .end = hull->end, .item = item};
    uint32_t at = GMEM_NO_ITEM;
    if (i < repair->crowned)
      at = find_place_below_goal(repair, &slot);
    if (at == GMEM_NO_ITEM)
      at = find_place(repair, &slot);
    memmove(repair->slots + at + 1, repair->slots + at,
            (repair->slot_count - at) * sizeof *repair->slots);
    repair->slots[at] = slot;
    ++repair->slot_count;
    repair->free_offsets[i] = slot.offset;
    uint64_t end = slot.offset + repair->packing->items[item].size;
    peak = end > peak ? end : peak;
  }
  return peak;
}

static uint64_t window_peak(const repair_t *repair) {
  uint64_t peak = 0;
  for (uint32_t i = 0; i < repair->free_count; ++i) {
    uint64_t end = end_of(repair, repair->free_items[i]);
    peak = end > peak ? end : peak;
  }
  return peak;
}

static void accept(repair_t *repair) {
  for (uint32_t i = 0; i < repair->free_count; ++i)
    repair->offsets[repair->free_items[i]] = repair->free_offsets[i];
}

// splitmix64 (Steele, Lea and Flood, 2014).
static uint64_t next_random(repair_t *repair) {
  uint64_t z = repair->seed += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

//===--- orders -----------------------------------------------------------===//

// Two ways lead to a packed window, and neither is better than the other:
//  * largest first; what ends above the goal moves to the front;
//  * first a stack of what is live in the fullest section, which must have no
//    gap at all, then the rest as before; the order of the stack is changed at
//    random, and the change undone when it made things worse.

static uint64_t key_of(const gmem_hull_t *hull, int order) {
  uint64_t length = hull->end - hull->begin;
  if (order == 0)
    return ~hull->extent;
  if (order == 1)
    return hull->extent > UINT64_MAX / length ? 0 : ~(hull->extent * length);
  return ~length;
}

static bool is_in_stack(const repair_t *repair, uint32_t item) {
  const gmem_hull_t *hull = &repair->hulls->at[item];
  return hull->begin <= repair->hot && repair->hot < hull->end;
}

static uint64_t distance_of(const repair_t *repair, uint32_t item) {
  const gmem_hull_t *hull = &repair->hulls->at[item];
  return hull->begin > repair->hot ? hull->begin - repair->hot
                                   : repair->hot + 1 - hull->end;
}

static uint64_t key_in_phase(const repair_t *repair, uint32_t item, int phase) {
  const gmem_hull_t *hull = &repair->hulls->at[item];
  if (phase < ORDERS || is_in_stack(repair, item))
    return key_of(hull, phase % ORDERS);
  return phase < 2 * ORDERS ? key_of(hull, 0) : distance_of(repair, item);
}

typedef enum group_e { CROWN, STACK, REST, GROUPS } group_t;

static group_t group_of(const repair_t *repair, uint32_t item, int phase,
                        bool with_crowns) {
  if (with_crowns && is_crown(repair, item))
    return CROWN;
  return phase >= ORDERS && is_in_stack(repair, item) ? STACK : REST;
}

static void start_order(repair_t *repair, int phase, bool with_crowns) {
  for (uint32_t i = 0; i < repair->free_count; ++i) {
    uint32_t item = repair->free_items[i];
    repair->order[i] = (gmem_order_t){key_in_phase(repair, item, phase), item};
  }
  gmem_order_sort(repair->order, repair->scratch, repair->free_count);
  uint32_t ends[GROUPS], next = 0;
  for (int group = 0; group < GROUPS; ++group) {
    for (uint32_t i = 0; i < repair->free_count; ++i) {
      uint32_t item = repair->order[i].index;
      if (group_of(repair, item, phase, with_crowns) == (group_t)group)
        repair->free_items[next++] = item;
    }
    ends[group] = next;
  }
  repair->crowned = ends[CROWN];
  repair->head = ends[STACK];
}

static uint64_t excess_of(const repair_t *repair, uint32_t i) {
  uint64_t end = repair->free_offsets[i] +
                 repair->packing->items[repair->free_items[i]].size;
  return end > repair->goal ? end - repair->goal : 0;
}

// What ended above the goal moves towards the head by a random part of its way.
static void blame(repair_t *repair) {
  uint32_t count = repair->free_count - repair->head;
  uint32_t *rest = repair->free_items + repair->head;
  for (uint32_t i = 0; i < count; ++i) {
    uint64_t key = (uint64_t)i * 4 + 3;
    if (excess_of(repair, repair->head + i))
      key = key * (next_random(repair) % 8) / 8;
    repair->order[i] = (gmem_order_t){key, rest[i]};
  }
  gmem_order_sort(repair->order, repair->scratch, count);
  for (uint32_t i = 0; i < count; ++i)
    rest[i] = repair->order[i].index;
}

// Swaps two items of the stack.
static void disturb(repair_t *repair) {
  uint32_t count = repair->head - repair->crowned;
  uint32_t *stack = repair->free_items + repair->crowned;
  if (count < 2)
    return;
  uint32_t a = (uint32_t)(next_random(repair) % count);
  uint32_t b = (uint32_t)(next_random(repair) % count);
  uint32_t swap = stack[a];
  stack[a] = stack[b];
  stack[b] = swap;
}

// All that is above the goal, added up.
static uint64_t total_excess(const repair_t *repair) {
  uint64_t total = 0;
  for (uint32_t i = 0; i < repair->free_count; ++i) {
    uint64_t excess = excess_of(repair, i);
    total = excess > UINT64_MAX - total ? UINT64_MAX : total + excess;
  }
  return total;
}

//===--- improving a window -----------------------------------------------===//

static bool spend(repair_t *repair) {
  uint64_t steps = repair->steps;
  repair->steps = 0;
  return gmem_search_spend(repair->search, steps) &&
         repair->search->steps < repair->limit;
}

// Leaves an order for the next try.
static void learn(repair_t *repair, uint64_t *least, uint32_t *worse) {
  uint64_t excess = repair->head > repair->crowned ? total_excess(repair) : 0;
  if (excess <= *least) {
    *least = excess;
    *worse = 0;
    memcpy(repair->kept, repair->free_items,
           repair->free_count * sizeof *repair->kept);
  } else if (++*worse > PATIENCE) {
    *worse = 0;
    memcpy(repair->free_items, repair->kept,
           repair->free_count * sizeof *repair->kept);
    disturb(repair);
    return;
  }
  blame(repair);
  if (next_random(repair) % 2)
    disturb(repair);
}

// Packs the window again and again, until it is below the goal. Returns false
// when nothing more shall be tried. *best is where its topmost item ends.
static bool improve_in_phase(repair_t *repair, int phase, uint32_t tries,
                             uint64_t *best) {
  uint64_t least = UINT64_MAX;
  uint32_t worse = 0;
  start_order(repair, phase, repair->round % 2 == 0);
  for (uint32_t i = 0; i < tries; ++i) {
    uint64_t peak = pack_window(repair);
    if (peak < *best) {
      accept(repair);
      *best = peak;
    }
    if (*best <= repair->goal || !spend(repair))
      return false;
    learn(repair, &least, &worse);
  }
  return true;
}

static void find_hot(repair_t *repair) {
  const uint64_t *load = repair->hulls->load;
  repair->hot = repair->begin;
  for (uint32_t i = repair->begin; i < repair->end; ++i)
    if (load[i] > load[repair->hot])
      repair->hot = i;
  repair->steps += (repair->end - repair->begin) / 8;
}

static uint64_t improve_window(repair_t *repair, uint32_t tries) {
  uint64_t best = window_peak(repair);
  find_hot(repair);
  for (int phase = 0; phase < PHASES; ++phase)
    if (!improve_in_phase(repair, phase, tries, &best))
      break;
  return best;
}

//===--- climbing in a window ---------------------------------------------===//

// An obstacle in the packing of a window. It has no part in the peak: what of
// it is above the goal is none of the window's business.
static gmem_item_t fix(const repair_t *repair, const slot_t *slot) {
  gmem_item_t item = repair->packing->items[slot->item];
  uint64_t end = slot->top < repair->goal ? slot->top : repair->goal;
  item.size = end - slot->offset;
  item.extent = slot->top - slot->offset;
  item.fixed_offset = slot->offset;
  item.begin = slot->begin + repair->packing->first_section;
  item.end = slot->end + repair->packing->first_section;
  return item;
}

// Items of a packing are in order of time: |order| says where they come from.
static void order_items(repair_t *repair) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < repair->free_count; ++i, ++count) {
    const gmem_hull_t *hull = &repair->hulls->at[repair->free_items[i]];
    repair->order[count] =
        (gmem_order_t){(uint64_t)hull->begin << 32 | hull->end, count};
  }
  for (uint32_t i = 0; i < repair->obstacle_count; ++i, ++count) {
    const slot_t *slot = &repair->obstacles[i];
    repair->order[count] =
        (gmem_order_t){(uint64_t)slot->begin << 32 | slot->end, count};
  }
  gmem_order_sort(repair->order, repair->scratch, count);
}

static void list_items(repair_t *repair, gmem_item_t *items,
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

static bool can_climb(const repair_t *repair) {
  if (!repair->packing->is_plain || repair->free_count < MIN_CLIMB ||
      repair->obstacle_count > MAX_FREE)
    return false;
  for (uint32_t i = 0; i < repair->obstacle_count; ++i)
    if (repair->obstacles[i].offset >= repair->goal)
      return false;
  return true;
}

// Limits the search to |steps| from now on. Returns the limit it had.
static uint64_t limit_steps(repair_t *repair, uint64_t steps) {
  gmem_search_t *search = repair->search;
  uint64_t old = search->stage_limit, left = repair->limit - search->steps;
  uint64_t limit = search->steps + (steps < left ? steps : left);
  search->stage_limit = limit < old ? limit : old;
  return old;
}

// Runs the thorough searches on the window as a packing of its own.
static gmem_status_t search_in(repair_t *repair, gmem_packing_t *window,
                               uint64_t *offsets, uint64_t steps) {
  gmem_search_t *search = repair->search;
  bool proved;
  uint64_t limit = limit_steps(repair, steps);
  gmem_status_t status =
      gmem_hill_climb_pack(window, search, offsets, repair->diag);
  search->stage_limit = limit;
  if (status != GMEM_OK || search->steps >= repair->limit ||
      gmem_packing_peak(window, offsets) <= repair->goal ||
      gmem_search_effort(search) == GMEM_EFFORT_FAST)
    return status;
  limit = limit_steps(repair, EXACT_STEPS * steps);
  status = gmem_exact_pack(window, search, offsets, &proved, repair->diag);
  search->stage_limit = limit;
  return status;
}

static gmem_status_t climb_in(repair_t *repair, gmem_item_t *items,
                              uint64_t *offsets, uint64_t steps) {
  gmem_packing_t window = *repair->packing;
  window.is_view = true;
  window.is_plain = repair->obstacle_count == 0;
  window.items = items;
  window.count = repair->free_count + repair->obstacle_count;
  window.first_section += repair->begin;
  window.section_count = repair->end - repair->begin;
  list_items(repair, items, offsets);
  uint64_t before = gmem_packing_peak(&window, offsets);
  gmem_status_t status = search_in(repair, &window, offsets, steps);
  if (status != GMEM_OK || gmem_packing_peak(&window, offsets) >= before)
    return status;
  order_items(repair); // the order of |items|
  for (uint32_t i = 0; i < window.count; ++i)
    if (repair->order[i].index < repair->free_count)
      repair->offsets[repair->free_items[repair->order[i].index]] = offsets[i];
  return GMEM_OK;
}

static void climb(repair_t *repair, uint64_t steps) {
  if (repair->search->steps >= repair->limit || !can_climb(repair))
    return;
  const gmem_allocator_t *heap = repair->allocator;
  size_t count = repair->free_count + repair->obstacle_count;
  gmem_item_t *items = gmem_planner_alloc(heap, count, sizeof *items);
  uint64_t *offsets = gmem_planner_alloc(heap, count, sizeof *offsets);
  repair->status = items && offsets ? climb_in(repair, items, offsets, steps)
                                    : gmem_planner_out_of_memory(repair->diag);
  gmem_planner_free(heap, items, count, sizeof *items);
  gmem_planner_free(heap, offsets, count, sizeof *offsets);
}

//===--- the loop ---------------------------------------------------------===//

static void repair_item(repair_t *repair, uint32_t item, uint32_t tries) {
  for (uint32_t count = 32; count <= 4 * MAX_FREE; count *= 4) {
    if (!open_window(repair, item, count))
      break;
    uint64_t peak = improve_window(repair, tries);
    if (peak > repair->goal && tries >= CLIMB_TRIES) {
      climb(repair, (uint64_t)tries << CLIMB_SHIFT);
      peak = window_peak(repair);
    }
    if (repair->status != GMEM_OK)
      return;
    if (peak <= repair->goal || repair->search->steps >= repair->limit)
      break;
    if (repair->free_count == repair->packing->count)
      break;
  }
  uint64_t end = end_of(repair, item);
  repair->target = repair->target < end ? end : repair->target;
}

// Lists what is above the goal.
static void list_bad(repair_t *repair) {
  repair->bad_count = 0;
  for (uint32_t i = 0; i < repair->packing->count; ++i)
    if (end_of(repair, i) > repair->goal)
      repair->bad[repair->bad_count++] = i;
  repair->steps += repair->packing->count / 4;
}

// The one of them that ends highest; there is one. What a window that stays
// above the goal puts there in addition is not above |target|.
static uint32_t worst_item(repair_t *repair) {
  uint32_t worst = repair->bad[0];
  for (uint32_t i = 1; i < repair->bad_count; ++i)
    if (end_of(repair, repair->bad[i]) > end_of(repair, worst))
      worst = repair->bad[i];
  repair->steps += repair->bad_count / 4;
  return worst;
}

static void repair_all(repair_t *repair) {
  for (uint32_t tries = 4; repair->search->steps < repair->limit; tries *= 2) {
    ++repair->round;
    repair->target = repair->goal;
    list_bad(repair);
    for (uint32_t item;
         repair->bad_count && repair->status == GMEM_OK &&
         end_of(repair, item = worst_item(repair)) > repair->target &&
         spend(repair);)
      repair_item(repair, item, tries);
    if (repair->bad_count == 0 || tries >= 1024 || repair->status != GMEM_OK)
      return;
  }
}

// A small problem is left to the searches that come behind; a large one has
// only this.
static uint64_t steps_of(const repair_t *repair) {
  uint64_t count = repair->packing->count;
  bool is_fast = gmem_search_effort(repair->search) == GMEM_EFFORT_FAST;
  bool is_small = count <= SMALL;
  uint64_t few = UINT64_C(1) << (is_fast ? 16 : is_small ? 22 : 26);
  uint64_t most = UINT64_C(1) << (is_fast ? 24 : 28);
  uint64_t steps = few + count * (is_fast ? 64 : 4096);
  return (steps < most ? steps : most) + 8 * count;
}

static bool allocate(repair_t *repair) {
  const gmem_allocator_t *heap = repair->allocator;
  size_t count = repair->packing->count;
  repair->ends =
      gmem_planner_alloc(heap, repair->end_count, sizeof *repair->ends);
  repair->order = gmem_planner_alloc(heap, count, sizeof *repair->order);
  repair->scratch = gmem_planner_alloc(heap, count, sizeof *repair->scratch);
  repair->bad = gmem_planner_alloc(heap, count, sizeof *repair->bad);
  return repair->ends && repair->order && repair->scratch && repair->bad;
}

static void release(repair_t *repair) {
  const gmem_allocator_t *heap = repair->allocator;
  size_t count = repair->packing->count;
  gmem_planner_free(heap, repair->ends, repair->end_count,
                    sizeof *repair->ends);
  gmem_planner_free(heap, repair->order, count, sizeof *repair->order);
  gmem_planner_free(heap, repair->scratch, count, sizeof *repair->scratch);
  gmem_planner_free(heap, repair->bad, count, sizeof *repair->bad);
  gmem_planner_free(heap, repair, 1, sizeof *repair);
}

// Sets all but the arrays of the window, which need no values.
static void start(repair_t *repair, const gmem_packing_t *packing,
                  const gmem_hulls_t *hulls, gmem_search_t *search,
                  uint64_t *offsets) {
  repair->packing = packing;
  repair->allocator = packing->allocator;
  repair->hulls = hulls;
  repair->search = search;
  repair->offsets = offsets;
  repair->goal = packing->goal;
  repair->limit = search->steps + steps_of(repair);
  repair->steps = repair->seed = 0;
  repair->end_count = 0;
  repair->level_count = 0;
  repair->crown_count = 0;
  repair->round = UINT32_MAX; // the first is 0
  size_tree(repair);
}

gmem_status_t gmem_sweep_repair(const gmem_packing_t *packing,
                                const gmem_hulls_t *hulls,
                                gmem_search_t *search, uint64_t *offsets,
                                gmem_diag_t *diag) {
  repair_t *repair = gmem_planner_alloc(packing->allocator, 1, sizeof *repair);
  if (!repair)
    return gmem_planner_out_of_memory(diag);
  start(repair, packing, hulls, search, offsets);
  repair->diag = diag;
  repair->status = GMEM_OK;
  gmem_status_t status = GMEM_OK;
  if (allocate(repair)) {
    fill_tree(repair);
    find_crowns(repair);
    repair_all(repair);
    status = repair->status;
  } else {
    status = gmem_planner_out_of_memory(diag);
  }
  release(repair);
  return status;
}
