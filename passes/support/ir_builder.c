// ir_builder.c - see ir_builder.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ir_builder.h"

#include <assert.h>

#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

gmem_builder_t gmem_build_before(MlirOperation op) {
  return (gmem_builder_t){mlirOperationGetBlock(op), op,
                          mlirOperationGetLocation(op)};
}

gmem_builder_t gmem_build_at_begin(MlirBlock block, MlirLocation location) {
  return (gmem_builder_t){block, mlirBlockGetFirstOperation(block), location};
}

// Copies a list of entries; returns their number.
static intptr_t list_entries(const gmem_named_t *entries,
                             MlirNamedAttribute *out) {
  intptr_t count = 0;
  for (; entries && entries->name; ++entries) {
    if (mlirAttributeIsNull(entries->value))
      continue;
    assert(count < GMEM_BUILDER_ATTRIBUTES);
    out[count++] = gmem_named(entries->name, entries->value);
  }
  return count;
}

MlirOperation gmem_build_parts(const gmem_builder_t *at,
                               const gmem_op_parts_t *parts) {
  MlirNamedAttribute named[GMEM_BUILDER_ATTRIBUTES];
  MlirOperationState state =
      mlirOperationStateGet(gmem_string(parts->name), at->location);
  mlirOperationStateAddOperands(&state, (intptr_t)parts->operand_count,
                                parts->operands);
  mlirOperationStateAddResults(&state, (intptr_t)parts->result_count,
                               parts->results);
  mlirOperationStateAddAttributes(
      &state, list_entries(parts->attributes, named), named);
  if (parts->has_region) {
    MlirRegion region = mlirRegionCreate();
    mlirOperationStateAddOwnedRegions(&state, 1, &region);
  }
  MlirOperation op = mlirOperationCreate(&state);
  if (mlirOperationIsNull(at->before))
    mlirBlockAppendOwnedOperation(at->block, op);
  else
    mlirBlockInsertOwnedOperationBefore(at->block, at->before, op);
  return op;
}

MlirOperation gmem_build(const gmem_builder_t *at, const char *name,
                         const MlirValue *operands, size_t operand_count,
                         const gmem_named_t *attributes) {
  return gmem_build_parts(at, &(gmem_op_parts_t){.name = name,
                                                 .operands = operands,
                                                 .operand_count = operand_count,
                                                 .attributes = attributes});
}

MlirValue gmem_build_value(const gmem_builder_t *at, const char *name,
                           const MlirValue *operands, size_t operand_count,
                           MlirType result, const gmem_named_t *attributes) {
  gmem_op_parts_t parts = {.name = name,
                           .operands = operands,
                           .operand_count = operand_count,
                           .results = &result,
                           .result_count = 1,
                           .attributes = attributes};
  return mlirOperationGetResult(gmem_build_parts(at, &parts), 0);
}

MlirValue gmem_build_index(const gmem_builder_t *at, int64_t value) {
  MlirType index = mlirIndexTypeGet(mlirLocationGetContext(at->location));
  gmem_named_t number[] = {{"value", mlirIntegerAttrGet(index, value)}, {0}};
  return gmem_build_value(at, "arith.constant", NULL, 0, index, number);
}

MlirNamedAttribute gmem_named(const char *name, MlirAttribute value) {
  MlirContext context = mlirAttributeGetContext(value);
  return mlirNamedAttributeGet(mlirIdentifierGet(context, gmem_string(name)),
                               value);
}

MlirAttribute gmem_dictionary(MlirContext context,
                              const gmem_named_t *entries) {
  MlirNamedAttribute named[GMEM_BUILDER_ATTRIBUTES];
  intptr_t count = list_entries(entries, named);
  return mlirDictionaryAttrGet(context, count, named);
}

MlirAttribute gmem_i64_attribute(MlirContext context, int64_t value) {
  return mlirIntegerAttrGet(mlirIntegerTypeGet(context, 64), value);
}

MlirAttribute gmem_text_attribute(MlirContext context, const char *string) {
  return mlirStringAttrGet(context, gmem_string(string));
}

MlirAttribute gmem_symbol_attribute(MlirContext context, const char *text) {
  return mlirFlatSymbolRefAttrGet(context, gmem_string(text));
}
