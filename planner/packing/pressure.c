// pressure.c - memory pressure: the most bytes live at one time, a lower bound.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "exclusive_branches.h"

#include <assert.h>
#include <string.h>

#include "planner_internal.h"

// The sums of one granule after the other.
typedef struct pressure_s {
  const gmem_packing_t *packing;
  gmem_scratch_t *memory;
  uint64_t granule;
  gmem_sum_t *sums; // by section, and one more: differences, then sums
  uint64_t most_slack;
  size_t part_count;    // live parts of all items
  uint32_t *next;       // scratch, by section, and one more
  gmem_order_t *slacks; // scratch, by part: key: ~slack, index: in |spans|; and
                        // as much scratch again
  gmem_span_t *spans;   // scratch, by part
} pressure_t;

static gmem_span_t span_of(const pressure_t *pressure,
                           const gmem_live_part_t *live) {
  uint32_t first = pressure->packing->first_section;
  return (gmem_span_t){live->span.begin - first, live->span.end - first};
}

//===--- granules ---------------------------------------------------------===//

// The granules that are looked at: as many bits as there are. Any alignment
// will do; the least counts every item.
static uint64_t list_granules(const gmem_packing_t *packing) {
  enum { MOST = 8 };
  uint64_t granules = 0;
  bool has_parts = false;
  for (uint32_t i = 0; i < packing->count; ++i) {
    granules |= packing->items[i].alignment;
    has_parts |= packing->items[i].part_count > 0;
  }
  // Of whole items the least granule takes no fewer bytes than they have.
  if (has_parts || packing->has_choices)
    granules |= 1;
  while (__builtin_popcountll(granules) > MOST) {
    uint64_t least = granules & (0 - granules), rest = granules ^ least;
    granules = least | (rest & (rest - 1));
  }
  return granules;
}

//===--- one granule ------------------------------------------------------===//

// Items in branches are added separately.
static void add_parts(pressure_t *pressure) {
  const gmem_packing_t *packing = pressure->packing;
  pressure->most_slack = 0;
  for (uint32_t i = 0; i < packing->count; ++i)
    for (gmem_live_part_t live = {0};
         gmem_next_live(packing, &packing->items[i], &live);) {
      uint64_t slack, bytes = gmem_taken_bytes(&packing->items[i], &live,
                                               pressure->granule, &slack);
      pressure->most_slack =
          slack > pressure->most_slack ? slack : pressure->most_slack;
      if (!packing->items[i].has_branches)
        gmem_add_span(pressure->sums, span_of(pressure, &live), bytes);
    }
}

// Replaces the differences between sections by sums. Returns the largest.
static gmem_sum_t accumulate(pressure_t *pressure) {
  gmem_sum_t most = 0, *sums = pressure->sums;
  for (size_t i = 0; i < pressure->packing->section_count; ++i) {
    sums[i] += i ? sums[i - 1] : 0;
    most = sums[i] > most ? sums[i] : most;
  }
  return most;
}

// Lists the slacks of the parts in sections that are not done, largest first.
static size_t list_slacks(pressure_t *pressure) {
  const gmem_packing_t *packing = pressure->packing;
  size_t count = 0;
  for (uint32_t i = 0; i < packing->count; ++i)
    for (gmem_live_part_t live = {0};
         gmem_next_live(packing, &packing->items[i], &live);) {
      uint64_t slack, bytes = gmem_taken_bytes(&packing->items[i], &live,
                                               pressure->granule, &slack);
      pressure->spans[count] = span_of(pressure, &live);
      pressure->slacks[count] = (gmem_order_t){~slack, (uint32_t)count};
      count += bytes && pressure->next[pressure->spans[count].begin] <
                            pressure->spans[count].end;
    }
  gmem_sort_order(pressure->slacks, pressure->slacks + count, count);
  return count;
}

static gmem_status_t allocate_slacks(pressure_t *pressure) {
  if (pressure->next)
    return GMEM_OK;
  size_t count = pressure->part_count;
  GMEM_TRY_NEW(pressure->next, pressure->memory,
               (size_t)pressure->packing->section_count + 1);
  GMEM_TRY_NEW(pressure->slacks, pressure->memory, 2 * count);
  GMEM_TRY_NEW(pressure->spans, pressure->memory, count);
  return GMEM_OK;
}

