// overwrites.c - see overwrites.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "overwrites.h"

#include "ir_reading.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir_seam.h"
#include "op_models.h"

static bool is_unread_destination(const gmem_op_model_t *model,
                                  intptr_t number) {
  return number < 64 && (model->unread >> number & 1) &&
         (model->destination == GMEM_DESTINATION_TRAILING ||
          (model->destination == GMEM_DESTINATION_OPERAND &&
           number == model->destination_operand));
}

// Whether the body of an op that works on elements does not use those of
// operand |number|. Outputs, which are last, may have no argument at all.
static bool is_unused_in_body(MlirOperation op, intptr_t number) {
  if (mlirOperationGetNumRegions(op) != 1)
    return false;
  MlirBlock body = gmem_entry_block(op);
  return !mlirBlockIsNull(body) && (number >= mlirBlockGetNumArguments(body) ||
                                    mlirOpOperandIsNull(mlirValueGetFirstUse(
                                        mlirBlockGetArgument(body, number))));
}

// Whether the op, which is in such a form, writes each element: the loops are
// as many as the axes of the operand, which tell how far they go.
static bool writes_each(const gmem_op_model_t *model, MlirOperation op,
                        intptr_t number) {
  if (!model->inplace.by_map)
    return model->inplace.operands == UINT64_MAX;
  MlirAttribute maps = gmem_op_attribute(op, "indexing_maps");
  if (!gmem_attribute_is(maps, mlirAttributeIsAArray) ||
      number >= mlirArrayAttrGetNumElements(maps))
    return false;
  MlirAttribute map = mlirArrayAttrGetElement(maps, number);
  return mlirAttributeIsAAffineMap(map) &&
         mlirAffineMapIsPermutation(mlirAffineMapAttrGetValue(map));
}

bool gmem_op_overwrites(const gmem_op_model_t *model, MlirOperation op,
                        intptr_t number) {
  bool has_body = model->kind == GMEM_OP_SCALAR_BODY;
  return !model->starts && (has_body || model->kind == GMEM_OP_COMPUTE) &&
         (is_unread_destination(model, number) ||
          (has_body && model->destination == GMEM_DESTINATION_TRAILING &&
           writes_each(model, op, number) && is_unused_in_body(op, number)));
}

bool gmem_op_only_reads(const gmem_op_model_t *model, MlirOperation op,
                        intptr_t number) {
  return !gmem_may_write_operand(op, number) ||
         (!gmem_is_registered(op) && mlirOperationGetNumResults(op) == 0 &&
          number < 64 && number < mlirOperationGetNumOperands(op) - 1 &&
          (model->inplace.operands >> number & 1) &&
          !gmem_op_model_writes(model, op, number));
}
