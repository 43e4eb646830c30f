// op_marks.c - see op_marks.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "op_marks.h"

#include <stdbool.h>
#include <stdlib.h>

#include "ir_reading.h"
#include "messages.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

static const char mark[] = "run.mark";

//===--- numbers ----------------------------------------------------------===//

// Whether the regions of |op| may contain calls.
static bool has_calls(MlirOperation op) {
  static const char *const names[] = {
      "func.func",         "scf.for",    "scf.if",    "scf.while",
      "scf.index_switch",  "affine.for", "affine.if", "memref.alloca_scope",
      "scf.execute_region"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (gmem_op_is(op, names[i]))
      return true;
  return false;
}

// Whether a call may stand beside |op|: in a function of |top| itself.
static bool may_be_marked(MlirOperation op, MlirOperation top) {
  MlirOperation parent = mlirOperationGetParentOperation(op);
  while (!mlirOperationIsNull(parent) && has_calls(parent)) {
    if (gmem_op_is(parent, "func.func"))
      return mlirOperationEqual(mlirOperationGetParentOperation(parent), top);
    parent = mlirOperationGetParentOperation(parent);
  }
  return false;
}

typedef struct counter_s {
  MlirOperation top;
  int64_t next;
} counter_t;

static MlirWalkResult number_op(MlirOperation op, void *user) {
  counter_t *counter = user;
  MlirType type = mlirIntegerTypeGet(mlirOperationGetContext(op), 64);
  if (may_be_marked(op, counter->top))
    mlirOperationSetDiscardableAttributeByName(
        op, gmem_string(mark), mlirIntegerAttrGet(type, counter->next++));
  return MlirWalkResultAdvance;
}

void gmem_op_marks_number(MlirModule module) {
  counter_t counter = {.top = mlirModuleGetOperation(module)};
  mlirOperationWalk(counter.top, number_op, &counter, MlirWalkPreOrder);
}

int64_t gmem_op_marks_find(MlirOperation op) {
  MlirAttribute number =
      mlirOperationGetDiscardableAttributeByName(op, gmem_string(mark));
  return mlirAttributeIsNull(number) ? -1 : mlirIntegerAttrGetValueInt(number);
}

static MlirWalkResult remove_number(MlirOperation op, void *user) {
  (void)user;
  (void)mlirOperationRemoveDiscardableAttributeByName(op, gmem_string(mark));
  return MlirWalkResultAdvance;
}

void gmem_op_marks_remove(MlirModule module) {
  mlirOperationWalk(mlirModuleGetOperation(module), remove_number, NULL,
                    MlirWalkPreOrder);
}

//===--- calls ------------------------------------------------------------===//

typedef struct ops_s {
  MlirOperation *at;
  size_t count, room;
} ops_t;

static MlirWalkResult collect(MlirOperation op, void *user) {
  ops_t *ops = user;
  if (gmem_op_marks_find(op) < 0)
    return MlirWalkResultAdvance;
  if (ops->count == ops->room) {
    ops->room = ops->room ? 2 * ops->room : 256;
    ops->at = gmem_need(realloc(ops->at, ops->room * sizeof *ops->at));
  }
  ops->at[ops->count++] = op;
  return MlirWalkResultAdvance;
}

static MlirNamedAttribute named(MlirContext context, const char *name,
                                MlirAttribute value) {
  return (MlirNamedAttribute){mlirIdentifierGet(context, gmem_string(name)),
                              value};
}

// Inserts the call that reports |number| before |next|.
static void insert_call(MlirOperation like, MlirOperation next,
                        int64_t number) {
  MlirContext context = mlirOperationGetContext(like);
  MlirLocation location = mlirOperationGetLocation(like);
  MlirBlock block = mlirOperationGetBlock(like);
  MlirType type = mlirIntegerTypeGet(context, 64);
  MlirOperationState state =
      mlirOperationStateGet(gmem_string("arith.constant"), location);
  MlirNamedAttribute value =
      named(context, "value", mlirIntegerAttrGet(type, number));
  mlirOperationStateAddAttributes(&state, 1, &value);
  mlirOperationStateAddResults(&state, 1, &type);
  MlirOperation constant = mlirOperationCreate(&state);
  state = mlirOperationStateGet(gmem_string("func.call"), location);
  MlirNamedAttribute callee =
      named(context, "callee",
            mlirFlatSymbolRefAttrGet(context, gmem_string(GMEM_MARK_FUNCTION)));
  MlirValue argument = mlirOperationGetResult(constant, 0);
  mlirOperationStateAddAttributes(&state, 1, &callee);
  mlirOperationStateAddOperands(&state, 1, &argument);
  MlirOperation call = mlirOperationCreate(&state);
  mlirBlockInsertOwnedOperationBefore(block, next, constant);
  mlirBlockInsertOwnedOperationBefore(block, next, call);
}

static void declare(MlirModule module) {
  MlirContext context = mlirModuleGetContext(module);
  MlirType argument = mlirIntegerTypeGet(context, 64);
  MlirType type = mlirFunctionTypeGet(context, 1, &argument, 0, NULL);
  MlirNamedAttribute attributes[] = {
      named(context, "sym_name",
            mlirStringAttrGet(context, gmem_string(GMEM_MARK_FUNCTION))),
      named(context, "sym_visibility",
            mlirStringAttrGet(context, gmem_string("private"))),
      named(context, "function_type", mlirTypeAttrGet(type))};
  MlirOperationState state = mlirOperationStateGet(
      gmem_string("func.func"), mlirLocationUnknownGet(context));
  MlirRegion body = mlirRegionCreate();
  mlirOperationStateAddAttributes(&state, 3, attributes);
  mlirOperationStateAddOwnedRegions(&state, 1, &body);
  mlirBlockInsertOwnedOperation(mlirModuleGetBody(module), 0,
                                mlirOperationCreate(&state));
}

void gmem_op_marks_insert(MlirModule module) {
  ops_t ops = {0};
  mlirOperationWalk(mlirModuleGetOperation(module), collect, &ops,
                    MlirWalkPreOrder);
  for (size_t i = 0; i < ops.count; ++i) {
    int64_t number = gmem_op_marks_find(ops.at[i]);
    insert_call(ops.at[i], ops.at[i], number);
    if (gmem_op_is(ops.at[i], "func.call"))
      insert_call(ops.at[i], mlirOperationGetNextInBlock(ops.at[i]), ~number);
  }
  free(ops.at);
  gmem_op_marks_remove(module);
  declare(module);
}
