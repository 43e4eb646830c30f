// fold_pinwheel.c - joins the five arms of a pinwheel to one rectangle.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fold_pinwheel.h"

// The smallest dissection that no cut from side to side takes apart; as a
// network of resistors, Wheatstone's bridge. Sizes tell it: at the time t, in
// the place of 1 come 2 and m, and at the time u, in that of 4 and m comes 3.
//
//      +---+-------+
//      |   |   2   |   bytes
//      | 1 +---+---+     ^
//      |   | m |   |     |
//      +---+---+ 3 |     +--> time
//      |   4   |   |
//      +-------+---+
//          t   u

typedef struct pinwheel_s {
  uint32_t one, two, three, four, middle;
} pinwheel_t;

// A list that is longer is cut: the search in four lists must be short.
enum { LONGEST_LIST = 24 };

static bool is_free(const gmem_fold_t *fold, uint32_t root, uint32_t middle) {
  return root != middle && fold->items[root].round != fold->round;
}

// The one that ends in |section|, began with |wheel->one|, and is smaller than
// one that begins there, and ends with |wheel->two|, by the middle.
static bool find_lower_arms(const gmem_fold_t *fold, pinwheel_t *wheel) {
  const gmem_fold_item_t *items = fold->items;
  const gmem_fold_item_t *middle = &items[wheel->middle];
  uint32_t section = middle->end - fold->whole->first_section;
  uint32_t four = fold->ends[section];
  for (int i = 0; i < LONGEST_LIST && four != GMEM_NO_ITEM;
       ++i, four = fold->next_end[four]) {
    if (items[four].begin != items[wheel->one].begin ||
        !is_free(fold, four, wheel->middle))
      continue;
    uint32_t three = fold->begins[section];
    for (int k = 0; k < LONGEST_LIST && three != GMEM_NO_ITEM;
         ++k, three = fold->next_begin[three])
      if (items[three].end == items[wheel->two].end &&
          items[three].extent == items[four].extent + middle->extent &&
          is_free(fold, three, wheel->middle)) {
        wheel->three = three;
        wheel->four = four;
        return true;
      }
  }
  return false;
}

static bool find_wheel(const gmem_fold_t *fold, uint32_t root,
                       pinwheel_t *wheel) {
  const gmem_fold_item_t *items = fold->items, *middle = &items[root];
  uint32_t section = middle->begin - fold->whole->first_section;
  uint32_t one = fold->ends[section];
  for (int i = 0; i < LONGEST_LIST && one != GMEM_NO_ITEM;
       ++i, one = fold->next_end[one]) {
    uint32_t two = fold->begins[section];
    for (int k = 0; k < LONGEST_LIST && two != GMEM_NO_ITEM;
         ++k, two = fold->next_begin[two]) {
      *wheel = (pinwheel_t){.one = one, .two = two, .middle = root};
      if (items[one].extent == items[two].extent + middle->extent &&
          is_free(fold, one, root) && is_free(fold, two, root) &&
          find_lower_arms(fold, wheel))
        return true;
    }
  }
  return false;
}

static void join_wheel(gmem_fold_t *fold, const pinwheel_t *wheel) {
  const gmem_fold_item_t *items = fold->items;
  gmem_fold_item_t one = items[wheel->one], four = items[wheel->four];
  gmem_fold_item_t two = items[wheel->two], three = items[wheel->three];
  uint32_t root = gmem_fold_join(fold, wheel->four, 0, wheel->one, four.extent);
  root = gmem_fold_join(fold, root, 0, wheel->three, 0);
  root = gmem_fold_join(fold, root, 0, wheel->middle, four.extent);
  root = gmem_fold_join(fold, root, 0, wheel->two, three.extent);
  gmem_fold_item_t *item = &fold->items[root];
  item->begin = one.begin;
  item->end = two.end;
  item->extent = one.extent + four.extent;
  item->duration = one.duration + two.duration;
}

uint32_t gmem_fold_pinwheels(gmem_fold_t *fold) {
  uint32_t found = 0;
  pinwheel_t wheel;
  ++fold->round;
  for (uint32_t i = 0; i < fold->root_count; ++i) {
    uint32_t root = fold->roots[i];
    if (fold->items[root].round == fold->round ||
        !find_wheel(fold, root, &wheel))
      continue;
    join_wheel(fold, &wheel);
    ++found;
  }
  return found;
}
