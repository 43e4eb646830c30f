// liveness_report.c - remarks for values that are not planned.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "liveness_report.h"

#include <stdio.h>

#include "ir_reading.h"
#include "scopes.h"

enum reason_e {
  REASON_NONE,
  REASON_DYNAMIC,
  REASON_ELEMENT,
  REASON_SPARSE,
  REASON_ENCODING,
  REASON_TUPLE,
  REASON_PARALLEL,
  REASON_STREAM,
  REASON_HANDLE,
  REASON_VIEW,
  REASON_COUNT,
};

// Per reason: the clause, and what would help.
static const struct {
  const char *reason, *help;
} texts[REASON_COUNT] = {
    [REASON_NONE] = {NULL, NULL},
    [REASON_DYNAMIC] = {"its shape is dynamic",
                        "dynamic-bound= bounds it, gmem.bytes states its size"},
    [REASON_ELEMENT] = {"its element type has no known size",
                        "gmem.bytes or a gmem.type_model states it"},
    [REASON_SPARSE] = {"its encoding is sparse", "gmem.bytes states its size"},
    [REASON_ENCODING] = {"the size of its encoding is unknown",
                         "gmem.bytes or a gmem.type_model states it"},
    [REASON_TUPLE] = {"its tuple type has no known size", NULL},
    [REASON_PARALLEL] = {"it is in code that may run concurrently with itself",
                         NULL},
    [REASON_STREAM] = {"a stream may still access it when it is defined again",
                       "a gmem.wait before that"},
    [REASON_HANDLE] =
        {"a list or handle of it may be in use when it is defined "
         "again",
         NULL},
    [REASON_VIEW] = {"it is a view of a value that is not planned", NULL},
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
  case GMEM_TYPE_ENCODING:
    return REASON_ENCODING;
  case GMEM_TYPE_TUPLE:
    return REASON_TUPLE;
  case GMEM_TYPE_NO_MEMORY:
  case GMEM_TYPE_MEMREF: // memory belongs to the allocation site
    return REASON_NONE;
  default:
    if (liveness->live_values[value].is_loop_hazard)
      return REASON_STREAM;
    if (liveness->live_values[value].is_outlived)
      return REASON_HANDLE;
    return is_parallel(liveness, value) ? REASON_PARALLEL : REASON_VIEW;
  }
}

// What to do about an allocation in a loop.
static const char *way_out(MlirOperation loop, gmem_unplanned_t reason) {
  bool is_parallel =
      gmem_op_is(loop, "scf.forall") || gmem_op_is(loop, "scf.parallel");
  if (reason == GMEM_MEMREF_PARALLEL && is_parallel)
    return "; if its bounds are constant, gmem-expand-allocs gives each "
           "iteration a part of its own";
  return reason == GMEM_MEMREF_CARRIED && gmem_op_is(loop, "scf.for")
             ? "; gmem-expand-allocs may give it two places that take turns"
             : "";
}

const char *gmem_unplanned_help(const gmem_liveness_t *liveness,
                                uint32_t value) {
  const gmem_allocation_site_t *site =
      gmem_allocation_site_of(&liveness->memrefs, value);
  return site ? gmem_unplanned_help_text(site->reason)
              : texts[reason_of(liveness, value)].help;
}

// Emits the remark for |value| of function |index|, the first of |count| values
// that are not planned for one reason.
static void report_value(const gmem_liveness_t *liveness, uint32_t index,
                         uint32_t value, size_t count) {
  const gmem_program_t *program = liveness->program;
  const gmem_function_t *function = &program->functions[index];
  const gmem_allocation_site_t *site =
      gmem_allocation_site_of(&liveness->memrefs, value);
  gmem_note_t note = {.text = ""};
  size_t notes = site && site->cause != GMEM_NO_INDEX;
  const char *help = gmem_unplanned_help(liveness, value);
  char more[80] = "";
  if (notes) {
    MlirOperation cause = program->ops[site->cause].op;
    note.location = mlirOperationGetLocation(cause);
    snprintf(note.text, sizeof note.text, "%s%s",
             gmem_unplanned_cause_text(site->reason),
             way_out(cause, site->reason));
  }
  if (count > 1)
    snprintf(more, sizeof more,
             " (%zu more in this function for the same reason)", count - 1);
  gmem_remark_with_notes(gmem_value_location(program, value), &note, notes,
                         "this %s of @%.*s is not planned: %s%s%s%s",
                         site ? "memref" : "value", (int)function->name.length,
                         function->name.data,
                         site ? gmem_unplanned_text(site->reason)
                              : texts[reason_of(liveness, value)].reason,
                         more, help ? "; " : "", help ? help : "");
}

const char *gmem_unplanned_reason(const gmem_liveness_t *liveness,
                                  uint32_t value) {
  uint32_t function = gmem_value_function(liveness->program, value);
  enum reason_e reason = reason_of(liveness, value);
  if (reason != REASON_NONE && liveness->calls->callees[function].recursive)
    return "its function is recursive";
  return texts[reason].reason; // NULL for REASON_NONE
}

static void report_function(const gmem_liveness_t *liveness, uint32_t index) {
  const gmem_program_t *program = liveness->program;
  const gmem_function_t *function = &program->functions[index];
  // Reasons of tensors, then those of allocation sites.
  size_t counts[REASON_COUNT + GMEM_UNPLANNED_COUNT] = {0};
  uint32_t first[REASON_COUNT + GMEM_UNPLANNED_COUNT] = {0};
  const gmem_callee_t *callee = &liveness->calls->callees[index];
  if (callee->recursive) {
    gmem_remark(mlirOperationGetLocation(function->op),
                "@%.*s %s: its tensors are not planned",
                (int)function->name.length, function->name.data,
                callee->is_taken && callee->calls_indirectly
                    ? "may call itself through a table or a function value"
                    : "is recursive");
    return;
  }
  for (uint32_t i = function->end_value; i-- > function->first_value;) {
    const gmem_allocation_site_t *site =
        gmem_allocation_site_of(&liveness->memrefs, i);
    int reason =
        site ? REASON_COUNT + (int)site->reason : (int)reason_of(liveness, i);
    ++counts[reason];
    first[reason] = i;
  }
  counts[REASON_NONE] = counts[REASON_COUNT + GMEM_MEMREF_PLANNED] = 0;
  for (int i = 0; i < REASON_COUNT + GMEM_UNPLANNED_COUNT; ++i)
    if (counts[i])
      report_value(liveness, index, first[i], counts[i]);
}

void gmem_liveness_report(const gmem_liveness_t *liveness) {
  for (size_t i = 0; i < liveness->program->op_count; ++i)
    if (gmem_is_function(liveness->program->ops[i].op))
      gmem_remark(mlirOperationGetLocation(liveness->program->ops[i].op),
                  "nested function: its tensors are not planned");
  for (uint32_t i = 0; i < liveness->program->function_count; ++i)
    report_function(liveness, i);
}
