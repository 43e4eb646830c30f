// proof_escapes.c - see proof_escapes.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An op may do anything with the memory of its operands while it runs. It keeps
// a memref beyond that only in a result or operand whose type can hold one, in
// what it calls, or where its model says so.

#include "proof_escapes.h"

#include "captures.h"
#include "mlir-c/BuiltinTypes.h"
#include "proof_messages.h"
#include "requests.h"
#include "scopes.h"
#include "type_size.h"
#include "value_rows.h"

typedef struct checker_s {
  const gmem_proof_program_t *program;
  const gmem_proof_memory_t *memory;
  MlirSymbolTable symbols;  // of the scope, null if it has none
  const char **by_argument; // by value, of a function: why it escapes, or NULL
  const char *why;          // the memrefs of the current op escape, or NULL
  gmem_bump_t *arena;
  gmem_diag_t *diag;
} checker_t;

static const char returned[] = "returns to unknown callers",
                  stored[] = "may store", called[] = "passes to unknown code",
                  handled[] = "may keep", freed[] = "frees";

static MlirType operand_type(MlirOperation op, intptr_t number) {
  return mlirValueGetType(mlirOperationGetOperand(op, number));
}

static bool result_can_hold(const checker_t *checker, MlirOperation op) {
  return gmem_any_can_hold_memref(checker->program->models,
                                  gmem_results_of(op));
}

static bool takes_memref(MlirOperation op) {
  return gmem_row_any(gmem_operands_of(op), gmem_is_memref_type);
}

//===--- memrefs that escape ----------------------------------------------===//

static gmem_status_t report(const checker_t *checker, const gmem_proof_op_t *op,
                            uint32_t value, const char *why) {
  const gmem_proof_program_t *program = checker->program;
  const gmem_proof_value_t *entry = gmem_proof_value_at(program, value);
  gmem_note_t note = gmem_proof_note(mlirValueGetLocation(entry->value),
                                     "it is allocated here");
  return gmem_error(
      checker->diag, GMEM_ERR_CORRUPT, mlirOperationGetLocation(op->op), &note,
      1, "%s %s %s, which the plan gives a place; plan again",
      gmem_proof_op_text(program, (uint32_t)(op - program->ops.at)).at, why,
      gmem_proof_value_text(program, entry).at);
}

// |value|, a memref, escapes by |op|: no allocation that it may denote is
// placed.
static gmem_status_t escape(checker_t *checker, const gmem_proof_op_t *op,
                            uint32_t value, const char *why) {
  const gmem_proof_program_t *program = checker->program;
  gmem_proof_set_t set = checker->memory->sites[value];
  uint32_t count = (uint32_t)program->values.count;
  for (uint32_t i = 0; i < set.count; ++i) {
    uint32_t id = set.at[i];
    if (id >= GMEM_PROOF_ARGUMENT) {
      uint32_t argument =
          gmem_proof_arguments(program,
                               program->functions.at[op->function].region)
              .first +
          (id & ~GMEM_PROOF_ARGUMENT);
      if (!checker->by_argument[argument])
        checker->by_argument[argument] = why;
      continue;
    }
    id -= id >= count ? count : 0;
    const gmem_proof_value_t *owner = &program->values.at[id];
    if (owner->op != GMEM_NO_INDEX && owner->is_placed &&
        program->ops.at[owner->op].model->kind == GMEM_OP_ALLOC)
      return report(checker, op, id, why);
  }
  return GMEM_OK;
}

//===--- ops --------------------------------------------------------------===//

static bool is_return(const gmem_proof_op_t *op) {
  return op->parent == GMEM_NO_INDEX && op->next == GMEM_NO_INDEX &&
         op->results.count == 0 && mlirOperationGetNumSuccessors(op->op) == 0;
}

// Whether work that |op| is a part of may still run when its function has
// returned: it has callers here, returns what may stand for the work, or
// nothing does.
static bool may_outlive_function(const checker_t *checker,
                                 const gmem_proof_op_t *op) {
  const gmem_proof_program_t *program = checker->program;
  const gmem_proof_function_t *function = &program->functions.at[op->function];
  const gmem_proof_op_t *at = op;
  if (!op->is_deferred)
    return false;
  while (!at->model->escapes && at->parent != GMEM_NO_INDEX)
    at = &program->ops.at[at->parent];
  bool may = function->mentions != 0 || at->model->escapes;
  const gmem_proof_region_t *body = &program->regions.at[function->region];
  for (uint32_t b = 0; b < body->block_count && !may; ++b) {
    const gmem_proof_op_t *end =
        gmem_proof_exit(program, body->first_block + b);
    may = end && end->results.count == 0 &&
          gmem_any_can_hold_memref(program->models, gmem_operands_of(end->op));
  }
  return may;
}

