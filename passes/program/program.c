// program.c - see program.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "program.h"

#include <stdio.h>

#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "vocabulary.h"

//===--- numbering --------------------------------------------------------===//

bool gmem_is_handle_type(MlirType type) {
  uint64_t ignored;
  return gmem_type_size(type, &ignored) == GMEM_TYPE_NO_MEMORY &&
         !mlirTypeIsAInteger(type) && !mlirTypeIsAFloat(type) &&
         !mlirTypeIsAIndex(type) && !mlirTypeIsANone(type) &&
         !mlirTypeIsAVector(type) && !mlirTypeIsAComplex(type) &&
         !mlirTypeIsATuple(type);
}

bool gmem_yields_handle(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (gmem_is_handle_type(mlirValueGetType(mlirOperationGetResult(op, i))))
      return true;
  return false;
}

//===--- queries ----------------------------------------------------------===//

uint32_t gmem_program_find(const gmem_program_t *program, MlirValue value) {
  size_t slot = gmem_program_first_slot(program, value.ptr);
  while (program->keys[slot].pointer &&
         program->keys[slot].pointer != value.ptr)
    slot = (slot + 1) & program->key_mask;
  return program->keys[slot].pointer ? program->keys[slot].value
                                     : GMEM_NO_INDEX;
}

// The last function that begins at or before |time|.
uint32_t gmem_program_function_at(const gmem_program_t *program, int64_t time) {
  uint32_t low = 0, high = (uint32_t)program->function_count;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (program->functions[middle].begin <= time)
      low = middle;
    else
      high = middle;
  }
  return low;
}

MlirOperation gmem_program_op_at(const gmem_program_t *program, int64_t time) {
  const gmem_function_t *function =
      &program->functions[gmem_program_function_at(program, time)];
  uint32_t low = function->first_op, high = function->end_op;
  while (low < high) { // |low| ends as the number of ops with begin <= |time|
    uint32_t middle = low + (high - low) / 2;
    if (program->ops[middle].begin <= time)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == function->first_op)
    return function->op;
  uint32_t op = low - 1;
  while (program->ops[op].end <= time &&
         program->ops[op].parent != GMEM_NO_INDEX)
    op = program->ops[op].parent;
  return program->ops[op].op;
}

bool gmem_makes_weights(const gmem_program_op_t *op) {
  return op->kind == GMEM_OP_WEIGHT || op->global.ptr;
}

bool gmem_value_is_weight(const gmem_program_t *program, uint32_t value) {
  const gmem_value_t *entry = &program->values[value];
  return entry->type == GMEM_TYPE_SIZED &&
         (entry->op == GMEM_NO_INDEX
              ? entry->weight_argument
              : gmem_makes_weights(&program->ops[entry->op]));
}

bool gmem_is_memref_root(const gmem_program_t *program, uint32_t value) {
  return program->values[value].is_memref_root;
}

bool gmem_is_view(const gmem_program_t *program, size_t index,
                  uint32_t *out_operand, uint32_t *out_result) {
  MlirOperation op = program->ops[index].op;
  if (program->ops[index].kind != GMEM_OP_RESHAPE ||
      !mlirOperationGetNumOperands(op) || !mlirOperationGetNumResults(op))
    return false;
  *out_operand = gmem_program_find(program, mlirOperationGetOperand(op, 0));
  *out_result = gmem_program_find(program, mlirOperationGetResult(op, 0));
  return *out_result != GMEM_NO_INDEX;
}

uint32_t gmem_value_function(const gmem_program_t *program, uint32_t value) {
  uint32_t block = program->values[value].block;
  return program->regions[program->blocks[block].region].function;
}

MlirLocation gmem_value_location(const gmem_program_t *program,
                                 uint32_t value) {
  return mlirValueGetLocation(program->values[value].value);
}

bool gmem_is_entry_block(const gmem_program_t *program, uint32_t block) {
  const gmem_block_t *entry = &program->blocks[block];
  return entry->number == 0 &&
         program->regions[entry->region].owner == GMEM_NO_INDEX;
}

void gmem_value_describe(const gmem_program_t *program, uint32_t value,
                         char *text, size_t size) {
  const gmem_value_t *entry = &program->values[value];
  if (entry->op != GMEM_NO_INDEX) {
    MlirStringRef name =
        mlirIdentifierStr(mlirOperationGetName(program->ops[entry->op].op));
    snprintf(text, size, "result #%u of '%.*s'", entry->number,
             (int)name.length, name.data);
    return;
  }
  const gmem_function_t *function =
      &program->functions[gmem_value_function(program, value)];
  snprintf(text, size, "%s #%u of @%.*s",
           gmem_is_entry_block(program, entry->block) ? "argument"
                                                      : "block argument",
           entry->number, (int)function->name.length, function->name.data);
}

uint32_t gmem_op_around(const gmem_program_t *program, uint32_t op) {
  return program->regions[program->blocks[program->ops[op].block].region].owner;
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
    return model->slice_operand != GMEM_NO_OPERAND || model->concat ||
           model->insert_operand != GMEM_NO_OPERAND || model->tuple ||
           model->tuple_element;
  }
}
