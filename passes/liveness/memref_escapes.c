// memref_escapes.c - see memref_escapes.h. An op may do anything with what it
// takes, but these: it keeps it for later only where its results, or what else
// it takes, have room for that; and it frees nothing but what its model says.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "memref_escapes.h"

#include <string.h>

#include "annotations.h"
#include "calls.h"
#include "diagnostics.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir_seam.h"
#include "op_models.h"
#include "program.h"
#include "scopes.h"

typedef struct finder_s {
  const gmem_program_t *program;
  const gmem_calls_t *calls;
  const gmem_control_flow_t *control;
  const gmem_memref_flow_t *flow;
  gmem_bump_t *arena;
  MlirSymbolTable symbols; // of the scope, null if it has none
  gmem_memref_escape_t *escapes;
  uint32_t op;             // at hand
  gmem_unplanned_t reason; // of all that it takes
  uint32_t holder; // but for this one, or GMEM_NO_INDEX: what the others
                   //   may be stored in
  gmem_status_t status;
  gmem_diag_t *diag;
} finder_t;

static void escape(finder_t *finder, uint32_t value, gmem_unplanned_t reason) {
  gmem_memref_escape_t *escape = &finder->escapes[value];
  if (reason != GMEM_MEMREF_PLANNED && escape->reason == GMEM_MEMREF_PLANNED)
    *escape = (gmem_memref_escape_t){reason, finder->op};
}

static void escape_taken(uint32_t value, void *user) {
  finder_t *finder = user;
  if (value != finder->holder)
    escape(finder, value, finder->reason);
}

//===--- calls of what is not known ---------------------------------------===//

typedef struct callee_search_s {
  const finder_t *finder;
  bool found; // a function, or what may be one
} callee_search_t;

// A global has neither a type of a function nor regions that run.
static void look_for_function(MlirStringRef name, void *user) {
  callee_search_t *search = user;
  MlirSymbolTable symbols = search->finder->symbols;
  MlirOperation named = mlirSymbolTableIsNull(symbols)
                            ? (MlirOperation){NULL}
                            : mlirSymbolTableLookup(symbols, name);
  search->found |=
      mlirOperationIsNull(named) ||
      !mlirAttributeIsNull(gmem_op_attribute(named, "function_type")) ||
      mlirOperationGetNumRegions(named) != 0;
}

static bool names_function(const finder_t *finder, MlirOperation op) {
  callee_search_t search = {finder, false};
  gmem_for_each_symbol(op, look_for_function, &search);
  return search.found;
}

// The function without a body that the op calls, and does nothing else; or
// null.
static MlirOperation declaration_called(const finder_t *finder,
                                        MlirOperation op) {
  const MlirOperation none = {NULL};
  MlirAttribute callee = gmem_op_attribute(op, "callee");
  if (mlirAttributeIsNull(callee) || !mlirAttributeIsAFlatSymbolRef(callee) ||
      mlirSymbolTableIsNull(finder->symbols) ||
      mlirOperationGetNumRegions(op) != 0)
    return none;
  MlirOperation named = mlirSymbolTableLookup(
      finder->symbols, mlirFlatSymbolRefAttrGetValue(callee));
  MlirAttribute type = mlirOperationIsNull(named)
                           ? mlirAttributeGetNull()
                           : gmem_op_attribute(named, "function_type");
  return !mlirAttributeIsNull(type) && mlirAttributeIsAType(type) &&
                 mlirTypeIsAFunction(mlirTypeAttrGetValue(type)) &&
                 mlirFunctionTypeGetNumInputs(mlirTypeAttrGetValue(type)) ==
                     mlirOperationGetNumOperands(op)
             ? named
             : none;
}

// Whether the declaration promises to keep nothing of argument |number|, nor to
// return it.
static bool is_not_captured(MlirOperation declaration, intptr_t number) {
  char text[64];
  MlirAttribute all = gmem_entry_attributes(declaration, "arg_attrs", number);
  if (mlirAttributeIsNull(all))
    return false;
  MlirAttribute captures =
      mlirDictionaryAttrGetElementByName(all, gmem_string("llvm.captures"));
  return !mlirAttributeIsNull(mlirDictionaryAttrGetElementByName(
             all, gmem_attr_name(GMEM_ATTR_NO_CAPTURE))) ||
         !mlirAttributeIsNull(mlirDictionaryAttrGetElementByName(
             all, gmem_string("llvm.nocapture"))) ||
         (!mlirAttributeIsNull(captures) &&
          gmem_attribute_text(captures, text, sizeof text) &&
          strstr(text, "none"));
}

