// plan_constants.c - see plan_constants.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "plan_constants.h"

#include <string.h>

#include "element_bytes.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir_seam.h"
#include "type_size.h"

//===--- finding ----------------------------------------------------------===//

// The only elements attribute of |op|; of several the one with a name that
// dialects commonly use for the value.
static MlirAttribute elements_of(MlirOperation op) {
  static const char *const names[] = {"value", "values", "initial_value",
                                      "torch.onnx.value"};
  MlirAttribute only = mlirAttributeGetNull();
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    MlirAttribute named = gmem_op_attribute(op, names[i]);
    if (!mlirAttributeIsNull(named) && mlirAttributeIsAElements(named))
      return named;
  }
  MlirAttribute all = gmem_all_attributes(op);
  for (intptr_t i = 0; i < mlirDictionaryAttrGetNumElements(all); ++i) {
    MlirAttribute attribute = mlirDictionaryAttrGetElement(all, i).attribute;
    if (!mlirAttributeIsAElements(attribute))
      continue;
    if (!mlirAttributeIsNull(only))
      return mlirAttributeGetNull();
    only = attribute;
  }
  return only;
}

static void keep_first_symbol(MlirStringRef name, void *user) {
  MlirStringRef *first = user;
  if (!first->length)
    *first = name;
}

MlirAttribute gmem_contents_find(MlirOperation op, MlirOperation global,
                                 MlirSymbolTable symbols) {
  MlirStringRef name = {NULL, 0};
  MlirAttribute own = elements_of(op);
  if (!mlirAttributeIsNull(own))
    return own;
  if (mlirOperationIsNull(global) && !mlirSymbolTableIsNull(symbols)) {
    gmem_for_each_symbol(op, keep_first_symbol, &name);
    if (name.length)
      global = mlirSymbolTableLookup(symbols, name);
  }
  return mlirOperationIsNull(global) ? mlirAttributeGetNull()
                                     : elements_of(global);
}

//===--- writing ----------------------------------------------------------===//

// The distance of two elements in bits: memrefs are not packed.
static uint64_t bits_within(MlirType value, MlirType element) {
  return gmem_is_memref_type(value) ? 8 * gmem_memref_element_bytes(element)
                                    : gmem_element_bits(element);
}

// The number of elements of a type with static shape.
static uint64_t count_elements(MlirType type) {
  uint64_t count = 1;
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(type); ++i)
    count *= (uint64_t)mlirShapedTypeGetDimSize(type, i);
  return count;
}

gmem_status_t gmem_contents_write(MlirAttribute elements, MlirType type,
                                  uint8_t *out, uint64_t size,
                                  const char **out_why) {
  gmem_raw_elements_t raw;
  *out_why = "its op has no attribute with the elements";
  if (mlirAttributeIsNull(elements))
    return GMEM_ERR_NOT_FOUND;
  MlirType held = mlirAttributeGetType(elements);
  MlirType element = mlirShapedTypeGetElementType(held);
  uint64_t count = count_elements(held), bits = bits_within(type, element);
  uint64_t total;
  *out_why = "its elements have a different size in bytes";
  if (__builtin_mul_overflow(count, bits, &total) ||
      total / 8 + (total % 8 != 0) != size)
    return GMEM_ERR_UNSUPPORTED;
  memset(out, 0, (size_t)size);
  *out_why = "its elements are elided or not dense";
  if (size == 0)
    return GMEM_OK;
  if (!gmem_raw_elements_find(gmem_elements_expand(elements), element,
                              (size_t)count, &raw))
    return GMEM_ERR_NOT_FOUND;
  if (bits < 8) {
    gmem_raw_elements_pack(&raw, (size_t)count, (unsigned)bits, out);
    return GMEM_OK;
  }
  *out_why = "its elements have a different size in bytes";
  if (raw.raw_bytes > bits / 8)
    return GMEM_ERR_UNSUPPORTED;
  gmem_raw_elements_copy(&raw, (size_t)count, (size_t)bits / 8, out);
  return GMEM_OK;
}
