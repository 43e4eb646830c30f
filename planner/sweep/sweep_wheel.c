// sweep_wheel.c - packs a window repeatedly, with adaptive orders.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// First fit, in an order in which items that end above the goal move towards
// the front ("squeaky wheel" optimization, Joslin and Clements, 1999).

#include "sweep_wheel.h"

#include <assert.h>
#include <string.h>

enum {
  ORDERS = 3, // by size, area, length
  PHASES = 3 * ORDERS,
  PATIENCE = 4, // attempts that may be worse than the best before
};

//===--- tight items ------------------------------------------------------===//

// Where the live extents add up to more than the goal, the lower bound assumes
// one item that ends at the goal and whose padding is not counted (a tight
// item). First fit does not find it in any order.

static bool can_be_tight(const gmem_repair_t *repair, uint32_t item,
                         uint32_t section) {
  const gmem_hull_t *hull = &repair->hulls->at[item];
  const gmem_item_t *self = &repair->packing->items[item];
  uint64_t excess = repair->hulls->pressure[section] - repair->goal;
  return hull->begin <= section && section < hull->end &&
         !gmem_is_fixed(self) && self->extent - self->size >= excess;
}

static bool has_tight_item(const gmem_repair_t *repair, uint32_t section) {
  for (uint32_t i = 0; i < repair->tight_item_count; ++i)
    if (can_be_tight(repair, repair->tight_items[i], section))
      return true;
  return false;
}

// Makes the longest item with enough padding the tight item of a section.
static void tight_item(gmem_repair_t *repair, uint32_t section) {
  const gmem_hulls_t *hulls = repair->hulls;
  uint32_t best = GMEM_NO_ITEM, longest = 0;
  for (uint32_t position = hulls->first_begin[section + 1]; position;) {
    uint32_t skip = gmem_end_tree_skip(&repair->ends, position, section);
    position -= skip ? skip : 1;
    ++repair->steps;
    uint32_t item = hulls->by_begin[position];
    uint32_t length = hulls->at[item].end - hulls->at[item].begin;
    if (!skip && length > longest && can_be_tight(repair, item, section)) {
      best = item;
      longest = length;
    }
  }
  if (best != GMEM_NO_ITEM)
    repair->tight_items[repair->tight_item_count++] = best;
}

void gmem_repair_find_tight_items(gmem_repair_t *repair) {
  if (!repair->packing->is_plain) // the pressure is not a bound
    return;
  for (uint32_t i = 0; i < repair->packing->section_count; ++i)
    if (repair->hulls->pressure[i] > repair->goal &&
        repair->tight_item_count < GMEM_REPAIR_MAX_TIGHT_ITEMS &&
        !has_tight_item(repair, i))
      tight_item(repair, i);
}

static bool is_tight_item(const gmem_repair_t *repair, uint32_t item) {
  for (uint32_t i = 0; i < repair->tight_item_count; ++i)
    if (repair->tight_items[i] == item)
      return true;
  return false;
}

//===--- packing a window -------------------------------------------------===//

static uint64_t align(const gmem_repair_t *repair, uint64_t offset,
                      uint64_t mask) {
  return offset + ((0 - (repair->packing->base + offset)) & mask);
}