static void escape_by_call(finder_t *finder, MlirOperation op) {
  MlirOperation declaration = declaration_called(finder, op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    uint32_t value =
        gmem_memref_of(finder->program, mlirOperationGetOperand(op, i));
    if (value != GMEM_NO_INDEX &&
        (mlirOperationIsNull(declaration) || !is_not_captured(declaration, i)))
      escape(finder, value, GMEM_MEMREF_CALLED);
  }
}

//===--- one op -----------------------------------------------------------===//

// Whether a value of this type may have a memref, or a pointer, in it.
static bool has_room(MlirType type) {
  if (mlirTypeIsAVector(type))
    type = mlirShapedTypeGetElementType(type);
  return !gmem_is_memref_type(type) && !mlirTypeIsAInteger(type) &&
         !mlirTypeIsAFloat(type) && !mlirTypeIsAIndex(type) &&
         !mlirTypeIsAComplex(type) && !mlirTypeIsANone(type);
}

static bool result_has_room(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (has_room(mlirValueGetType(mlirOperationGetResult(op, i))))
      return true;
  return false;
}

static bool operand_has_room(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (has_room(mlirValueGetType(mlirOperationGetOperand(op, i))))
      return true;
  return false;
}

// Whether an operand has room for a memref, or its memory has; tensors do not.
static gmem_unplanned_t fate_by_operands(MlirOperation op) {
  intptr_t memrefs = 0, holders = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
    if (mlirTypeIsAFunction(type))
      return GMEM_MEMREF_CALLED;
    if (gmem_is_handle_type(type))
      return GMEM_MEMREF_STORED;
    memrefs += gmem_is_memref_type(type);
    holders += gmem_holds_memrefs(type);
  }
  return holders && memrefs > 1 ? GMEM_MEMREF_STORED : GMEM_MEMREF_PLANNED;
}

// What becomes of the memrefs that an op, which hands nothing on in a known
// way, takes.
static gmem_unplanned_t fate_by(const gmem_op_model_t *model,
                                gmem_op_kind_t kind, MlirOperation op) {
  if (kind == GMEM_OP_DEALLOC)
    return mlirOperationGetNumResults(op) ? GMEM_MEMREF_FREED
                                          : GMEM_MEMREF_PLANNED;
  if (model->escapes || result_has_room(op))
    return GMEM_MEMREF_HANDLE;
  return fate_by_operands(op);
}

// The only thing that the op takes in which memrefs can be stored, if that is a
// memref: it is not stored in itself.
static uint32_t sole_holder(const finder_t *finder, MlirOperation op) {
  uint32_t found = GMEM_NO_INDEX;
  intptr_t holders = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    MlirType type = mlirValueGetType(operand);
    if (gmem_is_handle_type(type))
      return GMEM_NO_INDEX;
    if (!gmem_holds_memrefs(type))
      continue;
    found = gmem_memref_of(finder->program, operand);
    ++holders;
  }
  return holders == 1 ? found : GMEM_NO_INDEX;
}

//===--- bodies that are not entered --------------------------------------===//

static void take_reason(finder_t *finder, gmem_unplanned_t reason) {
  if (finder->reason == GMEM_MEMREF_PLANNED)
    finder->reason = reason;
}

static bool takes_memref(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (gmem_is_memref_type(mlirValueGetType(mlirOperationGetOperand(op, i))))
      return true;
  return false;
}

// Memrefs that are made in the body are not followed: what becomes of one may
// become of all.
static MlirWalkResult judge_inside(MlirOperation op, void *user) {
  finder_t *finder = user;
  const gmem_op_model_t *model;
  if (!takes_memref(op))
    return MlirWalkResultAdvance;
  finder->status = gmem_op_models_of_op(finder->program->models, op,
                                        finder->arena, &model, finder->diag);
  if (finder->status != GMEM_OK)
    return MlirWalkResultInterrupt;
  if (model->kind == GMEM_OP_DEALLOC)
    take_reason(finder, GMEM_MEMREF_FREED);
  else if (names_function(finder, op))
    take_reason(finder, GMEM_MEMREF_CALLED);
  else
    take_reason(finder, fate_by(model, model->kind, op));
  return MlirWalkResultAdvance;
}

