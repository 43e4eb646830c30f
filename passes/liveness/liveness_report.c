// liveness_report.c - says what is not planned, and why.
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
    [REASON_DYNAMIC] = "of dynamic shape",
    [REASON_ELEMENT] = "of elements of unknown size",
    [REASON_SPARSE] = "stored sparsely",
    [REASON_TUPLE] = "of tuple type",
    [REASON_PARALLEL] = "in code that runs several times at once",
    [REASON_STREAM] = "that a stream may still use when they are made again",
    [REASON_VIEW] = "reshaped from what is not planned",
};

static bool is_parallel(const gmem_liveness_t *liveness, uint32_t value) {
  const gmem_program_t *program = liveness->program;
  uint32_t block = program->values[value].block;
  uint32_t owner = program->regions[program->blocks[block].region].owner;
  uint32_t function = gmem_value_function(program, value);
  return liveness->live_values[value].overtaken ||
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
  case GMEM_TYPE_MEMREF: // memory of its own is what the program allocates
    return REASON_NONE;
  default:
    if (liveness->live_values[value].is_loop_hazard)
      return REASON_STREAM;
    return is_parallel(liveness, value) ? REASON_PARALLEL : REASON_VIEW;
  }
}

// Says why |root| is left alone, as |others| more of its function are.
static void report_root(const gmem_liveness_t *liveness, size_t index,
                        const gmem_allocation_site_t *root, size_t others) {
  const gmem_program_t *program = liveness->program;
  const gmem_function_t *function = &program->functions[index];
  gmem_note_t note = {.text = ""};
  size_t notes = root->cause != GMEM_NO_INDEX;
  if (notes) {
    note.location = mlirOperationGetLocation(program->ops[root->cause].op);
    snprintf(note.text, sizeof note.text, "%s",
             gmem_unplanned_cause_text(root->reason));
  }
  char more[48] = "";
  if (others)
    snprintf(more, sizeof more, ", as %zu more %s not", others,
             others == 1 ? "is" : "are");
  gmem_remark_with_notes(gmem_value_location(program, root->value), &note,
                         notes, "this memref of @%.*s is not planned%s: %s",
                         (int)function->name.length, function->name.data, more,
                         gmem_unplanned_text(root->reason));
}

// One remark for each fate of memrefs that function |index| allocates.
static void report_roots(const gmem_liveness_t *liveness, uint32_t index) {
  const gmem_memrefs_t *memrefs = &liveness->memrefs;
  const gmem_function_t *function = &liveness->program->functions[index];
  size_t counts[GMEM_MEMREF_FATE_COUNT] = {0};
  const gmem_allocation_site_t *first[GMEM_MEMREF_FATE_COUNT] = {NULL};
  for (size_t i = gmem_allocation_sites_from(memrefs, function->first_value);
       i < memrefs->root_count && memrefs->roots[i].value < function->end_value;
       ++i) {
    const gmem_allocation_site_t *root = &memrefs->roots[i];
    if (counts[root->reason]++ == 0)
      first[root->reason] = root;
  }
  for (int reason = GMEM_MEMREF_PLANNED + 1; reason < GMEM_MEMREF_FATE_COUNT;
       ++reason)
    if (counts[reason])
      report_root(liveness, index, first[reason], counts[reason] - 1);
}

const char *gmem_unplanned_reason(const gmem_liveness_t *liveness,
                                  uint32_t value) {
  uint32_t function = gmem_value_function(liveness->program, value);
  enum reason_e reason = reason_of(liveness, value);
  if (reason != REASON_NONE && liveness->calls->callees[function].recursive)
    return "in a function that calls itself";
  return reasons[reason]; // NULL: none
}

static void report_function(const gmem_liveness_t *liveness, uint32_t index) {
  const gmem_program_t *program = liveness->program;
  const gmem_function_t *function = &program->functions[index];
  size_t counts[REASON_COUNT] = {0};
  uint32_t first[REASON_COUNT] = {0};
  if (liveness->calls->callees[index].recursive) {
    gmem_remark(mlirOperationGetLocation(function->op),
                "@%.*s calls itself: its tensors are not planned",
                (int)function->name.length, function->name.data);
    return;
  }
  for (uint32_t i = function->end_value; i-- > function->first_value;) {
    enum reason_e reason = reason_of(liveness, i);
    ++counts[reason];
    first[reason] = i;
  }
  for (int reason = REASON_NONE + 1; reason < REASON_COUNT; ++reason)
    if (counts[reason])
      gmem_remark(gmem_value_location(program, first[reason]),
                  "%zu value%s of @%.*s %s: not planned (this is the first)",
                  counts[reason], counts[reason] == 1 ? "" : "s",
                  (int)function->name.length, function->name.data,
                  reasons[reason]);
  report_roots(liveness, index);
}

void gmem_liveness_report(const gmem_liveness_t *liveness) {
  for (size_t i = 0; i < liveness->program->op_count; ++i)
    if (gmem_is_function(liveness->program->ops[i].op))
      gmem_remark(mlirOperationGetLocation(liveness->program->ops[i].op),
                  "a function inside a function: its tensors are not planned");
  for (uint32_t i = 0; i < liveness->program->function_count; ++i)
    report_function(liveness, i);
}
