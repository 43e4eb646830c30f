// calls.c - see calls.h. Any symbol reference counts as a call, whatever the
// op: a missed call would make the plan wrong, a false one only larger.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "calls.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "call_graph.h"
#include "diagnostics.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir_seam.h"
#include "partition_point.h"
#include "program.h"
#include "scopes.h"
#include "value_rows.h"

typedef struct symbol_s {
  MlirStringRef name;
  uint32_t function;
} symbol_t;

typedef struct symbol_list_s {
  symbol_t *at;
  size_t count, room;
} symbol_list_t;

typedef struct finder_s {
  const gmem_program_t *program;
  gmem_bump_t *arena;
  gmem_calls_t *calls;
  size_t call_room;
  symbol_list_t symbols; // of the functions, sorted by name
  symbol_list_t tables;  // of other ops of the scope that name symbols, sorted
  bool table_is_used;    // an op in a function names one of them
  uint32_t op;           // the op whose attributes are being read
} finder_t;

//===--- mentions ---------------------------------------------------------===//

static int compare_symbols(const void *a, const void *b) {
  MlirStringRef left = ((const symbol_t *)a)->name;
  MlirStringRef right = ((const symbol_t *)b)->name;
  size_t length = left.length < right.length ? left.length : right.length;
  int order = length ? memcmp(left.data, right.data, length) : 0;
  return order ? order
               : (left.length > right.length) - (left.length < right.length);
}

static void sort_symbols(symbol_list_t *list) {
  if (list->count)
    qsort(list->at, list->count, sizeof *list->at, compare_symbols);
}

static void list_functions(finder_t *finder) {
  for (uint32_t i = 0; i < finder->program->function_count; ++i)
    GMEM_APPEND(finder->arena, &finder->symbols,
                (symbol_t){finder->program->functions[i].name, i});
  sort_symbols(&finder->symbols);
}

static void add_call(finder_t *finder, uint32_t function) {
  gmem_calls_t *calls = finder->calls;
  if (!gmem_bump_grow(finder->arena, &calls->calls, calls->count,
                      &finder->call_room, sizeof *calls->calls))
    return;
  calls->calls[calls->count++] =
      (gmem_call_t){.op = finder->op, .callee = function};
  gmem_callee_t *callee = &calls->callees[function];
  ++callee->mentions;
  callee->parallel |= finder->program->ops[finder->op].parallel;
}

static bool symbol_is_less(const void *symbol, const void *key) {
  return compare_symbols(symbol, key) < 0;
}

// The first of the sorted symbols that is not less than |name|.
static size_t first_symbol(const symbol_list_t *list, MlirStringRef name) {
  symbol_t key = {name, 0};
  return gmem_partition_point(&key, list->at, list->count, sizeof key,
                              symbol_is_less);
}

static bool is_named(const symbol_list_t *list, size_t i, MlirStringRef name) {
  return i < list->count && mlirStringRefEqual(list->at[i].name, name);
}

// Scopes that are not symbol tables may have several functions of one name; the
// reference then counts for each. A nested reference names a symbol of another
// scope.
static void read_symbol(MlirStringRef name, void *user) {
  finder_t *finder = user;
  const symbol_list_t *symbols = &finder->symbols, *tables = &finder->tables;
  for (size_t i = first_symbol(symbols, name); is_named(symbols, i, name); ++i)
    add_call(finder, symbols->at[i].function);
  finder->table_is_used |= is_named(tables, first_symbol(tables, name), name);
}

// Whether the op may return what it names, or run it after its own step. A
// func.call does neither, whatever its results are.
static bool may_run_later(MlirOperation op) {
  if (gmem_op_is(op, "func.call"))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (mlirTypeIsAFunction(mlirValueGetType(mlirOperationGetResult(op, i))))
      return true;
  return gmem_yields_handle(op);
}

// Marks the functions that the op mentions, from |first| on, as escaping if the
// op may run them at other times than its own step, or as parallel.
static void classify_mentions(finder_t *finder, MlirOperation op,
                              size_t first) {
  const gmem_program_t *program = finder->program;
  gmem_calls_t *calls = finder->calls;
  const gmem_program_op_t *step = &program->ops[finder->op];
  size_t count = calls->count - first;
  bool has_regions = !step->opaque && mlirOperationGetNumRegions(op);
  for (size_t i = first; i < calls->count; ++i) {
    uint32_t callee = calls->calls[i].callee;
    if (count > 1 || has_regions || step->late || may_run_later(op))
      calls->callees[callee].escapes = true;
  }
}

