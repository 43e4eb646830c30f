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

gmem_status_t gmem_proof_layouts_check(const gmem_proof_program_t *program,
                                       gmem_diag_t *diag) {
  for (uint32_t i = 0; i < program->ops.count; ++i) {
    const gmem_proof_op_t *op = &program->ops.at[i];
    if (passes_on(program, op) && gmem_proof_has_layout(op->op))
      return gmem_op_error(diag, GMEM_ERR_CORRUPT, op->op,
                           "passes on a value with padding per dimension, as "
                           "if it had none");
  }
  for (uint32_t f = 0; f < program->functions.count; ++f) {
    const gmem_proof_function_t *function = &program->functions.at[f];
    if (function->mentions && has_padded_argument(program, function))
      return gmem_op_error(diag, GMEM_ERR_CORRUPT, function->op,
                           "is called, and an argument has padding per "
                           "dimension");
  }
  return GMEM_OK;
}