// Whether |op|, at the end of a region, may pass its operands to results that
// can hold a memref.
static bool may_leave(const checker_t *checker, const gmem_proof_op_t *op) {
  bool is_end = op->next == GMEM_NO_INDEX && op->results.count == 0 &&
                mlirOperationGetNumSuccessors(op->op) == 0;
  while (is_end && op->parent != GMEM_NO_INDEX) {
    op = &checker->program->ops.at[op->parent];
    if (op->flow >= GMEM_PROOF_BRANCH) {
      if (op->results.count)
        return false; // it passes them to these
    } else if (result_can_hold(checker, op->op)) {
      return true;
    }
  }
  return false;
}

// By operands: one that can hold a pointer, or whose memory can hold memrefs.
static const char *by_operands(const checker_t *checker, MlirOperation op) {
  intptr_t memrefs = 0, containers = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirType type = operand_type(op, i);
    if (mlirTypeIsAFunction(type))
      return called;
    if (gmem_is_handle_type(checker->program->models, type))
      return stored;
    memrefs += gmem_is_memref_type(type);
    containers += gmem_holds_memrefs(type);
  }
  return containers && memrefs > 1 ? stored : NULL;
}

static gmem_status_t find_why_by_model(checker_t *checker,
                                       const gmem_op_model_t *model,
                                       MlirOperation op) {
  bool is_waited_for;
  GMEM_TRY(gmem_request_is_waited_for(checker->program->models, op,
                                      checker->arena, &is_waited_for,
                                      checker->diag));
  if (model->kind == GMEM_OP_DEALLOC)
    checker->why = mlirOperationGetNumResults(op) ? freed : NULL;
  else if (model->escapes || (result_can_hold(checker, op) && !is_waited_for))
    checker->why = handled;
  else
    checker->why = model->waits ? NULL : by_operands(checker, op);
  return GMEM_OK;
}

static gmem_status_t look_inside(MlirOperation op, void *user) {
  checker_t *checker = user;
  const gmem_op_model_t *model;
  if (checker->why || !takes_memref(op))
    return GMEM_OK;
  GMEM_TRY(gmem_op_models_of_op(checker->program->models, op, checker->arena,
                                &model, checker->diag));
  if (model->kind == GMEM_OP_DEALLOC)
    checker->why = freed;
  else if (gmem_names_code(checker->symbols, op, model))
    checker->why = called;
  else
    return find_why_by_model(checker, model, op);
  return GMEM_OK;
}

// Sets checker->why for all memrefs that |op| uses.
static gmem_status_t find_why(checker_t *checker, const gmem_proof_op_t *op) {
  checker->why = NULL;
  if (may_outlive_function(checker, op))
    checker->why = handled;
  else if (op->flow == GMEM_PROOF_CALL || op->flow >= GMEM_PROOF_BRANCH)
    return GMEM_OK;
  else if (is_return(op))
    checker->why =
        checker->program->functions.at[op->function].has_unknown_callers
            ? returned
            : NULL;
  else if (op->is_opaque) {
    checker->why = gmem_is_function(op->op)           ? called
                   : result_can_hold(checker, op->op) ? handled
                                                      : NULL;
    return gmem_walk(op->op, look_inside, checker);
  } else if (may_leave(checker, op)) {
    checker->why = handled;
  } else {
    return find_why_by_model(checker, op->model, op->op);
  }
  return GMEM_OK;
}

// A call passes on what its callee does with the arguments.
static gmem_status_t check_call(checker_t *checker, const gmem_proof_op_t *op) {
  const gmem_proof_program_t *program = checker->program;
  gmem_proof_row_t arguments =
      gmem_proof_arguments(program, gmem_proof_callee(program, op)->region);
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (op->operands[i] != GMEM_NO_INDEX &&
        checker->by_argument[arguments.first + i])
      GMEM_TRY(escape(checker, op, op->operands[i],
                      checker->by_argument[arguments.first + i]));
  return GMEM_OK;
}

