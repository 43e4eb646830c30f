// program.c - see program.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "program.h"

#include <string.h>

#include "attribute_codec.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinTypes.h"
#include "partition_point.h"
#include "type_models.h"
#include "vocabulary.h"

//===--- numbering --------------------------------------------------------===//

bool gmem_ends_block(MlirOperation op) {
  return mlirOperationGetNumResults(op) == 0 &&
         mlirOperationIsNull(mlirOperationGetNextInBlock(op));
}

bool gmem_starts_deferred(const gmem_op_models_t *models,
                          const gmem_program_op_t *op) {
  return gmem_may_run_on(models, op->model, op->op);
}

//===--- queries ----------------------------------------------------------===//

uint32_t gmem_program_find(const gmem_program_t *program, MlirValue value) {
  return gmem_pointer_index_find(&program->value_index, value.ptr);
}

uint32_t gmem_operand_value(const gmem_program_t *program, MlirOperation op,
                            intptr_t number) {
  assert(number >= 0);
  return number < mlirOperationGetNumOperands(op)
             ? gmem_program_find(program, mlirOperationGetOperand(op, number))
             : GMEM_NO_INDEX;
}

uint32_t gmem_result_value(const gmem_program_t *program, MlirOperation op,
                           intptr_t number) {
  assert(number >= 0);
  return number < mlirOperationGetNumResults(op)
             ? gmem_program_find(program, mlirOperationGetResult(op, number))
             : GMEM_NO_INDEX;
}

static bool function_begins_by(const void *element, const void *time) {
  return ((const gmem_function_t *)element)->begin <= *(const int64_t *)time;
}

typedef struct operand_walk_s {
  const gmem_program_t *program;
  gmem_operand_fn visit;
  void *user;
} operand_walk_t;

static MlirWalkResult visit_operands(MlirOperation op, void *user) {
  const operand_walk_t *walk = user;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    uint32_t value = gmem_operand_value(walk->program, op, i);
    if (value != GMEM_NO_INDEX)
      walk->visit(value, walk->user);
  }
  return MlirWalkResultAdvance;
}

void gmem_for_each_operand(const gmem_program_t *program, uint32_t index,
                           gmem_operand_fn visit, void *user) {
  operand_walk_t walk = {program, visit, user};
  const gmem_program_op_t *op = &program->ops[index];
  if (op->opaque)
    mlirOperationWalk(op->op, visit_operands, &walk, MlirWalkPreOrder);
  else
    visit_operands(op->op, &walk);
}

uint32_t gmem_program_function_at(const gmem_program_t *program, int64_t time) {
  if (program->function_count == 1)
    return 0;
  size_t begun =
      gmem_partition_point(&time, program->functions, program->function_count,
                           sizeof *program->functions, function_begins_by);
  assert(begun && time < program->functions[begun - 1].end);
  return (uint32_t)begun - 1;
}

static bool op_begins_by(const void *element, const void *time) {
  return ((const gmem_program_op_t *)element)->begin <= *(const int64_t *)time;
}

MlirOperation gmem_program_op_at(const gmem_program_t *program, int64_t time) {
  const gmem_function_t *function =
      &program->functions[gmem_program_function_at(program, time)];
  const gmem_program_op_t *ops = &program->ops[function->first_op];
  size_t begun =
      gmem_partition_point(&time, ops, function->end_op - function->first_op,
                           sizeof *ops, op_begins_by);
  if (begun == 0)
    return function->op;
  const gmem_program_op_t *op = &ops[begun - 1];
  while (op->end <= time && op->parent != GMEM_NO_INDEX)
    op = &program->ops[op->parent];
  return op->op;
}

bool gmem_makes_weights(const gmem_program_op_t *op) {
  return op->kind == GMEM_OP_WEIGHT || op->has_global;
}

bool gmem_value_is_weight(const gmem_program_t *program, uint32_t value) {
  const gmem_value_t *entry = &program->values[value];
  const gmem_program_op_t *op = gmem_defining_op(program, value);
  return entry->type == GMEM_TYPE_SIZED &&
         (op ? gmem_makes_weights(op) : entry->weight_argument);
}

bool gmem_is_memref_root(const gmem_program_t *program, uint32_t value) {
  return program->values[value].is_memref_root;
}

