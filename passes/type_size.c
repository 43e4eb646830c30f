// type_size.c - see type_size.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "type_size.h"

#include <stdbool.h>

#include "gmem/planner.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/Quant.h"
#include "mlir-c/Dialect/SparseTensor.h"

// a * b into *product; false when it passes the largest address.
static bool multiply(uint64_t a, uint64_t b, uint64_t *product) {
  if (b && a > GMEM_MAX_ADDRESS / b)
    return false;
  *product = a * b;
  return true;
}

// Number of elements of a shaped type of static shape.
static bool count_elements(MlirType type, uint64_t *count) {
  *count = 1;
  // A dimension of zero empties the tensor whatever the others are.
  int64_t rank = mlirShapedTypeGetRank(type);
  for (int64_t i = 0; i < rank; ++i)
    if (mlirShapedTypeGetDimSize(type, i) == 0)
      return *count = 0, true;
  for (int64_t i = 0; i < rank; ++i)
    if (!multiply(*count, (uint64_t)mlirShapedTypeGetDimSize(type, i), count))
      return false;
  return true;
}

// Bits of an integer, float, index or quantized type; 0 when unknown.
static uint64_t scalar_bits(MlirType type) {
  if (mlirTypeIsAInteger(type))
    return mlirIntegerTypeGetWidth(type);
  if (mlirTypeIsAFloat(type))
    return mlirFloatTypeGetWidth(type);
  if (mlirTypeIsAIndex(type))
    return 64;
  if (mlirTypeIsAQuantizedType(type)) {
    MlirType stored = mlirQuantizedTypeGetStorageType(type);
    if (mlirTypeIsNull(stored)) // calibrated: not quantized yet
      stored = mlirQuantizedTypeGetExpressedType(type);
    return mlirTypeIsNull(stored) ? 0 : scalar_bits(stored);
  }
  return 0;
}

uint64_t gmem_element_bits(MlirType type) {
  uint64_t count = 1;
  if (mlirTypeIsAVector(type)) {
    if (mlirVectorTypeIsScalable(type) || !count_elements(type, &count))
      return 0;
    type = mlirShapedTypeGetElementType(type);
  } else if (mlirTypeIsAComplex(type)) {
    count = 2;
    type = mlirComplexTypeGetElementType(type);
  }
  uint64_t bits = scalar_bits(type);
  if (bits > 8) {
    uint64_t rounded = 16;
    while (rounded < bits)
      rounded *= 2;
    bits = rounded;
  }
  return multiply(bits, count, &bits) ? bits : 0;
}

static gmem_type_kind_t ranked_tensor_size(MlirType type, uint64_t *out_bytes) {
  MlirAttribute encoding = mlirRankedTensorTypeGetEncoding(type);
  if (!mlirAttributeIsNull(encoding) &&
      mlirAttributeIsASparseTensorEncodingAttr(encoding))
    return GMEM_TYPE_SPARSE;
  if (!mlirShapedTypeHasStaticShape(type))
    return GMEM_TYPE_DYNAMIC;
  uint64_t bits = gmem_element_bits(mlirShapedTypeGetElementType(type));
  if (bits == 0)
    return GMEM_TYPE_UNKNOWN_ELEMENT;
  uint64_t count, total;
  if (!count_elements(type, &count))
    return GMEM_TYPE_TOO_LARGE;
  if (bits % 8 == 0) {
    if (!multiply(count, bits / 8, out_bytes))
      return GMEM_TYPE_TOO_LARGE;
    return GMEM_TYPE_SIZED;
  }
  if (!multiply(count, bits, &total))
    return GMEM_TYPE_TOO_LARGE;
  *out_bytes = total / 8 + (total % 8 != 0);
  return GMEM_TYPE_SIZED;
}

gmem_type_kind_t gmem_type_size(MlirType type, uint64_t *out_bytes) {
  *out_bytes = 0;
  if (mlirTypeIsARankedTensor(type))
    return ranked_tensor_size(type, out_bytes);
  if (mlirTypeIsAUnrankedTensor(type))
    return GMEM_TYPE_DYNAMIC;
  if (mlirTypeIsAMemRef(type) || mlirTypeIsAUnrankedMemRef(type))
    return GMEM_TYPE_MEMREF;
  if (mlirTypeIsATuple(type)) {
    uint64_t ignored;
    for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(type); ++i)
      if (gmem_type_size(mlirTupleTypeGetType(type, i), &ignored) !=
          GMEM_TYPE_NO_MEMORY)
        return GMEM_TYPE_TUPLE;
  }
  return GMEM_TYPE_NO_MEMORY;
}
