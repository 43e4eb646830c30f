// liveness_report.c - remarks for values that are not planned.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "liveness_report.h"

#include <stdio.h>

#include "diagnostics.h"
#include "liveness.h"
#include "scopes.h"

enum reason_e {
  REASON_NONE,
  REASON_DYNAMIC,
  REASON_ELEMENT,
  REASON_SPARSE,
  REASON_TUPLE,
  REASON_PARALLEL,
  REASON_STREAM,
  REASON_VIEW,
  REASON_COUNT,
};

static const char *const reasons[REASON_COUNT] = {
    [REASON_DYNAMIC] = "its shape is dynamic",
    [REASON_ELEMENT] = "its element type has no known size",
    [REASON_SPARSE] = "its encoding is sparse",
    [REASON_TUPLE] = "its tuple type has no known size",
    [REASON_PARALLEL] = "it is in code that may run concurrently with itself",
    [REASON_STREAM] = "a stream may still access it when it is defined again",
    [REASON_VIEW] = "it is a view of a value that is not planned",
};

static bool is_parallel(const gmem_liveness_t *liveness, uint32_t value) {
  const gmem_program_t *program = liveness->program;
  uint32_t block = program->values[value].block;
  uint32_t owner = program->regions[program->blocks[block].region].owner;
  uint32_t function = gmem_value_function(program, value);
  return liveness->live_values[value].is_loop_carried ||
         liveness->calls->callees[function].parallel ||
         (owner != GMEM_NO_INDEX && program->ops[owner].parallel);
}

static enum reason_e reason_of(const gmem_liveness_t *liveness,
                               uint32_t value) {
  if (liveness->live_values[value].storage != GMEM_STORAGE_UNPLANNED ||
      gmem_is_memref_root(liveness->program, value))
    return REASON_NONE;
  switch (liveness->program->values[value].type) {
  case GMEM_TYPE_DYNAMIC:
    return REASON_DYNAMIC;
  case GMEM_TYPE_UNKNOWN_ELEMENT:
    return REASON_ELEMENT;
  case GMEM_TYPE_SPARSE:
    return REASON_SPARSE;
  case GMEM_TYPE_TUPLE:
    return REASON_TUPLE;
  case GMEM_TYPE_NO_MEMORY:
  case GMEM_TYPE_MEMREF: // memory belongs to the allocation site
    return REASON_NONE;
  default:
    if (liveness->live_values[value].is_loop_hazard)
      return REASON_STREAM;
    return is_parallel(liveness, value) ? REASON_PARALLEL : REASON_VIEW;
  }
}

enum { MORE_CHARS = 80 };

// Writes " (2 more in this function for the same reason)", or "" for 0.
static void more_text(size_t others, char out[MORE_CHARS]) {
  out[0] = '\0';
  if (others)
    snprintf(out, MORE_CHARS,
             " (%zu more in this function for the same reason)", others);
}

// Emits the remark for |site|; |others| more allocation sites of its function
// are not planned for the same reason.
static void report_site(const gmem_liveness_t *liveness, size_t index,
                        const gmem_allocation_site_t *site, size_t others) {
  const gmem_program_t *program = liveness->program;
  const gmem_function_t *function = &program->functions[index];
  gmem_note_t note = {.text = ""};
  size_t notes = site->cause != GMEM_NO_INDEX;
  if (notes) {
    note.location = mlirOperationGetLocation(program->ops[site->cause].op);
    snprintf(note.text, sizeof note.text, "%s",
             gmem_unplanned_cause_text(site->reason));
  }
  char more[MORE_CHARS];
  more_text(others, more);
  gmem_remark_with_notes(gmem_value_location(program, site->value), &note,
                         notes, "this memref of @%.*s is not planned: %s%s",
                         (int)function->name.length, function->name.data,
                         gmem_unplanned_text(site->reason), more);
}

// Emits one remark per reason for the allocation sites of function |index|.
static void report_sites(const gmem_liveness_t *liveness, uint32_t index) {
  const gmem_memrefs_t *memrefs = &liveness->memrefs;
  const gmem_function_t *function = &liveness->program->functions[index];
  size_t counts[GMEM_UNPLANNED_COUNT] = {0};
  const gmem_allocation_site_t *first[GMEM_UNPLANNED_COUNT] = {NULL};
  for (size_t i = gmem_allocation_sites_from(memrefs, function->first_value);
       i < memrefs->site_count && memrefs->sites[i].value < function->end_value;
       ++i) {
    const gmem_allocation_site_t *site = &memrefs->sites[i];
    if (counts[site->reason]++ == 0)
      first[site->reason] = site;
  }
  for (int reason = GMEM_MEMREF_PLANNED + 1; reason < GMEM_UNPLANNED_COUNT;
       ++reason)
    if (counts[reason])
      report_site(liveness, index, first[reason], counts[reason] - 1);
}

const char *gmem_unplanned_reason(const gmem_liveness_t *liveness,
                                  uint32_t value) {
  uint32_t function = gmem_value_function(liveness->program, value);
  enum reason_e reason = reason_of(liveness, value);
  if (reason != REASON_NONE && liveness->calls->callees[function].recursive)
    return "its function is recursive";
  return reasons[reason]; // NULL for REASON_NONE
}

static void report_function(const gmem_liveness_t *liveness, uint32_t index) {
  const gmem_program_t *program = liveness->program;
  const gmem_function_t *function = &program->functions[index];
  size_t counts[REASON_COUNT] = {0};
  uint32_t first[REASON_COUNT] = {0};
  if (liveness->calls->callees[index].recursive) {
    gmem_remark(mlirOperationGetLocation(function->op),
                "@%.*s is recursive: its tensors are not planned",
                (int)function->name.length, function->name.data);
    return;
  }
  for (uint32_t i = function->end_value; i-- > function->first_value;) {
    enum reason_e reason = reason_of(liveness, i);
    ++counts[reason];
    first[reason] = i;
  }
  for (int reason = REASON_NONE + 1; reason < REASON_COUNT; ++reason) {
    if (!counts[reason])
      continue;
    char more[MORE_CHARS];
    more_text(counts[reason] - 1, more);
    gmem_remark(gmem_value_location(program, first[reason]),
                "this value of @%.*s is not planned: %s%s",
                (int)function->name.length, function->name.data,
                reasons[reason], more);
  }
  report_sites(liveness, index);
}

void gmem_liveness_report(const gmem_liveness_t *liveness) {
  for (size_t i = 0; i < liveness->program->op_count; ++i)
    if (gmem_is_function(liveness->program->ops[i].op))
      gmem_remark(mlirOperationGetLocation(liveness->program->ops[i].op),
                  "nested function: its tensors are not planned");
  for (uint32_t i = 0; i < liveness->program->function_count; ++i)
    report_function(liveness, i);
}
