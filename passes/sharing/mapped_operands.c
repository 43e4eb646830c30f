// mapped_operands.c - see mapped_operands.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mapped_operands.h"

#include "ir_reading.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

// Whether both maps give the same index into a value of |type| on each axis. 0
// is the only one on an axis of size 1: frontends write it for operands that
// could have been broadcast there.
static bool same_indexes(MlirAffineMap read, MlirAffineMap written,
                         MlirType type) {
  intptr_t rank = mlirAffineMapGetNumResults(written);
  if (mlirAffineMapGetNumResults(read) != rank ||
      mlirAffineMapGetNumInputs(read) != mlirAffineMapGetNumInputs(written) ||
      !mlirTypeIsAShaped(type) || !mlirShapedTypeHasRank(type) ||
      mlirShapedTypeGetRank(type) != rank)
    return false;
  for (intptr_t i = 0; i < rank; ++i) {
    MlirAffineExpr one = mlirAffineMapGetResult(read, i);
    bool is_zero = mlirAffineExprIsAConstant(one) &&
                   mlirAffineConstantExprGetValue(one) == 0;
    if (!mlirAffineExprEqual(one, mlirAffineMapGetResult(written, i)) &&
        !(is_zero && mlirShapedTypeGetDimSize(type, i) == 1))
      return false;
  }
  return true;
}

bool gmem_is_mapped_alike(MlirOperation op, intptr_t operand, intptr_t output) {
  MlirAttribute maps = gmem_op_attribute(op, "indexing_maps");
  intptr_t operands = mlirOperationGetNumOperands(op);
  if (mlirAttributeIsNull(maps) || !mlirAttributeIsAArray(maps) ||
      mlirArrayAttrGetNumElements(maps) != operands || output < 0)
    return false;
  MlirAttribute read = mlirArrayAttrGetElement(maps, operand);
  MlirAttribute written = mlirArrayAttrGetElement(maps, output);
  return mlirAttributeIsAAffineMap(read) &&
         mlirAttributeIsAAffineMap(written) &&
         mlirAffineMapIsPermutation(mlirAffineMapAttrGetValue(written)) &&
         same_indexes(mlirAffineMapAttrGetValue(read),
                      mlirAffineMapAttrGetValue(written),
                      mlirValueGetType(mlirOperationGetOperand(op, output)));
}