static MlirWalkResult read_op(MlirOperation op, void *user) {
  finder_t *finder = user;
  size_t first = finder->calls->count;
  gmem_for_each_symbol(op, read_symbol, finder);
  classify_mentions(finder, op, first);
  return MlirWalkResultAdvance;
}

static void find_mentions(finder_t *finder) {
  const gmem_program_t *program = finder->program;
  for (size_t f = 0; f < program->function_count; ++f) {
    const gmem_function_t *function = &program->functions[f];
    finder->calls->callees[f].first_call = (uint32_t)finder->calls->count;
    for (uint32_t op = function->first_op; op < function->end_op; ++op) {
      finder->op = op;
      if (program->ops[op].opaque)
        mlirOperationWalk(program->ops[op].op, read_op, finder,
                          MlirWalkPreOrder);
      else
        read_op(program->ops[op].op, finder);
    }
    finder->calls->callees[f].end_call = (uint32_t)finder->calls->count;
  }
}

//===--- tables of functions ----------------------------------------------===//

static void count_symbol(MlirStringRef name, void *user) {
  (void)name;
  ++*(size_t *)user;
}

static void mark_escaped(MlirStringRef name, void *user) {
  finder_t *finder = user;
  const symbol_list_t *symbols = &finder->symbols;
  for (size_t i = first_symbol(symbols, name); is_named(symbols, i, name); ++i)
    finder->calls->callees[symbols->at[i].function].escapes = true;
}

// Calls |visit| for the named ops of the scope that are not functions and
// reference symbols themselves, such as a table of functions.
static void for_each_table(finder_t *finder,
                           void (*visit)(finder_t *, MlirOperation,
                                         MlirStringRef)) {
  MlirOperation scope = finder->program->scope;
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(scope); ++i) {
    for (MlirOperation op = gmem_first_op(scope, i); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
      MlirAttribute name = gmem_op_attribute(op, "sym_name");
      size_t symbols = 0;
      if (gmem_is_function(op) || mlirAttributeIsNull(name) ||
          !mlirAttributeIsAString(name))
        continue;
      gmem_for_each_symbol(op, count_symbol, &symbols);
      if (symbols)
        visit(finder, op, mlirStringAttrGetValue(name));
    }
  }
}

static void add_table(finder_t *finder, MlirOperation op, MlirStringRef name) {
  (void)op;
  GMEM_APPEND(finder->arena, &finder->tables, (symbol_t){name, 0});
}

static void escape_table(finder_t *finder, MlirOperation op,
                         MlirStringRef name) {
  (void)name;
  gmem_for_each_symbol(op, mark_escaped, finder);
}

//===--- returns ----------------------------------------------------------===//

bool gmem_is_return(const gmem_program_t *program, uint32_t index) {
  const gmem_program_op_t *op = &program->ops[index];
  return op->parent == GMEM_NO_INDEX &&
         program->blocks[op->block].last_op == index &&
         mlirOperationGetNumSuccessors(op->op) == 0;
}

static void list_returns(finder_t *finder) {
  const gmem_program_t *program = finder->program;
  gmem_calls_t *calls = finder->calls;
  size_t room = 0;
  uint32_t count = 0;
  for (size_t f = 0; f < program->function_count; ++f) {
    calls->callees[f].first_return = count;
    for (uint32_t i = program->functions[f].first_op;
         i < program->functions[f].end_op; ++i)
      if (gmem_is_return(program, i) &&
          gmem_bump_grow(finder->arena, &calls->returns, count, &room,
                         sizeof *calls->returns))
        calls->returns[count++] = i;
    calls->callees[f].end_return = count;
  }
}

//===--- plain calls ------------------------------------------------------===//

// Whether the op's attribute "callee" names the function and its operand and
// result types match the function type.
static bool has_type_of(MlirOperation op, const gmem_function_t *function) {
  MlirAttribute callee = gmem_op_attribute(op, "callee");
  if (mlirAttributeIsNull(callee) || !mlirAttributeIsASymbolRef(callee) ||
      !mlirStringRefEqual(mlirSymbolRefAttrGetRootReference(callee),
                          function->name))
    return false;
  MlirAttribute attribute = gmem_op_attribute(function->op, "function_type");
  MlirType type = mlirAttributeIsAType(attribute)
                      ? mlirTypeAttrGetValue(attribute)
                      : (MlirType){NULL};
  if (!type.ptr || !mlirTypeIsAFunction(type) ||
      mlirFunctionTypeGetNumInputs(type) != mlirOperationGetNumOperands(op) ||
      mlirFunctionTypeGetNumResults(type) != mlirOperationGetNumResults(op))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!mlirTypeEqual(mlirValueGetType(mlirOperationGetOperand(op, i)),
                       mlirFunctionTypeGetInput(type, i)))
      return false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (!mlirTypeEqual(mlirValueGetType(mlirOperationGetResult(op, i)),
                       mlirFunctionTypeGetResult(type, i)))
      return false;
  return true;
}

