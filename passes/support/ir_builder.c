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

MlirOperation gmem_build(const gmem_builder_t *at,
                         const gmem_op_parts_t *parts) {
  MlirNamedAttribute named[GMEM_BUILDER_ATTRIBUTES];
  assert(parts->attribute_count <= GMEM_BUILDER_ATTRIBUTES);
  for (size_t i = 0; i < parts->attribute_count; ++i)
    named[i] =
        gmem_named(parts->attributes[i].name, parts->attributes[i].value);
  MlirOperationState state =
      mlirOperationStateGet(gmem_string(parts->name), at->location);
  mlirOperationStateAddOperands(&state, (intptr_t)parts->operand_count,
                                parts->operands);
  mlirOperationStateAddResults(&state, (intptr_t)parts->result_count,
                               parts->results);
  mlirOperationStateAddAttributes(&state, (intptr_t)parts->attribute_count,
                                  named);
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

MlirValue gmem_build_value(const gmem_builder_t *at,
                           const gmem_op_parts_t *parts) {
  return mlirOperationGetResult(gmem_build(at, parts), 0);
}

MlirValue gmem_build_index(const gmem_builder_t *at, int64_t value) {
  MlirType index = mlirIndexTypeGet(mlirLocationGetContext(at->location));
  gmem_named_t attributes[] = {{"value", mlirIntegerAttrGet(index, value)}};
  return gmem_build_value(at, &(gmem_op_parts_t){.name = "arith.constant",
                                                 .results = &index,
                                                 .result_count = 1,
                                                 .attributes = attributes,
                                                 .attribute_count = 1});
}

MlirNamedAttribute gmem_named(const char *name, MlirAttribute value) {
  MlirContext context = mlirAttributeGetContext(value);
  return mlirNamedAttributeGet(mlirIdentifierGet(context, gmem_string(name)),
                               value);
}

MlirAttribute gmem_i64_attribute(MlirContext context, int64_t value) {
  return mlirIntegerAttrGet(mlirIntegerTypeGet(context, 64), value);
}

MlirAttribute gmem_text_attribute(MlirContext context, const char *string) {
  return mlirStringAttrGet(context, gmem_string(string));
}
