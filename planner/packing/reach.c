// reach.c - the vertical reach of items with many parts, and interference.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// When one item is above the other, only two bounds matter at each time: the
// upper end of the live bytes of the lower item, and the lower end of those of
// the upper item. For an item with many parts both are kept as functions of
// time, with their extremes over ranges of time.

#include "packing_builder.h"

#include <assert.h>

enum { FEW_PARTS = 4 }; // up to here pairwise comparison is faster

//===--- creation ---------------------------------------------------------===//

typedef struct maker_s {
  gmem_packing_t *packing;
  gmem_item_t *item;
  gmem_order_t *sections; // keys; and scratch
  uint32_t *next;         // by step: the first unpainted one at or after it
  size_t count;
} maker_t;

// All begins and ends, without duplicates. At the last one everything has
// ended.
static void list_sections(maker_t *maker) {
  size_t count = 0;
  for (gmem_live_part_t live = {0};
       gmem_next_live(maker->packing, maker->item, &live);) {
    maker->sections[count++].key = live.span.begin;
    maker->sections[count++].key = live.span.end;
  }
  maker->count =
      gmem_sort_distinct(maker->sections, maker->sections + count, count);
}

static gmem_status_t grow(maker_t *maker) {
  gmem_packing_t *packing = maker->packing;
  gmem_scratch_t *memory = &packing->memory;
  for (size_t i = 0; i < maker->count; ++i) {
    GMEM_TRY_ROOM(packing->steps, memory, packing->step_count,
                  packing->step_capacity);
    packing->steps[packing->step_count++] = (uint32_t)maker->sections[i].key;
    for (size_t k = 2 * packing->step_count - 2; k < 2 * packing->step_count;
         ++k)
      GMEM_TRY_ROOM(packing->reaches, memory, k, packing->reach_capacity);
  }
  return GMEM_OK;
}

static gmem_reach_t *tree_of(const gmem_packing_t *packing,
                             const gmem_item_t *item) {
  return packing->reaches + 2 * (size_t)item->step;
}

// The first step of |item| at or after |section|.
static uint32_t step_at(const gmem_packing_t *packing, const gmem_item_t *item,
                        uint32_t section) {
  return (uint32_t)gmem_find_number(packing->steps + item->step,
                                    item->step_count, section);
}

// Paints the unpainted steps of |part|.
static void paint_part(maker_t *maker, const gmem_part_t *part, bool high) {
  const gmem_packing_t *packing = maker->packing;
  gmem_reach_t *leaves =
      tree_of(packing, maker->item) + maker->item->step_count;
  for (uint32_t k = 0; k < part->span_count; ++k) {
    gmem_span_t span = packing->spans[part->span + k];
    uint32_t end = step_at(packing, maker->item, span.end);
    for (uint32_t step = gmem_next_unpainted(
             maker->next, step_at(packing, maker->item, span.begin));
         step < end; step = gmem_next_unpainted(maker->next, step)) {
      if (high)
        leaves[step].high = part->end;
      else
        leaves[step].low = part->begin;
      maker->next[step] = step + 1;
    }
  }
}

// Parts are sorted by their bytes, and the first paint stays: from the top down
// for the ends, from the bottom up for the begins.
static void paint_parts(maker_t *maker, bool high) {
  const gmem_item_t *item = maker->item;
  for (uint32_t i = 0; i <= item->step_count; ++i)
    maker->next[i] = i;
  for (uint32_t i = 0; i < item->part_count; ++i) {
    uint32_t part = high ? item->part_count - 1 - i : i;
    paint_part(maker, &maker->packing->parts[item->part + part], high);
  }
}

static gmem_reach_t hull_of(gmem_reach_t a, gmem_reach_t b) {
  return (gmem_reach_t){a.low < b.low ? a.low : b.low,
                        a.high > b.high ? a.high : b.high};
}

static void fill_tree(maker_t *maker) {
  gmem_reach_t *tree = tree_of(maker->packing, maker->item);
  uint32_t count = maker->item->step_count;
  for (uint32_t i = 0; i < 2 * count; ++i)
    tree[i] = (gmem_reach_t){UINT64_MAX, 0};
  paint_parts(maker, true);
  paint_parts(maker, false);
  for (uint32_t i = count - 1; i > 0; --i)
    tree[i] = hull_of(tree[2 * i], tree[2 * i + 1]);
}

