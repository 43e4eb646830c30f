// plan_relocations.c - see plan_relocations.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "plan_relocations.h"

#include <stdlib.h>

#include "diagnostics.h"
#include "ir_reading.h"
#include "mlir_seam.h"
#include "relocations.h"
#include "text.h"

typedef struct adder_s {
  const gmem_planned_relocations_source_t *source;
  gmem_bump_t *arena;
  gmem_planned_relocations_t *out;
  gmem_diag_t *diag;
  size_t next; // workbuffer: ops come in the order in which these are listed
} adder_t;

// The buffer of workbuffer |number| of |op|; GMEM_NO_BUFFER: it has none.
static uint32_t find_workbuffer(adder_t *adder, MlirOperation op,
                                uint32_t number) {
  const gmem_workbuffers_t *all = &adder->source->analysis->workbuffers;
  for (size_t i = 0; i < all->count; ++i) {
    size_t index = (adder->next + i) % all->count;
    const gmem_op_workbuffer_t *work = &all->all[index];
    if (work->number == number && mlirOperationEqual(work->op, op)) {
      adder->next = index;
      return work->size ? adder->source->workbuffers[index].buffer
                        : GMEM_NO_BUFFER;
    }
  }
  return GMEM_NO_BUFFER;
}

static uint32_t find_value(const adder_t *adder, MlirValue value) {
  const gmem_analysis_t *analysis = adder->source->analysis;
  uint32_t index = gmem_program_find(&analysis->program, value);
  return index != GMEM_NO_INDEX && gmem_live_value_is_planned(
                                       &analysis->liveness.live_values[index])
             ? adder->source->buffer_of[index]
             : GMEM_NO_BUFFER;
}

static gmem_status_t add(adder_t *adder, MlirOperation op,
                         const gmem_stated_relocation_t *stated) {
  uint32_t buffer =
      stated->workbuffer != GMEM_NO_VALUE
          ? find_workbuffer(adder, op, stated->workbuffer)
          : find_value(adder, stated->operand != GMEM_NO_VALUE
                                  ? mlirOperationGetOperand(op, stated->operand)
                                  : mlirOperationGetResult(op, stated->result));
  const char *what = stated->workbuffer != GMEM_NO_VALUE ? "workbuffer"
                     : stated->operand != GMEM_NO_VALUE  ? "operand"
                                                         : "result";
  uint32_t number = stated->workbuffer != GMEM_NO_VALUE ? stated->workbuffer
                    : stated->operand != GMEM_NO_VALUE  ? stated->operand
                                                        : stated->result;
  if (buffer == GMEM_NO_BUFFER)
    return gmem_reject(adder->diag, op,
                       "gmem.relocations: %s #%u has no memory in the plan",
                       what, number);
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  gmem_text_t location = {.arena = adder->arena};
  mlirLocationPrint(mlirOperationGetLocation(op), gmem_text_piece, &location);
  GMEM_APPEND(adder->arena, adder->out,
              (gmem_planned_relocation_t){
                  .op = gmem_bump_string(adder->arena, name.data, name.length),
                  .location = gmem_text_get(&location),
                  .where = stated->where,
                  .addend = stated->addend,
                  .buffer = buffer,
                  .kind = (uint16_t)stated->kind,
                  .stream = (uint16_t)stated->stream});
  return gmem_bump_status(adder->arena, adder->diag);
}

static gmem_status_t add_op(MlirOperation op, void *user) {
  adder_t *adder = user;
  gmem_stated_relocation_t *stated;
  size_t count;
  GMEM_TRY(gmem_relocations_read(op, adder->source->analysis->arena, &stated,
                                 &count, adder->diag));
  for (size_t i = 0; i < count; ++i)
    GMEM_TRY(add(adder, op, &stated[i]));
  return GMEM_OK;
}

gmem_status_t gmem_planned_relocations_add(
    const gmem_planned_relocations_source_t *source, gmem_bump_t *arena,
    gmem_planned_relocations_t *out_relocations, gmem_diag_t *diag) {
  const gmem_program_t *program = &source->analysis->program;
  adder_t adder = {
      .source = source, .arena = arena, .out = out_relocations, .diag = diag};
  for (uint32_t i = 0; i < program->function_count; ++i)
    GMEM_TRY(gmem_walk(program->functions[i].op, add_op, &adder));
  return GMEM_OK;
}

static int compare(const void *a, const void *b) {
  const gmem_planned_relocation_t *left = a, *right = b;
  if (left->stream != right->stream)
    return left->stream < right->stream ? -1 : 1;
  return (left->where > right->where) - (left->where < right->where);
}

gmem_status_t
gmem_planned_relocations_sort(MlirOperation top,
                              gmem_planned_relocations_t *relocations,
                              gmem_diag_t *diag) {
  gmem_planned_relocation_t *at = relocations->at;
  if (relocations->count)
    qsort(at, relocations->count, sizeof *at, compare);
  for (size_t i = 1; i < relocations->count; ++i)
    if (at[i].stream == at[i - 1].stream &&
        at[i].where - at[i - 1].where < gmem_relocation_width(at[i - 1].kind))
      return gmem_op_error(
          diag, GMEM_ERR_INVALID_ARGUMENT, top,
          "gmem.relocations: byte %llu of command stream %u takes two "
          "addresses: of '%s' at %s and of '%s' at %s",
          (unsigned long long)at[i].where, at[i].stream, at[i - 1].op,
          at[i - 1].location, at[i].op, at[i].location);
  return GMEM_OK;
}
