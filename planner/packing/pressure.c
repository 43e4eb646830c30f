// pressure.c - memory pressure: the most bytes live at one time, a lower bound.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pressure.h"

#include <assert.h>

#include "exclusive_branches.h"
#include "planner_internal.h"

typedef struct pressure_s {
  const gmem_packing_t *packing;
  gmem_sum_t *rounded; // by section, and one more
  gmem_sum_t *raw;
  uint64_t *slack; // maximum by section
  uint32_t *next;  // the first section at or after this one without a slack
  gmem_order_t *slacks; // key: ~slack, index: of a run
  gmem_run_t *runs;
  size_t run_count, section_count;
  uint64_t most_slack;
} pressure_t;

static size_t count_runs(const gmem_packing_t *packing) {
  size_t count = 0;
  for (uint32_t i = 0; i < packing->count; ++i)
    for (gmem_live_part_t live = {0};
         gmem_next_live(packing, &packing->items[i], &live);)
      ++count;
  return count;
}

static uint64_t round_up(const pressure_t *pressure, uint64_t bytes) {
  return (bytes + pressure->packing->granule - 1) &
         ~(pressure->packing->granule - 1);
}

static void list_runs(pressure_t *pressure) {
  const gmem_packing_t *packing = pressure->packing;
  gmem_run_t *run = pressure->runs;
  uint32_t first = packing->first_section;
  for (uint32_t i = 0; i < packing->count; ++i)
    for (gmem_live_part_t live = {0};
         gmem_next_live(packing, &packing->items[i], &live);)
      *run++ =
          (gmem_run_t){.begin = live.begin,
                       .end = live.end,
                       .rounded = round_up(pressure, live.end) -
                                  round_up(pressure, live.begin),
                       .span = {live.span.begin - first, live.span.end - first},
                       .item = i};
}

// Sums are recorded as differences between sections and accumulated afterwards.
// Items in branches are added separately.
static void add_runs(pressure_t *pressure) {
  for (size_t i = 0; i < pressure->run_count; ++i) {
    const gmem_run_t *run = &pressure->runs[i];
    uint64_t slack = round_up(pressure, run->end) - run->end;
    pressure->slacks[i] = (gmem_order_t){~slack, (uint32_t)i};
    pressure->most_slack =
        slack > pressure->most_slack ? slack : pressure->most_slack;
    if (pressure->packing->items[run->item].has_branches)
      continue;
    pressure->rounded[run->span.begin] += run->rounded;
    pressure->rounded[run->span.end] -= run->rounded;
    pressure->raw[run->span.begin] += run->end - run->begin;
    pressure->raw[run->span.end] -= run->end - run->begin;
  }
  for (size_t i = 1; i < pressure->section_count; ++i) {
    pressure->rounded[i] += pressure->rounded[i - 1];
    pressure->raw[i] += pressure->raw[i - 1];
  }
}

// Sets the slack of the sections of every run, largest first; sections that are
// already set are skipped.
static void paint_slacks(pressure_t *pressure) {
  gmem_order_t *scratch = pressure->slacks + pressure->run_count;
  for (uint32_t i = 0; i <= pressure->section_count; ++i)
    pressure->next[i] = i;
  if (pressure->most_slack == 0)
    return;
  gmem_sort_order(pressure->slacks, scratch, pressure->run_count);
  for (size_t i = 0; i < pressure->run_count; ++i) {
    gmem_span_t span = pressure->runs[pressure->slacks[i].index].span;
    assert(span.begin < span.end && span.end <= pressure->section_count);
    for (uint32_t s = gmem_next_unpainted(pressure->next, span.begin);
         s < span.end; s = gmem_next_unpainted(pressure->next, s)) {
      pressure->slack[s] = ~pressure->slacks[i].key;
      pressure->next[s] = s + 1;
    }
  }
}

static uint64_t needed_at(const pressure_t *pressure, gmem_sum_t rounded,
                          gmem_sum_t raw, size_t section) {
  const gmem_packing_t *packing = pressure->packing;
  uint64_t first = (0 - packing->base) & (packing->granule - 1);
  // The slack may belong to bytes of an unselected arm.
  uint64_t slack = pressure->slack[section];
  gmem_sum_t bytes = rounded > slack ? rounded - slack : 0;
  bytes = (raw > bytes ? raw : bytes) + first;
  return bytes > GMEM_MAX_ADDRESS ? GMEM_UNLIMITED : (uint64_t)bytes;
}

