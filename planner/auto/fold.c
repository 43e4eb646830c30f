// fold.c - fewer and larger items: those that fit together to a rectangle move
// as one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Where a packing has no room to spare, the next item must take the very bytes
// that an item left. So two items of one size, of which one begins where the
// other ends, are one that is live longer; and two that are live at the same
// time are one that is larger:
//
//      +-----+--------+         +--------------+
//      |  a  |   b    |         |     a b      |
//      +-----+--------+   ->    +--------------+   ->  ...
//      |      c       |         |      c       |
//      +--------------+         +--------------+
//
// These are the two reductions of networks of resistors, series and parallel,
// and a rectangle cut into rectangles is such a network (Brooks, Smith, Stone,
// Tutte, "The dissection of rectangles into squares", Duke Mathematical Journal
// 7, 1940). What they leave is cut in pinwheels (fold_pinwheel.c). The loads
// stay the same, so nothing is lost from the bound. A placement of what was
// folded is one of the items, but perhaps not the best: whoever folds must also
// look at the items as they are.

#include "fold.h"

#include <string.h>

#include "fold_pinwheel.h"
#include "load.h"
#include "order.h"
#include "planner_memory.h"

//===--- rectangles -------------------------------------------------------===//

static uint64_t place_key(const gmem_fold_item_t *item) {
  return (uint64_t)item->begin << 32 | item->end;
}

// Lists the roots by begin and end.
static void sort_roots(gmem_fold_t *fold) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < fold->root_count; ++i) {
    uint32_t root = fold->roots[i];
    if (fold->items[root].parent == root)
      fold->order[count++] =
          (gmem_order_t){place_key(&fold->items[root]), root};
  }
  gmem_order_sort(fold->order, fold->order + count, count);
  for (uint32_t i = 0; i < count; ++i)
    fold->roots[i] = fold->order[i].index;
  fold->root_count = count;
}

// Lists the roots by section.
static void list_roots(gmem_fold_t *fold) {
  uint32_t first = fold->whole->first_section;
  for (uint32_t i = 0; i <= fold->whole->section_count; ++i)
    fold->begins[i] = fold->ends[i] = GMEM_NO_ITEM;
  for (uint32_t i = fold->root_count; i-- > 0;) {
    uint32_t root = fold->roots[i];
    uint32_t *begins = &fold->begins[fold->items[root].begin - first];
    uint32_t *ends = &fold->ends[fold->items[root].end - first];
    fold->next_begin[root] = *begins;
    fold->next_end[root] = *ends;
    *begins = *ends = root;
  }
}

// Stacks those that are live at the same time. Returns whether there were any.
static bool join_parallel(gmem_fold_t *fold) {
  bool joined = false;
  for (uint32_t i = 1; i < fold->root_count; ++i) {
    uint32_t below = fold->roots[i - 1], above = fold->roots[i];
    gmem_fold_item_t low = fold->items[below], high = fold->items[above];
    if (place_key(&low) != place_key(&high))
      continue;
    joined = true;
    uint32_t root = gmem_fold_join(fold, below, 0, above, low.extent);
    fold->items[root].extent = low.extent + high.extent;
    fold->roots[i - 1] = root == below ? above : below; // no root any more
    fold->roots[i] = root;
  }
  return joined;
}

