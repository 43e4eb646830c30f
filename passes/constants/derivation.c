// derivation.c - see derivation.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "derivation.h"

#include <assert.h>
#include <string.h>

#include "attribute_names.h"
#include "constant_globals.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir_seam.h"
#include "op_models.h"
#include "vocabulary.h"

typedef struct finder_s {
  gmem_derivation_t *derivation;
  const gmem_program_t *program;
  bool follows_calls;
  bool *is_uniform;     // by op: its results have equal elements, or are empty
  uint32_t op;          // that is looked at
  bool is_available;    // all that it uses is
  bool has_input;       // with more than nothing in it
  bool has_large_input; // with several elements that may differ
  bool has_big_input;   // with several elements
} finder_t;

//===--- uses -------------------------------------------------------------===//

// Whether |inner| is |op| or in its regions.
static bool is_within(MlirOperation inner, MlirOperation op) {
  while (!mlirOperationIsNull(inner) && !mlirOperationEqual(inner, op))
    inner = mlirOperationGetParentOperation(inner);
  return !mlirOperationIsNull(inner);
}

// The op whose region or results |value| is of.
static MlirOperation owner_of(MlirValue value) {
  return mlirValueIsAOpResult(value)
             ? mlirOpResultGetOwner(value)
             : mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
}

typedef struct use_walk_s {
  MlirOperation op;
  gmem_used_fn visit;
  void *user;
} use_walk_t;

static gmem_status_t visit_operands(MlirOperation op, void *user) {
  const use_walk_t *walk = user;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    if (mlirOperationEqual(op, walk->op) ||
        !is_within(owner_of(value), walk->op))
      walk->visit(value, walk->user);
  }
  return GMEM_OK;
}

void gmem_for_each_used(MlirOperation op, gmem_used_fn visit, void *user) {
  use_walk_t walk = {op, visit, user};
  if (mlirOperationGetNumRegions(op))
    (void)gmem_walk(op, visit_operands, &walk);
  else
    (void)visit_operands(op, &walk);
}

uint32_t gmem_derivation_op(const gmem_derivation_t *derivation,
                            MlirOperation op) {
  uint32_t number = GMEM_NO_INDEX;
  while (!mlirOperationIsNull(op) && number == GMEM_NO_INDEX) {
    number = gmem_pointer_map_find(&derivation->number, op.ptr);
    op = mlirOperationGetParentOperation(op);
  }
  return number;
}

uint32_t gmem_derivation_outermost(const gmem_derivation_t *derivation,
                                   MlirOperation op) {
  uint32_t number = gmem_derivation_op(derivation, op);
  while (number != GMEM_NO_INDEX &&
         derivation->origin[number] == GMEM_ORIGIN_INSIDE)
    number = derivation->analysis->program.ops[number].parent;
  return number;
}

//===--- one op -----------------------------------------------------------===//

// Whether |op| has an attribute of gmem that is a request; those of a plan and
// a name are not.
static bool has_request(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumDiscardableAttributes(op); ++i) {
    MlirStringRef name =
        mlirIdentifierStr(mlirOperationGetDiscardableAttribute(op, i).name);
    gmem_attr_t found = name.length < 5 || memcmp(name.data, "gmem.", 5) != 0
                            ? GMEM_ATTR_COUNT
                            : gmem_attribute_find(name);
    if (found != GMEM_ATTR_COUNT && found != GMEM_ATTR_NAME &&
        found != GMEM_ATTR_CONSTANT && !gmem_is_plan_attribute(name))
      return true;
  }
  return false;
}

static bool may_derive(const gmem_program_t *program,
                       const gmem_program_op_t *op) {
  switch (op->kind) {
  case GMEM_OP_COMPUTE:
  case GMEM_OP_SCALAR_BODY:
  case GMEM_OP_RESHAPE:
  case GMEM_OP_EMPTY:
  case GMEM_OP_NONE:
  case GMEM_OP_UNKNOWN:
  case GMEM_OP_BRANCH:
  case GMEM_OP_FOR:
  case GMEM_OP_WHILE:
  case GMEM_OP_LOOP:
    break;
  default:
    return false;
  }
  bool is_conditional =
      op->parent != GMEM_NO_INDEX || program->blocks[op->block].number != 0;
  return mlirOperationGetNumResults(op->op) != 0 &&
         mlirOperationGetNumSuccessors(op->op) == 0 &&
         op->group == GMEM_NO_GROUP && !op->hold && !op->deferred &&
         !op->parallel && !op->model->writes && !op->model->escapes &&
         !has_request(op->op) &&
         gmem_op_models_is_pure(program->models, op->op) &&
         (!is_conditional || gmem_may_speculate(op->op));
}

// The elements of a shaped type of static shape; 1 of any other type.
static int64_t count_elements(MlirType type) {
  int64_t count = 1;
  if (!mlirTypeIsAShaped(type) || !mlirShapedTypeHasStaticShape(type))
    return 1;
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(type); ++i)
    if (__builtin_mul_overflow(count, mlirShapedTypeGetDimSize(type, i),
                               &count))
      return INT64_MAX;
  return count;
}

static void note_input(finder_t *finder, MlirValue value, uint32_t op) {
  const gmem_derivation_t *derivation = finder->derivation;
  MlirType type = mlirValueGetType(value);
  bool is_derived =
      op != GMEM_NO_INDEX && derivation->origin[op] == GMEM_ORIGIN_DERIVED;
  if (is_derived && finder->program->ops[op].kind == GMEM_OP_EMPTY)
    return;
  finder->has_input = true;
  finder->has_big_input |= count_elements(type) > 1;
  finder->has_large_input |=
      count_elements(type) > 1 && !(is_derived && finder->is_uniform[op]);
}

