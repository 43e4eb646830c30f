// memref_escapes.c - see memref_escapes.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assumptions about an op with unknown semantics: it may do anything with its
// operands, except that it retains a memref beyond its own execution only in a
// result or operand whose type can hold one, and that it deallocates only what
// its op model declares.

#include "memref_escapes.h"

#include <assert.h>

#include "calls.h"
#include "captures.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "op_models.h"
#include "requests.h"
#include "scopes.h"
#include "value_rows.h"

typedef struct analysis_s {
  const gmem_program_facts_t *facts;
  const gmem_program_t *program;
  const gmem_memref_flow_t *flow;
  gmem_bump_t *arena;
  MlirSymbolTable symbols; // of the scope, null if it has none
  gmem_memref_escape_t *escapes;
  uint32_t op;             // current
  gmem_unplanned_t reason; // of all its memref operands
  uint32_t container; // except this one, or GMEM_NO_INDEX: the container in
                      // which the others may be stored
  gmem_status_t status;
  gmem_diag_t *diag;
} analysis_t;

static void escape(analysis_t *analysis, uint32_t value,
                   gmem_unplanned_t reason) {
  gmem_memref_escape_t *escape = &analysis->escapes[value];
  assert(value < analysis->program->value_count);
  if (reason != GMEM_MEMREF_PLANNED && escape->reason == GMEM_MEMREF_PLANNED)
    *escape = (gmem_memref_escape_t){reason, analysis->op};
}

static void escape_operand(uint32_t value, void *user) {
  analysis_t *analysis = user;
  if (value != analysis->container)
    escape(analysis, value, analysis->reason);
}

//===--- calls of unknown functions ---------------------------------------===//

static void escape_by_call(analysis_t *analysis, MlirOperation op) {
  MlirOperation declaration = gmem_function_called(analysis->symbols, op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    uint32_t value =
        gmem_memref_of(analysis->program, mlirOperationGetOperand(op, i));
    if (value != GMEM_NO_INDEX && !gmem_is_not_captured(declaration, i))
      escape(analysis, value, GMEM_MEMREF_CALLED);
  }
}

//===--- one op -----------------------------------------------------------===//

static bool result_can_hold_memref(const gmem_op_models_t *models,
                                   MlirOperation op) {
  return gmem_any_can_hold_memref(models, gmem_results_of(op));
}

// Escape through an operand: one that can hold a pointer itself, or whose
// memory can hold memrefs. Tensors cannot.
static gmem_unplanned_t reason_by_operands(const gmem_op_models_t *models,
                                           MlirOperation op) {
  intptr_t memrefs = 0, containers = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
    if (mlirTypeIsAFunction(type))
      return GMEM_MEMREF_CALLED;
    if (gmem_is_handle_type(models, type))
      return GMEM_MEMREF_STORED;
    memrefs += gmem_is_memref_type(type);
    containers += gmem_holds_memrefs(type);
  }
  return containers && memrefs > 1 ? GMEM_MEMREF_STORED : GMEM_MEMREF_PLANNED;
}

// The escape of the memref operands of an op without known forwarding.
static gmem_unplanned_t reason_by_model(analysis_t *analysis,
                                        const gmem_op_model_t *model,
                                        gmem_op_kind_t kind, MlirOperation op) {
  const gmem_op_models_t *models = analysis->program->models;
  bool is_waited_for;
  if (kind == GMEM_OP_DEALLOC)
    return mlirOperationGetNumResults(op) ? GMEM_MEMREF_FREED
                                          : GMEM_MEMREF_PLANNED;
  analysis->status = gmem_request_is_waited_for(models, op, analysis->arena,
                                                &is_waited_for, analysis->diag);
  if (model->escapes && mlirOperationGetNumResults(op) == 0)
    return GMEM_MEMREF_KEPT;
  if (model->escapes || (result_can_hold_memref(models, op) && !is_waited_for))
    return GMEM_MEMREF_HANDLE;
  return reason_by_operands(models, op);
}

// That operand is not stored in itself.
static uint32_t sole_container(const analysis_t *analysis, MlirOperation op) {
  intptr_t number = gmem_sole_container(analysis->program->models, op);
  return number < 0 ? GMEM_NO_INDEX
                    : gmem_memref_of(analysis->program,
                                     mlirOperationGetOperand(op, number));
}

//===--- opaque bodies ----------------------------------------------------===//

static void set_reason(analysis_t *analysis, gmem_unplanned_t reason) {
  if (analysis->reason == GMEM_MEMREF_PLANNED)
    analysis->reason = reason;
}

static bool takes_memref(MlirOperation op) {
  return gmem_row_any(gmem_operands_of(op), gmem_is_memref_type);
}

// Memrefs defined in the body are not tracked: an escape of one counts for all.
static MlirWalkResult check_nested_op(MlirOperation op, void *user) {
  analysis_t *analysis = user;
  const gmem_op_model_t *model;
  if (!takes_memref(op))
    return MlirWalkResultAdvance;
  analysis->status = gmem_op_models_of_op(
      analysis->program->models, op, analysis->arena, &model, analysis->diag);
  if (analysis->status != GMEM_OK)
    return MlirWalkResultInterrupt;
  if (model->kind == GMEM_OP_DEALLOC)
    set_reason(analysis, GMEM_MEMREF_FREED);
  else if (gmem_names_code(analysis->symbols, op, model))
    set_reason(analysis, GMEM_MEMREF_CALLED);
  else
    set_reason(analysis, reason_by_model(analysis, model, model->kind, op));
  return analysis->status == GMEM_OK ? MlirWalkResultAdvance
                                     : MlirWalkResultInterrupt;
}

