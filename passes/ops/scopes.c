// scopes.c - planning scopes and their functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "scopes.h"

#include <assert.h>

#include "attribute_codec.h"
#include "attribute_names.h"
#include "diagnostics.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir_seam.h"
#include "op_models.h"

bool gmem_is_function(MlirOperation op) {
  return mlirOperationGetNumRegions(op) == 1 &&
         !mlirBlockIsNull(gmem_entry_block(op)) &&
         gmem_attribute_is(gmem_op_attribute(op, "sym_name"),
                           mlirAttributeIsAString) &&
         !mlirAttributeIsNull(gmem_op_attribute(op, "function_type"));
}

bool gmem_has_argument_attributes(MlirOperation function) {
  MlirAttribute type = gmem_op_attribute(function, "function_type");
  MlirBlock entry = gmem_entry_block(function);
  return mlirAttributeIsAType(type) &&
         mlirTypeIsAFunction(mlirTypeAttrGetValue(type)) &&
         mlirFunctionTypeGetNumInputs(mlirTypeAttrGetValue(type)) ==
             mlirBlockGetNumArguments(entry);
}

bool gmem_is_call_of(MlirOperation op, MlirOperation function) {
  MlirAttribute callee = gmem_op_attribute(op, "callee");
  MlirAttribute attribute = gmem_op_attribute(function, "function_type");
  MlirStringRef name;
  if (!gmem_attribute_is(callee, mlirAttributeIsASymbolRef) ||
      !gmem_string_get(gmem_op_attribute(function, "sym_name"), &name) ||
      !mlirStringRefEqual(mlirSymbolRefAttrGetRootReference(callee), name) ||
      !gmem_attribute_is(attribute, mlirAttributeIsAType))
    return false;
  MlirType type = mlirTypeAttrGetValue(attribute);
  if (!mlirTypeIsAFunction(type))
    return false;
  intptr_t inputs = mlirFunctionTypeGetNumInputs(type);
  intptr_t results = mlirFunctionTypeGetNumResults(type);
  bool is_same = inputs == mlirOperationGetNumOperands(op) &&
                 results == mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < inputs && is_same; ++i)
    is_same = mlirTypeEqual(mlirValueGetType(mlirOperationGetOperand(op, i)),
                            mlirFunctionTypeGetInput(type, i));
  for (intptr_t i = 0; i < results && is_same; ++i)
    is_same = mlirTypeEqual(mlirValueGetType(mlirOperationGetResult(op, i)),
                            mlirFunctionTypeGetResult(type, i));
  return is_same;
}

static gmem_status_t count_scope(MlirOperation scope, void *user) {
  (void)scope;
  ++*(size_t *)user;
  return GMEM_OK;
}

size_t gmem_count_scopes(MlirOperation top) {
  size_t count = 0;
  (void)gmem_for_each_scope(top, count_scope, &count);
  return count;
}

MlirAttribute gmem_argument_attributes(MlirOperation function,
                                       intptr_t number) {
  return gmem_has_argument_attributes(function)
             ? gmem_entry_attributes(function, "arg_attrs", number)
             : mlirAttributeGetNull();
}

bool gmem_is_scope(MlirOperation op) {
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
  if (gmem_is_scope(op))
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

//===--- all ops of functions ---------------------------------------------===//

typedef struct op_walk_s {
  gmem_function_op_fn visit;
  void *user;
  MlirOperation function;
} op_walk_t;

static gmem_status_t visit_in_function(MlirOperation op, void *user) {
  const op_walk_t *walk = user;
  return walk->visit(walk->function, op, walk->user);
}

static gmem_status_t visit_functions(MlirOperation scope, void *user) {
  op_walk_t *walk = user;
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(scope); ++i)
    for (MlirOperation op = gmem_first_op(scope, i); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
      walk->function = op;
      if (gmem_is_function(op))
        GMEM_TRY(gmem_walk(op, visit_in_function, walk));
    }
  return GMEM_OK;
}

gmem_status_t gmem_for_each_op_of_functions(MlirOperation top,
                                            gmem_function_op_fn visit,
                                            void *user) {
  op_walk_t walk = {visit, user, {NULL}};
  return gmem_for_each_scope(top, visit_functions, &walk);
}

//===--- with models and memory -------------------------------------------===//

typedef struct scope_loop_s {
  const gmem_allocator_t *allocator;
  gmem_scope_work_fn work;
  void *user;
  gmem_diag_t *diag;
} scope_loop_t;

static gmem_status_t work_on_scope(MlirOperation scope, void *user) {
  scope_loop_t *loop = user;
  assert(loop->diag);
  gmem_bump_t arena;
  gmem_bump_init(&arena, loop->allocator);
  const gmem_op_models_t *models;
  gmem_status_t status = gmem_op_models_of_scope(scope, &gmem_built_in_models,
                                                 &arena, &models, loop->diag);
  if (status == GMEM_OK)
    status = loop->work(scope, models, &arena, loop->user, loop->diag);
  gmem_bump_destroy(&arena);
  return status;
}

gmem_status_t gmem_for_each_scope_in(MlirOperation top,
                                     const gmem_allocator_t *allocator,
                                     gmem_scope_work_fn work, void *user,
                                     gmem_diag_t *diag) {
  gmem_diag_t unread;
  scope_loop_t loop = {.allocator = allocator,
                       .work = work,
                       .user = user,
                       .diag = diag ? diag : &unread};
  gmem_status_t status = gmem_attribute_names_check(top, loop.diag);
  if (status == GMEM_OK)
    status = gmem_for_each_scope(top, work_on_scope, &loop);
  // All other errors were reported where they occurred.
  if (status == GMEM_ERR_OUT_OF_MEMORY)
    gmem_op_error(NULL, status, top, "%s", loop.diag->text);
  return status;
}

typedef struct symbol_visit_s {
  gmem_symbol_fn visit;
  void *user;
} symbol_visit_t;

static MlirWalkResult visit_symbols(MlirOperation op, void *user) {
  const symbol_visit_t *symbols = user;
  gmem_for_each_symbol(op, symbols->visit, symbols->user);
  return gmem_is_scope(op) ? MlirWalkResultSkip : MlirWalkResultAdvance;
}

void gmem_for_each_symbol_in(MlirOperation op, gmem_symbol_fn visit,
                             void *user) {
  symbol_visit_t symbols = {visit, user};
  mlirOperationWalk(op, visit_symbols, &symbols, MlirWalkPreOrder);
}
