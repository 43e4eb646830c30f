// infeasibility_notes.c - see infeasibility_notes.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "infeasibility_notes.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "live_ranges.h"

// Number of largest buffers at the peak, and of the set, that have a note.
enum { MOST_NAMED = 8, MOST_NOTES = 2 * MOST_NAMED + 3 };

typedef struct explainer_s {
  const gmem_infeasible_case_t *about;
  gmem_bump_t *arena;
  gmem_infeasible_t found;
  uint32_t *set;   // infeasible set: found.count buffers
  uint32_t *pools; // pools that are too small
  size_t pool_count;
  uint32_t *peak; // buffers live at the peak
  size_t peak_count;
  gmem_note_t *notes; // room for MOST_NOTES
  size_t note_count;
} explainer_t;

static const gmem_buffer_spec_t *spec_of(const explainer_t *explainer,
                                         uint32_t buffer) {
  return gmem_problem_buffer(explainer->about->problem, buffer);
}

static uint64_t add(uint64_t a, uint64_t b) {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static gmem_note_t *next_note(explainer_t *explainer, MlirLocation location) {
  assert(explainer->note_count < MOST_NOTES);
  gmem_note_t *note = &explainer->notes[explainer->note_count++];
  note->location = location;
  return note;
}

//===--- the peak ---------------------------------------------------------===//

// Whether all candidate pools of the buffer are too small.
static bool must_be_there(const explainer_t *explainer, uint32_t buffer) {
  const gmem_buffer_spec_t *spec = spec_of(explainer, buffer);
  size_t count = spec->has_fixed_offset ? 1 : spec->pool_count;
  for (size_t i = 0; i < count; ++i) {
    size_t k = 0;
    while (k < explainer->pool_count && explainer->pools[k] != spec->pools[i])
      ++k;
    if (k == explainer->pool_count)
      return false;
  }
  return true;
}

typedef struct event_s {
  int64_t step;
  bool is_begin;
  uint64_t size;
} event_t;

typedef GMEM_LIST(event_t) events_t;

// At one step, ends come before begins.
static int compare_events(const void *a, const void *b) {
  const event_t *left = a, *right = b;
  if (left->step != right->step)
    return left->step < right->step ? -1 : 1;
  return (int)left->is_begin - (int)right->is_begin;
}

// The sorted begins and ends of the live ranges of all these buffers.
static events_t list_events(const explainer_t *explainer) {
  events_t events = {NULL, 0, 0};
  uint32_t buffers = gmem_problem_buffer_count(explainer->about->problem);
  for (uint32_t i = 0; i < buffers; ++i) {
    const gmem_buffer_spec_t *spec = spec_of(explainer, i);
    for (size_t r = 0; r < spec->range_count && must_be_there(explainer, i);
         ++r) {
      GMEM_APPEND(explainer->arena, &events,
                  (event_t){spec->ranges[r].begin, true, spec->size});
      GMEM_APPEND(explainer->arena, &events,
                  (event_t){spec->ranges[r].end, false, spec->size});
    }
  }
  if (events.count)
    qsort(events.at, events.count, sizeof *events.at, compare_events);
  return events;
}

// The first step at the peak; INT64_MIN if there is none. Overflow counts as
// infinite.
static int64_t fullest_step(const explainer_t *explainer) {
  events_t events = list_events(explainer);
  uint64_t live = 0, most = 0;
  int64_t step = INT64_MIN;
  for (size_t i = 0; i < events.count; ++i) {
    const event_t *event = &events.at[i];
    if (!event->is_begin) {
      live -= event->size;
    } else if (event->size > UINT64_MAX - live) {
      return event->step;
    } else if ((live += event->size) > most) {
      most = live;
      step = event->step;
    }
  }
  return step;
}

// Lists the buffers at the peak in order of index.
static void find_peak(explainer_t *explainer) {
  uint32_t buffers = gmem_problem_buffer_count(explainer->about->problem);
  int64_t step = fullest_step(explainer);
  for (uint32_t i = 0; i < buffers; ++i)
    if (spec_of(explainer, i)->size && must_be_there(explainer, i) &&
        gmem_ranges_contain(spec_of(explainer, i)->ranges,
                            spec_of(explainer, i)->range_count, step))
      explainer->peak[explainer->peak_count++] = i;
}

//===--- notes ------------------------------------------------------------===//

static void note_buffer(explainer_t *explainer, uint32_t buffer,
                        const char *what) {
  const gmem_buffer_spec_t *spec = spec_of(explainer, buffer);
  gmem_note_t *note = next_note(
      explainer, explainer->about->locate(explainer->about->user, buffer));
  snprintf(note->text, sizeof note->text, "%.160s of %" PRIu64 " bytes %s",
           spec->name, spec->size, what);
}

// Moves the largest of |buffers|, of equally large ones that of lowest index,
// to the front.
static void bring_largest(const explainer_t *explainer, uint32_t *buffers,
                          size_t count) {
  for (size_t i = 1; i < count; ++i) {
    uint32_t first = buffers[0], other = buffers[i];
    uint64_t size = spec_of(explainer, first)->size;
    uint64_t other_size = spec_of(explainer, other)->size;
    if (other_size > size || (other_size == size && other < first)) {
      buffers[0] = other;
      buffers[i] = first;
    }
  }
}

// Notes the total size of the buffers without a note of their own.
static void note_others(explainer_t *explainer, const uint32_t *buffers,
                        size_t count, const char *what) {
  uint64_t bytes = 0;
  if (count <= MOST_NAMED)
    return;
  for (size_t i = MOST_NAMED; i < count; ++i)
    bytes = add(bytes, spec_of(explainer, buffers[i])->size);
  gmem_note_t *note = next_note(explainer, explainer->about->scope);
  snprintf(note->text, sizeof note->text, "and %zu more, %" PRIu64 " bytes%s",
           count - MOST_NAMED, bytes, what);
}

// Notes the largest buffers, and the others together. Reorders |buffers|.
static void note_buffers(explainer_t *explainer, uint32_t *buffers,
                         size_t count, const char *what, const char *others) {
  for (size_t i = 0; i < count && i < MOST_NAMED; ++i) {
    bring_largest(explainer, buffers + i, count - i);
    note_buffer(explainer, buffers[i], what);
  }
  note_others(explainer, buffers, count, others);
}

//===--- infeasible sets --------------------------------------------------===//

// "pool 'a' of 8 bytes", "pools 'a' and 'b' of 12 bytes in total". Returns
// these bytes.
static uint64_t describe_pools(const explainer_t *explainer, char *text,
                               size_t size) {
  size_t used = 0;
  uint64_t sum = 0;
  text[0] = '\0';
  for (size_t i = 0; i < explainer->pool_count && used < size; ++i) {
    const gmem_pool_spec_t *pool =
        gmem_problem_pool(explainer->about->problem, explainer->pools[i]);
    const char *before = explainer->pool_count == 1       ? "pool"
                         : i == 0                         ? "pools"
                         : i + 1 == explainer->pool_count ? " and"
                                                          : ",";
    used += (size_t)snprintf(text + used, size - used, "%s '%.40s'", before,
                             pool->name);
    sum = add(sum, pool->capacity);
  }
  const char *together = explainer->pool_count > 1 ? " in total" : "";
  if (used < size && sum != GMEM_UNLIMITED)
    snprintf(text + used, size - used, " of %" PRIu64 " bytes%s", sum,
             together);
  return sum;
}

static bool is_whole_peak(const explainer_t *explainer) {
  return explainer->found.count == explainer->peak_count &&
         explainer->peak_count <= MOST_NAMED &&
         memcmp(explainer->set, explainer->peak,
                explainer->peak_count * sizeof *explainer->peak) == 0;
}

// Describes the infeasible set; lists it unless it is the peak just listed.
static void note_set(explainer_t *explainer, bool is_whole) {
  char pools[160];
  uint64_t bytes = 0;
  size_t count = explainer->found.count;
  if (count <= 1) // named in the error
    return;
  uint64_t room = describe_pools(explainer, pools, sizeof pools);
  for (size_t i = 0; i < count; ++i)
    bytes = add(bytes, spec_of(explainer, explainer->set[i])->size);
  bool is_too_much =
      explainer->found.by_load && (bytes > room || room == GMEM_UNLIMITED);
  gmem_note_t *note = next_note(explainer, explainer->about->scope);
  snprintf(note->text, sizeof note->text,
           "%s%zu buffers, %" PRIu64 " bytes in total, do not fit in %s%s%s",
           is_whole ? "these " : "", count, bytes, pools,
           is_too_much ? "" : " at any offsets",
           explainer->found.irreducible
               ? "; if any one of them is removed, the others fit"
               : "");
  if (!is_whole)
    note_buffers(explainer, explainer->set, count, "is one of these buffers",
                 " of these buffers");
}

// Finds the pools that are too small: those of the set, else of the buffer.
static gmem_status_t find_pools(explainer_t *explainer) {
  const gmem_infeasible_case_t *about = explainer->about;
  const gmem_solve_options_t options = {.effort = about->effort};
  GMEM_TRY(gmem_find_shortage(about->problem, &options, explainer->set,
                              explainer->pools, &explainer->found, NULL));
  explainer->pool_count = explainer->found.pool_count;
  if (explainer->pool_count)
    return GMEM_OK;
  const gmem_buffer_spec_t *spec = spec_of(explainer, about->buffer);
  explainer->pool_count = spec->has_fixed_offset ? 1 : spec->pool_count;
  memcpy(explainer->pools, spec->pools,
         explainer->pool_count * sizeof *explainer->pools);
  return GMEM_OK;
}

static gmem_status_t explain(explainer_t *explainer) {
  const gmem_problem_t *problem = explainer->about->problem;
  uint32_t buffers = gmem_problem_buffer_count(problem);
  uint32_t pools = gmem_problem_pool_count(problem);
  GMEM_TRY_ALLOC(explainer->notes, explainer->arena, MOST_NOTES, NULL);
  GMEM_TRY_ALLOC(explainer->set, explainer->arena, buffers, NULL);
  GMEM_TRY_ALLOC(explainer->peak, explainer->arena, buffers, NULL);
  GMEM_TRY_ALLOC(explainer->pools, explainer->arena, pools, NULL);
  GMEM_TRY(find_pools(explainer));
  find_peak(explainer);
  GMEM_TRY(gmem_bump_status(explainer->arena, NULL));
  bool is_whole = is_whole_peak(explainer); // both are in order of index
  note_buffers(explainer, explainer->peak, explainer->peak_count,
               "is live at the peak", ", are live at the peak");
  note_set(explainer, is_whole);
  return GMEM_OK;
}

size_t gmem_infeasibility_notes(const gmem_infeasible_case_t *about,
                                gmem_bump_t *arena, gmem_note_t **out_notes) {
  explainer_t explainer = {.about = about, .arena = arena};
  assert(about->buffer < gmem_problem_buffer_count(about->problem));
  gmem_status_t status = explain(&explainer);
  *out_notes = explainer.notes;
  return status == GMEM_OK ? explainer.note_count : 0;
}