static gmem_unplanned_t fate_in_body(finder_t *finder, MlirOperation op) {
  finder->reason = gmem_is_function(op)  ? GMEM_MEMREF_CALLED
                   : result_has_room(op) ? GMEM_MEMREF_HANDLE
                                         : GMEM_MEMREF_PLANNED;
  mlirOperationWalk(op, judge_inside, finder, MlirWalkPreOrder);
  return finder->reason;
}

//===--- all ops ----------------------------------------------------------===//

// Whether |op| is, or is in, one that nothing stands for and that goes on after
// its step.
static bool goes_on_unseen(const finder_t *finder, const gmem_op_t *op) {
  const gmem_op_t *ops = finder->program->ops;
  while (!op->model->escapes && op->parent != GMEM_NO_INDEX)
    op = &ops[op->parent];
  return op->model->escapes;
}

// What runs late in a function may still run when that has returned: if it has
// a caller in the scope, or hands out what stands for the work, or nothing
// does.
static bool may_outlive_function(const finder_t *finder, const gmem_op_t *op) {
  const gmem_callee_t *function = &finder->calls->callees[op->function];
  if (!op->late || function->mentions != 0 || goes_on_unseen(finder, op))
    return op->late;
  for (uint32_t i = function->first_return; i < function->end_return; ++i)
    if (operand_has_room(finder->program->ops[finder->calls->returns[i]].op))
      return true;
  return false;
}

// What ends a region may come out of the ops around it by their results.
static bool comes_out_with_room(const finder_t *finder) {
  const gmem_program_t *program = finder->program;
  for (uint32_t owner =
           gmem_unknown_target(program, finder->control, finder->op);
       owner != GMEM_NO_INDEX; owner = program->ops[owner].parent)
    if (finder->control->flows[owner] == GMEM_FLOW_ANY &&
        result_has_room(program->ops[owner].op))
      return true;
  return false;
}

static gmem_unplanned_t fate_at(finder_t *finder) {
  const gmem_op_t *op = &finder->program->ops[finder->op];
  if (may_outlive_function(finder, op))
    return GMEM_MEMREF_HANDLE;
  if (gmem_flow_is_exact(finder->control->flows[finder->op]))
    return GMEM_MEMREF_PLANNED;
  if (gmem_is_return(finder->program, finder->op))
    return finder->flow->is_open[op->function] ? GMEM_MEMREF_RETURNED
                                               : GMEM_MEMREF_PLANNED;
  if (op->opaque)
    return fate_in_body(finder, op->op);
  if (comes_out_with_room(finder))
    return GMEM_MEMREF_HANDLE;
  return fate_by(op->model, op->kind, op->op);
}

static void find_at_op(finder_t *finder) {
  const gmem_op_t *op = &finder->program->ops[finder->op];
  bool is_call = !gmem_flow_is_exact(finder->control->flows[finder->op]) &&
                 op->kind != GMEM_OP_GLOBAL && !op->opaque &&
                 takes_memref(op->op) && names_function(finder, op->op);
  if (is_call)
    escape_by_call(finder, op->op);
  if (is_call && !mlirOperationIsNull(declaration_called(finder, op->op)) &&
      !may_outlive_function(finder, op))
    return;
  finder->reason = fate_at(finder);
  finder->holder = finder->reason == GMEM_MEMREF_STORED && !op->opaque
                       ? sole_holder(finder, op->op)
                       : GMEM_NO_INDEX;
  gmem_for_each_memref(finder->program, finder->op, escape_taken, finder);
}

gmem_status_t gmem_memref_escapes_find(
    const gmem_program_t *program, const gmem_calls_t *calls,
    const gmem_control_flow_t *control, const gmem_memref_flow_t *flow,
    gmem_bump_t *arena, gmem_memref_escape_t **out_escapes, gmem_diag_t *diag) {
  *out_escapes =
      gmem_bump_alloc(arena, program->value_count, sizeof **out_escapes);
  if (!*out_escapes)
    return gmem_out_of_memory(diag);
  finder_t finder = {.program = program,
                     .calls = calls,
                     .control = control,
                     .flow = flow,
                     .arena = arena,
                     .symbols = mlirSymbolTableCreate(program->scope),
                     .escapes = *out_escapes,
                     .diag = diag};
  for (uint32_t i = 0; i < program->op_count && finder.status == GMEM_OK; ++i) {
    finder.op = i;
    find_at_op(&finder);
  }
  if (!mlirSymbolTableIsNull(finder.symbols))
    mlirSymbolTableDestroy(finder.symbols);
  return finder.status;
}