MlirBlock gmem_callee_entry(const gmem_calls_t *calls,
                            const gmem_call_t *call) {
  return mlirRegionGetFirstBlock(
      mlirOperationGetRegion(calls->program->functions[call->callee].op, 0));
}

// Whether the entry arguments and returned values of the function match the
// op's operands and results; for functions of unknown dialects the function
// type alone does not guarantee it.
static bool has_body_for(const finder_t *finder, MlirOperation op,
                         const gmem_call_t *call) {
  const gmem_callee_t *callee = &finder->calls->callees[call->callee];
  gmem_value_row_t operands = gmem_operands_of(op);
  gmem_value_row_t arguments =
      gmem_arguments_of(gmem_callee_entry(finder->calls, call));
  if (!gmem_rows_match(operands, gmem_row_first(arguments, operands.count)))
    return false;
  for (uint32_t r = callee->first_return; r < callee->end_return; ++r) {
    MlirOperation end = finder->program->ops[finder->calls->returns[r]].op;
    if (!gmem_rows_match(gmem_operands_of(end), gmem_results_of(op)))
      return false;
  }
  return true;
}

// Operands of a layer group are read as long as the group runs, and the results
// of an op that defines constants exist before it runs: neither is plain.
static bool is_plain(const finder_t *finder, const gmem_call_t *call) {
  const gmem_callee_t *callee = &finder->calls->callees[call->callee];
  const gmem_program_op_t *op = &finder->program->ops[call->op];
  return !callee->recursive && !callee->parallel && !callee->escapes &&
         !op->opaque && !op->late && op->group == GMEM_NO_GROUP &&
         !gmem_makes_weights(op) && mlirOperationGetNumRegions(op->op) == 0 &&
         has_type_of(op->op, &finder->program->functions[call->callee]) &&
         has_body_for(finder, op->op, call);
}

static void classify_calls(finder_t *finder) {
  gmem_calls_t *calls = finder->calls;
  for (size_t i = 0; i < calls->count; ++i) {
    gmem_call_t *call = &calls->calls[i];
    assert(i == 0 || call[-1].op <= call->op); // for binary searches
    call->is_plain = is_plain(finder, call);
    call->by_reference =
        call->is_plain && calls->callees[call->callee].mentions == 1;
  }
}

gmem_status_t gmem_calls_find(const gmem_program_t *program, gmem_bump_t *arena,
                              gmem_calls_t *out_calls, gmem_diag_t *diag) {
  *out_calls = (gmem_calls_t){.program = program};
  finder_t finder = {.program = program, .arena = arena, .calls = out_calls};
  GMEM_TRY_ALLOC(out_calls->callees, arena, program->function_count, diag);
  GMEM_TRY_ALLOC(out_calls->calls, arena, 0, diag); // never NULL
  list_functions(&finder);
  for_each_table(&finder, add_table);
  sort_symbols(&finder.tables);
  GMEM_TRY(gmem_bump_status(arena, diag));
  find_mentions(&finder);
  if (finder.table_is_used)
    for_each_table(&finder, escape_table);
  list_returns(&finder);
  GMEM_TRY(gmem_bump_status(arena, diag));
  GMEM_TRY(gmem_call_graph_solve(out_calls, arena, diag));
  classify_calls(&finder);
  return GMEM_OK;
}

typedef struct step_key_s {
  const gmem_program_t *program;
  int64_t step;
} step_key_t;

static bool call_is_before(const void *element, const void *user) {
  const gmem_call_t *call = element;
  const step_key_t *key = user;
  return key->program->ops[call->op].begin < key->step;
}

uint32_t gmem_first_call_from(const gmem_calls_t *calls, uint32_t function,
                              int64_t step) {
  const gmem_callee_t *caller = &calls->callees[function];
  step_key_t key = {calls->program, step};
  return caller->first_call +
         (uint32_t)gmem_partition_point(&key, calls->calls + caller->first_call,
                                        caller->end_call - caller->first_call,
                                        sizeof *calls->calls, call_is_before);
}