// Whether a block argument is a constant.
static bool is_constant_argument(const finder_t *finder, uint32_t value) {
  const gmem_program_t *program = finder->program;
  const gmem_live_value_t *live =
      finder->derivation->analysis->liveness.live_values;
  if (value == GMEM_NO_INDEX || program->values[value].op != GMEM_NO_INDEX)
    return false;
  if (program->values[value].weight_argument || !finder->follows_calls)
    return program->values[value].weight_argument;
  const gmem_block_t *block = &program->blocks[program->values[value].block];
  bool is_of_function = block->number == 0 &&
                        program->regions[block->region].owner == GMEM_NO_INDEX;
  return is_of_function &&
         (!live || gmem_value_is_weight(program, live[value].root));
}

static void note_used(MlirValue value, void *user) {
  finder_t *finder = user;
  const gmem_derivation_t *derivation = finder->derivation;
  const gmem_program_t *program = finder->program;
  uint32_t number = gmem_program_find(program, value), op = GMEM_NO_INDEX;
  const gmem_live_value_t *live = derivation->analysis->liveness.live_values;
  bool is_written = live && number != GMEM_NO_INDEX && live[number].is_changed;
  if (mlirValueIsAOpResult(value)) {
    op = gmem_pointer_map_find(&derivation->number,
                               mlirOpResultGetOwner(value).ptr);
    finder->is_available &= op != GMEM_NO_INDEX && op != finder->op &&
                            (derivation->origin[op] == GMEM_ORIGIN_CONSTANT ||
                             derivation->origin[op] == GMEM_ORIGIN_DERIVED);
  } else {
    finder->is_available &= is_constant_argument(finder, number);
  }
  finder->is_available &= !is_written;
  if (finder->is_available)
    note_input(finder, value, op);
}

// Whether everything that the op uses is available.
static bool uses_constants_only(finder_t *finder, uint32_t op) {
  finder->op = op;
  finder->is_available = true;
  finder->has_input = finder->has_large_input = finder->has_big_input = false;
  gmem_for_each_used(finder->program->ops[op].op, note_used, finder);
  return finder->is_available;
}

// Constants that stand for inputs, so that nothing is computed from them ahead
// of time: a network on such an input would not be run at all.
static bool is_unfoldable(MlirOperation op) {
  return gmem_op_is(op, "iree.unfoldable_constant") ||
         gmem_op_is(op, "util.unfoldable_constant");
}

static gmem_op_origin_t origin_of(finder_t *finder, uint32_t index) {
  const gmem_program_t *program = finder->program;
  const gmem_program_op_t *op = &program->ops[index];
  gmem_derivation_t *derivation = finder->derivation;
  gmem_op_origin_t around = op->parent == GMEM_NO_INDEX
                                ? GMEM_ORIGIN_REQUEST
                                : derivation->origin[op->parent];
  if (around != GMEM_ORIGIN_REQUEST)
    return GMEM_ORIGIN_INSIDE;
  if (program->functions[op->function].is_init)
    return GMEM_ORIGIN_REQUEST;
  if (gmem_makes_weights(op))
    return is_unfoldable(op->op) || gmem_transformed_op(program, op).ptr ||
                   (op->has_global &&
                    !mlirAttributeIsNull(gmem_op_annotation(
                        gmem_global_of(program, op), GMEM_ATTR_INIT))) ||
                   !uses_constants_only(finder, index)
               ? GMEM_ORIGIN_REQUEST
               : GMEM_ORIGIN_CONSTANT;
  if (!may_derive(program, op) || !uses_constants_only(finder, index))
    return GMEM_ORIGIN_REQUEST;
  derivation->generates[index] = !finder->has_large_input;
  derivation->is_movable[index] = !finder->has_big_input;
  finder->is_uniform[index] = op->kind == GMEM_OP_EMPTY ||
                              (finder->has_input && !finder->has_large_input);
  return GMEM_ORIGIN_DERIVED;
}

gmem_status_t gmem_derivation_find(const gmem_analysis_t *analysis,
                                   bool follows_calls, gmem_bump_t *arena,
                                   gmem_derivation_t *out_derivation,
                                   gmem_diag_t *diag) {
  const gmem_program_t *program = &analysis->program;
  size_t count = program->op_count;
  finder_t finder = {.derivation = out_derivation,
                     .program = program,
                     .follows_calls = follows_calls};
  *out_derivation = (gmem_derivation_t){.analysis = analysis};
  GMEM_TRY_ALLOC(out_derivation->origin, arena, count, diag);
  GMEM_TRY_ALLOC(out_derivation->generates, arena, count, diag);
  GMEM_TRY_ALLOC(out_derivation->is_movable, arena, count, diag);
  GMEM_TRY_ALLOC(finder.is_uniform, arena, count, diag);
  GMEM_TRY(gmem_pointer_map_make(&out_derivation->number, count, arena, diag));
  for (uint32_t i = 0; i < count; ++i) {
    gmem_pointer_map_add(&out_derivation->number, program->ops[i].op.ptr, i);
    out_derivation->origin[i] = origin_of(&finder, i);
    out_derivation->count += out_derivation->origin[i] == GMEM_ORIGIN_DERIVED;
  }
  return GMEM_OK;
}
