// uses.c - see uses.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "uses.h"

#include <assert.h>

#include "diagnostics.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinTypes.h"
#include "op_models.h"
#include "requests.h"

typedef struct finder_s {
  const gmem_program_t *program;
  gmem_bump_t *arena;   // of what is needed until the end of the search
  gmem_bump_t *results; // of the others
  gmem_uses_t *uses;
  gmem_csr_pairs_t found; // from a value to its users, in their order
  bool *used;             // by value: contents of the memref are accessed
  uint32_t *stack;        // worklist of used values
  size_t depth;
  uint32_t user; // the op whose operands are being read
  gmem_diag_t *diag;
} finder_t;

// Whether the operand of a reshape is the shape of the result, which is not
// static in its type.
static bool is_run_time_shape(const gmem_program_op_t *step, intptr_t number) {
  return step->kind == GMEM_OP_RESHAPE && number != 0 &&
         mlirOperationGetNumResults(step->op) != 0 &&
         gmem_type_is_dynamic(
             mlirValueGetType(mlirOperationGetResult(step->op, 0)));
}

// Whether the op only frees operand |number|, a memref, without reading it.
static bool only_frees(const finder_t *finder, MlirOperation op,
                       intptr_t number) {
  const gmem_program_op_t *step = &finder->program->ops[finder->user];
  return mlirOperationEqual(op, step->op) && step->kind == GMEM_OP_DEALLOC &&
         number == 0 && mlirOperationGetNumResults(op) == 0;
}

static bool is_read(const finder_t *finder, MlirOperation op, intptr_t number,
                    uint32_t value) {
  const gmem_program_op_t *step = &finder->program->ops[finder->user];
  if (gmem_is_memref_type(
          mlirValueGetType(finder->program->values[value].value)))
    return !only_frees(finder, op, number);
  if (!mlirOperationEqual(op, step->op))
    return true; // in an opaque body
  if (number < 64 && (step->model->unread >> number & 1) &&
      !is_run_time_shape(step, number))
    return false;
  return !finder->uses->is_undefined[value] ||
         !gmem_op_model_is_destination(step->model, op, number);
}

// Whether the op writes the contents of its operand, or returns a memref
// through which other ops may.
static bool is_written(const gmem_op_model_t *model, MlirOperation op,
                       intptr_t number) {
  if (gmem_op_model_writes(model, op, number))
    return true;
  return ((model->kind == GMEM_OP_RESHAPE && number == 0) ||
          model->kind == GMEM_OP_UNKNOWN || model->kind == GMEM_OP_VIEW) &&
         mlirOperationGetNumResults(op) != 0 &&
         mlirTypeIsAMemRef(mlirValueGetType(mlirOperationGetResult(op, 0))) &&
         mlirAttributeIsNull(gmem_op_attribute(op, "read_only"));
}

// A use before the definition in one block makes its region a graph region.
// Blocks may be in any order.
static void check_order(finder_t *finder, uint32_t value) {
  const gmem_program_t *program = finder->program;
  const gmem_value_t *entry = &program->values[value];
  if (entry->op == GMEM_NO_INDEX || finder->user > entry->op)
    return;
  uint32_t at = finder->user;
  while (at != GMEM_NO_INDEX && program->ops[at].block != entry->block)
    at = program->ops[at].parent;
  if (at != GMEM_NO_INDEX)
    finder->uses->unordered[program->blocks[entry->block].region] = true;
}

// The memrefs of a request are in use until the op that waits for it.
static gmem_status_t read_request(finder_t *finder, MlirOperation op,
                                  intptr_t number) {
  const gmem_program_t *program = finder->program;
  MlirOperation starter;
  GMEM_TRY(gmem_request_of(program->models, op, number, finder->arena, &starter,
                           finder->diag));
  if (mlirOperationIsNull(starter))
    return GMEM_OK;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(starter); ++i) {
    MlirValue operand = mlirOperationGetOperand(starter, i);
    uint32_t value = gmem_program_find(program, operand);
    if (value != GMEM_NO_INDEX &&
        gmem_is_memref_type(mlirValueGetType(operand)))
      GMEM_APPEND(finder->arena, &finder->found,
                  (gmem_csr_pair_t){value, finder->user});
  }
  return GMEM_OK;
}

// Reads the operands of the current op, or of an op in its opaque body.
static gmem_status_t read_operands(MlirOperation op, void *user) {
  finder_t *finder = user;
  const gmem_program_op_t *step = &finder->program->ops[finder->user];
  const gmem_op_model_t *model = step->model;
  if (!mlirOperationEqual(op, step->op))
    GMEM_TRY(gmem_op_models_of_op(finder->program->models, op, finder->arena,
                                  &model, finder->diag));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    if (model->waits)
      GMEM_TRY(read_request(finder, op, i));
    uint32_t value = gmem_operand_value(finder->program, op, i);
    if (value == GMEM_NO_INDEX)
      continue;
    check_order(finder, value);
    bool writes = is_written(model, op, i);
    finder->uses->is_written[value] |= writes;
    if (writes || is_read(finder, op, i, value))
      GMEM_APPEND(finder->arena, &finder->found,
                  (gmem_csr_pair_t){value, finder->user});
  }
  return GMEM_OK;
}

