// merge_pinwheel.c - merges the five rectangles of a pinwheel into one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "merge_pinwheel.h"

// The smallest dissection without a cut from side to side; as a resistor
// network, the Wheatstone bridge. It is detected by sizes: at time t, 2 and m
// replace 1, and at time u, 3 replaces 4 and m.
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

// Longer lists are truncated, to bound the search in four lists.
enum { LONGEST_LIST = 24 };

static bool is_free(const gmem_merge_t *merge, uint32_t root, uint32_t middle) {
  return root != middle && merge->items[root].round != merge->round;
}

// The root that ends in |section|, began with |wheel->one|, is smaller than a
// root that begins there, and ends with |wheel->two|, given the middle.
static bool find_lower_arms(const gmem_merge_t *merge, pinwheel_t *wheel) {
  const gmem_merge_item_t *items = merge->items;
  const gmem_merge_item_t *middle = &items[wheel->middle];
  uint32_t section = middle->end - merge->whole->first_section;
  uint32_t four = merge->ends[section];
  for (int i = 0; i < LONGEST_LIST && four != GMEM_NO_ITEM;
       ++i, four = merge->next_end[four]) {
    if (items[four].begin != items[wheel->one].begin ||
        !is_free(merge, four, wheel->middle))
      continue;
    uint32_t three = merge->begins[section];
    for (int k = 0; k < LONGEST_LIST && three != GMEM_NO_ITEM;
         ++k, three = merge->next_begin[three])
      if (items[three].end == items[wheel->two].end &&
          gmem_merge_near(merge, items[three].extent,
                          items[four].extent + middle->extent) &&
          is_free(merge, three, wheel->middle)) {
        wheel->three = three;
        wheel->four = four;
        return true;
      }
  }
  return false;
}

static bool find_wheel(const gmem_merge_t *merge, uint32_t root,
                       pinwheel_t *wheel) {
  const gmem_merge_item_t *items = merge->items, *middle = &items[root];
  uint32_t section = middle->begin - merge->whole->first_section;
  uint32_t one = merge->ends[section];
  for (int i = 0; i < LONGEST_LIST && one != GMEM_NO_ITEM;
       ++i, one = merge->next_end[one]) {
    uint32_t two = merge->begins[section];
    for (int k = 0; k < LONGEST_LIST && two != GMEM_NO_ITEM;
         ++k, two = merge->next_begin[two]) {
      *wheel = (pinwheel_t){.one = one, .two = two, .middle = root};
      if (gmem_merge_near(merge, items[one].extent,
                          items[two].extent + middle->extent) &&
          is_free(merge, one, root) && is_free(merge, two, root) &&
          find_lower_arms(merge, wheel))
        return true;
    }
  }
  return false;
}

static void join_wheel(gmem_merge_t *merge, const pinwheel_t *wheel) {
  const gmem_merge_item_t *items = merge->items;
  gmem_merge_item_t one = items[wheel->one], four = items[wheel->four];
  gmem_merge_item_t two = items[wheel->two], three = items[wheel->three];
  uint64_t above = four.extent + items[wheel->middle].extent;
  above = above > three.extent ? above : three.extent;
  uint64_t left = four.extent + one.extent, right = above + two.extent;
  uint32_t root =
      gmem_merge_join(merge, wheel->four, 0, wheel->one, four.extent);
  root = gmem_merge_join(merge, root, 0, wheel->three, 0);
  root = gmem_merge_join(merge, root, 0, wheel->middle, four.extent);
  root = gmem_merge_join(merge, root, 0, wheel->two, above);
  gmem_merge_item_t *item = &merge->items[root];
  item->begin = one.begin;
  item->end = two.end;
  item->extent = left > right ? left : right;
  item->duration = one.duration + two.duration;
}

uint32_t gmem_merge_pinwheels(gmem_merge_t *merge) {
  uint32_t found = 0;
  pinwheel_t wheel;
  ++merge->round;
  for (uint32_t i = 0; i < merge->root_count; ++i) {
    uint32_t root = merge->roots[i];
    if (merge->items[root].round == merge->round ||
        !find_wheel(merge, root, &wheel))
      continue;
    join_wheel(merge, &wheel);
    ++found;
  }
  return found;
}
