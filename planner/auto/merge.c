// merge.c - merges items that form a rectangle into one, for fewer and larger
// items.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Where a packing has no slack, the next item must use exactly the bytes of an
// item that ended. So two items of one size, of which one begins where the
// other ends, are merged into one that is live longer; and two items with equal
// live ranges are merged into one that is larger:
//
//      +-----+--------+         +--------------+
//      |  a  |   b    |         |     a b      |
//      +-----+--------+   ->    +--------------+   ->  ...
//      |      c       |         |      c       |
//      +--------------+         +--------------+
//
// These are the series and parallel reductions of resistor networks; a
// rectangle dissected into rectangles is such a network (Brooks, Smith, Stone,
// Tutte, "The dissection of rectangles into squares", Duke Mathematical Journal
// 7, 1940). The remaining irreducible dissections are pinwheels
// (merge_pinwheel.c). Merging preserves the pressure in every section, and so
// the lower bound. A placement of the merged items is a placement of the
// original ones, but possibly not an optimal one: the caller must also search
// with the original items.

#include "merge.h"

#include <assert.h>
#include <string.h>

#include "items.h"
#include "merge_pinwheel.h"

//===--- rectangles -------------------------------------------------------===//

static uint64_t place_key(const gmem_merge_item_t *item) {
  return (uint64_t)item->begin << 32 | item->end;
}

// Lists the roots by begin and end.
static void sort_roots(gmem_merge_t *merge) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < merge->root_count; ++i) {
    uint32_t root = merge->roots[i];
    if (merge->items[root].parent == root)
      merge->order[count++] =
          (gmem_order_t){place_key(&merge->items[root]), root};
  }
  gmem_sort_order(merge->order, merge->order + count, count);
  for (uint32_t i = 0; i < count; ++i)
    merge->roots[i] = merge->order[i].index;
  merge->root_count = count;
}

// Lists the roots by section.
static void list_roots(gmem_merge_t *merge) {
  uint32_t first = merge->whole->first_section;
  for (uint32_t i = 0; i <= merge->whole->section_count; ++i)
    merge->begins[i] = merge->ends[i] = GMEM_NO_ITEM;
  for (uint32_t i = merge->root_count; i-- > 0;) {
    uint32_t root = merge->roots[i];
    uint32_t *begins = &merge->begins[merge->items[root].begin - first];
    uint32_t *ends = &merge->ends[merge->items[root].end - first];
    merge->next_begin[root] = *begins;
    merge->next_end[root] = *ends;
    *begins = *ends = root;
  }
}

// Merges roots with equal live ranges. Returns whether there were any.
static bool join_parallel(gmem_merge_t *merge) {
  bool joined = false;
  for (uint32_t i = 1; i < merge->root_count; ++i) {
    uint32_t below = merge->roots[i - 1], above = merge->roots[i];
    gmem_merge_item_t low = merge->items[below], high = merge->items[above];
    if (place_key(&low) != place_key(&high))
      continue;
    joined = true;
    uint32_t root = gmem_merge_join(merge, below, 0, above, low.extent);
    merge->items[root].extent = low.extent + high.extent;
    merge->roots[i - 1] = root == below ? above : below; // no longer a root
    merge->roots[i] = root;
  }
  return joined;
}

// A hash of sections and extents.
static uint64_t touch_key(uint32_t section, uint64_t extent) {
  return gmem_mix(extent + section * UINT64_C(0x9E3779B97F4A7C15));
}

// Whether |right| may reuse the bytes of |left|. When |is_sure|, it must in a
// packing without slack: no other item ends or begins at that time.
static bool touch(const gmem_merge_t *merge, uint32_t left, uint32_t right,
                  bool is_sure) {
  const gmem_merge_item_t *a = &merge->items[left], *b = &merge->items[right];
  uint32_t section = a->end - merge->whole->first_section;
  if (is_sure && (merge->next_end[merge->ends[section]] != GMEM_NO_ITEM ||
                  merge->next_begin[merge->begins[section]] != GMEM_NO_ITEM))
    return false;
  return a->end == b->begin && a->extent == b->extent &&
         a->round != merge->round && b->round != merge->round;
}

static void join_in_time(gmem_merge_t *merge, uint32_t left, uint32_t right) {
  gmem_merge_item_t a = merge->items[left], b = merge->items[right];
  gmem_merge_item_t *root =
      &merge->items[gmem_merge_join(merge, left, 0, right, 0)];
  root->begin = a.begin;
  root->end = b.end;
  root->duration = a.duration + b.duration;
}