// Equal for equal sections and extents, and hardly ever for others. The mixing
// is that of splitmix64 (Steele, Lea, Flood, "Fast splittable pseudorandom
// number generators", 2014).
static uint64_t touch_key(uint32_t section, uint64_t extent) {
  uint64_t key = extent + section * UINT64_C(0x9E3779B97F4A7C15);
  key = (key ^ key >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  key = (key ^ key >> 27) * UINT64_C(0x94D049BB133111EB);
  return key ^ key >> 31;
}

// Whether |right| may take the bytes of |left|. When |is_sure|, it must, if
// there is no room to spare: nothing else ends or begins there.
static bool touch(const gmem_fold_t *fold, uint32_t left, uint32_t right,
                  bool is_sure) {
  const gmem_fold_item_t *a = &fold->items[left], *b = &fold->items[right];
  uint32_t section = a->end - fold->whole->first_section;
  if (is_sure && (fold->next_end[fold->ends[section]] != GMEM_NO_ITEM ||
                  fold->next_begin[fold->begins[section]] != GMEM_NO_ITEM))
    return false;
  return a->end == b->begin && a->extent == b->extent &&
         a->round != fold->round && b->round != fold->round;
}

static void join_in_time(gmem_fold_t *fold, uint32_t left, uint32_t right) {
  gmem_fold_item_t a = fold->items[left], b = fold->items[right];
  gmem_fold_item_t *root =
      &fold->items[gmem_fold_join(fold, left, 0, right, 0)];
  root->begin = a.begin;
  root->end = b.end;
  root->duration = a.duration + b.duration;
}

// Joins those of one size that follow each other, each at most once. Returns
// whether there were any.
static bool join_series(gmem_fold_t *fold, bool is_sure) {
  uint32_t count = fold->root_count;
  gmem_order_t *ends = fold->order, *begins = ends + count;
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t root = fold->roots[i];
    const gmem_fold_item_t *item = &fold->items[root];
    ends[i] = (gmem_order_t){touch_key(item->end, item->extent), root};
    begins[i] = (gmem_order_t){touch_key(item->begin, item->extent), root};
  }
  gmem_order_sort(ends, ends + 2 * count, count);
  gmem_order_sort(begins, begins + count, count);
  bool joined = false;
  ++fold->round;
  for (uint32_t i = 0, k = 0; i < count && k < count;) {
    if (ends[i].key != begins[k].key) {
      ++*(ends[i].key < begins[k].key ? &i : &k);
      continue;
    }
    uint32_t left = ends[i++].index, right = begins[k++].index;
    if (!touch(fold, left, right, is_sure))
      continue;
    join_in_time(fold, left, right);
    joined = true;
  }
  return joined;
}

// A round halves the length of chains, and takes a level off nested ones. What
// is sure goes first.
static void fold_all(gmem_fold_t *fold, gmem_search_t *search) {
  enum { MOST_ROUNDS = 200, STEPS_PER_ITEM = 8 };
  for (int round = 0; round < MOST_ROUNDS && fold->root_count > 1; ++round) {
    if (!gmem_search_spend(search, STEPS_PER_ITEM * (uint64_t)fold->root_count))
      break;
    sort_roots(fold);
    if (join_parallel(fold))
      sort_roots(fold);
    list_roots(fold);
    if (!join_series(fold, true) && !gmem_fold_pinwheels(fold) &&
        !join_series(fold, false))
      break;
  }
  sort_roots(fold);
}

//===--- the packing of the rectangles ------------------------------------===//

