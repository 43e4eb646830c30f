// calls.c - see calls.h. Any symbol reference counts as a call, whatever the
// op: a missed call would make the plan wrong, a false one only larger.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "calls.h"

#include <stdlib.h>
#include <string.h>

#include "call_graph.h"
#include "diagnostics.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir_seam.h"
#include "program.h"
#include "scopes.h"

typedef struct symbol_s {
  MlirStringRef name;
  uint32_t function;
} symbol_t;

typedef struct finder_s {
  const gmem_program_t *program;
  gmem_bump_t *arena;
  gmem_calls_t *calls;
  symbol_t *symbols;  // of the functions, sorted by name
  symbol_t *tables;   // of other ops of the scope that name symbols, sorted
  size_t table_count; //
  bool table_is_used; // an op in a function names one of them
  uint32_t op;        // the op whose attributes are being read
  bool out_of_memory;
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

static bool sort_symbols(finder_t *finder) {
  size_t count = finder->program->function_count;
  finder->symbols =
      gmem_bump_alloc(finder->arena, count, sizeof *finder->symbols);
  if (!finder->symbols)
    return false;
  for (uint32_t i = 0; i < count; ++i)
    finder->symbols[i] = (symbol_t){finder->program->functions[i].name, i};
  qsort(finder->symbols, count, sizeof *finder->symbols, compare_symbols);
  return true;
}

static void add_call(finder_t *finder, uint32_t function) {
  gmem_calls_t *calls = finder->calls;
  if (!gmem_bump_grow(finder->arena, &calls->calls, calls->count, &calls->room,
                      sizeof *calls->calls)) {
    finder->out_of_memory = true;
    return;
  }
  calls->calls[calls->count++] =
      (gmem_call_t){.op = finder->op, .callee = function};
  gmem_callee_t *callee = &calls->callees[function];
  ++callee->mentions;
  callee->parallel |= finder->program->ops[finder->op].parallel;
}

// The first of the sorted symbols that is not less than |name|.
static size_t first_symbol(const symbol_t *symbols, size_t count,
                           MlirStringRef name) {
  symbol_t key = {name, 0};
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (compare_symbols(&symbols[middle], &key) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// Scopes that are not symbol tables may have several functions of one name; the
// reference then counts for each. A nested reference names a symbol of another
// scope.
static void read_symbol(MlirStringRef name, void *user) {
  finder_t *finder = user;
  size_t count = finder->program->function_count;
  for (size_t i = first_symbol(finder->symbols, count, name);
       i < count && mlirStringRefEqual(finder->symbols[i].name, name); ++i)
    add_call(finder, finder->symbols[i].function);
  size_t table = first_symbol(finder->tables, finder->table_count, name);
  if (table < finder->table_count &&
      mlirStringRefEqual(finder->tables[table].name, name))
    finder->table_is_used = true;
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
  if (finder->out_of_memory)
    return MlirWalkResultInterrupt;
  classify_mentions(finder, op, first);
  return MlirWalkResultAdvance;
}

static void find_mentions(finder_t *finder) {
  const gmem_program_t *program = finder->program;
  for (size_t f = 0; f < program->function_count; ++f) {
    const gmem_function_t *function = &program->functions[f];
    finder->calls->callees[f].first_call = (uint32_t)finder->calls->count;
    for (uint32_t op = function->first_op;
         op < function->end_op && !finder->out_of_memory; ++op) {
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
  size_t count = finder->program->function_count;
  for (size_t i = first_symbol(finder->symbols, count, name);
       i < count && mlirStringRefEqual(finder->symbols[i].name, name); ++i)
    finder->calls->callees[finder->symbols[i].function].escapes = true;
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
  if (finder->tables)
    finder->tables[finder->table_count] = (symbol_t){name, 0};
  ++finder->table_count;
}

static void escape_table(finder_t *finder, MlirOperation op,
                         MlirStringRef name) {
  (void)name;
  gmem_for_each_symbol(op, mark_escaped, finder);
}

static bool sort_tables(finder_t *finder) {
  for_each_table(finder, add_table); // counts
  finder->tables = gmem_bump_alloc(finder->arena, finder->table_count,
                                   sizeof *finder->tables);
  if (!finder->tables)
    return false;
  finder->table_count = 0;
  for_each_table(finder, add_table);
  qsort(finder->tables, finder->table_count, sizeof *finder->tables,
        compare_symbols);
  return true;
}

//===--- returns ----------------------------------------------------------===//

bool gmem_is_return(const gmem_program_t *program, uint32_t index) {
  const gmem_program_op_t *op = &program->ops[index];
  return op->parent == GMEM_NO_INDEX &&
         program->blocks[op->block].last_op == index &&
         mlirOperationGetNumSuccessors(op->op) == 0;
}

static bool list_returns(finder_t *finder) {
  const gmem_program_t *program = finder->program;
  gmem_calls_t *calls = finder->calls;
  size_t room = 0;
  uint32_t count = 0;
  for (size_t f = 0; f < program->function_count; ++f) {
    calls->callees[f].first_return = count;
    for (uint32_t i = program->functions[f].first_op;
         i < program->functions[f].end_op; ++i) {
      if (!gmem_is_return(program, i))
        continue;
      if (!gmem_bump_grow(finder->arena, &calls->returns, count, &room,
                          sizeof *calls->returns))
        return false;
      calls->returns[count++] = i;
    }
    calls->callees[f].end_return = count;
  }
  return true;
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

// Whether the entry arguments and returned values of the function match the
// op's operands and results; for functions of unknown dialects the function
// type alone does not guarantee it.
static bool has_body_for(const finder_t *finder, MlirOperation op,
                         uint32_t function) {
  const gmem_program_t *program = finder->program;
  const gmem_callee_t *callee = &finder->calls->callees[function];
  MlirBlock entry = mlirRegionGetFirstBlock(
      mlirOperationGetRegion(program->functions[function].op, 0));
  intptr_t operands = mlirOperationGetNumOperands(op);
  intptr_t results = mlirOperationGetNumResults(op);
  if (mlirBlockGetNumArguments(entry) < operands)
    return false;
  for (intptr_t i = 0; i < operands; ++i)
    if (!mlirTypeEqual(mlirValueGetType(mlirBlockGetArgument(entry, i)),
                       mlirValueGetType(mlirOperationGetOperand(op, i))))
      return false;
  for (uint32_t r = callee->first_return; r < callee->end_return; ++r) {
    MlirOperation end = program->ops[finder->calls->returns[r]].op;
    if (mlirOperationGetNumOperands(end) != results)
      return false;
    for (intptr_t i = 0; i < results; ++i)
      if (!mlirTypeEqual(mlirValueGetType(mlirOperationGetOperand(end, i)),
                         mlirValueGetType(mlirOperationGetResult(op, i))))
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
         has_body_for(finder, op->op, call->callee);
}

static void classify_calls(finder_t *finder) {
  gmem_calls_t *calls = finder->calls;
  for (size_t i = 0; i < calls->count; ++i) {
    gmem_call_t *call = &calls->calls[i];
    call->is_plain = is_plain(finder, call);
    call->by_reference =
        call->is_plain && calls->callees[call->callee].mentions == 1;
  }
}

gmem_status_t gmem_calls_find(const gmem_program_t *program, gmem_bump_t *arena,
                              gmem_calls_t *out_calls, gmem_diag_t *diag) {
  *out_calls =
      (gmem_calls_t){.callees = gmem_bump_alloc(arena, program->function_count,
                                                sizeof *out_calls->callees)};
  finder_t finder = {.program = program, .arena = arena, .calls = out_calls};
  if (!out_calls->callees || !sort_symbols(&finder) || !sort_tables(&finder))
    return gmem_out_of_memory(diag);
  find_mentions(&finder);
  if (finder.table_is_used)
    for_each_table(&finder, escape_table);
  if (finder.out_of_memory || !list_returns(&finder) ||
      !gmem_call_graph_solve(program, out_calls, arena))
    return gmem_out_of_memory(diag);
  classify_calls(&finder);
  return GMEM_OK;
}

uint32_t gmem_first_call_from(const gmem_program_t *program,
                              const gmem_calls_t *calls, uint32_t function,
                              int64_t step) {
  uint32_t low = calls->callees[function].first_call;
  uint32_t high = calls->callees[function].end_call;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (program->ops[calls->calls[middle].op].begin < step)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}