// Merges consecutive roots of one size, each at most once. Returns whether
// there were any.
static bool join_series(gmem_merge_t *merge, bool is_sure) {
  uint32_t count = merge->root_count;
  gmem_order_t *ends = merge->order, *begins = ends + count;
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t root = merge->roots[i];
    const gmem_merge_item_t *item = &merge->items[root];
    ends[i] = (gmem_order_t){touch_key(item->end, item->extent), root};
    begins[i] = (gmem_order_t){touch_key(item->begin, item->extent), root};
  }
  gmem_sort_order(ends, ends + 2 * count, count);
  gmem_sort_order(begins, begins + count, count);
  bool joined = false;
  ++merge->round;
  for (uint32_t i = 0, k = 0; i < count && k < count;) {
    if (ends[i].key != begins[k].key) {
      ++*(ends[i].key < begins[k].key ? &i : &k);
      continue;
    }
    uint32_t left = ends[i++].index, right = begins[k++].index;
    if (!touch(merge, left, right, is_sure))
      continue;
    join_in_time(merge, left, right);
    joined = true;
  }
  return joined;
}

// Each round halves the length of chains and removes a level of nesting. Merges
// without alternatives come first.
static void merge_all(gmem_merge_t *merge, gmem_search_t *search) {
  enum { MOST_ROUNDS = 200, STEPS_PER_ITEM = 8 };
  for (int round = 0; round < MOST_ROUNDS && merge->root_count > 1; ++round) {
    if (!gmem_search_spend(search,
                           STEPS_PER_ITEM * (uint64_t)merge->root_count))
      break;
    sort_roots(merge);
    if (join_parallel(merge))
      sort_roots(merge);
    list_roots(merge);
    if (!join_series(merge, true) && !gmem_merge_pinwheels(merge) &&
        !join_series(merge, false))
      break;
  }
  sort_roots(merge);
}

//===--- nearly rectangles ------------------------------------------------===//

// Lists the roots by the section in which they end, or begin, and their extent.
static void list_by_time(const gmem_merge_t *merge, bool by_end,
                         gmem_order_t *list, gmem_order_t *scratch) {
  uint32_t count = merge->root_count;
  for (uint32_t i = 0; i < count; ++i)
    list[i] =
        (gmem_order_t){merge->items[merge->roots[i]].extent, merge->roots[i]};
  gmem_sort_order(list, scratch, count);
  for (uint32_t i = 0; i < count; ++i) {
    const gmem_merge_item_t *item = &merge->items[list[i].index];
    list[i].key = by_end ? item->end : item->begin;
  }
  gmem_sort_order(list, scratch, count);
}

// Merges consecutive roots of nearly one size: the smaller one wastes the
// difference. Returns whether there were any.
static bool join_loosely(gmem_merge_t *merge) {
  uint32_t count = merge->root_count;
  gmem_order_t *ends = merge->order, *begins = ends + count;
  list_by_time(merge, true, ends, ends + 2 * count);
  list_by_time(merge, false, begins, ends + 2 * count);
  bool joined = false;
  ++merge->round;
  for (uint32_t i = 0, k = 0; i < count && k < count;) {
    uint32_t left = ends[i].index, right = begins[k].index;
    const gmem_merge_item_t *a = &merge->items[left], *b = &merge->items[right];
    uint64_t extent = a->extent > b->extent ? a->extent : b->extent;
    bool is_later =
        a->end != b->begin ? a->end > b->begin : a->extent > b->extent;
    bool is_near =
        a->end == b->begin && gmem_merge_near(merge, a->extent, b->extent);
    if (!is_near || a->round == merge->round || b->round == merge->round) {
      ++*(is_later ? &k : &i);
      continue;
    }
    join_in_time(merge, left, right);
    merge->items[left < right ? left : right].extent = extent;
    joined = true;
    ++i;
    ++k;
  }
  return joined;
}

// The same rounds, with sizes that differ by less and less small amounts.
static void merge_loosely(gmem_merge_t *merge, uint64_t tolerance,
                          gmem_search_t *search) {
  enum { LEAST_SHIFT = 4 };
  for (int shift = LEAST_SHIFT; shift >= 0; --shift) {
    merge->tolerance = tolerance >> shift;
    do {
      merge_all(merge, search);
      list_roots(merge);
    } while (merge->root_count > 1 &&
             gmem_search_spend(search, merge->root_count) &&
             (gmem_merge_pinwheels(merge) || join_loosely(merge)));
    sort_roots(merge);
  }
  merge->tolerance = 0;
}

//===--- the packing of the rectangles ------------------------------------===//

