// infeasibility_notes.c - see infeasibility_notes.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "infeasibility_notes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Of the buffers at the peak and of those of the set the largest have a note.
enum { MOST_NAMED = 8, MOST_NOTES = 2 * MOST_NAMED + 3 };

typedef struct teller_s {
  const gmem_shortage_case_t *about;
  gmem_bump_t *arena;
  gmem_infeasible_t found;
  uint32_t *set;      // found.count buffers
  uint32_t *pools;    // that are too small
  size_t pool_count;  //
  uint32_t *peak;     // the buffers that are live when most is, largest first
  size_t peak_count;  //
  gmem_note_t *notes; // has room for all
  size_t note_count;
} teller_t;

static const gmem_buffer_spec_t *spec_of(const teller_t *teller,
                                         uint32_t buffer) {
  return gmem_problem_buffer(teller->about->problem, buffer);
}

static uint64_t add(uint64_t a, uint64_t b) {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static gmem_note_t *next_note(teller_t *teller, MlirLocation location) {
  gmem_note_t *note = &teller->notes[teller->note_count++];
  note->location = location;
  return note;
}

//===--- the peak ---------------------------------------------------------===//

// Whether the buffer can go nowhere but to the pools that are too small.
static bool must_be_there(const teller_t *teller, uint32_t buffer) {
  const gmem_buffer_spec_t *spec = spec_of(teller, buffer);
  size_t count = spec->has_fixed_offset ? 1 : spec->pool_count;
  for (size_t i = 0; i < count; ++i) {
    size_t k = 0;
    while (k < teller->pool_count && teller->pools[k] != spec->pools[i])
      ++k;
    if (k == teller->pool_count)
      return false;
  }
  return true;
}

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

// The events of all that must be there, sorted; NULL when memory is out.
static event_t *list_events(const teller_t *teller, size_t *out_count) {
  uint32_t buffers = gmem_problem_buffer_count(teller->about->problem);
  size_t room = 0, count = 0;
  for (uint32_t i = 0; i < buffers; ++i)
    room += 2 * spec_of(teller, i)->range_count;
  event_t *events = gmem_bump_alloc(teller->arena, room, sizeof *events);
  for (uint32_t i = 0; events && i < buffers; ++i) {
    const gmem_buffer_spec_t *spec = spec_of(teller, i);
    if (!must_be_there(teller, i))
      continue;
    for (size_t r = 0; r < spec->range_count; ++r) {
      events[count++] = (event_t){spec->ranges[r].begin, true, spec->size};
      events[count++] = (event_t){spec->ranges[r].end, false, spec->size};
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

static bool is_live_at(const gmem_buffer_spec_t *spec, int64_t step) {
  size_t low = 0, high = spec->range_count;
  while (low < high) { // the first range that ends behind the step
    size_t middle = low + (high - low) / 2;
    if (spec->ranges[middle].end <= step)
      low = middle + 1;
    else
      high = middle;
  }
  return low < spec->range_count && spec->ranges[low].begin <= step;
}

typedef struct sized_s {
  uint64_t size;
  uint32_t buffer;
} sized_t;

static int largest_first(const void *a, const void *b) {
  const sized_t *left = a, *right = b;
  if (left->size != right->size)
    return left->size > right->size ? -1 : 1;
  return (left->buffer > right->buffer) - (left->buffer < right->buffer);
}

// Sorts |buffers| by size; false when memory is out.
static bool sort_by_size(const teller_t *teller, uint32_t *buffers,
                         size_t count) {
  sized_t *sized = gmem_bump_alloc(teller->arena, count, sizeof *sized);
  for (size_t i = 0; sized && i < count; ++i)
    sized[i] = (sized_t){spec_of(teller, buffers[i])->size, buffers[i]};
  if (!sized)
    return false;
  qsort(sized, count, sizeof *sized, largest_first);
  for (size_t i = 0; i < count; ++i)
    buffers[i] = sized[i].buffer;
  return true;
}

static bool find_peak(teller_t *teller) {
  uint32_t buffers = gmem_problem_buffer_count(teller->about->problem);
  size_t count;
  const event_t *events = list_events(teller, &count);
  teller->peak = gmem_bump_alloc(teller->arena, buffers, sizeof(uint32_t));
  if (!events || !teller->peak)
    return false;
  int64_t step = fullest_step(events, count);
  for (uint32_t i = 0; i < buffers; ++i)
    if (spec_of(teller, i)->size && must_be_there(teller, i) &&
        is_live_at(spec_of(teller, i), step))
      teller->peak[teller->peak_count++] = i;
  return sort_by_size(teller, teller->peak, teller->peak_count);
}

static void note_buffer(teller_t *teller, uint32_t buffer, const char *what) {
  const gmem_buffer_spec_t *spec = spec_of(teller, buffer);
  gmem_note_t *note =
      next_note(teller, teller->about->locate(teller->about->user, buffer));
  snprintf(note->text, sizeof note->text, "%.160s of %" PRIu64 " bytes %s",
           spec->name, spec->size, what);
}

// Says how much the buffers are that have no note of their own.
static void note_others(teller_t *teller, const uint32_t *buffers, size_t count,
                        const char *what) {
  uint64_t bytes = 0;
  if (count <= MOST_NAMED)
    return;
  for (size_t i = MOST_NAMED; i < count; ++i)
    bytes = add(bytes, spec_of(teller, buffers[i])->size);
  gmem_note_t *note = next_note(teller, teller->about->scope);
  snprintf(note->text, sizeof note->text, "and %zu more, %" PRIu64 " bytes%s",
           count - MOST_NAMED, bytes, what);
}

static void note_buffers(teller_t *teller, const uint32_t *buffers,
                         size_t count, const char *what, const char *others) {
  for (size_t i = 0; i < count && i < MOST_NAMED; ++i)
    note_buffer(teller, buffers[i], what);
  note_others(teller, buffers, count, others);
}

//===--- what does not fit ------------------------------------------------===//

// "pool 'a' of 8 bytes", "pools 'a' and 'b' of 12 bytes together"
static void describe_pools(const teller_t *teller, char *text, size_t size) {
  size_t used = 0;
  uint64_t sum = 0;
  text[0] = '\0';
  for (size_t i = 0; i < teller->pool_count && used < size; ++i) {
    const gmem_pool_spec_t *pool =
        gmem_problem_pool(teller->about->problem, teller->pools[i]);
    const char *before = teller->pool_count == 1       ? "pool"
                         : i == 0                      ? "pools"
                         : i + 1 == teller->pool_count ? " and"
                                                       : ",";
    used += (size_t)snprintf(text + used, size - used, "%s '%.40s'", before,
                             pool->name);
    sum = add(sum, pool->capacity);
  }
  const char *together = teller->pool_count > 1 ? " together" : "";
  if (used < size && sum != GMEM_UNLIMITED)
    snprintf(text + used, size - used, " of %" PRIu64 " bytes%s", sum,
             together);
}

static bool is_whole_peak(const teller_t *teller) {
  return teller->found.count == teller->peak_count &&
         teller->peak_count <= MOST_NAMED &&
         memcmp(teller->set, teller->peak,
                teller->peak_count * sizeof *teller->peak) == 0;
}

// Names the set, unless it is what has just been named.
static void note_set(teller_t *teller) {
  char pools[160];
  uint64_t bytes = 0;
  size_t count = teller->found.count;
  if (count <= 1) // the error itself names it
    return;
  bool is_whole = is_whole_peak(teller);
  describe_pools(teller, pools, sizeof pools);
  for (size_t i = 0; i < count; ++i)
    bytes = add(bytes, spec_of(teller, teller->set[i])->size);
  gmem_note_t *note = next_note(teller, teller->about->scope);
  snprintf(note->text, sizeof note->text,
           "%s%zu%s, %" PRIu64 " bytes in all, do not fit together in %s%s%s",
           is_whole ? "these " : "", count, is_whole ? "" : " buffers", bytes,
           pools, teller->found.by_load ? "" : ", at whatever offsets",
           teller->found.irreducible ? "; without any one of them the others do"
                                     : "");
  if (!is_whole)
    note_buffers(teller, teller->set, count, "is one of them", " of them");
}

// The pools that are too small: of the set, else those of the buffer.
static bool find_pools(teller_t *teller) {
  const gmem_shortage_case_t *about = teller->about;
  const gmem_problem_t *problem = about->problem;
  teller->set = gmem_bump_alloc(
      teller->arena, gmem_problem_buffer_count(problem), sizeof(uint32_t));
  teller->pools = gmem_bump_alloc(
      teller->arena, gmem_problem_pool_count(problem), sizeof(uint32_t));
  if (!teller->set || !teller->pools ||
      gmem_find_shortage(
          problem, &(gmem_solve_options_t){.effort = about->effort},
          teller->set, teller->pools, &teller->found, NULL) != GMEM_OK)
    return false;
  teller->pool_count = teller->found.pool_count;
  if (teller->pool_count)
    return sort_by_size(teller, teller->set, teller->found.count);
  const gmem_buffer_spec_t *spec = spec_of(teller, about->buffer);
  teller->pool_count = spec->has_fixed_offset ? 1 : spec->pool_count;
  memcpy(teller->pools, spec->pools,
         teller->pool_count * sizeof *teller->pools);
  return true;
}

size_t gmem_infeasibility_notes(const gmem_shortage_case_t *about,
                                gmem_bump_t *arena, gmem_note_t **out_notes) {
  teller_t teller = {
      .about = about,
      .arena = arena,
      .notes = gmem_bump_alloc(arena, MOST_NOTES, sizeof(gmem_note_t))};
  *out_notes = teller.notes;
  if (!teller.notes ||
      about->buffer >= gmem_problem_buffer_count(about->problem) ||
      !find_pools(&teller) || !find_peak(&teller))
    return 0;
  note_buffers(&teller, teller.peak, teller.peak_count, "is live where most is",
               ", are live there");
  note_set(&teller);
  return teller.note_count;
}
