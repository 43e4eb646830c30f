// type_bounds.c - see type_bounds.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "type_bounds.h"

#include <assert.h>

#include "annotations.h"
#include "diagnostics.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

// The entry of gmem.upper_bound for one result; null when absent.
static gmem_status_t bound_of_result(MlirValue value, MlirAttribute *out,
                                     gmem_diag_t *diag) {
  MlirOperation op = mlirOpResultGetOwner(value);
  MlirAttribute all = gmem_op_annotation(op, GMEM_ATTR_UPPER_BOUND);
  *out = all;
  if (mlirAttributeIsNull(all))
    return GMEM_OK;
  if (!mlirAttributeIsAArray(all) ||
      mlirArrayAttrGetNumElements(all) != mlirOperationGetNumResults(op))
    return gmem_bad_annotation(mlirOperationGetLocation(op),
                               GMEM_ATTR_UPPER_BOUND,
                               "an array with one array<i64> per result", diag);
  *out = mlirArrayAttrGetElement(all, mlirOpResultGetResultNumber(value));
  return GMEM_OK;
}

// The same for an argument of a function.
static MlirAttribute bound_of_argument(MlirValue value) {
  MlirBlock block = mlirBlockArgumentGetOwner(value);
  MlirOperation op = mlirBlockGetParentOperation(block);
  if (mlirOperationIsNull(op) || mlirOperationGetNumRegions(op) != 1 ||
      !mlirBlockEqual(block, gmem_entry_block(op)))
    return mlirAttributeGetNull();
  return gmem_argument_annotation(op, mlirBlockArgumentGetArgNumber(value),
                                  GMEM_ATTR_UPPER_BOUND);
}

// Reads the bounds in |list|, one per axis of the tensor or memref |value|.
static gmem_status_t read_list(MlirValue value, MlirAttribute list,
                               gmem_bump_t *arena, const int64_t **out,
                               gmem_diag_t *diag) {
  MlirType type = mlirValueGetType(value);
  assert(mlirTypeIsAShaped(type));
  int64_t rank = mlirShapedTypeGetRank(type);
  bool is_good = mlirAttributeIsADenseI64Array(list) &&
                 mlirDenseArrayGetNumElements(list) == rank;
  int64_t *bounds;
  GMEM_TRY_ALLOC(bounds, arena, (size_t)rank, diag);
  for (int64_t i = 0; i < rank && is_good; ++i) {
    bounds[i] = mlirDenseI64ArrayGetElement(list, i);
    is_good = bounds[i] >= 0 || !mlirShapedTypeIsDynamicDim(type, i);
  }
  *out = bounds;
  return is_good ? GMEM_OK
                 : gmem_bad_annotation(
                       mlirValueGetLocation(value), GMEM_ATTR_UPPER_BOUND,
                       "array<i64> with one element per dimension of the "
                       "tensor, non-negative for dynamic dimensions",
                       diag);
}

gmem_status_t gmem_bounds_read(MlirValue value, uint64_t others,
                               gmem_bump_t *arena,
                               gmem_type_bounds_t *out_bounds,
                               gmem_diag_t *diag) {
  MlirAttribute list = mlirAttributeGetNull();
  *out_bounds = (gmem_type_bounds_t){NULL, others};
  if (mlirShapedTypeHasStaticShape(mlirValueGetType(value)))
    return GMEM_OK;
  if (mlirValueIsABlockArgument(value))
    list = bound_of_argument(value);
  else
    GMEM_TRY(bound_of_result(value, &list, diag));
  return mlirAttributeIsNull(list)
             ? GMEM_OK
             : read_list(value, list, arena, &out_bounds->dimensions, diag);
}