// The size of a memref whose elements follow each other; 0 for others.
static uint64_t dense_size(MlirType type) {
  uint64_t size;
  return mlirTypeIsAMemRef(type) &&
                 mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type)) &&
                 gmem_memref_size(type, NULL, &size) == GMEM_TYPE_SIZED
             ? size
             : 0;
}

// A dense view of the same size begins where its operand does.
uint32_t gmem_whole_memref(const gmem_program_t *program, MlirValue memref) {
  uint64_t size = dense_size(mlirValueGetType(memref));
  while (size && dense_size(mlirValueGetType(memref)) == size) {
    uint32_t value = gmem_program_find(program, memref);
    const gmem_program_op_t *view =
        value == GMEM_NO_INDEX ? NULL : gmem_defining_op(program, value);
    if (!view || view->kind != GMEM_OP_VIEW ||
        mlirOperationGetNumOperands(view->op) == 0)
      return value;
    memref = mlirOperationGetOperand(view->op, 0);
  }
  return GMEM_NO_INDEX;
}

uint32_t gmem_whole_site(const gmem_program_t *program, MlirValue memref) {
  uint32_t whole = gmem_whole_memref(program, memref);
  return whole != GMEM_NO_INDEX && gmem_is_memref_root(program, whole)
             ? whole
             : GMEM_NO_INDEX;
}

bool gmem_is_view(const gmem_program_t *program, size_t index,
                  uint32_t *out_operand, uint32_t *out_result) {
  MlirOperation op = program->ops[index].op;
  if (program->ops[index].kind != GMEM_OP_RESHAPE ||
      !mlirOperationGetNumOperands(op))
    return false;
  *out_operand = gmem_operand_value(program, op, 0);
  *out_result = gmem_result_value(program, op, 0);
  return *out_result != GMEM_NO_INDEX;
}

bool gmem_only_makes_view(const gmem_program_t *program, uint32_t index,
                          uint32_t value) {
  const gmem_program_op_t *op = &program->ops[index];
  if (op->kind != GMEM_OP_VIEW && op->kind != GMEM_OP_RESHAPE)
    return false;
  for (intptr_t i = 1; i < mlirOperationGetNumOperands(op->op); ++i)
    if (mlirValueEqual(mlirOperationGetOperand(op->op, i),
                       program->values[value].value))
      return false;
  return true;
}

uint32_t gmem_value_function(const gmem_program_t *program, uint32_t value) {
  return gmem_region_of(program, program->values[value].block)->function;
}

MlirLocation gmem_value_location(const gmem_program_t *program,
                                 uint32_t value) {
  return mlirValueGetLocation(program->values[value].value);
}

bool gmem_is_entry_block(const gmem_program_t *program, uint32_t block) {
  return program->blocks[block].number == 0 &&
         gmem_region_of(program, block)->owner == GMEM_NO_INDEX;
}

// Text that is cut at the end of its buffer: snprintf is slow for what is
// written for each value.
typedef struct line_s {
  char *at;
  size_t room; // with the NUL
} line_t;

static void put(line_t *line, const char *text, size_t length) {
  size_t taken = length < line->room ? length : line->room - 1;
  memcpy(line->at, text, taken);
  line->at += taken;
  line->room -= taken;
  *line->at = '\0';
}

static void put_text(line_t *line, const char *text) {
  put(line, text, strlen(text));
}

static void put_number(line_t *line, uint32_t number) {
  char digits[10];
  size_t count = 0;
  do
    digits[sizeof digits - ++count] = (char)('0' + number % 10);
  while (number /= 10);
  put(line, digits + sizeof digits - count, count);
}

static void put_string(line_t *line, MlirStringRef text) {
  if (text.length)
    put(line, text.data, text.length);
}