// From slot number |i| on, the first one that is live together with |slot| and
// begins at least |extent| above all such slots before it, and above *floor,
// which rises with them. Whether a slot is live is unpredictable, so the loop
// does not branch on it.
static uint32_t next_gap(const gmem_repair_t *repair, uint32_t i,
                         const gmem_slot_t *slot, uint64_t extent,
                         uint64_t *floor) {
  const gmem_slot_t *slots = repair->slots;
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

// The lowest free offset for |slot|; returns the index at which to insert it.
static uint32_t find_place(gmem_repair_t *repair, gmem_slot_t *slot) {
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

// The offset of a tight item, if it is free; returns as find_place does, or
// GMEM_NO_ITEM.
static uint32_t find_place_below_goal(gmem_repair_t *repair,
                                      gmem_slot_t *slot) {
  const gmem_item_t *item = &repair->packing->items[slot->item];
  uint64_t offset = repair->goal - item->size;
  offset -= (repair->packing->base + offset) & (item->alignment - 1);
  uint32_t at = 0;
  if (item->size > repair->goal || offset > repair->goal)
    return GMEM_NO_ITEM;
  for (uint32_t i = 0; i < repair->slot_count; ++i) {
    const gmem_slot_t *other = &repair->slots[i];
    bool is_live = other->end > slot->begin && slot->end > other->begin;
    if (is_live && other->offset < offset + item->extent && other->top > offset)
      return GMEM_NO_ITEM;
    at = other->offset <= offset ? i + 1 : at;
  }
  slot->offset = offset;
  slot->top = offset + item->extent;
  return at;
}

// Places the free items in their order; returns the highest end.
static uint64_t pack_window(gmem_repair_t *repair) {
  uint64_t peak = 0;
  repair->slot_count = repair->obstacle_count;
  memcpy(repair->slots, repair->obstacles,
         repair->obstacle_count * sizeof *repair->slots);
  for (uint32_t i = 0; i < repair->free_count; ++i) {
    uint32_t item = repair->free_items[i];
    const gmem_hull_t *hull = &repair->hulls->at[item];
    gmem_slot_t slot = {.begin = hull->begin, .end = hull->end, .item = item};
    uint32_t at = GMEM_NO_ITEM;
    if (i < repair->tight_end)
      at = find_place_below_goal(repair, &slot);
    if (at == GMEM_NO_ITEM)
      at = find_place(repair, &slot);
    memmove(repair->slots + at + 1, repair->slots + at,
            (repair->slot_count - at) * sizeof *repair->slots);
    repair->slots[at] = slot;
    ++repair->slot_count;
    assert(repair->slot_count <= GMEM_REPAIR_MAX_SLOTS);
    repair->free_offsets[i] = slot.offset;
    uint64_t end = slot.offset + repair->packing->items[item].size;
    peak = end > peak ? end : peak;
  }
  return peak;
}

static void accept(gmem_repair_t *repair) {
  for (uint32_t i = 0; i < repair->free_count; ++i)
    repair->offsets[repair->free_items[i]] = repair->free_offsets[i];
}

static uint64_t next_random(gmem_repair_t *repair) {
  return gmem_mix(repair->seed += UINT64_C(0x9e3779b97f4a7c15));
}

//===--- orders -----------------------------------------------------------===//

// Two strategies alternate, because neither dominates:
// * largest first; items that end above the goal move to the front;
// * first a stack of the items live in the section with the highest pressure,
//   which must have no gap, then the rest as before; the order of the stack is
//   changed at random, and a change that makes the result worse is undone.

static bool is_in_stack(const gmem_repair_t *repair, uint32_t item) {
  const gmem_hull_t *hull = &repair->hulls->at[item];
  return hull->begin <= repair->hot && repair->hot < hull->end;
}

static uint64_t key_in_phase(const gmem_repair_t *repair, uint32_t item,
                             int phase) {
  static const gmem_hull_key_t keys[ORDERS] = {GMEM_HULL_SIZE, GMEM_HULL_AREA,
                                               GMEM_HULL_LENGTH};
  const gmem_hull_t *hull = &repair->hulls->at[item];
  if (phase < ORDERS || is_in_stack(repair, item))
    return gmem_hull_key(hull, keys[phase % ORDERS]);
  if (phase < 2 * ORDERS)
    return gmem_hull_key(hull, GMEM_HULL_SIZE);
  return hull->begin > repair->hot ? hull->begin - repair->hot
                                   : repair->hot + 1 - hull->end;
}

typedef enum group_e { TIGHT, STACK, REST, GROUPS } group_t;

static group_t group_of(const gmem_repair_t *repair, uint32_t item, int phase,
                        bool with_tight_items) {
  if (with_tight_items && is_tight_item(repair, item))
    return TIGHT;
  return phase >= ORDERS && is_in_stack(repair, item) ? STACK : REST;
}

static void start_order(gmem_repair_t *repair, int phase,
                        bool with_tight_items) {
  for (uint32_t i = 0; i < repair->free_count; ++i) {
    uint32_t item = repair->free_items[i];
    repair->order[i] = (gmem_order_t){key_in_phase(repair, item, phase), item};
  }
  gmem_sort_order(repair->order, repair->scratch, repair->free_count);
  uint32_t ends[GROUPS], next = 0;
  for (int group = 0; group < GROUPS; ++group) {
    for (uint32_t i = 0; i < repair->free_count; ++i) {
      uint32_t item = repair->order[i].index;
      if (group_of(repair, item, phase, with_tight_items) == (group_t)group)
        repair->free_items[next++] = item;
    }
    ends[group] = next;
  }
  repair->tight_end = ends[TIGHT];
  repair->stack_end = ends[STACK];
}

static uint64_t excess_of(const gmem_repair_t *repair, uint32_t i) {
  uint64_t end = repair->free_offsets[i] +
                 repair->packing->items[repair->free_items[i]].size;
  return end > repair->goal ? end - repair->goal : 0;
}

// Moves items that ended above the goal towards the front, by a random
// fraction.
static void blame(gmem_repair_t *repair) {
  uint32_t count = repair->free_count - repair->stack_end;
  uint32_t *rest = repair->free_items + repair->stack_end;
  for (uint32_t i = 0; i < count; ++i) {
    uint64_t key = (uint64_t)i * 4 + 3;
    if (excess_of(repair, repair->stack_end + i))
      key = key * (next_random(repair) % 8) / 8;
    repair->order[i] = (gmem_order_t){key, rest[i]};
  }
  gmem_sort_order(repair->order, repair->scratch, count);
  for (uint32_t i = 0; i < count; ++i)
    rest[i] = repair->order[i].index;
}

// Swaps two items of the stack.
static void disturb(gmem_repair_t *repair) {
  uint32_t count = repair->stack_end - repair->tight_end;
  uint32_t *stack = repair->free_items + repair->tight_end;
  if (count < 2)
    return;
  uint32_t a = (uint32_t)(next_random(repair) % count);
  uint32_t b = (uint32_t)(next_random(repair) % count);
  uint32_t swap = stack[a];
  stack[a] = stack[b];
  stack[b] = swap;
}

// The sum of all bytes above the goal.
static uint64_t total_excess(const gmem_repair_t *repair) {
  uint64_t total = 0;
  for (uint32_t i = 0; i < repair->free_count; ++i) {
    uint64_t excess = excess_of(repair, i);
    total = excess > UINT64_MAX - total ? UINT64_MAX : total + excess;
  }
  return total;
}

//===--- improving a window -----------------------------------------------===//

// Prepares the order of the next attempt.
static void learn(gmem_repair_t *repair, uint64_t *least, uint32_t *worse) {
  uint64_t excess =
      repair->stack_end > repair->tight_end ? total_excess(repair) : 0;
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

// Packs the window repeatedly until it is below the goal. Returns false when
// the search ended. *best is the highest end.
static bool improve_in_phase(gmem_repair_t *repair, int phase, uint32_t tries,
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
    if (*best <= repair->goal || !gmem_repair_spend(repair))
      return false;
    learn(repair, &least, &worse);
  }
  return true;
}

static void find_hot(gmem_repair_t *repair) {
  const uint64_t *pressure = repair->hulls->pressure;
  repair->hot = repair->begin;
  for (uint32_t i = repair->begin; i < repair->end; ++i)
    if (pressure[i] > pressure[repair->hot])
      repair->hot = i;
  repair->steps += (repair->end - repair->begin) / 8;
}

uint64_t gmem_repair_improve_window(gmem_repair_t *repair, uint32_t tries) {
  uint64_t best = gmem_repair_window_peak(repair);
  find_hot(repair);
  for (int phase = 0; phase < PHASES; ++phase)
    if (!improve_in_phase(repair, phase, tries, &best))
      break;
  return best;
}
