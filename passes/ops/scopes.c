// scopes.c - planning scopes and their functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "scopes.h"

#include "annotations.h"
#include "gmem/status.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

bool gmem_is_function(MlirOperation op) {
  MlirAttribute name = gmem_op_attribute(op, "sym_name");
  MlirAttribute type = gmem_op_attribute(op, "function_type");
  return !mlirAttributeIsNull(name) && mlirAttributeIsAString(name) &&
         !mlirAttributeIsNull(type) && mlirOperationGetNumRegions(op) == 1 &&
         !mlirBlockIsNull(gmem_entry_block(op));
}

bool gmem_has_argument_attributes(MlirOperation function) {
  MlirAttribute type = gmem_op_attribute(function, "function_type");
  MlirBlock entry = gmem_entry_block(function);
  return mlirAttributeIsAType(type) &&
         mlirTypeIsAFunction(mlirTypeAttrGetValue(type)) &&
         mlirFunctionTypeGetNumInputs(mlirTypeAttrGetValue(type)) ==
             mlirBlockGetNumArguments(entry);
}

MlirAttribute gmem_argument_attributes(MlirOperation function,
                                       intptr_t number) {
  return gmem_has_argument_attributes(function)
             ? gmem_entry_attributes(function, "arg_attrs", number)
             : mlirAttributeGetNull();
}

static bool is_scope(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i)
    for (MlirOperation child = gmem_first_op(op, i);
         !mlirOperationIsNull(child);
         child = mlirOperationGetNextInBlock(child))
      if (gmem_is_function(child))
        return true;
  return false;
}

typedef struct scope_walk_s {
  gmem_scope_fn visit;
  void *user;
  gmem_status_t status;
} scope_walk_t;

static MlirWalkResult visit_op(MlirOperation op, void *user) {
  scope_walk_t *walk = user;
  if (gmem_is_function(op))
    return MlirWalkResultSkip;
  if (is_scope(op))
    walk->status = walk->visit(op, walk->user);
  return walk->status == GMEM_OK ? MlirWalkResultAdvance
                                 : MlirWalkResultInterrupt;
}

gmem_status_t gmem_for_each_scope(MlirOperation top, gmem_scope_fn visit,
                                  void *user) {
  scope_walk_t walk = {visit, user, GMEM_OK};
  mlirOperationWalk(top, visit_op, &walk, MlirWalkPreOrder);
  return walk.status;
}
