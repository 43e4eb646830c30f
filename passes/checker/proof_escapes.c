// proof_escapes.c - see proof_escapes.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An op may do anything with the memory of its operands while it runs. It keeps
// a memref beyond that only in a result or operand whose type can hold one, in
// what it calls, or where its model says so.

#include "proof_escapes.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "annotations.h"
#include "diagnostics.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinTypes.h"
#include "proof_unplaced.h"
#include "scopes.h"
#include "type_size.h"
#include "vocabulary.h"

typedef struct checker_s {
  const gmem_proof_program_t *program;
  const gmem_proof_memory_t *memory;
  MlirSymbolTable symbols;   // of the scope, null if it has none
  const char **by_argument;  // by value, of a function: why it escapes, or NULL
  bool *has_unknown_callers; // by function
  bool *is_unplaced;         // by value: it may denote memory without a place
  const char *why;           // the memrefs of the op at hand escape, or NULL
  gmem_bump_t *arena;
  gmem_diag_t *diag;
} checker_t;

static const char returned[] = "returns to unknown callers",
                  stored[] = "may store", called[] = "passes to unknown code",
                  handled[] = "may keep", freed[] = "frees";

//===--- types ------------------------------------------------------------===//

static bool is_number(MlirType type) {
  return mlirTypeIsAInteger(type) || mlirTypeIsAFloat(type) ||
         mlirTypeIsAIndex(type) || mlirTypeIsAComplex(type);
}

static MlirType element_of(MlirType type) {
  return mlirTypeIsAVector(type) ? mlirShapedTypeGetElementType(type) : type;
}

// Whether a value of this type may contain a memref or a pointer.
static bool can_hold(MlirType type) {
  type = element_of(type);
  return !gmem_is_memref_type(type) && !is_number(type) &&
         !mlirTypeIsANone(type);
}

// Whether elements of this memref may be memrefs or pointers.
static bool is_container(MlirType type) {
  return gmem_is_memref_type(type) &&
         !is_number(element_of(mlirShapedTypeGetElementType(type)));
}

// A value without contents that the plan knows: a token, a pointer.
static bool is_handle(MlirType type) {
  uint64_t ignored;
  return gmem_type_size(type, &ignored) == GMEM_TYPE_NO_MEMORY &&
         !is_number(type) && !mlirTypeIsANone(type) &&
         !mlirTypeIsAVector(type) && !mlirTypeIsATuple(type);
}

static MlirType operand_type(MlirOperation op, intptr_t number) {
  return mlirValueGetType(mlirOperationGetOperand(op, number));
}

static bool result_can_hold(MlirOperation op) {
  bool can = false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    can |= can_hold(mlirValueGetType(mlirOperationGetResult(op, i)));
  return can;
}

static bool takes_memref(MlirOperation op) {
  bool takes = false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    takes |= gmem_is_memref_type(operand_type(op, i));
  return takes;
}

//===--- calls ------------------------------------------------------------===//

typedef struct search_s {
  const checker_t *checker;
  bool is_found;
} search_t;

// A global variable has neither a function type nor regions.
static void look_for_code(MlirStringRef name, void *user) {
  search_t *search = user;
  MlirSymbolTable symbols = search->checker->symbols;
  MlirOperation named = mlirSymbolTableIsNull(symbols)
                            ? (MlirOperation){NULL}
                            : mlirSymbolTableLookup(symbols, name);
  search->is_found |=
      mlirOperationIsNull(named) || mlirOperationGetNumRegions(named) != 0 ||
      !mlirAttributeIsNull(gmem_op_attribute(named, "function_type"));
}

static bool names_code(const checker_t *checker, MlirOperation op) {
  search_t search = {checker, false};
  gmem_for_each_symbol(op, look_for_code, &search);
  return search.is_found;
}

// The function that the op calls without doing anything else, or null.
static MlirOperation function_called(const checker_t *checker,
                                     MlirOperation op) {
  MlirOperation named = {NULL};
  MlirAttribute callee = gmem_op_attribute(op, "callee"), type = {NULL};
  if (gmem_attribute_is(callee, mlirAttributeIsAFlatSymbolRef) &&
      !mlirSymbolTableIsNull(checker->symbols) &&
      mlirOperationGetNumRegions(op) == 0)
    named = mlirSymbolTableLookup(checker->symbols,
                                  mlirFlatSymbolRefAttrGetValue(callee));
  if (!mlirOperationIsNull(named))
    type = gmem_op_attribute(named, "function_type");
  return gmem_attribute_is(type, mlirAttributeIsAType) &&
                 mlirTypeIsAFunction(mlirTypeAttrGetValue(type)) &&
                 mlirFunctionTypeGetNumInputs(mlirTypeAttrGetValue(type)) ==
                     mlirOperationGetNumOperands(op)
             ? named
             : (MlirOperation){NULL};
}

