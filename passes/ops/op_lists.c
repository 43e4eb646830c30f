// op_lists.c - see op_lists.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "op_lists.h"

#include <assert.h>

#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "op_models.h"

//===--- single integers --------------------------------------------------===//

bool gmem_integer_get(MlirAttribute attribute, int64_t *out) {
  if (!mlirAttributeIsAInteger(attribute))
    return false;
  MlirType type = mlirAttributeGetType(attribute);
  if (mlirTypeIsAInteger(type) &&
      (mlirIntegerTypeGetWidth(type) > 64 ||
       (mlirIntegerTypeIsUnsigned(type) && mlirIntegerTypeGetWidth(type) > 63)))
    return false;
  if (mlirTypeIsAInteger(type) && mlirIntegerTypeIsUnsigned(type))
    *out = (int64_t)mlirIntegerAttrGetValueUInt(attribute);
  else if (mlirTypeIsAInteger(type) && mlirIntegerTypeIsSigned(type))
    *out = mlirIntegerAttrGetValueSInt(attribute);
  else
    *out = mlirIntegerAttrGetValueInt(attribute);
  return true;
}

// Whether dense elements can be read as 32-bit (*is_wide: 64-bit) integers.
static bool has_integers(MlirAttribute dense, bool *is_wide) {
  MlirType element = mlirShapedTypeGetElementType(mlirAttributeGetType(dense));
  *is_wide =
      mlirTypeIsAIndex(element) ||
      (mlirTypeIsAInteger(element) && mlirIntegerTypeGetWidth(element) == 64);
  if (mlirTypeIsAInteger(element) && mlirIntegerTypeIsUnsigned(element))
    return false;
  return *is_wide || (mlirTypeIsAInteger(element) &&
                      mlirIntegerTypeGetWidth(element) == 32);
}

static int64_t dense_element(MlirAttribute dense, bool is_wide, intptr_t i) {
  if (mlirDenseElementsAttrIsSplat(dense))
    return is_wide ? mlirDenseElementsAttrGetInt64SplatValue(dense)
                   : mlirDenseElementsAttrGetInt32SplatValue(dense);
  return is_wide ? mlirDenseElementsAttrGetInt64Value(dense, i)
                 : mlirDenseElementsAttrGetInt32Value(dense, i);
}

//===--- lists ------------------------------------------------------------===//

// The number of integers in |list|, -1 when it is not a list.
static int64_t count_of(MlirAttribute list) {
  bool is_wide;
  if (mlirAttributeIsAInteger(list))
    return 1;
  if (mlirAttributeIsADenseI64Array(list) ||
      mlirAttributeIsADenseI32Array(list))
    return mlirDenseArrayGetNumElements(list);
  if (mlirAttributeIsAArray(list))
    return mlirArrayAttrGetNumElements(list);
  if (mlirAttributeIsADenseElements(list) && has_integers(list, &is_wide))
    return mlirElementsAttrGetNumElements(list);
  return -1;
}

static bool element_of(MlirAttribute list, intptr_t i, int64_t *out) {
  bool is_wide;
  if (mlirAttributeIsAInteger(list))
    return gmem_integer_get(list, out);
  if (mlirAttributeIsAArray(list))
    return gmem_integer_get(mlirArrayAttrGetElement(list, i), out);
  if (mlirAttributeIsADenseI64Array(list))
    *out = mlirDenseI64ArrayGetElement(list, i);
  else if (mlirAttributeIsADenseI32Array(list))
    *out = mlirDenseI32ArrayGetElement(list, i);
  else if (has_integers(list, &is_wide))
    *out = dense_element(list, is_wide, i);
  return true;
}

static gmem_list_t read_attribute(MlirAttribute list, gmem_bump_t *arena,
                                  gmem_integers_t *out) {
  int64_t count = count_of(list);
  if (count < 0 || count > GMEM_MOST_INTEGERS)
    return GMEM_LIST_UNKNOWN;
  int64_t *at = gmem_bump_alloc(arena, (size_t)count, sizeof *at);
  if (!at)
    return GMEM_LIST_OUT_OF_MEMORY;
  assert(count <= GMEM_MOST_INTEGERS);
  for (intptr_t i = 0; i < count; ++i)
    if (!element_of(list, i, &at[i]))
      return GMEM_LIST_UNKNOWN;
  *out = (gmem_integers_t){at, (size_t)count};
  return GMEM_LIST_KNOWN;
}

// The value of a constant op; null when |value| is not a constant.
static MlirAttribute constant_of(MlirValue value,
                                 const gmem_op_models_t *models) {
  if (!mlirValueIsAOpResult(value))
    return mlirAttributeGetNull();
  MlirOperation op = mlirOpResultGetOwner(value);
  gmem_op_kind_t kind = gmem_op_models_find(models, op)->kind;
  if (mlirOperationGetNumOperands(op) != 0 ||
      mlirOperationGetNumResults(op) != 1 ||
      (kind != GMEM_OP_WEIGHT && kind != GMEM_OP_NONE))
    return mlirAttributeGetNull();
  static const char *const names[] = {"value", "values", "torch.onnx.value"};
  MlirAttribute found = mlirAttributeGetNull();
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (mlirAttributeIsNull(found))
      found = gmem_op_attribute(op, names[i]);
  return found;
}

gmem_list_t gmem_op_list_read(MlirOperation op, const gmem_op_list_t *where,
                              const gmem_op_models_t *models,
                              gmem_bump_t *arena, gmem_integers_t *out) {
  *out = where->numbers;
  if (where->numbers.count)
    return GMEM_LIST_KNOWN;
  if (where->attribute) {
    MlirAttribute list = gmem_op_attribute(op, where->attribute);
    return mlirAttributeIsNull(list) ? GMEM_LIST_NONE
                                     : read_attribute(list, arena, out);
  }
  if (where->operand < 0 || where->operand >= mlirOperationGetNumOperands(op))
    return GMEM_LIST_NONE;
  MlirValue operand = mlirOperationGetOperand(op, where->operand);
  if (mlirTypeIsANone(mlirValueGetType(operand)))
    return GMEM_LIST_NONE;
  MlirAttribute list = constant_of(operand, models);
  return mlirAttributeIsNull(list) ? GMEM_LIST_UNKNOWN
                                   : read_attribute(list, arena, out);
}
