// proof_layouts.c - see proof_layouts.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "proof_layouts.h"

#include "ir_reading.h"
#include "padded_layout.h"
#include "proof_effects.h"
#include "scopes.h"

// Whether the op ends a block, but no function that only callers outside of the
// program run. It may be a terminator that MLIR does not know.
static bool is_end(const gmem_proof_program_t *program,
                   const gmem_proof_op_t *op) {
  bool is_return = gmem_op_is(op->op, "func.return") &&
                   !program->functions.at[op->function].mentions;
  return mlirOperationIsNull(mlirOperationGetNextInBlock(op->op)) && !is_return;
}

// Whether the op may do something else than read operands and make results.
static bool passes_on(const gmem_proof_program_t *program,
                      const gmem_proof_op_t *op) {
  switch (op->model->kind) {
  case GMEM_OP_UNKNOWN:
  case GMEM_OP_COMPUTE:
  case GMEM_OP_SCALAR_BODY:
  case GMEM_OP_LAYER_GROUP:
    return op->callee_count > 0 || is_end(program, op);
  default:
    return true;
  }
}

static bool has_padded_argument(const gmem_proof_program_t *program,
                                const gmem_proof_function_t *function) {
  gmem_padded_layout_t layout;
  gmem_proof_row_t row = gmem_proof_arguments(program, function->region);
  for (uint32_t i = 0; i < row.count; ++i)
    if (gmem_padded_layout_of(program->values.at[row.first + i].value,
                              &layout) != GMEM_LAYOUT_DENSE)
      return true;
  return false;
}

//===--- views with strides -----------------------------------------------===//

static gmem_layout_kind_t kind_of(MlirValue value) {
  gmem_padded_layout_t layout;
  return gmem_padded_layout_of(value, &layout);
}

// Whether code for the op takes strides of operand or result |number|.
static bool takes(const gmem_proof_op_t *op, uint64_t mask, uint32_t number) {
  return number < 64 && mask >> number & 1 && gmem_proof_runs_as_modelled(op);
}

// Whether the operand of a concatenation, or the result of a slice of that
// operand, is where it is in the whole, so that the op does nothing with it.
static bool is_in_place(const gmem_proof_program_t *program,
                        const gmem_proof_op_t *op, uint32_t operand,
                        const gmem_proof_parts_t *parts) {
  if (parts->shape == GMEM_PROOF_COMPUTES || !parts->rows ||
      operand < parts->first || operand >= parts->end ||
      op->operands[operand] == GMEM_NO_INDEX)
    return false;
  bool is_slice = parts->shape == GMEM_PROOF_SLICES;
  const gmem_proof_rows_t *rows = &parts->rows[operand - parts->first];
  const gmem_proof_value_t *given = &program->values.at[op->operands[operand]];
  const gmem_proof_value_t *made = &program->values.at[op->results.first];
  const gmem_proof_value_t *part = is_slice ? made : given;
  const gmem_proof_value_t *whole = is_slice ? given : made;
  return rows->is_laid_out_so && part->is_placed && whole->is_placed &&
         part->bytes.begin == whole->bytes.begin + rows->offset;
}

static gmem_status_t report_strides(const gmem_proof_op_t *op, const char *what,
                                    uint32_t number, gmem_diag_t *diag) {
  return gmem_op_error(diag, GMEM_ERR_CORRUPT, op->op,
                       "does not take strides, but %s #%u has some: plan again",
                       what, number);
}

// Every op that makes or reads a value with strides takes them, or makes it a
// part of its operand or puts it together with others where it is.
static gmem_status_t check_strides(const gmem_proof_program_t *program,
                                   const gmem_proof_op_t *op,
                                   gmem_bump_t *arena, gmem_diag_t *diag) {
  gmem_proof_parts_t parts = {.shape = GMEM_PROOF_COMPUTES};
  bool has_any = gmem_proof_has_layout(op);
  if (has_any)
    gmem_proof_parts_find(program, op, arena, &parts);
  for (uint32_t i = 0; i < op->results.count && has_any; ++i) {
    gmem_layout_kind_t kind = kind_of(mlirOperationGetResult(op->op, i));
    bool is_slice = parts.shape == GMEM_PROOF_SLICES && i == 0 &&
                    is_in_place(program, op, parts.first, &parts);
    if (kind == GMEM_LAYOUT_MALFORMED)
      return gmem_op_error(diag, GMEM_ERR_CORRUPT, op->op,
                           "gmem.padding or gmem.strides of result #%u is "
                           "malformed: plan again",
                           i);
    if (kind == GMEM_LAYOUT_STRIDED && !is_slice &&
        !takes(op, op->model->strided_results, i))
      return report_strides(op, "result", i, diag);
  }
  for (uint32_t i = 0; i < op->operand_count && has_any; ++i)
    if (kind_of(mlirOperationGetOperand(op->op, i)) == GMEM_LAYOUT_STRIDED &&
        !takes(op, op->model->strided_operands, i) &&
        !(parts.shape == GMEM_PROOF_JOINS &&
          is_in_place(program, op, i, &parts)))
      return report_strides(op, "operand", i, diag);
  for (uint32_t i = op->operand_count; i < op->read_count; ++i) // captured
    if (op->operands[i] != GMEM_NO_INDEX &&
        kind_of(program->values.at[op->operands[i]].value) ==
            GMEM_LAYOUT_STRIDED)
      return report_strides(op, "operand", i, diag);
  return GMEM_OK;
}

//===--- all of a scope ---------------------------------------------------===//

gmem_status_t gmem_proof_layouts_check(const gmem_proof_program_t *program,
                                       gmem_bump_t *arena, gmem_diag_t *diag) {
  if (!((program->own >> GMEM_ATTR_PADDING |
         program->own >> GMEM_ATTR_STRIDES) &
        1))
    return GMEM_OK;
  for (uint32_t i = 0; i < program->ops.count; ++i) {
    const gmem_proof_op_t *op = &program->ops.at[i];
    if (passes_on(program, op) && gmem_proof_has_layout(op))
      return gmem_op_error(diag, GMEM_ERR_CORRUPT, op->op,
                           "passes on a value with padding per dimension, or "
                           "strides, as if it had none");
    GMEM_TRY(check_strides(program, op, arena, diag));
  }
  for (uint32_t f = 0; f < program->functions.count; ++f) {
    const gmem_proof_function_t *function = &program->functions.at[f];
    if (function->mentions && has_padded_argument(program, function))
      return gmem_op_error(diag, GMEM_ERR_CORRUPT, function->op,
                           "is called, and an argument has padding per "
                           "dimension");
  }
  return gmem_bump_status(arena, diag);
}
