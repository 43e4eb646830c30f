// pressure.c - memory pressure: the most bytes live at one time, a lower bound.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "exclusive_branches.h"

#include <assert.h>

#include "planner_internal.h"

typedef struct pressure_s {
  const gmem_packing_t *packing;
  gmem_sum_t *rounded; // by section, and one more: differences, then sums
  gmem_sum_t *raw;
  uint64_t most_slack;
  size_t part_count; // live parts of all items
} pressure_t;

static gmem_span_t span_of(const pressure_t *pressure,
                           const gmem_live_part_t *live) {
  uint32_t first = pressure->packing->first_section;
  return (gmem_span_t){live->span.begin - first, live->span.end - first};
}

static uint64_t slack_of(const pressure_t *pressure,
                         const gmem_live_part_t *live) {
  return gmem_round_up(pressure->packing, live->end) - live->end;
}

// Items in branches are added separately.
static void add_parts(pressure_t *pressure) {
  const gmem_packing_t *packing = pressure->packing;
  for (uint32_t i = 0; i < packing->count; ++i)
    for (gmem_live_part_t live = {0};
         gmem_next_live(packing, &packing->items[i], &live);) {
      uint64_t slack = slack_of(pressure, &live);
      ++pressure->part_count;
      pressure->most_slack =
          slack > pressure->most_slack ? slack : pressure->most_slack;
      if (!packing->items[i].has_branches)
        gmem_add_live(packing, &live, span_of(pressure, &live),
                      pressure->rounded, pressure->raw);
    }
}

// Replaces the differences between sections by sums. Returns the largest.
static gmem_sum_t accumulate(pressure_t *pressure) {
  gmem_sum_t most = 0, *rounded = pressure->rounded, *raw = pressure->raw;
  for (size_t i = 0; i < pressure->packing->section_count; ++i) {
    rounded[i] += i ? rounded[i - 1] : 0;
    raw[i] += i ? raw[i - 1] : 0;
    most = rounded[i] > most ? rounded[i] : most;
  }
  return most;
}

// Subtracts the largest slack from the sum of each section: takes the parts by
// slack and skips sections that are already done. So are, unless |all| are
// asked for, those that cannot determine the maximum: it is at least the
// largest sum minus the largest slack.
static gmem_status_t subtract_slacks(pressure_t *pressure, gmem_sum_t most,
                                     bool all, gmem_scratch_t *memory) {
  const gmem_packing_t *packing = pressure->packing;
  uint32_t *next;       // by section: the first at or after it without a slack
  gmem_order_t *slacks; // key: ~slack, index: in |spans|; and scratch
  gmem_span_t *spans;
  size_t count = 0;
  GMEM_TRY_NEW(next, memory, (size_t)packing->section_count + 1);
  GMEM_TRY_NEW(slacks, memory, 2 * pressure->part_count);
  GMEM_TRY_NEW(spans, memory, pressure->part_count);
  next[packing->section_count] = packing->section_count;
  for (uint32_t i = packing->section_count; i-- > 0;)
    next[i] = all || pressure->rounded[i] + pressure->most_slack > most
                  ? i
                  : next[i + 1];
  for (uint32_t i = 0; i < packing->count; ++i)
    for (gmem_live_part_t live = {0};
         gmem_next_live(packing, &packing->items[i], &live);) {
      spans[count] = span_of(pressure, &live);
      slacks[count] =
          (gmem_order_t){~slack_of(pressure, &live), (uint32_t)count};
      count += next[spans[count].begin] < spans[count].end;
    }
  gmem_sort_order(slacks, slacks + count, count);
  for (size_t i = 0; i < count; ++i) {
    gmem_span_t span = spans[slacks[i].index];
    assert(span.begin < span.end && span.end <= packing->section_count);
    for (uint32_t s = gmem_next_unpainted(next, span.begin); s < span.end;
         s = gmem_next_unpainted(next, s)) {
      // The slack may belong to bytes of an unselected arm.
      gmem_sum_t slack = ~slacks[i].key, *rounded = &pressure->rounded[s];
      *rounded = *rounded > slack ? *rounded - slack : 0;
      next[s] = s + 1;
    }
  }
  return GMEM_OK;
}

static gmem_status_t find_most(pressure_t *pressure, uint64_t *needed,
                               uint64_t *out_most, gmem_scratch_t *memory) {
  const gmem_packing_t *packing = pressure->packing;
  size_t sections = packing->section_count;
  uint64_t first = (0 - packing->base) & (packing->granule - 1);
  GMEM_TRY_ZEROS(pressure->rounded, memory, sections + 1);
  GMEM_TRY_ZEROS(pressure->raw, memory, sections + 1);
  add_parts(pressure);
  if (packing->has_choices)
    GMEM_TRY(
        gmem_add_choices(packing, pressure->rounded, pressure->raw, memory));
  gmem_sum_t most = accumulate(pressure);
  if (pressure->most_slack)
    GMEM_TRY(subtract_slacks(pressure, most, needed != NULL, memory));
  *out_most = 0;
  for (size_t i = 0; i < sections; ++i) {
    gmem_sum_t rounded = pressure->rounded[i], raw = pressure->raw[i];
    gmem_sum_t sum = (raw > rounded ? raw : rounded) + first;
    uint64_t bytes = sum > GMEM_MAX_ADDRESS ? GMEM_UNLIMITED : (uint64_t)sum;
    *out_most = bytes > *out_most ? bytes : *out_most;
    if (needed)
      needed[i] = bytes;
  }
  // The end of a fixed item is a bound, too.
  for (uint32_t i = 0; i < packing->count; ++i) {
    const gmem_item_t *item = &packing->items[i];
    uint64_t end = gmem_is_fixed(item) ? item->fixed_offset + item->size : 0;
    *out_most = end > *out_most ? end : *out_most;
  }
  return GMEM_OK;
}

gmem_status_t gmem_packing_pressure(const gmem_packing_t *packing,
                                    uint64_t *needed, uint64_t *out_most,
                                    gmem_diag_t *diag) {
  gmem_scratch_t memory = {.allocator = packing->allocator, .diag = diag};
  pressure_t pressure = {.packing = packing};
  gmem_status_t status = find_most(&pressure, needed, out_most, &memory);
  gmem_scratch_free(&memory);
  return status;
}