gmem_status_t gmem_describe_reach(gmem_packing_t *packing, gmem_item_t *item,
                                  gmem_scratch_t *scratch) {
  maker_t maker = {.packing = packing, .item = item};
  size_t room = 0;
  if (item->part_count <= FEW_PARTS)
    return GMEM_OK;
  for (gmem_live_part_t live = {0}; gmem_next_live(packing, item, &live);)
    room += 2;
  GMEM_TRY_NEW(maker.sections, scratch, 2 * room);
  GMEM_TRY_NEW(maker.next, scratch, room + 1);
  list_sections(&maker);
  assert(maker.count <= room);
  item->step = (uint32_t)packing->step_count;
  GMEM_TRY(grow(&maker));
  item->step_count = (uint32_t)maker.count;
  fill_tree(&maker);
  gmem_scratch_drop(scratch, maker.next);
  gmem_scratch_drop(scratch, maker.sections);
  return GMEM_OK;
}

//===--- queries ----------------------------------------------------------===//

// The hull of the live bytes of |item| in |span|.
static gmem_reach_t reach_in(const gmem_packing_t *packing,
                             const gmem_item_t *item, gmem_span_t span) {
  const gmem_reach_t *tree = tree_of(packing, item);
  gmem_reach_t hull = {UINT64_MAX, 0};
  size_t low = step_at(packing, item,
                       span.begin + 1); // the first step that begins inside
  size_t high = step_at(packing, item, span.end);
  low -= low > 0; // the one that is live at the begin of the span
  for (low += item->step_count, high += item->step_count; low < high;
       low /= 2, high /= 2) {
    if (low & 1)
      hull = hull_of(hull, tree[low++]);
    if (high & 1)
      hull = hull_of(hull, tree[--high]);
  }
  return hull;
}

typedef struct meeting_s {
  const gmem_packing_t *packing;
  const gmem_item_t *other; // has steps
  bool other_is_left, met;
  int64_t reach;
} meeting_t;

// Meets the bytes |own|, which are live in |span|.
static void meet_bytes(meeting_t *meeting, gmem_span_t span, gmem_reach_t own) {
  gmem_reach_t other = reach_in(meeting->packing, meeting->other, span);
  if (other.high == 0 || own.high == 0)
    return;
  int64_t reach = meeting->other_is_left
                      ? (int64_t)other.high - (int64_t)own.low
                      : (int64_t)own.high - (int64_t)other.low;
  if (!meeting->met || reach > meeting->reach)
    meeting->reach = reach;
  meeting->met = true;
}

static void meet_steps(meeting_t *meeting, const gmem_item_t *item) {
  const gmem_packing_t *packing = meeting->packing;
  const gmem_item_t *other = meeting->other;
  assert(item->step_count && other->step_count);
  const uint32_t *steps = packing->steps + item->step;
  const gmem_reach_t *leaves = tree_of(packing, item) + item->step_count;
  uint32_t i = step_at(packing, item, other->begin + 1);
  for (i -= i > 0; i + 1 < item->step_count && steps[i] < other->end; ++i)
    meet_bytes(meeting, (gmem_span_t){steps[i], steps[i + 1]}, leaves[i]);
}

static void meet_parts(meeting_t *meeting, const gmem_item_t *item) {
  for (gmem_live_part_t live = {0};
       gmem_next_live(meeting->packing, item, &live);)
    meet_bytes(meeting, live.span, (gmem_reach_t){live.begin, live.end});
}

bool gmem_reaches_meet(const gmem_packing_t *packing, const gmem_item_t *left,
                       const gmem_item_t *right, int64_t *reach) {
  bool other_is_left = left->step_count >= right->step_count;
  meeting_t meeting = {.packing = packing,
                       .other = other_is_left ? left : right,
                       .other_is_left = other_is_left};
  const gmem_item_t *item = other_is_left ? right : left;
  if (item->step_count)
    meet_steps(&meeting, item);
  else
    meet_parts(&meeting, item);
  *reach = meeting.reach;
  return meeting.met;
}