static bool frees_unplaced(const gmem_proof_memory_t *memory,
                           const gmem_proof_op_t *op) {
  bool is_found = false;
  for (uint32_t i = 0; i < op->operand_count && !is_found; ++i)
    is_found =
        op->operands[i] != GMEM_NO_INDEX && memory->unplaced[op->operands[i]];
  return is_found;
}

bool gmem_proof_frees_placed(const gmem_proof_memory_t *memory,
                             const gmem_proof_op_t *op) {
  return op->model->kind == GMEM_OP_DEALLOC && !op->is_opaque &&
         op->results.count == 0 && !frees_unplaced(memory, op);
}

// A deallocation of memory that is placed is removed, unless it may free other
// memory, too.
static gmem_status_t check_dealloc(checker_t *checker,
                                   const gmem_proof_op_t *op) {
  bool is_kept = frees_unplaced(checker->memory, op);
  for (uint32_t i = 0; i < op->operand_count && is_kept; ++i)
    if (op->operands[i] != GMEM_NO_INDEX)
      GMEM_TRY(escape(checker, op, op->operands[i],
                      "frees memory without a place, or"));
  return GMEM_OK;
}

static gmem_status_t check_op(checker_t *checker, const gmem_proof_op_t *op) {
  bool is_outlived = may_outlive_function(checker, op);
  if (op->flow == GMEM_PROOF_CALL)
    GMEM_TRY(check_call(checker, op));
  if (op->model->kind == GMEM_OP_DEALLOC)
    GMEM_TRY(check_dealloc(checker, op));
  if (op->flow != GMEM_PROOF_CALL && op->flow < GMEM_PROOF_BRANCH &&
      op->model->kind != GMEM_OP_GLOBAL && !op->is_opaque &&
      takes_memref(op->op) &&
      gmem_names_code(checker->symbols, op->op, op->model)) {
    MlirOperation function = gmem_function_called(checker->symbols, op->op);
    for (uint32_t i = 0; i < op->operand_count; ++i)
      if (op->operands[i] != GMEM_NO_INDEX &&
          gmem_is_memref_type(operand_type(op->op, i)) &&
          !gmem_is_not_captured(function, i))
        GMEM_TRY(escape(checker, op, op->operands[i], called));
    if (!mlirOperationIsNull(function) && !is_outlived)
      return GMEM_OK;
  }
  GMEM_TRY(find_why(checker, op));
  intptr_t sole = checker->why == stored && !op->is_opaque
                      ? gmem_sole_container(checker->program->models, op->op)
                      : -1;
  uint32_t container = sole < 0 ? GMEM_NO_INDEX : op->operands[sole];
  for (uint32_t i = 0; i < op->read_count && checker->why; ++i)
    if (op->operands[i] != GMEM_NO_INDEX && op->operands[i] != container &&
        gmem_is_memref_type(mlirValueGetType(
            checker->program->values.at[op->operands[i]].value)))
      GMEM_TRY(escape(checker, op, op->operands[i], checker->why));
  return GMEM_OK;
}

static gmem_status_t check_all(checker_t *checker) {
  const gmem_proof_program_t *program = checker->program;
  GMEM_TRY_ALLOC(checker->by_argument, checker->arena, program->values.count,
                 checker->diag);
  for (size_t i = 0; i < program->functions.count; ++i) { // callees first
    const gmem_proof_function_t *function =
        &program->functions.at[program->order[i]];
    for (uint32_t k = function->first_op; k < function->end_op; ++k)
      GMEM_TRY(check_op(checker, &program->ops.at[k]));
  }
  return GMEM_OK;
}

gmem_status_t gmem_proof_escapes_check(const gmem_proof_program_t *program,
                                       const gmem_proof_memory_t *memory,
                                       MlirSymbolTable symbols,
                                       gmem_bump_t *arena, gmem_diag_t *diag) {
  bool has_any = false;
  for (size_t i = 0;
       i < program->values.count && program->has_allocs && !has_any; ++i) {
    const gmem_proof_value_t *value = &program->values.at[i];
    has_any = value->is_placed && value->op != GMEM_NO_INDEX &&
              program->ops.at[value->op].model->kind == GMEM_OP_ALLOC;
  }
  if (!has_any)
    return GMEM_OK;
  checker_t checker = {.program = program,
                       .memory = memory,
                       .symbols = symbols,
                       .arena = arena,
                       .diag = diag};
  return check_all(&checker);
}