// Numbers the sections of what is left: a new one begins where something begins
// after something ended. Fills |numbers| with the section in which what begins
// there is live first, and |lasts| with the one in which what ends there is
// live last.
static uint32_t number_sections(gmem_fold_t *fold, uint32_t *firsts,
                                uint32_t *lasts) {
  enum { BEGINS = 1, ENDS = 2 };
  uint32_t base = fold->whole->first_section, section = 0;
  uint32_t points = fold->whole->section_count + 1;
  memset(firsts, 0, points * sizeof *firsts);
  for (uint32_t i = 0; i < fold->root_count; ++i) {
    const gmem_fold_item_t *item = &fold->items[fold->roots[i]];
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

static gmem_status_t make_packing(gmem_fold_t *fold, gmem_diag_t *diag) {
  const gmem_packing_t *whole = fold->whole;
  gmem_packing_t *packing = &fold->packing;
  packing->count = fold->root_count;
  packing->first_section = 0;
  packing->section_count = number_sections(fold, fold->begins, fold->ends);
  for (uint32_t i = 0; i < fold->root_count; ++i) {
    const gmem_fold_item_t *root = &fold->items[fold->roots[i]];
    packing->items[i] =
        (gmem_item_t){.size = root->extent,
                      .extent = root->extent,
                      .alignment = whole->granule,
                      .fixed_offset = GMEM_NOT_FIXED,
                      .duration = root->duration,
                      .begin = fold->begins[root->begin - whole->first_section],
                      .end = fold->ends[root->end - whole->first_section] + 1,
                      .member = whole->items[fold->roots[i]].member,
                      .member_count = 1};
  }
  gmem_status_t status =
      gmem_packing_load(packing, NULL, &packing->bound, diag);
  if (packing->goal < packing->bound)
    packing->goal = packing->bound;
  return status;
}

static gmem_status_t allocate(gmem_fold_t *fold, gmem_diag_t *diag) {
  const gmem_allocator_t *allocator = fold->whole->allocator;
  size_t count = fold->whole->count;
  size_t points = (size_t)fold->whole->section_count + 1;
  fold->items = gmem_planner_alloc(allocator, count, sizeof *fold->items);
  fold->offsets =
      gmem_planner_alloc(allocator, 2 * count, sizeof *fold->offsets);
  fold->roots = gmem_planner_alloc(allocator, 3 * count, sizeof *fold->roots);
  fold->order = gmem_planner_alloc(allocator, 4 * count, sizeof *fold->order);
  fold->begins =
      gmem_planner_alloc(allocator, 2 * points, sizeof *fold->begins);
  fold->packing.items =
      gmem_planner_alloc(allocator, count, sizeof *fold->packing.items);
  if (!fold->items || !fold->offsets || !fold->roots || !fold->order ||
      !fold->begins || !fold->packing.items)
    return gmem_planner_out_of_memory(diag);
  fold->ends = fold->begins + points;
  fold->next_begin = fold->roots + count;
  fold->next_end = fold->next_begin + count;
  return GMEM_OK;
}

gmem_status_t gmem_fold_create(const gmem_packing_t *packing,
                               gmem_search_t *search, gmem_fold_t *fold,
                               gmem_diag_t *diag) {
  *fold = (gmem_fold_t){.whole = packing, .packing = *packing};
  fold->packing.items = NULL;
  fold->packing.is_view = true;
  gmem_status_t status = allocate(fold, diag);
  if (status != GMEM_OK)
    return status;
  for (uint32_t i = 0; i < packing->count; ++i) {
    const gmem_item_t *item = &packing->items[i];
    fold->items[i] = (gmem_fold_item_t){.extent = item->extent,
                                        .duration = item->duration,
                                        .begin = item->begin,
                                        .end = item->end,
                                        .parent = i};
    fold->roots[i] = i;
  }
  fold->root_count = packing->count;
  fold_all(fold, search);
  return make_packing(fold, diag);
}

void gmem_fold_destroy(gmem_fold_t *fold) {
  const gmem_allocator_t *allocator = fold->whole->allocator;
  size_t count = fold->whole->count;
  size_t points = (size_t)fold->whole->section_count + 1;
  gmem_planner_free(allocator, fold->items, count, sizeof *fold->items);
  gmem_planner_free(allocator, fold->offsets, 2 * count, sizeof *fold->offsets);
  gmem_planner_free(allocator, fold->roots, 3 * count, sizeof *fold->roots);
  gmem_planner_free(allocator, fold->order, 4 * count, sizeof *fold->order);
  gmem_planner_free(allocator, fold->begins, 2 * points, sizeof *fold->begins);
  gmem_planner_free(allocator, fold->packing.items, count,
                    sizeof *fold->packing.items);
}

// Parents come first, so one pass is enough.
void gmem_fold_unfold(const gmem_fold_t *fold, const uint64_t *folded,
                      uint64_t *offsets) {
  for (uint32_t i = 0; i < fold->root_count; ++i) {
    uint32_t root = fold->roots[i];
    offsets[root] = folded[i] + fold->items[root].shift;
  }
  for (uint32_t i = 0; i < fold->whole->count; ++i)
    if (fold->items[i].parent != i)
      offsets[i] = offsets[fold->items[i].parent] + fold->items[i].shift;
}
