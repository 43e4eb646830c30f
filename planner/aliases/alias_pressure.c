// alias_pressure.c - the memory pressure over time under optional aliases.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "alias_pressure.h"

#include <string.h>

#include "planner_internal.h"
#include "problem_store.h"

static size_t count_ranges(const gmem_problem_t *problem) {
  size_t count = 0;
  for (uint32_t i = 0; i < gmem_problem_buffer_count(problem); ++i)
    count += gmem_problem_buffer(problem, i)->range_count;
  return count;
}

// Numbers the times of all live ranges.
static void number_times(gmem_alias_pressure_t *pressure) {
  gmem_order_t *times = pressure->times;
  size_t count = 0, distinct = 0;
  for (uint32_t i = 0; i < pressure->buffer_count; ++i) {
    const gmem_buffer_spec_t *spec = gmem_problem_buffer(pressure->problem, i);
    pressure->first_span[i] = count / 2;
    for (size_t k = 0; k < spec->range_count; ++k) {
      const gmem_live_range_t *range = &spec->ranges[k];
      times[count] =
          (gmem_order_t){gmem_time_key(range->begin), (uint32_t)count};
      ++count;
      times[count] = (gmem_order_t){gmem_time_key(range->end), (uint32_t)count};
      ++count;
    }
  }
  pressure->first_span[pressure->buffer_count] = count / 2;
  gmem_sort_order(times, times + count, count);
  for (size_t i = 0; i < count; ++i) {
    gmem_span_t *span = &pressure->spans[times[i].index / 2];
    distinct += i == 0 || times[i].key != times[i - 1].key;
    *(times[i].index % 2 ? &span->end : &span->begin) = (uint32_t)distinct - 1;
  }
  pressure->time_count = distinct;
}

static void add_span(gmem_wide_t *change, gmem_span_t span, int64_t bytes) {
  change[span.begin] += bytes;
  change[span.end] -= bytes;
}

