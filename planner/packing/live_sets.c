// live_sets.c - the largest sets of spans that share a section, in order of
// time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "live_sets.h"

gmem_status_t gmem_live_sets_create(const gmem_span_t *spans, size_t count,
                                    gmem_scratch_t *memory,
                                    gmem_live_sets_t *sets) {
  *sets = (gmem_live_sets_t){.spans = spans, .count = count};
  GMEM_TRY_NEW(sets->order, memory, 2 * count);
  GMEM_TRY_NEW(sets->live, memory, count);
  for (size_t i = 0; i < count; ++i)
    sets->order[i] = (gmem_order_t){spans[i].begin, (uint32_t)i};
  gmem_sort_order(sets->order, sets->order + count, count);
  return GMEM_OK;
}

void gmem_live_sets_restart(gmem_live_sets_t *sets) {
  sets->next = sets->live_count = 0;
}

static void note_end(gmem_live_sets_t *sets, uint32_t span) {
  uint32_t end = sets->spans[span].end;
  sets->first_end = end < sets->first_end ? end : sets->first_end;
}

static void drop_ended(gmem_live_sets_t *sets, uint64_t section) {
  size_t kept = 0;
  sets->first_end = UINT32_MAX;
  for (size_t i = 0; i < sets->live_count; ++i) {
    uint32_t span = sets->live[i];
    if (sets->spans[span].end <= section)
      continue;
    sets->live[kept++] = span;
    note_end(sets, span);
  }
  sets->live_count = kept;
}

bool gmem_live_sets_next(gmem_live_sets_t *sets) {
  const gmem_order_t *order = sets->order;
  if (sets->next == sets->count)
    return false;
  drop_ended(sets, order[sets->next].key);
  for (; sets->next < sets->count && order[sets->next].key < sets->first_end;
       ++sets->next) {
    uint32_t span = order[sets->next].index;
    sets->live[sets->live_count++] = span;
    note_end(sets, span);
  }
  return true;
}
