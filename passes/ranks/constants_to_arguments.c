// constants_to_arguments.c - gmem-constants-to-arguments.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// requires: nothing.
// produces: functions whose constants (arith.constant) that are tensors of
//           several values are last arguments instead, in the order of the
//           constants: each rank can get its part of them, which
//           shard-partition of MLIR 22 cannot do for a constant. Functions that
//           the module calls stay as they are.
// fails:    when out of memory.

#include "constants_to_arguments.h"

#include "rank_passes.h"

#include "attribute_codec.h"
#include "bump.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "symbol_uses.h"

bool gmem_is_tensor_of_values(MlirOperation op) {
  MlirAttribute value = gmem_op_attribute(op, "value");
  return gmem_op_is(op, "arith.constant") &&
         mlirAttributeIsNull(gmem_op_annotation(op, GMEM_ATTR_TRANSFORM)) &&
         mlirTypeIsARankedTensor(
             mlirValueGetType(mlirOperationGetResult(op, 0))) &&
         !(gmem_attribute_is(value, mlirAttributeIsADenseElements) &&
           mlirDenseElementsAttrIsSplat(value));
}

static MlirWalkResult move_constant(MlirOperation op, void *user) {
  MlirBlock *entry = user;
  if (!gmem_is_tensor_of_values(op))
    return MlirWalkResultAdvance;
  MlirValue value = mlirOperationGetResult(op, 0);
  MlirValue argument = mlirBlockAddArgument(*entry, mlirValueGetType(value),
                                            mlirOperationGetLocation(op));
  mlirValueReplaceAllUsesOfWith(value, argument);
  mlirOperationDestroy(op);
  return MlirWalkResultAdvance;
}

// Makes the function's type and the attributes of its arguments those of
// |entry|, its first block.
static gmem_status_t update_function(MlirOperation function, MlirBlock entry,
                                     gmem_bump_t *arena, gmem_diag_t *diag) {
  MlirContext context = mlirOperationGetContext(function);
  MlirType type =
      mlirTypeAttrGetValue(gmem_op_attribute(function, "function_type"));
  MlirAttribute listed = gmem_op_attribute(function, "arg_attrs");
  intptr_t inputs = mlirBlockGetNumArguments(entry);
  intptr_t results = mlirFunctionTypeGetNumResults(type);
  MlirType *types;
  MlirAttribute *attributes;
  GMEM_TRY_ALLOC(types, arena, (size_t)(inputs + results), diag);
  GMEM_TRY_ALLOC(attributes, arena, (size_t)inputs, diag);
  for (intptr_t i = 0; i < inputs; ++i) {
    types[i] = mlirValueGetType(mlirBlockGetArgument(entry, i));
    attributes[i] = gmem_attribute_is(listed, mlirAttributeIsAArray) &&
                            i < mlirArrayAttrGetNumElements(listed)
                        ? mlirArrayAttrGetElement(listed, i)
                        : mlirDictionaryAttrGet(context, 0, NULL);
  }
  for (intptr_t i = 0; i < results; ++i)
    types[inputs + i] = mlirFunctionTypeGetResult(type, i);
  mlirOperationSetAttributeByName(
      function, gmem_string("function_type"),
      mlirTypeAttrGet(mlirFunctionTypeGet(context, inputs, types, results,
                                          types + inputs)));
  if (!mlirAttributeIsNull(listed))
    mlirOperationSetAttributeByName(
        function, gmem_string("arg_attrs"),
        mlirArrayAttrGet(context, inputs, attributes));
  return GMEM_OK;
}

static gmem_status_t move_constants(MlirOperation top, MlirOperation function,
                                    gmem_bump_t *arena, gmem_diag_t *diag) {
  MlirBlock entry =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  bool is_called;
  GMEM_TRY(gmem_is_mentioned(top, function, &is_called));
  if (is_called || mlirBlockIsNull(entry))
    return GMEM_OK;
  // Post-order bears that ops are destroyed.
  mlirOperationWalk(function, move_constant, &entry, MlirWalkPostOrder);
  return update_function(function, entry, arena, diag);
}

gmem_status_t gmem_constants_to_arguments(MlirOperation top,
                                          const gmem_plan_options_t *options,
                                          const gmem_allocator_t *allocator,
                                          gmem_diag_t *diag) {
  (void)options;
  gmem_bump_t arena;
  gmem_bump_init(&arena, allocator);
  gmem_status_t status = GMEM_OK;
  MlirOperation op = gmem_first_op(top, 0);
  for (; !mlirOperationIsNull(op) && status == GMEM_OK;
       op = mlirOperationGetNextInBlock(op))
    if (gmem_op_is(op, "func.func"))
      status = move_constants(top, op, &arena, diag);
  gmem_bump_destroy(&arena);
  return status;
}