// The first span in [low, high) that ends after |time|.
static size_t span_after(const gmem_alias_pressure_t *pressure, size_t low,
                         size_t high, uint32_t time) {
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (pressure->spans[middle].end <= time)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// When two buffers are live together. Either may have very many live ranges.
typedef struct meeting_s {
  uint32_t few, many; // buffers
  size_t at, next;    // of |few|, and of |many|
  gmem_span_t both;
} meeting_t;

static meeting_t meeting_of(const gmem_alias_pressure_t *pressure, uint32_t a,
                            uint32_t b) {
  const size_t *first = pressure->first_span;
  bool is_less = first[a + 1] - first[a] <= first[b + 1] - first[b];
  meeting_t meeting = {.few = is_less ? a : b, .many = is_less ? b : a};
  meeting.at = first[meeting.few];
  meeting.next =
      span_after(pressure, first[meeting.many], first[meeting.many + 1],
                 pressure->spans[meeting.at].begin);
  return meeting;
}

// Advances to the next time at which both are live; false after the last.
static bool next_meeting(const gmem_alias_pressure_t *pressure,
                         meeting_t *meeting) {
  size_t last = pressure->first_span[meeting->few + 1];
  size_t end = pressure->first_span[meeting->many + 1];
  while (meeting->at < last) {
    gmem_span_t one = pressure->spans[meeting->at];
    if (meeting->next < end && pressure->spans[meeting->next].begin < one.end) {
      gmem_span_t both = pressure->spans[meeting->next++];
      both.begin = one.begin > both.begin ? one.begin : both.begin;
      both.end = one.end < both.end ? one.end : both.end;
      meeting->both = both;
      return true;
    }
    if (++meeting->at < last)
      meeting->next = span_after(pressure, pressure->first_span[meeting->many],
                                 end, pressure->spans[meeting->at].begin);
  }
  return false;
}

// Subtracts the bytes of the child while the parent is live.
static void subtract_shared(gmem_alias_pressure_t *pressure,
                            const gmem_alias_spec_t *alias) {
  uint64_t size = gmem_problem_buffer(pressure->problem, alias->child)->size;
  meeting_t meeting = meeting_of(pressure, alias->child, alias->parent);
  while (next_meeting(pressure, &meeting))
    add_span(pressure->change, meeting.both, -(int64_t)size);
}

// Sets the pressure over time, as differences, without optional aliases.
static void find_alone(gmem_alias_pressure_t *pressure) {
  const gmem_problem_t *problem = pressure->problem;
  memset(pressure->alone, 0, pressure->time_count * sizeof *pressure->alone);
  for (uint32_t i = 0; i < pressure->buffer_count; ++i)
    for (size_t k = pressure->first_span[i]; k < pressure->first_span[i + 1];
         ++k)
      add_span(pressure->alone, pressure->spans[k],
               (int64_t)gmem_problem_buffer(problem, i)->size);
}

gmem_pressure_t gmem_find_pressure(gmem_alias_pressure_t *pressure,
                                   const bool *chosen) {
  const gmem_problem_t *problem = pressure->problem;
  memcpy(pressure->change, pressure->alone,
         pressure->time_count * sizeof *pressure->change);
  for (size_t i = 0; i < gmem_problem_alias_count(problem); ++i)
    if (chosen[i])
      subtract_shared(pressure, gmem_problem_alias(problem, i));
  gmem_pressure_t most = {.most = 0};
  gmem_wide_t sum = 0;
  for (size_t i = 0; i < pressure->time_count; ++i) {
    sum += pressure->change[i];
    uint64_t bytes = sum <= 0                        ? 0
                     : sum < (gmem_wide_t)UINT64_MAX ? (uint64_t)sum
                                                     : UINT64_MAX;
    if (bytes > most.most)
      most = (gmem_pressure_t){.most = bytes, .first = (uint32_t)i};
    most.count += bytes == most.most;
  }
  return most;
}

void gmem_mark_hot(gmem_alias_pressure_t *pressure, uint64_t bytes) {
  gmem_wide_t sum = 0;
  pressure->hot[0] = 0;
  for (size_t i = 0; i < pressure->time_count; ++i) {
    sum += pressure->alone[i];
    pressure->hot[i + 1] = pressure->hot[i] + (sum > (gmem_wide_t)bytes);
  }
}

bool gmem_meet_when_hot(const gmem_alias_pressure_t *pressure,
                        const gmem_alias_spec_t *alias) {
  meeting_t meeting = meeting_of(pressure, alias->child, alias->parent);
  while (next_meeting(pressure, &meeting))
    if (pressure->hot[meeting.both.begin] < pressure->hot[meeting.both.end])
      return true;
  return false;
}

bool gmem_is_live_at(const gmem_alias_pressure_t *pressure, uint32_t buffer,
                     uint32_t time) {
  for (size_t i = pressure->first_span[buffer];
       i < pressure->first_span[buffer + 1]; ++i)
    if (pressure->spans[i].begin <= time && time < pressure->spans[i].end)
      return true;
  return false;
}

// Counts, in |change|, the times before each at which a marked buffer is live.
void gmem_spread_live(gmem_alias_pressure_t *pressure, bool *is_marked) {
  const size_t *first = pressure->first_span;
  memset(pressure->change, 0, pressure->time_count * sizeof *pressure->change);
  for (uint32_t i = 0; i < pressure->buffer_count; ++i)
    for (size_t k = first[i]; is_marked[i] && k < first[i + 1]; ++k)
      add_span(pressure->change, pressure->spans[k], 1);
  gmem_wide_t open = 0, before = 0;
  for (size_t i = 0; i < pressure->time_count; ++i) {
    open += pressure->change[i];
    pressure->change[i] = before;
    before += open > 0;
  }
  for (uint32_t i = 0; i < pressure->buffer_count; ++i)
    for (size_t k = first[i]; k < first[i + 1]; ++k)
      is_marked[i] |= pressure->change[pressure->spans[k].begin] <
                      pressure->change[pressure->spans[k].end];
}

gmem_status_t gmem_alias_pressure_create(const gmem_problem_t *problem,
                                         gmem_scratch_t *memory,
                                         gmem_alias_pressure_t *pressure) {
  size_t spans = count_ranges(problem);
  *pressure = (gmem_alias_pressure_t){
      .problem = problem, .buffer_count = gmem_problem_buffer_count(problem)};
  GMEM_TRY_NEW(pressure->times, memory, 4 * spans);
  GMEM_TRY_NEW(pressure->alone, memory, 2 * spans);
  GMEM_TRY_NEW(pressure->change, memory, 2 * spans);
  GMEM_TRY_NEW(pressure->hot, memory, 2 * spans + 1);
  GMEM_TRY_NEW(pressure->spans, memory, spans);
  GMEM_TRY_NEW(pressure->first_span, memory,
               (size_t)pressure->buffer_count + 1);
  number_times(pressure);
  find_alone(pressure);
  return GMEM_OK;
}