static gmem_unplanned_t reason_in_body(analysis_t *analysis, MlirOperation op) {
  analysis->reason = gmem_is_function(op) ? GMEM_MEMREF_CALLED
                     : result_can_hold_memref(analysis->program->models, op)
                         ? GMEM_MEMREF_HANDLE
                         : GMEM_MEMREF_PLANNED;
  mlirOperationWalk(op, check_nested_op, analysis, MlirWalkPreOrder);
  return analysis->reason;
}

//===--- all ops ----------------------------------------------------------===//

// Whether |op| is, or is inside of, an op that continues after its step without
// a value that represents it.
static bool continues_untracked(const analysis_t *analysis,
                                const gmem_program_op_t *op) {
  const gmem_program_op_t *ops = analysis->program->ops;
  while (!op->model->escapes && op->parent != GMEM_NO_INDEX)
    op = &ops[op->parent];
  return op->model->escapes;
}

// Whether deferred work may still run when its function has returned: the
// function has callers in this scope, returns a value that may represent the
// work, or no value represents it.
static bool may_outlive_function(const analysis_t *analysis,
                                 const gmem_program_op_t *op) {
  const gmem_callee_t *function = &analysis->facts->calls.callees[op->function];
  if (!op->deferred || function->mentions != 0 ||
      continues_untracked(analysis, op))
    return op->deferred;
  for (uint32_t i = function->first_return; i < function->end_return; ++i)
    if (gmem_any_can_hold_memref(
            analysis->program->models,
            gmem_operands_of(
                analysis->program->ops[analysis->facts->calls.returns[i]].op)))
      return true;
  return false;
}

// Whether a terminator's operands may leave an enclosing op through results
// that can hold a memref.
static bool may_leave_by_result(const analysis_t *analysis) {
  const gmem_program_t *program = analysis->program;
  for (uint32_t owner = gmem_unknown_target(analysis->facts, analysis->op);
       owner != GMEM_NO_INDEX; owner = program->ops[owner].parent)
    if (analysis->facts->flow.flows[owner] == GMEM_FLOW_ANY &&
        result_can_hold_memref(program->models, program->ops[owner].op))
      return true;
  return false;
}

static gmem_unplanned_t reason_at(analysis_t *analysis) {
  const gmem_program_op_t *op = &analysis->program->ops[analysis->op];
  if (may_outlive_function(analysis, op))
    return GMEM_MEMREF_HANDLE;
  if (gmem_flow_is_exact(analysis->facts->flow.flows[analysis->op]))
    return GMEM_MEMREF_PLANNED;
  if (gmem_is_return(analysis->program, analysis->op))
    return analysis->flow->has_unknown_callers[op->function]
               ? GMEM_MEMREF_RETURNED
               : GMEM_MEMREF_PLANNED;
  if (op->opaque)
    return reason_in_body(analysis, op->op);
  if (may_leave_by_result(analysis))
    return GMEM_MEMREF_HANDLE;
  return reason_by_model(analysis, op->model, op->kind, op->op);
}

static void find_at_op(analysis_t *analysis) {
  const gmem_program_op_t *op = &analysis->program->ops[analysis->op];
  bool is_call =
      !gmem_flow_is_exact(analysis->facts->flow.flows[analysis->op]) &&
      op->kind != GMEM_OP_GLOBAL && !op->opaque && takes_memref(op->op) &&
      gmem_names_code(analysis->symbols, op->op, op->model);
  if (is_call)
    escape_by_call(analysis, op->op);
  if (is_call &&
      !mlirOperationIsNull(gmem_function_called(analysis->symbols, op->op)) &&
      !may_outlive_function(analysis, op))
    return;
  analysis->reason = reason_at(analysis);
  if (analysis->reason == GMEM_MEMREF_PLANNED)
    return;
  analysis->container = analysis->reason == GMEM_MEMREF_STORED && !op->opaque
                            ? sole_container(analysis, op->op)
                            : GMEM_NO_INDEX;
  gmem_for_each_memref(analysis->program, analysis->op, escape_operand,
                       analysis);
}

gmem_status_t gmem_memref_escapes_find(const gmem_program_facts_t *facts,
                                       const gmem_memref_flow_t *flow,
                                       gmem_bump_t *arena,
                                       gmem_memref_escape_t **out_escapes,
                                       gmem_diag_t *diag) {
  const gmem_program_t *program = facts->program;
  GMEM_TRY_ALLOC(*out_escapes, arena, program->value_count, diag);
  analysis_t analysis = {.facts = facts,
                         .program = program,
                         .flow = flow,
                         .arena = arena,
                         .symbols = mlirSymbolTableCreate(program->scope),
                         .escapes = *out_escapes,
                         .diag = diag};
  for (uint32_t i = 0; i < program->op_count && analysis.status == GMEM_OK;
       ++i) {
    analysis.op = i;
    find_at_op(&analysis);
  }
  if (!mlirSymbolTableIsNull(analysis.symbols))
    mlirSymbolTableDestroy(analysis.symbols);
  return analysis.status;
}
