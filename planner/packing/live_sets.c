// live_sets.c - the largest sets of spans that share a section, in order of
// time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "live_sets.h"

#include <assert.h>

gmem_status_t gmem_live_sets_create(const gmem_span_t *spans,
                                    const uint64_t *weights, size_t count,
                                    gmem_scratch_t *memory,
                                    gmem_live_sets_t *sets) {
  *sets = (gmem_live_sets_t){.weights = weights, .count = count};
  GMEM_TRY_NEW(sets->begins, memory, 2 * count);
  GMEM_TRY_NEW(sets->ends, memory, 2 * count);
  GMEM_TRY_NEW(sets->live, memory, count);
  GMEM_TRY_NEW(sets->places, memory, count);
  for (size_t i = 0; i < count; ++i) {
    sets->begins[i] = (gmem_order_t){spans[i].begin, (uint32_t)i};
    sets->ends[i] = (gmem_order_t){spans[i].end, (uint32_t)i};
  }
  gmem_sort_order(sets->begins, sets->begins + count, count);
  gmem_sort_order(sets->ends, sets->ends + count, count);
  return GMEM_OK;
}

void gmem_live_sets_restart(gmem_live_sets_t *sets) {
  sets->begun = sets->ended = sets->live_count = 0;
  sets->weight = 0;
}

static void add(gmem_live_sets_t *sets, uint32_t span) {
  sets->places[span] = sets->live_count;
  sets->live[sets->live_count++] = span;
  sets->weight += sets->weights ? sets->weights[span] : 0;
}

static void drop(gmem_live_sets_t *sets, uint32_t span) {
  uint32_t last = sets->live[--sets->live_count];
  assert(sets->live[sets->places[span]] == span);
  sets->live[sets->places[span]] = last;
  sets->places[last] = sets->places[span];
  sets->weight -= sets->weights ? sets->weights[span] : 0;
}

bool gmem_live_sets_next(gmem_live_sets_t *sets) {
  const gmem_order_t *begins = sets->begins, *ends = sets->ends;
  if (sets->begun == sets->count)
    return false;
  while (ends[sets->ended].key <= begins[sets->begun].key)
    drop(sets, ends[sets->ended++].index);
  // No span that begins before the first end ends before it.
  uint64_t first_end = ends[sets->ended].key;
  while (sets->begun < sets->count && begins[sets->begun].key < first_end)
    add(sets, begins[sets->begun++].index);
  return true;
}