// Whether |function| says that it does not keep argument |number|.
static bool is_not_kept(MlirOperation function, intptr_t number) {
  char text[64];
  if (mlirOperationIsNull(function))
    return false;
  MlirAttribute all = gmem_entry_attributes(function, "arg_attrs", number);
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

static void mark_named(MlirStringRef name, void *user) {
  checker_t *checker = user;
  for (size_t i = 0; i < checker->program->functions.count; ++i)
    if (mlirStringRefEqual(checker->program->functions.at[i].name, name))
      checker->has_unknown_callers[i] = true;
}

static gmem_status_t mark_all_named(MlirOperation op, void *user) {
  gmem_for_each_symbol(op, mark_named, user);
  return GMEM_OK;
}

// Functions that others than calls of this scope may run.
static gmem_status_t find_unknown_callers(checker_t *checker) {
  const gmem_proof_program_t *program = checker->program;
  GMEM_TRY_ALLOC(checker->has_unknown_callers, checker->arena,
                 program->functions.count, checker->diag);
  for (size_t i = 0; i < program->functions.count; ++i) {
    const gmem_proof_function_t *function = &program->functions.at[i];
    checker->has_unknown_callers[i] = function->mentions == 0 ||
                                      function->may_run_any_time ||
                                      !gmem_is_private(function->op);
  }
  for (size_t i = 0; i < program->ops.count; ++i) {
    const gmem_proof_op_t *op = &program->ops.at[i];
    for (uint32_t c = 0; c < op->callee_count && op->flow != GMEM_PROOF_CALL;
         ++c)
      checker->has_unknown_callers[program->callees.at[op->first_callee + c]] =
          true;
  }
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(program->scope); ++i)
    for (MlirOperation op = gmem_first_op(program->scope, i);
         !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
      if (gmem_is_function(op))
        gmem_for_each_symbol(op, mark_named, checker);
      else
        GMEM_TRY(gmem_walk(op, mark_all_named, checker));
  return GMEM_OK;
}

//===--- memrefs that escape ----------------------------------------------===//

static MlirStringRef name_of(MlirOperation op) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  name.length = name.length < 64 ? name.length : 64;
  return name;
}

static gmem_status_t report(const checker_t *checker, const gmem_proof_op_t *op,
                            uint32_t value, const char *why) {
  const gmem_proof_value_t *entry = &checker->program->values.at[value];
  MlirStringRef made = name_of(checker->program->ops.at[entry->op].op);
  MlirStringRef name = name_of(op->op);
  gmem_note_t note = {.location = mlirValueGetLocation(entry->value)};
  snprintf(note.text, sizeof note.text, "it is allocated here");
  return gmem_error(checker->diag, GMEM_ERR_CORRUPT,
                    mlirOperationGetLocation(op->op), &note, 1,
                    "'%.*s' %s result #%u of '%.*s', which the plan gives a "
                    "place; plan again",
                    (int)name.length, name.data, why, entry->number,
                    (int)made.length, made.data);
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
      const gmem_proof_region_t *body =
          &program->regions.at[program->functions.at[op->function].region];
      uint32_t argument =
          program->blocks.at[body->first_block].arguments.first +
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
    uint32_t last = program->blocks.at[body->first_block + b].last_op;
    if (last == GMEM_NO_INDEX || !is_return(&program->ops.at[last]))
      continue;
    MlirOperation end = program->ops.at[last].op;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(end); ++i)
      may |= can_hold(operand_type(end, i));
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
    } else if (result_can_hold(op->op)) {
      return true;
    }
  }
  return false;
}

// By operands: one that can hold a pointer, or whose memory can hold memrefs.
static const char *by_operands(MlirOperation op) {
  intptr_t memrefs = 0, containers = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirType type = operand_type(op, i);
    if (mlirTypeIsAFunction(type))
      return called;
    if (is_handle(type))
      return stored;
    memrefs += gmem_is_memref_type(type);
    containers += is_container(type);
  }
  return containers && memrefs > 1 ? stored : NULL;
}

