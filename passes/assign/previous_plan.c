// previous_plan.c - see previous_plan.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "previous_plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "diagnostics.h"
#include "ir_reading.h"

enum { MOST_NOTES = 16 };

//===--- reading ----------------------------------------------------------===//

static int compare_buffers(const void *left, const void *right) {
  const gmem_earlier_buffer_t *a = left, *b = right;
  return strcmp(a->name, b->name);
}

static gmem_status_t add_buffer(void *user, const gmem_earlier_buffer_t *buffer,
                                gmem_diag_t *diag) {
  gmem_previous_plan_t *previous = user;
  gmem_bump_t *arena = &previous->arena;
  gmem_earlier_buffer_t copy = *buffer;
  copy.name = gmem_bump_string(arena, buffer->name, strlen(buffer->name));
  copy.pool = gmem_bump_string(arena, buffer->pool, strlen(buffer->pool));
  GMEM_TRY_GROW(arena, previous->buffers, previous->count, previous->room,
                diag);
  previous->buffers[previous->count++] = copy;
  return gmem_bump_status(arena, diag);
}

static gmem_status_t add_planned(gmem_previous_plan_t *previous,
                                 const gmem_planned_t *old, gmem_diag_t *diag) {
  for (uint32_t i = 0; i < gmem_planned_buffer_count(old); ++i) {
    const gmem_planned_buffer_t *buffer = gmem_planned_buffer(old, i);
    const char *pool = gmem_planned_pool(old, buffer->pool)->name;
    GMEM_TRY(add_buffer(previous,
                        &(gmem_earlier_buffer_t){buffer->name, pool,
                                                 buffer->offset, buffer->size},
                        diag));
  }
  return GMEM_OK;
}

static gmem_status_t read_module(gmem_previous_plan_t *previous,
                                 MlirOperation top, const char *path,
                                 const gmem_allocator_t *allocator,
                                 gmem_diag_t *diag) {
  gmem_planned_t *old = NULL;
  MlirModule module = mlirModuleCreateParseFromFile(
      mlirOperationGetContext(top), gmem_string(path));
  if (mlirModuleIsNull(module))
    return gmem_reject(diag, top, "previous: '%s' cannot be read as MLIR",
                       path);
  gmem_status_t status =
      gmem_planned_read(mlirModuleGetOperation(module), allocator, &old, diag);
  if (status == GMEM_OK)
    status = add_planned(previous, old, diag);
  else if (status != GMEM_ERR_OUT_OF_MEMORY)
    status = gmem_reject(diag, top, "previous: '%s' has no valid plan", path);
  gmem_planned_destroy(old);
  mlirModuleDestroy(module);
  return status;
}

// MLIR reads a device without end for ever.
static bool is_regular(const char *path) {
  struct stat info;
  return stat(path, &info) != 0 || S_ISREG(info.st_mode);
}

static gmem_status_t read_file(gmem_previous_plan_t *previous,
                               MlirOperation top,
                               const gmem_plan_options_t *options,
                               const gmem_allocator_t *allocator,
                               gmem_diag_t *diag) {
  const char *path = options->previous;
  gmem_diag_t reason;
  if (!is_regular(path))
    return gmem_reject(diag, top, "previous: '%s' is not a regular file", path);
  gmem_status_t status = GMEM_ERR_UNSUPPORTED;
  if (options->previous_reader)
    status = options->previous_reader(path, allocator, add_buffer, previous,
                                      &reason);
  if (status == GMEM_ERR_UNSUPPORTED)
    return read_module(previous, top, path, allocator, diag);
  if (status == GMEM_ERR_OUT_OF_MEMORY)
    return gmem_out_of_memory(diag);
  return status == GMEM_OK
             ? GMEM_OK
             : gmem_reject(diag, top, "previous: '%s': %s", path, reason.text);
}

gmem_status_t gmem_previous_plan_read(MlirOperation top,
                                      const gmem_plan_options_t *options,
                                      const gmem_allocator_t *allocator,
                                      gmem_previous_plan_t *out_previous,
                                      gmem_diag_t *diag) {
  *out_previous = (gmem_previous_plan_t){.now = NULL};
  gmem_bump_init(&out_previous->arena, allocator);
  GMEM_TRY(read_file(out_previous, top, options, allocator, diag));
  gmem_earlier_buffer_t *at = out_previous->buffers;
  if (out_previous->count)
    qsort(at, out_previous->count, sizeof *at, compare_buffers);
  for (size_t i = 1; i < out_previous->count; ++i)
    if (compare_buffers(&at[i - 1], &at[i]) == 0)
      return gmem_reject(diag, top,
                         "previous: '%s': two buffers have the name '%s'",
                         options->previous, at[i].name);
  return gmem_planned_read(top, allocator, &out_previous->now, diag);
}

void gmem_previous_plan_free(gmem_previous_plan_t *previous) {
  gmem_bump_destroy(&previous->arena);
  gmem_planned_destroy(previous->now);
}

//===--- pins -------------------------------------------------------------===//