// Numbers the sections of the remaining roots: a new one begins at the first
// begin after an end. Fills |numbers| with the first section of items that
// begin there, and |lasts| with the last section of items that end there.
static uint32_t number_sections(gmem_merge_t *merge, uint32_t *firsts,
                                uint32_t *lasts) {
  enum { BEGINS = 1, ENDS = 2 };
  uint32_t base = merge->whole->first_section, section = 0;
  uint32_t points = merge->whole->section_count + 1;
  memset(firsts, 0, points * sizeof *firsts);
  for (uint32_t i = 0; i < merge->root_count; ++i) {
    const gmem_merge_item_t *item = &merge->items[merge->roots[i]];
    firsts[item->begin - base] |= BEGINS;
    firsts[item->end - base] |= ENDS;
  }
  bool ended = false;
  for (uint32_t i = 0; i < points; ++i) {
    uint32_t events = firsts[i];
    lasts[i] = section;
    ended |= (events & ENDS) != 0;
    if ((events & BEGINS) && ended) {
      ++section;
      ended = false;
    }
    firsts[i] = section;
  }
  return section + 1;
}

static gmem_status_t make_packing(gmem_merge_t *merge, gmem_diag_t *diag) {
  const gmem_packing_t *whole = merge->whole;
  gmem_packing_t *packing = &merge->packing;
  packing->count = merge->root_count;
  packing->first_section = 0;
  packing->section_count = number_sections(merge, merge->begins, merge->ends);
  for (uint32_t i = 0; i < merge->root_count; ++i) {
    const gmem_merge_item_t *root = &merge->items[merge->roots[i]];
    packing->items[i] = (gmem_item_t){
        .size = root->extent,
        .extent = root->extent,
        .alignment = whole->granule,
        .fixed_offset = GMEM_NOT_FIXED,
        .duration = root->duration,
        .begin = merge->begins[root->begin - whole->first_section],
        .end = merge->ends[root->end - whole->first_section] + 1,
        .member = whole->items[merge->roots[i]].member,
        .member_count = 1};
  }
  GMEM_TRY(gmem_packing_pressure(packing, NULL, &packing->bound, diag));
  if (packing->goal < packing->bound)
    packing->goal = packing->bound;
  return GMEM_OK;
}

static gmem_status_t allocate(gmem_merge_t *merge, gmem_scratch_t *memory) {
  size_t count = merge->whole->count;
  size_t points = (size_t)merge->whole->section_count + 1;
  GMEM_TRY_NEW(merge->items, memory, count);
  GMEM_TRY_NEW(merge->offsets, memory, 2 * count);
  GMEM_TRY_NEW(merge->roots, memory, count);
  GMEM_TRY_NEW(merge->next_begin, memory, count);
  GMEM_TRY_NEW(merge->next_end, memory, count);
  GMEM_TRY_NEW(merge->order, memory, 4 * count);
  GMEM_TRY_NEW(merge->begins, memory, points);
  GMEM_TRY_NEW(merge->ends, memory, points);
  GMEM_TRY_NEW(merge->packing.items, memory, count);
  return GMEM_OK;
}

gmem_status_t gmem_merge_create(const gmem_packing_t *packing,
                                uint64_t tolerance, gmem_search_t *search,
                                gmem_scratch_t *memory, gmem_merge_t *merge) {
  assert(packing->is_plain);
  *merge = (gmem_merge_t){.whole = packing, .packing = *packing};
  GMEM_TRY(allocate(merge, memory));
  for (uint32_t i = 0; i < packing->count; ++i) {
    const gmem_item_t *item = &packing->items[i];
    merge->items[i] = (gmem_merge_item_t){.extent = item->extent,
                                          .duration = item->duration,
                                          .begin = item->begin,
                                          .end = item->end,
                                          .parent = i};
    merge->roots[i] = i;
  }
  merge->root_count = packing->count;
  merge_all(merge, search);
  if (tolerance)
    merge_loosely(merge, tolerance, search);
  return make_packing(merge, memory->diag);
}

// Parents precede their children, so one pass suffices.
void gmem_merge_unfold(const gmem_merge_t *merge, const uint64_t *merged,
                       uint64_t *offsets) {
  for (uint32_t i = 0; i < merge->root_count; ++i) {
    uint32_t root = merge->roots[i];
    offsets[root] = merged[i] + merge->items[root].shift;
  }
  for (uint32_t i = 0; i < merge->whole->count; ++i) {
    assert(merge->items[i].parent <= i);
    if (merge->items[i].parent != i)
      offsets[i] = offsets[merge->items[i].parent] + merge->items[i].shift;
  }
}