// Finds results with undefined contents: of empty ops, and views of such.
static void find_undefined(finder_t *finder) {
  const gmem_program_t *program = finder->program;
  for (uint32_t i = 0; i < program->value_count; ++i) {
    const gmem_value_t *entry = &program->values[i];
    if (entry->op == GMEM_NO_INDEX)
      continue;
    const gmem_program_op_t *op = &program->ops[entry->op];
    uint32_t viewed = op->kind == GMEM_OP_RESHAPE && entry->number == 0
                          ? gmem_operand_value(program, op->op, 0)
                          : GMEM_NO_INDEX;
    finder->uses->is_undefined[i] =
        !op->hold && (op->kind == GMEM_OP_EMPTY ||
                      (viewed < i && finder->uses->is_undefined[viewed]));
  }
}

static void mark_used(finder_t *finder, uint32_t value) {
  if (value == GMEM_NO_INDEX || finder->used[value])
    return;
  assert(finder->depth < finder->program->value_count);
  finder->used[value] = true;
  finder->stack[finder->depth++] = value;
}

// A viewed memref is used if the view is.
static void mark_viewed(finder_t *finder) {
  const gmem_program_t *program = finder->program;
  while (finder->depth) {
    uint32_t value = finder->stack[--finder->depth];
    uint32_t op = program->values[value].op;
    if (op != GMEM_NO_INDEX && program->ops[op].kind == GMEM_OP_VIEW)
      mark_used(finder, gmem_operand_value(program, program->ops[op].op, 0));
  }
}

static bool makes_used(const finder_t *finder, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    uint32_t result = gmem_result_value(finder->program, op, i);
    if (result != GMEM_NO_INDEX && finder->used[result])
      return true;
  }
  return false;
}

// Whether the user only derives memrefs and plain data from the memref.
static bool only_views(const gmem_program_t *program,
                       const gmem_csr_pair_t *use) {
  const gmem_program_op_t *user = &program->ops[use->item];
  return user->kind == GMEM_OP_VIEW && !user->hold && !user->opaque &&
         !gmem_yields_handle(program->models, user->op) &&
         gmem_is_memref_type(
             mlirValueGetType(program->values[use->key].value)) &&
         gmem_only_makes_view(program, use->item, use->key);
}

// Lists the users of each value, without views of memrefs from which only
// frees, shapes and the like derive.
static gmem_status_t list_users(finder_t *finder) {
  const gmem_program_t *program = finder->program;
  gmem_csr_pairs_t *found = &finder->found;
  size_t kept = 0;
  GMEM_TRY_ALLOC(finder->used, finder->arena, program->value_count,
                 finder->diag);
  GMEM_TRY_ALLOC(finder->stack, finder->arena, program->value_count,
                 finder->diag);
  for (size_t i = 0; i < found->count; ++i)
    if (!only_views(program, &found->at[i]))
      mark_used(finder, found->at[i].key);
  mark_viewed(finder);
  for (size_t i = 0; i < found->count; ++i)
    if (!only_views(program, &found->at[i]) ||
        makes_used(finder, program->ops[found->at[i].item].op))
      found->at[kept++] = found->at[i];
  found->count = kept;
  return gmem_csr_build(found, program->value_count, finder->results,
                        &finder->uses->users, finder->diag);
}

static gmem_status_t find_users(finder_t *finder) {
  const gmem_program_t *program = finder->program;
  for (uint32_t i = 0; i < program->op_count; ++i) {
    MlirOperation op = program->ops[i].op;
    finder->user = i;
    GMEM_TRY(program->ops[i].opaque ? gmem_walk(op, read_operands, finder)
                                    : read_operands(op, finder));
  }
  return list_users(finder);
}

gmem_status_t gmem_uses_find(const gmem_program_t *program, gmem_bump_t *arena,
                             gmem_uses_t *out_uses, gmem_diag_t *diag) {
  gmem_bump_t scratch;
  finder_t finder = {.program = program,
                     .arena = &scratch,
                     .results = arena,
                     .uses = out_uses,
                     .diag = diag};
  GMEM_TRY_ALLOC(out_uses->is_undefined, arena, program->value_count, diag);
  GMEM_TRY_ALLOC(out_uses->is_written, arena, program->value_count, diag);
  GMEM_TRY_ALLOC(out_uses->unordered, arena, program->region_count, diag);
  find_undefined(&finder);
  gmem_bump_init(&scratch, &arena->allocator);
  gmem_status_t status = find_users(&finder);
  gmem_bump_destroy(&scratch);
  GMEM_TRY(status);
  assert(gmem_csr_check(&out_uses->users, program->value_count,
                        program->op_count));
  return GMEM_OK;
}