void gmem_value_describe(const gmem_program_t *program, uint32_t value,
                         char *text, size_t size) {
  const gmem_value_t *entry = &program->values[value];
  const gmem_program_op_t *op = gmem_defining_op(program, value);
  line_t line = {text, size};
  if (op) {
    MlirStringRef own;
    put_text(&line, "result #");
    put_number(&line, entry->number);
    put_text(&line, " of '");
    put_string(&line, mlirIdentifierStr(mlirOperationGetName(op->op)));
    put_text(&line, "'");
    if (gmem_string_get(gmem_op_annotation(op->op, GMEM_ATTR_NAME), &own)) {
      put_text(&line, " (");
      put_string(&line, own);
      put_text(&line, ")");
    }
    return;
  }
  put_text(&line, gmem_is_entry_block(program, entry->block)
                      ? "argument #"
                      : "block argument #");
  put_number(&line, entry->number);
  put_text(&line, " of @");
  put_string(&line,
             program->functions[gmem_value_function(program, value)].name);
}

uint32_t gmem_op_around(const gmem_program_t *program, uint32_t op) {
  return gmem_region_of(program, program->ops[op].block)->owner;
}

bool gmem_may_vanish(const gmem_program_op_t *op) {
  const gmem_op_model_t *model = op->model;
  switch (op->kind) {
  case GMEM_OP_WEIGHT:
  case GMEM_OP_RESHAPE:
  case GMEM_OP_INPUT:
  case GMEM_OP_NONE:
  case GMEM_OP_EMPTY:
  case GMEM_OP_ALLOC:
  case GMEM_OP_DEALLOC:
  case GMEM_OP_VIEW:
  case GMEM_OP_GLOBAL:
    return true;
  default:
    return model->slice.operand != GMEM_NO_OPERAND || model->concat.axis ||
           model->insert.operand != GMEM_NO_OPERAND || model->tuple ||
           model->tuple_element;
  }
}

//===--- consistency ------------------------------------------------------===//

static bool check_functions(const gmem_program_t *program) {
  int64_t time = 0;
  uint32_t op = 0, block = 0, value = 0;
  for (size_t i = 0; i < program->function_count; ++i) {
    const gmem_function_t *function = &program->functions[i];
    if (function->begin != time || function->end <= time ||
        function->first_op != op || function->end_op < op ||
        function->first_block != block || function->end_block < block ||
        function->first_value != value || function->end_value < value)
      return false;
    time = function->end;
    op = function->end_op;
    block = function->end_block;
    value = function->end_value;
  }
  return time == program->step_count && op == program->op_count &&
         block == program->block_count && value == program->value_count;
}

// Whether the steps of a block lie in those of its region, and these in those
// of its op or function.
static bool check_blocks(const gmem_program_t *program) {
  for (uint32_t i = 0; i < program->block_count; ++i) {
    const gmem_block_t *block = &program->blocks[i];
    const gmem_ir_region_t *region = gmem_region_of(program, i);
    bool is_entry = gmem_is_entry_block(program, i);
    if (block->begin < region->begin || block->end < block->begin ||
        block->end > region->end || block->number >= region->block_count ||
        (block->number == 0) != (region->first_block == i) ||
        (is_entry && block->begin != region->begin) ||
        (block->next != GMEM_NO_INDEX && block->next <= i))
      return false;
  }
  return true;
}

// Whether an op is inside of the steps of its block and its parent, which
// precedes it. Weights inside of a layer group share the group's step.
static bool check_ops(const gmem_program_t *program) {
  for (uint32_t i = 0; i < program->op_count; ++i) {
    const gmem_program_op_t *op = &program->ops[i];
    const gmem_block_t *block = &program->blocks[op->block];
    if (op->begin >= op->end || op->begin < block->begin ||
        op->end > block->end || (i && op->begin < op[-1].begin) ||
        (op->next != GMEM_NO_INDEX &&
         (op->next <= i || program->ops[op->next].block != op->block)) ||
        (op->parent != GMEM_NO_INDEX &&
         (op->parent >= i || program->ops[op->parent].begin > op->begin ||
          program->ops[op->parent].end < op->end)))
      return false;
  }
  return true;
}

bool gmem_program_check(const gmem_program_t *program) {
  for (uint32_t i = 0; i < program->value_count; ++i) {
    const gmem_value_t *value = &program->values[i];
    if (value->block >= program->block_count ||
        (value->op != GMEM_NO_INDEX &&
         program->ops[value->op].block != value->block))
      return false;
  }
  return check_functions(program) && check_blocks(program) &&
         check_ops(program);
}