// Subtracts the largest slack from the sum of each section: takes the parts by
// slack and skips sections that are already done. So are, unless |all| are
// asked for, those that cannot determine the maximum: it is at least the
// largest sum minus the largest slack.
static gmem_status_t subtract_slacks(pressure_t *pressure, gmem_sum_t most,
                                     bool all) {
  uint32_t sections = pressure->packing->section_count;
  GMEM_TRY(allocate_slacks(pressure));
  pressure->next[sections] = sections;
  for (uint32_t i = sections; i-- > 0;)
    pressure->next[i] = all || pressure->sums[i] + pressure->most_slack > most
                            ? i
                            : pressure->next[i + 1];
  size_t count = list_slacks(pressure);
  for (size_t i = 0; i < count; ++i) {
    gmem_span_t span = pressure->spans[pressure->slacks[i].index];
    assert(span.begin < span.end && span.end <= sections);
    for (uint32_t s = gmem_next_unpainted(pressure->next, span.begin);
         s < span.end; s = gmem_next_unpainted(pressure->next, s)) {
      // The slack may belong to bytes of an unselected arm.
      gmem_sum_t slack = ~pressure->slacks[i].key, *sum = &pressure->sums[s];
      *sum = *sum > slack ? *sum - slack : 0;
      pressure->next[s] = s + 1;
    }
  }
  return GMEM_OK;
}

// Raises |needed|, which may be NULL, and *most to the sums of one granule.
static gmem_status_t count_granules(pressure_t *pressure, uint64_t *needed,
                                    uint64_t *most) {
  const gmem_packing_t *packing = pressure->packing;
  size_t sections = packing->section_count;
  uint64_t first = (0 - packing->base) & (pressure->granule - 1);
  memset(pressure->sums, 0, (sections + 1) * sizeof *pressure->sums);
  add_parts(pressure);
  if (packing->has_choices)
    GMEM_TRY(gmem_add_choices(packing, pressure->granule, pressure->sums,
                              pressure->memory));
  gmem_sum_t largest = accumulate(pressure);
  if (pressure->most_slack)
    GMEM_TRY(subtract_slacks(pressure, largest, needed != NULL));
  for (size_t i = 0; i < sections; ++i) {
    if (pressure->sums[i] == 0)
      continue;
    gmem_sum_t sum = pressure->sums[i] + first;
    uint64_t bytes = sum > GMEM_MAX_ADDRESS ? GMEM_UNLIMITED : (uint64_t)sum;
    *most = bytes > *most ? bytes : *most;
    if (needed && bytes > needed[i])
      needed[i] = bytes;
  }
  return GMEM_OK;
}

//===--- all granules -----------------------------------------------------===//

static gmem_status_t find_most(pressure_t *pressure, uint64_t *needed,
                               uint64_t *most) {
  const gmem_packing_t *packing = pressure->packing;
  size_t sections = packing->section_count;
  GMEM_TRY_NEW(pressure->sums, pressure->memory, sections + 1);
  if (needed)
    memset(needed, 0, sections * sizeof *needed);
  for (uint32_t i = 0; i < packing->count; ++i)
    for (gmem_live_part_t live = {0};
         gmem_next_live(packing, &packing->items[i], &live);)
      ++pressure->part_count;
  for (uint64_t left = list_granules(packing); left; left &= left - 1) {
    pressure->granule = left & (0 - left);
    GMEM_TRY(count_granules(pressure, needed, most));
  }
  // The end of a fixed item is a bound, too.
  for (uint32_t i = 0; i < packing->count; ++i) {
    const gmem_item_t *item = &packing->items[i];
    uint64_t end = gmem_is_fixed(item) ? item->fixed_offset + item->size : 0;
    *most = end > *most ? end : *most;
  }
  return GMEM_OK;
}

gmem_status_t gmem_packing_pressure(const gmem_packing_t *packing,
                                    uint64_t *needed, uint64_t *out_most,
                                    gmem_diag_t *diag) {
  gmem_scratch_t memory = {.allocator = packing->allocator, .diag = diag};
  pressure_t pressure = {.packing = packing, .memory = &memory};
  *out_most = 0;
  gmem_status_t status = find_most(&pressure, needed, out_most);
  gmem_scratch_free(&memory);
  return status;
}
