// section_lists.c - the placed items of each section, to find the ones that
// interfere with another.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "section_lists.h"

#include <assert.h>
#include <string.h>

#include "packing_query.h"

// The limit of entries in all lists, per item.
enum { SECTIONS_PER_ITEM = 64 };

// Sets counts[s + 1] to the number of items that are live in section s; by
// section, and two more.
static void count_live(const gmem_packing_t *packing, size_t *counts) {
  uint32_t first = packing->first_section;
  for (uint32_t i = 0; i < packing->count; ++i) // modulo 2^64
    for (gmem_live_part_t live = {0};
         gmem_next_live(packing, &packing->items[i], &live);) {
      ++counts[live.span.begin - first + 1];
      --counts[live.span.end - first + 1];
    }
  for (uint32_t s = 0; s < packing->section_count; ++s)
    counts[s + 1] += counts[s];
}

gmem_status_t gmem_count_section_pairs(const gmem_packing_t *packing,
                                       uint64_t *out_pairs,
                                       gmem_scratch_t *memory) {
  size_t *counts;
  GMEM_TRY_ZEROS(counts, memory, (size_t)packing->section_count + 2);
  count_live(packing, counts);
  *out_pairs = 0;
  for (uint32_t s = 0; s < packing->section_count; ++s)
    *out_pairs += counts[s + 1] * ((uint64_t)counts[s + 1] - 1) / 2;
  gmem_scratch_drop(memory, counts);
  return GMEM_OK;
}

gmem_status_t gmem_section_lists_create(const gmem_packing_t *packing,
                                        gmem_scratch_t *memory,
                                        gmem_section_lists_t *lists) {
  size_t sections = packing->section_count;
  *lists = (gmem_section_lists_t){.packing = packing};
  GMEM_TRY_ZEROS(lists->starts, memory, sections + 2);
  count_live(packing, lists->starts);
  for (size_t i = 0; i < sections; ++i)
    lists->starts[i + 1] += lists->starts[i];
  size_t entries = lists->starts[sections];
  if (entries > SECTIONS_PER_ITEM * (size_t)packing->count) {
    gmem_scratch_drop(memory, lists->starts);
    lists->starts = NULL;
    return GMEM_OK;
  }
  GMEM_TRY_NEW(lists->items, memory, entries);
  GMEM_TRY_NEW(lists->lengths, memory, sections);
  GMEM_TRY_ZEROS(lists->seen, memory, packing->count);
  gmem_section_lists_clear(lists);
  return GMEM_OK;
}

void gmem_section_lists_clear(gmem_section_lists_t *lists) {
  memset(lists->lengths, 0,
         lists->packing->section_count * sizeof *lists->lengths);
}

void gmem_section_lists_add(gmem_section_lists_t *lists, uint32_t item) {
  const gmem_packing_t *packing = lists->packing;
  uint32_t first = packing->first_section;
  for (gmem_live_part_t live = {0};
       gmem_next_live(packing, &packing->items[item], &live);)
    for (uint32_t s = live.span.begin - first; s < live.span.end - first; ++s) {
      size_t at = lists->starts[s] + lists->lengths[s]++;
      assert(at < lists->starts[s + 1]);
      lists->items[at] = item;
    }
}

// Another round of |seen|.
static void begin_round(gmem_section_lists_t *lists) {
  if (++lists->round > 0)
    return;
  memset(lists->seen, 0, lists->packing->count * sizeof *lists->seen);
  lists->round = 1;
}

uint32_t gmem_section_lists_gather(gmem_section_lists_t *lists, uint32_t item,
                                   uint32_t *others, uint64_t *out_looks) {
  const gmem_packing_t *packing = lists->packing;
  uint32_t first = packing->first_section, count = 0;
  *out_looks = 0;
  begin_round(lists);
  for (gmem_live_part_t live = {0};
       gmem_next_live(packing, &packing->items[item], &live);)
    for (uint32_t s = live.span.begin - first; s < live.span.end - first; ++s) {
      const uint32_t *list = lists->items + lists->starts[s];
      *out_looks += lists->lengths[s];
      for (uint32_t i = 0; i < lists->lengths[s]; ++i) {
        bool is_new = lists->seen[list[i]] != lists->round;
        lists->seen[list[i]] = lists->round;
        others[count] = list[i];
        count += is_new && (!packing->has_choices ||
                            gmem_items_conflict(packing, item, list[i]));
      }
    }
  return count;
}