static const char *by_model(const gmem_op_model_t *model, MlirOperation op) {
  if (model->kind == GMEM_OP_DEALLOC)
    return mlirOperationGetNumResults(op) ? freed : NULL;
  return model->escapes || result_can_hold(op) ? handled : by_operands(op);
}

static gmem_status_t look_inside(MlirOperation op, void *user) {
  checker_t *checker = user;
  const gmem_op_model_t *model;
  if (checker->why || !takes_memref(op))
    return GMEM_OK;
  GMEM_TRY(gmem_op_models_of_op(checker->program->models, op, checker->arena,
                                &model, checker->diag));
  checker->why = model->kind == GMEM_OP_DEALLOC ? freed
                 : names_code(checker, op)      ? called
                                                : by_model(model, op);
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
    checker->why = checker->has_unknown_callers[op->function] ? returned : NULL;
  else if (op->is_opaque) {
    checker->why = gmem_is_function(op->op)  ? called
                   : result_can_hold(op->op) ? handled
                                             : NULL;
    return gmem_walk(op->op, look_inside, checker);
  } else {
    checker->why =
        may_leave(checker, op) ? handled : by_model(op->model, op->op);
  }
  return GMEM_OK;
}

// The only operand in which the op can store memrefs, if it is a memref: it is
// not stored in itself.
static uint32_t sole_container(const gmem_proof_op_t *op) {
  uint32_t found = GMEM_NO_INDEX, containers = 0;
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    if (is_handle(operand_type(op->op, i)))
      return GMEM_NO_INDEX;
    if (!is_container(operand_type(op->op, i)))
      continue;
    found = op->operands[i];
    ++containers;
  }
  return containers == 1 ? found : GMEM_NO_INDEX;
}

// A call passes on what its callee does with the arguments.
static gmem_status_t check_call(checker_t *checker, const gmem_proof_op_t *op) {
  const gmem_proof_program_t *program = checker->program;
  const gmem_proof_function_t *callee =
      &program->functions.at[program->callees.at[op->first_callee]];
  gmem_proof_row_t arguments =
      program->blocks.at[gmem_proof_entry(program, callee->region)].arguments;
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (op->operands[i] != GMEM_NO_INDEX &&
        checker->by_argument[arguments.first + i])
      GMEM_TRY(escape(checker, op, op->operands[i],
                      checker->by_argument[arguments.first + i]));
  return GMEM_OK;
}

// A deallocation of memory that is placed is removed, unless it may free other
// memory, too.
static gmem_status_t check_dealloc(checker_t *checker,
                                   const gmem_proof_op_t *op) {
  bool is_kept = false;
  for (uint32_t i = 0; i < op->operand_count; ++i)
    is_kept |= op->operands[i] != GMEM_NO_INDEX &&
               checker->is_unplaced[op->operands[i]];
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
      takes_memref(op->op) && names_code(checker, op->op)) {
    MlirOperation function = function_called(checker, op->op);
    for (uint32_t i = 0; i < op->operand_count; ++i)
      if (op->operands[i] != GMEM_NO_INDEX &&
          gmem_is_memref_type(operand_type(op->op, i)) &&
          !is_not_kept(function, i))
        GMEM_TRY(escape(checker, op, op->operands[i], called));
    if (!mlirOperationIsNull(function) && !is_outlived)
      return GMEM_OK;
  }
  GMEM_TRY(find_why(checker, op));
  uint32_t container = checker->why == stored && !op->is_opaque
                           ? sole_container(op)
                           : GMEM_NO_INDEX;
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
  GMEM_TRY(find_unknown_callers(checker));
  GMEM_TRY(gmem_proof_unplaced_find(program, checker->has_unknown_callers,
                                    checker->arena, &checker->is_unplaced,
                                    checker->diag));
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
                                       gmem_bump_t *arena, gmem_diag_t *diag) {
  bool has_any = false;
  for (size_t i = 0; i < program->values.count && !has_any; ++i) {
    const gmem_proof_value_t *value = &program->values.at[i];
    has_any = value->is_placed && value->op != GMEM_NO_INDEX &&
              program->ops.at[value->op].model->kind == GMEM_OP_ALLOC;
  }
  if (!has_any)
    return GMEM_OK;
  checker_t checker = {.program = program,
                       .memory = memory,
                       .symbols = mlirSymbolTableCreate(program->scope),
                       .arena = arena,
                       .diag = diag};
  gmem_status_t status = check_all(&checker);
  if (!mlirSymbolTableIsNull(checker.symbols))
    mlirSymbolTableDestroy(checker.symbols);
  return status;
}
