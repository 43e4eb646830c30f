// outside_functions.c - see outside_functions.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "outside_functions.h"

#include "diagnostics.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinTypes.h"
#include "op_models.h"
#include "scopes.h"

typedef struct outside_s {
  const gmem_op_models_t *models;
  MlirOperation child; // of the scope: what is walked
  MlirOperation first; // the first one with a value
  size_t values;
} outside_t;

static void count_result(const gmem_op_model_t *model, MlirValue value,
                         size_t *count) {
  MlirType type = mlirValueGetType(value);
  if (model->kind != GMEM_OP_NONE)
    *count += mlirTypeIsATensor(type) ||
              (model->kind == GMEM_OP_ALLOC && gmem_is_memref_type(type));
}

static size_t count_arguments(MlirOperation op) {
  size_t count = 0;
  for (MlirRegion region = mlirOperationGetFirstRegion(op);
       !mlirRegionIsNull(region); region = mlirRegionGetNextInOperation(region))
    for (MlirBlock block = mlirRegionGetFirstBlock(region);
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
        count +=
            mlirTypeIsATensor(mlirValueGetType(mlirBlockGetArgument(block, i)));
  return count;
}

static MlirWalkResult visit(MlirOperation op, void *user) {
  outside_t *outside = user;
  if (gmem_is_function(op) || gmem_is_scope(op))
    return MlirWalkResultSkip;
  const gmem_op_model_t *model = gmem_op_models_find(outside->models, op);
  size_t count = count_arguments(op);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    count_result(model, mlirOperationGetResult(op, i), &count);
  if (count && !outside->values)
    outside->first = outside->child;
  outside->values += count;
  return MlirWalkResultAdvance;
}

gmem_status_t gmem_outside_functions_report(const gmem_program_t *program,
                                            bool is_strict, gmem_diag_t *diag) {
  static const char form[] =
      "%zu value%s outside of functions %s not planned: '%.*s' is no function, "
      "which has a symbol name, a function type and a body";
  outside_t outside = {.models = program->models};
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(program->scope); ++i)
    for (outside.child = gmem_first_op(program->scope, i);
         !mlirOperationIsNull(outside.child);
         outside.child = mlirOperationGetNextInBlock(outside.child))
      mlirOperationWalk(outside.child, visit, &outside, MlirWalkPreOrder);
  if (!outside.values)
    return GMEM_OK;
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(outside.first));
  const char *plural = outside.values == 1 ? "" : "s";
  const char *are = outside.values == 1 ? "is" : "are";
  if (is_strict)
    return gmem_reject(diag, outside.first, form, outside.values, plural, are,
                       (int)name.length, name.data);
  gmem_remark(mlirOperationGetLocation(outside.first), form, outside.values,
              plural, are, (int)name.length, name.data);
  return GMEM_OK;
}