// Computes the bytes of every section (|needed|, may be NULL) and the maximum.
static uint64_t find_most(const pressure_t *pressure, uint64_t *needed) {
  uint64_t most = 0;
  for (size_t i = 0; i < pressure->section_count; ++i) {
    uint64_t bytes =
        needed_at(pressure, pressure->rounded[i], pressure->raw[i], i);
    most = bytes > most ? bytes : most;
    if (needed)
      needed[i] = bytes;
  }
  return most;
}

static uint64_t highest_fixed_end(const gmem_packing_t *packing) {
  uint64_t highest = 0;
  for (uint32_t i = 0; i < packing->count; ++i) {
    const gmem_item_t *item = &packing->items[i];
    if (item->fixed_offset != GMEM_NOT_FIXED &&
        item->fixed_offset + item->size > highest)
      highest = item->fixed_offset + item->size;
  }
  return highest;
}

static gmem_status_t create(pressure_t *pressure, gmem_scratch_t *memory) {
  size_t sections = pressure->section_count + 1, runs = pressure->run_count;
  GMEM_TRY_ZEROS(pressure->rounded, memory, sections);
  GMEM_TRY_ZEROS(pressure->raw, memory, sections);
  GMEM_TRY_ZEROS(pressure->slack, memory, sections);
  GMEM_TRY_NEW(pressure->next, memory, sections);
  GMEM_TRY_NEW(pressure->slacks, memory, 2 * runs);
  GMEM_TRY_NEW(pressure->runs, memory, runs);
  return GMEM_OK;
}

static gmem_status_t pressure_of_runs(const gmem_packing_t *packing,
                                      uint64_t *needed, uint64_t *out_most,
                                      gmem_scratch_t *memory) {
  pressure_t pressure = {.packing = packing,
                         .run_count = count_runs(packing),
                         .section_count = packing->section_count};
  GMEM_TRY(create(&pressure, memory));
  list_runs(&pressure);
  add_runs(&pressure);
  paint_slacks(&pressure);
  if (packing->has_choices)
    GMEM_TRY(gmem_add_choices(packing, pressure.runs, pressure.run_count,
                              pressure.rounded, pressure.raw, memory));
  *out_most = find_most(&pressure, needed);
  return GMEM_OK;
}

// Most packings have whole items and sums that do not overflow. For these,
// 64-bit differences suffice, and slack is computed only where it matters: the
// bound is at least the largest sum minus the largest slack, so only sections
// with a larger sum are examined.
typedef struct whole_s {
  const gmem_packing_t *packing;
  size_t section_count;
  uint64_t *sums;   // of the extents in each section, and one more
  uint32_t *before; // how many candidates there are before each section
  uint64_t most, most_slack;
  uint32_t candidates;
} whole_t;

static bool is_whole(const gmem_packing_t *packing, uint64_t *most_slack) {
  uint64_t sum = 0;
  *most_slack = 0;
  for (uint32_t i = 0; i < packing->count; ++i) {
    const gmem_item_t *item = &packing->items[i];
    uint64_t slack = item->extent - item->size;
    *most_slack = slack > *most_slack ? slack : *most_slack;
    if (item->part_count || __builtin_add_overflow(sum, item->extent, &sum))
      return false;
  }
  return !packing->has_choices && sum <= GMEM_MAX_ADDRESS - packing->granule;
}

static void sum_whole(whole_t *whole) {
  const gmem_packing_t *packing = whole->packing;
  uint64_t *sums = whole->sums;
  for (uint32_t i = 0; i < packing->count; ++i) {
    const gmem_item_t *item = &packing->items[i];
    sums[item->begin - packing->first_section] += item->extent;
    sums[item->end - packing->first_section] -= item->extent;
  }
  uint64_t sum = 0;
  for (size_t i = 0; i < whole->section_count; ++i) {
    sum += sums[i];
    sums[i] = sum;
    whole->most = sum > whole->most ? sum : whole->most;
  }
}