// The buffer of the earlier plan with the name of the assignment's, or NULL.
static const gmem_earlier_buffer_t *
find_old(const gmem_previous_plan_t *previous,
         const gmem_assignment_t *assignment, uint32_t buffer) {
  uint32_t value = gmem_part_value(&assignment->part, buffer);
  if (value == GMEM_NO_INDEX || !previous->count)
    return NULL;
  gmem_planned_place_t place = gmem_planned_value(
      previous->now, assignment->analysis.program.values[value].value);
  if (place.index == GMEM_NO_BUFFER)
    return NULL;
  const gmem_earlier_buffer_t key = {
      .name = gmem_planned_buffer(previous->now, place.index)->name};
  return bsearch(&key, previous->buffers, previous->count, sizeof key,
                 compare_buffers);
}

// Whether a plan of one scope, or of several, names the pool |name| so.
static bool is_pool(const char *planned, const char *name, bool has_prefix) {
  size_t length = strlen(planned), most = strlen(name);
  if (!has_prefix)
    return strcmp(planned, name) == 0;
  return length > most && planned[length - most - 1] == '/' &&
         strcmp(planned + length - most, name) == 0;
}

// The pool of the assignment with the name; their number if there is none.
static uint32_t find_pool(const gmem_assignment_t *assignment,
                          const char *name) {
  uint32_t count = assignment->part.pools->count;
  for (int has_prefix = 0; has_prefix < 2; ++has_prefix)
    for (uint32_t i = 0; i < count; ++i)
      if (is_pool(name, assignment->pools[i].name, has_prefix))
        return i;
  return count;
}

static void pin(const gmem_previous_plan_t *previous,
                gmem_assignment_t *assignment, uint32_t buffer) {
  const gmem_earlier_buffer_t *old = find_old(previous, assignment, buffer);
  if (!old || old->size != gmem_padded_size(&assignment->analysis,
                                            assignment->pools, buffer))
    return;
  uint32_t pool = find_pool(assignment, old->pool);
  if (pool == assignment->part.pools->count)
    return;
  assignment->pins[assignment->pin_count++] =
      (gmem_constraint_t){.kind = GMEM_AT,
                          .first = buffer,
                          .pool = pool,
                          .bytes = old->offset,
                          .penalty = 1};
}

gmem_status_t gmem_previous_plan_pin(const gmem_previous_plan_t *previous,
                                     gmem_assignment_t *assignment) {
  GMEM_TRY_ALLOC(assignment->pins, assignment->analysis.arena,
                 assignment->part.count, assignment->diag);
  for (uint32_t i = 0; i < assignment->part.value_count; ++i)
    pin(previous, assignment, i);
  return GMEM_OK;
}

//===--- report -----------------------------------------------------------===//

typedef struct report_s {
  const gmem_assignment_t *assignment;
  gmem_note_t notes[MOST_NOTES];
  size_t listed;
  uint32_t moved, misaligned, changed, added;
} report_t;

static void add_note(report_t *report, uint32_t buffer, const char *what,
                     const gmem_earlier_buffer_t *old) {
  const gmem_problem_part_t *part = &report->assignment->part;
  if (report->listed == MOST_NOTES)
    return;
  gmem_note_t *note = &report->notes[report->listed++];
  char name[128];
  gmem_part_describe(part, buffer, name, sizeof name);
  note->location = gmem_part_location(part, buffer);
  snprintf(note->text, sizeof note->text,
           "%s: %s, before: %" PRIu64 " bytes at %" PRIu64
           " of pool '%s', now: %" PRIu64 " bytes at %" PRIu64,
           what, name, old->size, old->offset, old->pool,
           gmem_problem_buffer(report->assignment->problem, buffer)->size,
           report->assignment->plan[buffer].offset);
}

static void report_pin(report_t *report, const gmem_constraint_t *pin,
                       const gmem_earlier_buffer_t *old) {
  const gmem_problem_t *problem = report->assignment->problem;
  if (!gmem_assignment_moves(report->assignment, pin))
    return;
  ++report->moved;
  report->misaligned +=
      pin->bytes % gmem_problem_buffer(problem, pin->first)->alignment != 0 ||
      pin->bytes % gmem_problem_pool(problem, pin->pool)->alignment != 0;
  add_note(report, pin->first, "moved", old);
}

void gmem_previous_plan_report(const gmem_previous_plan_t *previous,
                               const gmem_assignment_t *assignment) {
  report_t report = {.assignment = assignment};
  const gmem_constraint_t *pin = assignment->pins;
  const gmem_constraint_t *end = pin + assignment->pin_count;
  for (uint32_t i = 0; i < assignment->part.value_count; ++i) {
    const gmem_earlier_buffer_t *old = find_old(previous, assignment, i);
    report.added += !old;
    if (old && pin < end && pin->first == i) {
      report_pin(&report, pin++, old);
    } else if (old) {
      ++report.changed;
      add_note(&report, i, "of another size or pool", old);
    }
  }
  char cause[80] = "";
  if (report.misaligned)
    snprintf(cause, sizeof cause,
             " (%u from offsets that the alignment does not allow)",
             (unsigned)report.misaligned);
  gmem_remark_with_notes(
      mlirOperationGetLocation(assignment->analysis.program.scope),
      report.notes, report.listed,
      "previous: %zu of %zu buffers kept, %u moved%s, %u of another size or "
      "pool, %u new",
      assignment->pin_count - report.moved, assignment->pin_count,
      (unsigned)report.moved, cause, (unsigned)report.changed,
      (unsigned)report.added);
}
