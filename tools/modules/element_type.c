// element_type.c - converts MLIR element types.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "element_type.h"

#include "ir_reading.h"
#include "mlir-c/BuiltinTypes.h"

// Integers occupy the next power of two of bytes, as in LLVM.
static bool int_element(MlirType type, gmem_element_t *element) {
  element->bits = mlirIntegerTypeGetWidth(type);
  if (element->bits == 0 || element->bits > 64)
    return false;
  element->size = 1;
  while (element->size * 8 < element->bits)
    element->size *= 2;
  element->kind = mlirIntegerTypeIsUnsigned(type) ? GMEM_ELEMENT_UNSIGNED
                  : element->bits == 1            ? GMEM_ELEMENT_BOOL
                                                  : GMEM_ELEMENT_SIGNED;
  return true;
}

static bool float_element(MlirType type, gmem_element_t *element) {
  element->bits = mlirFloatTypeGetWidth(type);
  element->size = element->bits / 8;
  element->kind = mlirTypeIsABF16(type) ? GMEM_ELEMENT_BFLOAT
                  : element->bits == 8  ? GMEM_ELEMENT_FLOAT8
                                        : GMEM_ELEMENT_FLOAT;
  return mlirTypeIsABF16(type) || mlirTypeIsAF16(type) ||
         mlirTypeIsAF32(type) || mlirTypeIsAF64(type) || element->bits == 8;
}

bool gmem_element_of_type(MlirType type, gmem_element_t *out_element) {
  *out_element = (gmem_element_t){0};
  gmem_printed_t name = {out_element->name, sizeof out_element->name, 0, false};
  mlirTypePrint(type, gmem_print_into, &name);
  if (mlirTypeIsAIndex(type)) {
    out_element->kind = GMEM_ELEMENT_SIGNED;
    out_element->bits = 64;
    out_element->size = 8;
    return true;
  }
  if (mlirTypeIsAInteger(type))
    return int_element(type, out_element);
  if (mlirTypeIsAFloat(type))
    return float_element(type, out_element);
  if (!mlirTypeIsAComplex(type))
    return false;
  gmem_element_t part;
  if (!gmem_element_of_type(mlirComplexTypeGetElementType(type), &part) ||
      part.kind != GMEM_ELEMENT_FLOAT)
    return false;
  out_element->kind = GMEM_ELEMENT_COMPLEX;
  out_element->bits = part.bits;
  out_element->size = 2 * part.size;
  return true;
}