static bool is_candidate(const whole_t *whole, size_t section) {
  return whole->sums[section] > whole->most - whole->most_slack;
}

// Restricted to the candidate sections.
static gmem_span_t span_of(const whole_t *whole, const gmem_item_t *item) {
  uint32_t first = whole->packing->first_section;
  return (gmem_span_t){whole->before[item->begin - first],
                       whole->before[item->end - first]};
}

static size_t count_covering(whole_t *whole) {
  whole->candidates = 0;
  for (size_t i = 0; i < whole->section_count; ++i) {
    whole->before[i] = whole->candidates;
    whole->candidates += is_candidate(whole, i);
  }
  whole->before[whole->section_count] = whole->candidates;
  size_t count = 0;
  for (uint32_t i = 0; i < whole->packing->count; ++i) {
    gmem_span_t span = span_of(whole, &whole->packing->items[i]);
    count += span.begin < span.end;
  }
  return count;
}

// Lists the items that are live in a candidate, and the candidate's sums.
static void list_candidates(const whole_t *whole, pressure_t *pressure) {
  size_t run = 0;
  for (uint32_t i = 0; i < whole->packing->count; ++i) {
    const gmem_item_t *item = &whole->packing->items[i];
    gmem_span_t span = span_of(whole, item);
    if (span.begin == span.end)
      continue;
    pressure->runs[run] = (gmem_run_t){.span = span, .item = i};
    pressure->slacks[run] =
        (gmem_order_t){~(item->extent - item->size), (uint32_t)run};
    ++run;
  }
  pressure->most_slack = whole->most_slack;
  for (size_t i = 0; i < whole->section_count; ++i)
    if (is_candidate(whole, i))
      pressure->rounded[whole->before[i]] = whole->sums[i];
}

static gmem_status_t pressure_of_candidates(whole_t *whole, uint64_t *out_most,
                                            gmem_scratch_t *memory) {
  GMEM_TRY_NEW(whole->before, memory, whole->section_count + 1);
  pressure_t pressure = {.packing = whole->packing,
                         .run_count = count_covering(whole)};
  pressure.section_count = whole->candidates;
  GMEM_TRY(create(&pressure, memory));
  list_candidates(whole, &pressure);
  paint_slacks(&pressure);
  *out_most = find_most(&pressure, NULL);
  return GMEM_OK;
}

// |needed| must be NULL when there is slack.
static gmem_status_t pressure_of_whole_items(whole_t *whole, uint64_t *needed,
                                             uint64_t *out_most,
                                             gmem_scratch_t *memory) {
  const gmem_packing_t *packing = whole->packing;
  assert(!needed || whole->most_slack == 0);
  GMEM_TRY_ZEROS(whole->sums, memory, whole->section_count + 1);
  sum_whole(whole);
  uint64_t first = (0 - packing->base) & (packing->granule - 1);
  for (size_t i = 0; needed && i < whole->section_count; ++i)
    needed[i] = first + whole->sums[i];
  *out_most = packing->count ? first + whole->most : 0;
  return whole->most_slack && packing->count
             ? pressure_of_candidates(whole, out_most, memory)
             : GMEM_OK;
}

gmem_status_t gmem_packing_pressure(const gmem_packing_t *packing,
                                    uint64_t *needed, uint64_t *out_most,
                                    gmem_diag_t *diag) {
  gmem_scratch_t memory = {.allocator = packing->allocator, .diag = diag};
  whole_t whole = {.packing = packing, .section_count = packing->section_count};
  bool is_simple = is_whole(packing, &whole.most_slack) &&
                   (!needed || whole.most_slack == 0);
  gmem_status_t status =
      is_simple ? pressure_of_whole_items(&whole, needed, out_most, &memory)
                : pressure_of_runs(packing, needed, out_most, &memory);
  gmem_scratch_free(&memory);
  GMEM_TRY(status);
  uint64_t fixed = highest_fixed_end(packing);
  if (fixed > *out_most)
    *out_most = fixed;
  return GMEM_OK;
}
