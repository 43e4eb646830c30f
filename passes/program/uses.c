// uses.c - see uses.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "uses.h"

#include "diagnostics.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinTypes.h"
#include "op_models.h"
#include "program.h"

typedef struct use_s {
  uint32_t value, user;
  bool is_view; // of a memref: wanted only if what is made of it is
} use_t;

typedef struct finder_s {
  const gmem_program_t *program;
  gmem_bump_t *arena;
  gmem_uses_t *uses;
  use_t *found; // in the order of the users
  size_t count, room;
  bool *wanted;    // by value: of a memref, that its contents matter
  uint32_t *stack; // values that are wanted, to be looked at
  size_t depth;
  uint32_t user; // at whose step operands are read now
  gmem_status_t status;
  gmem_diag_t *diag;
} finder_t;

// The model of |op|, which may be in the opaque body of the op at hand; NULL
// when that fails.
static const gmem_op_model_t *model_of(finder_t *finder, MlirOperation op) {
  const gmem_op_t *step = &finder->program->ops[finder->user];
  const gmem_op_model_t *model = step->model;
  if (!mlirOperationEqual(op, step->op))
    finder->status = gmem_op_models_of_op(finder->program->models, op,
                                          finder->arena, &model, finder->diag);
  return finder->status == GMEM_OK ? model : NULL;
}

// Whether the operand of a reshape says what shape the result has, which is not
// in its type.
static bool is_run_time_shape(const gmem_op_t *step, intptr_t number) {
  return step->kind == GMEM_OP_RESHAPE && number != 0 &&
         mlirOperationGetNumResults(step->op) != 0 &&
         gmem_type_is_dynamic(
             mlirValueGetType(mlirOperationGetResult(step->op, 0)));
}

// Whether the op does no more with a memref, its operand |number|, than to free
// it: then it does not want its contents.
static bool only_frees(const finder_t *finder, MlirOperation op,
                       intptr_t number) {
  const gmem_op_t *step = &finder->program->ops[finder->user];
  return mlirOperationEqual(op, step->op) && step->kind == GMEM_OP_DEALLOC &&
         number == 0 && mlirOperationGetNumResults(op) == 0;
}

// Whether the op does no more with operand |number|, a memref, than to make
// memrefs and plain data of it.
static bool only_views(const finder_t *finder, MlirOperation op,
                       intptr_t number) {
  const gmem_op_t *step = &finder->program->ops[finder->user];
  return mlirOperationEqual(op, step->op) && step->kind == GMEM_OP_VIEW &&
         number == 0 && !step->hold && !gmem_yields_handle(op);
}

static bool is_read(const finder_t *finder, MlirOperation op, intptr_t number,
                    uint32_t value) {
  const gmem_op_t *step = &finder->program->ops[finder->user];
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

// Whether the op changes the contents of its operand, or makes a memref of it,
// through which others may.
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

// Used before it is defined, in the text: if that is so in one block, it is a
// graph. Blocks may stand in any order.
static void judge_order(finder_t *finder, uint32_t value) {
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

static MlirWalkResult read_operands(MlirOperation op, void *user) {
  finder_t *finder = user;
  const gmem_op_model_t *model = model_of(finder, op);
  if (!model)
    return MlirWalkResultInterrupt;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    uint32_t value =
        gmem_program_find(finder->program, mlirOperationGetOperand(op, i));
    if (value == GMEM_NO_INDEX)
      continue;
    judge_order(finder, value);
    bool writes = is_written(model, op, i);
    finder->uses->is_written[value] |= writes;
    if (!writes && !is_read(finder, op, i, value))
      continue;
    if (!gmem_bump_grow(finder->arena, &finder->found, finder->count,
                        &finder->room, sizeof *finder->found)) {
      finder->status = gmem_out_of_memory(finder->diag);
      return MlirWalkResultInterrupt;
    }
    bool is_view = gmem_is_memref_type(mlirValueGetType(
                       finder->program->values[value].value)) &&
                   only_views(finder, op, i);
    finder->found[finder->count++] = (use_t){value, finder->user, is_view};
  }
  return MlirWalkResultAdvance;
}

// What an op makes whose results are blank, or a view of such.
static void find_blanks(finder_t *finder) {
  const gmem_program_t *program = finder->program;
  for (uint32_t i = 0; i < program->value_count; ++i) {
    const gmem_value_t *entry = &program->values[i];
    if (entry->op == GMEM_NO_INDEX)
      continue;
    const gmem_op_t *op = &program->ops[entry->op];
    uint32_t viewed = GMEM_NO_INDEX;
    if (op->kind == GMEM_OP_RESHAPE && entry->number == 0 &&
        mlirOperationGetNumOperands(op->op))
      viewed = gmem_program_find(program, mlirOperationGetOperand(op->op, 0));
    finder->uses->is_undefined[i] =
        !op->hold && (op->kind == GMEM_OP_EMPTY ||
                      (viewed < i && finder->uses->is_undefined[viewed]));
  }
}

bool gmem_is_late_use(const gmem_program_t *program, uint32_t user) {
  return program->ops[user].late; // it is, or an op around it
}

static void want(finder_t *finder, uint32_t value) {
  if (value == GMEM_NO_INDEX || finder->wanted[value])
    return;
  finder->wanted[value] = true;
  finder->stack[finder->depth++] = value;
}

// What a view shows is wanted if the view is.
static void want_viewed(finder_t *finder) {
  const gmem_program_t *program = finder->program;
  while (finder->depth) {
    uint32_t value = finder->stack[--finder->depth];
    uint32_t op = program->values[value].op;
    if (op != GMEM_NO_INDEX && program->ops[op].kind == GMEM_OP_VIEW &&
        mlirOperationGetNumOperands(program->ops[op].op))
      want(finder, gmem_program_find(program, mlirOperationGetOperand(
                                                  program->ops[op].op, 0)));
  }
}

static bool makes_wanted(const finder_t *finder, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    uint32_t result =
        gmem_program_find(finder->program, mlirOperationGetResult(op, i));
    if (result != GMEM_NO_INDEX && finder->wanted[result])
      return true;
  }
  return false;
}

