// peak_notes.c - see peak_notes.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "peak_notes.h"

#include <stdio.h>
#include <stdlib.h>

#include "live_ranges.h"

typedef struct event_s {
  int64_t step;
  bool is_begin;
  uint64_t size;
} event_t;

// What ends at a step is gone before anything begins there.
static int compare_events(const void *a, const void *b) {
  const event_t *left = a, *right = b;
  if (left->step != right->step)
    return left->step < right->step ? -1 : 1;
  return (int)left->is_begin - (int)right->is_begin;
}

static uint64_t size_of(const gmem_analysis_t *analysis, uint32_t buffer) {
  return gmem_buffer_facts(analysis, buffer).size;
}

// The events of all that is in the pool, sorted; NULL when memory is out.
static event_t *list_events(const gmem_analysis_t *analysis, uint32_t pool,
                            size_t *out_count) {
  size_t room = 0, count = 0;
  uint32_t buffers = gmem_buffer_count(analysis);
  for (uint32_t i = 0; i < buffers; ++i)
    room += 2 * gmem_buffer_facts(analysis, i).range_count;
  event_t *events = gmem_arena_alloc(analysis->arena, room, sizeof *events);
  for (uint32_t i = 0; events && i < buffers; ++i) {
    gmem_buffer_facts_t buffer = gmem_buffer_facts(analysis, i);
    if (buffer.pools[0] != pool)
      continue;
    for (size_t r = 0; r < buffer.range_count; ++r) {
      events[count++] = (event_t){buffer.ranges[r].begin, true, buffer.size};
      events[count++] = (event_t){buffer.ranges[r].end, false, buffer.size};
    }
  }
  if (events)
    qsort(events, count, sizeof *events, compare_events);
  *out_count = count;
  return events;
}

// The first step with most bytes; INT64_MIN when there is none. A sum that
// overflows is more than any other.
static int64_t fullest_step(const event_t *events, size_t count) {
  uint64_t live = 0, most = 0;
  int64_t step = INT64_MIN;
  for (size_t i = 0; i < count; ++i) {
    if (!events[i].is_begin) {
      live -= events[i].size;
      continue;
    }
    if (events[i].size > UINT64_MAX - live)
      return events[i].step;
    live += events[i].size;
    if (live > most) {
      most = live;
      step = events[i].step;
    }
  }
  return step;
}

static bool is_live_at(const gmem_buffer_facts_t *buffer, int64_t step) {
  size_t i = gmem_first_range_after(buffer->ranges, buffer->range_count, step);
  return i < buffer->range_count && buffer->ranges[i].begin <= step;
}

// Puts |buffer| among the |count| largest so far; returns how many they are.
static size_t keep_largest(const gmem_analysis_t *analysis,
                           uint32_t largest[GMEM_PEAK_NOTES], size_t count,
                           uint32_t buffer) {
  size_t at = count;
  while (at && size_of(analysis, largest[at - 1]) < size_of(analysis, buffer))
    --at;
  if (at == GMEM_PEAK_NOTES)
    return count;
  count += count < GMEM_PEAK_NOTES;
  for (size_t i = count - 1; i > at; --i)
    largest[i] = largest[i - 1];
  largest[at] = buffer;
  return count;
}

static gmem_note_t note_on(const gmem_analysis_t *analysis, uint32_t index) {
  gmem_buffer_facts_t buffer = gmem_buffer_facts(analysis, index);
  gmem_note_t note = {.location = buffer.location};
  snprintf(note.text, sizeof note.text,
           "%s of %llu bytes is live where most is", buffer.name,
           (unsigned long long)buffer.size);
  return note;
}

size_t gmem_peak_notes(const gmem_analysis_t *analysis, uint32_t pool,
                       gmem_note_t notes[GMEM_PEAK_NOTES]) {
  uint32_t largest[GMEM_PEAK_NOTES];
  size_t event_count, count = 0;
  const event_t *events = list_events(analysis, pool, &event_count);
  if (!events)
    return 0;
  int64_t step = fullest_step(events, event_count);
  for (uint32_t i = 0; i < gmem_buffer_count(analysis); ++i) {
    gmem_buffer_facts_t buffer = gmem_buffer_facts(analysis, i);
    if (buffer.pools[0] == pool && is_live_at(&buffer, step))
      count = keep_largest(analysis, largest, count, i);
  }
  for (size_t i = 0; i < count; ++i)
    notes[i] = note_on(analysis, largest[i]);
  return count;
}
