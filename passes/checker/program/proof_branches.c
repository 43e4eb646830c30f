// proof_branches.c - see proof_branches.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "proof_branches.h"

uint32_t gmem_proof_successor(const gmem_proof_program_t *program,
                              const gmem_proof_op_t *op, uint32_t number) {
  return gmem_pointer_map_find(&program->block_of,
                               mlirOperationGetSuccessor(op->op, number).ptr);
}

bool gmem_proof_branch_operands(const gmem_proof_op_t *op, uint32_t number,
                                uint32_t *out_first) {
  uint32_t total = 0, first = 0;
  intptr_t count = mlirOperationGetNumSuccessors(op->op);
  bool is_known = mlirContextIsRegisteredOperation(
                      mlirOperationGetContext(op->op),
                      mlirIdentifierStr(mlirOperationGetName(op->op))) &&
                  op->region_count == 0;
  for (intptr_t i = 0; i < count && is_known; ++i)
    total += (uint32_t)mlirBlockGetNumArguments(
        mlirOperationGetSuccessor(op->op, i));
  if (!is_known || total > op->operand_count)
    return false;
  first = op->operand_count - total;
  for (intptr_t i = 0; i < count; ++i) {
    MlirBlock to = mlirOperationGetSuccessor(op->op, i);
    if (i == (intptr_t)number)
      *out_first = first;
    for (intptr_t k = 0; k < mlirBlockGetNumArguments(to); ++k, ++first)
      if (!mlirTypeEqual(
              mlirValueGetType(mlirBlockGetArgument(to, k)),
              mlirValueGetType(mlirOperationGetOperand(op->op, first))))
        return false;
  }
  return true;
}
