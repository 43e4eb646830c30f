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
  const gmem_planned_buffer_t *const *a = left, *const *b = right;
  return strcmp((*a)->name, (*b)->name);
}

static gmem_status_t sort_names(gmem_previous_plan_t *previous,
                                gmem_diag_t *diag) {
  uint32_t count = gmem_planned_buffer_count(previous->old);
  GMEM_TRY_ALLOC(previous->by_name, &previous->arena, count, diag);
  for (uint32_t i = 0; i < count; ++i)
    previous->by_name[i] = gmem_planned_buffer(previous->old, i);
  qsort(previous->by_name, count, sizeof *previous->by_name, compare_buffers);
  return GMEM_OK;
}

// MLIR reads a device without end for ever.
static bool is_regular(const char *path) {
  struct stat info;
  return stat(path, &info) != 0 || S_ISREG(info.st_mode);
}

gmem_status_t gmem_previous_plan_read(MlirOperation top, const char *path,
                                      const gmem_allocator_t *allocator,
                                      gmem_previous_plan_t *out_previous,
                                      gmem_diag_t *diag) {
  *out_previous = (gmem_previous_plan_t){.old = NULL};
  gmem_bump_init(&out_previous->arena, allocator);
  if (!is_regular(path))
    return gmem_reject(diag, top, "previous: '%s' is not a regular file", path);
  out_previous->module = mlirModuleCreateParseFromFile(
      mlirOperationGetContext(top), gmem_string(path));
  if (mlirModuleIsNull(out_previous->module))
    return gmem_reject(diag, top,
                       "previous: '%s' cannot be read as MLIR; plan JSON and "
                       "plan images are not read here, only planned modules",
                       path);
  gmem_status_t status =
      gmem_planned_read(mlirModuleGetOperation(out_previous->module), allocator,
                        &out_previous->old, diag);
  if (status != GMEM_OK && status != GMEM_ERR_OUT_OF_MEMORY)
    return gmem_reject(diag, top, "previous: '%s' has no valid plan", path);
  GMEM_TRY(status);
  GMEM_TRY(gmem_planned_read(top, allocator, &out_previous->now, diag));
  return sort_names(out_previous, diag);
}

void gmem_previous_plan_free(gmem_previous_plan_t *previous) {
  gmem_bump_destroy(&previous->arena);
  gmem_planned_destroy(previous->now);
  gmem_planned_destroy(previous->old);
  if (!mlirModuleIsNull(previous->module))
    mlirModuleDestroy(previous->module);
}

//===--- pins -------------------------------------------------------------===//

// The buffer of the earlier plan with the name of |value|, or NULL.
static const gmem_planned_buffer_t *
find_old(const gmem_previous_plan_t *previous, MlirValue value) {
  gmem_planned_place_t place = gmem_planned_value(previous->now, value);
  if (place.index == GMEM_NO_BUFFER)
    return NULL;
  const gmem_planned_buffer_t *key =
      gmem_planned_buffer(previous->now, place.index);
  const gmem_planned_buffer_t **found =
      bsearch(&key, previous->by_name, gmem_planned_buffer_count(previous->old),
              sizeof *previous->by_name, compare_buffers);
  return found ? *found : NULL;
}

// The pool of the assignment with the name; their number if there is none.
static uint32_t find_pool(const gmem_assignment_t *assignment,
                          const char *name) {
  uint32_t i = 0, count = assignment->part.pools->count;
  while (i < count && strcmp(assignment->pools[i].name, name) != 0)
    ++i;
  return i;
}

static void pin(const gmem_previous_plan_t *previous,
                gmem_assignment_t *assignment, uint32_t buffer) {
  const gmem_analysis_t *analysis = &assignment->analysis;
  uint32_t value = gmem_part_value(&assignment->part, buffer);
  if (value == GMEM_NO_INDEX)
    return;
  const gmem_planned_buffer_t *old =
      find_old(previous, analysis->program.values[value].value);
  if (!old ||
      old->size != gmem_padded_size(analysis, assignment->pools, buffer))
    return;
  uint32_t pool =
      find_pool(assignment, gmem_planned_pool(previous->old, old->pool)->name);
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

static gmem_note_t note_of(const gmem_assignment_t *assignment,
                           const gmem_constraint_t *pin) {
  gmem_note_t note = {.location =
                          gmem_part_location(&assignment->part, pin->first)};
  char name[128];
  gmem_part_describe(&assignment->part, pin->first, name, sizeof name);
  snprintf(note.text, sizeof note.text,
           "moved: %s, from %" PRIu64 " to %" PRIu64, name, pin->bytes,
           assignment->plan[pin->first].offset);
  return note;
}

void gmem_previous_plan_report(const gmem_assignment_t *assignment) {
  gmem_note_t notes[MOST_NOTES];
  size_t listed = 0;
  uint32_t moved = 0;
  for (size_t i = 0; i < assignment->pin_count; ++i) {
    const gmem_constraint_t *pin = &assignment->pins[i];
    if (!gmem_assignment_moves(assignment, pin))
      continue;
    ++moved;
    if (listed < MOST_NOTES)
      notes[listed++] = note_of(assignment, pin);
  }
  gmem_remark_with_notes(
      mlirOperationGetLocation(assignment->analysis.program.scope), notes,
      listed,
      "previous: %zu of %zu buffers kept, %u moved, %zu new or of "
      "another size",
      assignment->pin_count - moved, assignment->pin_count, (unsigned)moved,
      assignment->part.value_count - assignment->pin_count);
}