// Drops views of memrefs of which nothing comes but frees, shapes and such.
static bool drop_idle_views(finder_t *finder) {
  size_t count = finder->program->value_count, kept = 0;
  finder->wanted = gmem_bump_alloc(finder->arena, count, sizeof(bool));
  finder->stack = gmem_bump_alloc(finder->arena, count, sizeof(uint32_t));
  if (!finder->wanted || !finder->stack)
    return false;
  for (size_t i = 0; i < finder->count; ++i)
    if (!finder->found[i].is_view)
      want(finder, finder->found[i].value);
  want_viewed(finder);
  for (size_t i = 0; i < finder->count; ++i)
    if (!finder->found[i].is_view ||
        makes_wanted(finder, finder->program->ops[finder->found[i].user].op))
      finder->found[kept++] = finder->found[i];
  finder->count = kept;
  return true;
}

// Sorts the uses by value, by counting.
static bool list_users(finder_t *finder) {
  gmem_uses_t *uses = finder->uses;
  size_t count = finder->program->value_count;
  uses->first_user =
      gmem_bump_alloc(finder->arena, count + 1, sizeof *uses->first_user);
  uses->users =
      gmem_bump_alloc(finder->arena, finder->count, sizeof *uses->users);
  if (!uses->first_user || !uses->users)
    return false;
  for (size_t i = 0; i < finder->count; ++i)
    ++uses->first_user[finder->found[i].value];
  uint32_t total = 0;
  for (size_t i = 0; i <= count; ++i)
    uses->first_user[i] = total += uses->first_user[i];
  for (size_t i = finder->count; i-- > 0;)
    uses->users[--uses->first_user[finder->found[i].value]] =
        finder->found[i].user;
  return true;
}

gmem_status_t gmem_uses_find(const gmem_program_t *program, gmem_bump_t *arena,
                             gmem_uses_t *out_uses, gmem_diag_t *diag) {
  *out_uses = (gmem_uses_t){
      .is_undefined =
          gmem_bump_alloc(arena, program->value_count, sizeof(bool)),
      .is_written = gmem_bump_alloc(arena, program->value_count, sizeof(bool)),
      .unordered = gmem_bump_alloc(arena, program->region_count, sizeof(bool))};
  finder_t finder = {
      .program = program, .arena = arena, .uses = out_uses, .diag = diag};
  if (!out_uses->is_undefined || !out_uses->is_written || !out_uses->unordered)
    return gmem_out_of_memory(diag);
  find_blanks(&finder);
  for (uint32_t i = 0; i < program->op_count && finder.status == GMEM_OK; ++i) {
    finder.user = i;
    if (program->ops[i].opaque)
      mlirOperationWalk(program->ops[i].op, read_operands, &finder,
                        MlirWalkPreOrder);
    else
      read_operands(program->ops[i].op, &finder);
  }
  if (finder.status != GMEM_OK)
    return finder.status;
  return drop_idle_views(&finder) && list_users(&finder)
             ? GMEM_OK
             : gmem_out_of_memory(diag);
}
