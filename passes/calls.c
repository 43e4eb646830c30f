// calls.c - see calls.h. Any symbol reference counts, whatever the op: a call
// that was missed would be a wrong plan, one too many only a larger one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "calls.h"

#include <stdlib.h>
#include <string.h>

#include "diagnostics.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir_seam.h"

typedef struct symbol_s {
  MlirStringRef name;
  uint32_t function;
} symbol_t;

typedef struct finder_s {
  const gmem_schedule_t *schedule;
  gmem_arena_t *arena;
  gmem_calls_t *calls;
  symbol_t *symbols;  // of the functions, sorted by name
  symbol_t *tables;   // of other ops of the scope that name symbols, sorted
  size_t table_count; //
  bool table_is_used; // an op in a function names one of them
  uint32_t op;        // inside whose step the attributes are read
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
  size_t count = finder->schedule->function_count;
  finder->symbols =
      gmem_arena_alloc(finder->arena, count, sizeof *finder->symbols);
  if (!finder->symbols)
    return false;
  for (uint32_t i = 0; i < count; ++i)
    finder->symbols[i] = (symbol_t){finder->schedule->functions[i].name, i};
  qsort(finder->symbols, count, sizeof *finder->symbols, compare_symbols);
  return true;
}

static void add_call(finder_t *finder, uint32_t function) {
  gmem_calls_t *calls = finder->calls;
  if (!gmem_arena_grow(finder->arena, &calls->calls, calls->count, &calls->room,
                       sizeof *calls->calls)) {
    finder->out_of_memory = true;
    return;
  }
  calls->calls[calls->count++] = (gmem_call_t){finder->op, function, false};
  gmem_callee_t *callee = &calls->callees[function];
  ++callee->mentions;
  callee->parallel |= finder->schedule->ops[finder->op].parallel;
}

// The first of the sorted symbols that is not before |name|.
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

// Scopes that are no symbol tables may have several functions of a name: each
// of them is meant. A nested reference names what is in another scope.
static void read_symbol(MlirStringRef name, void *user) {
  finder_t *finder = user;
  size_t count = finder->schedule->function_count;
  for (size_t i = first_symbol(finder->symbols, count, name);
       i < count && mlirStringRefEqual(finder->symbols[i].name, name); ++i)
    add_call(finder, finder->symbols[i].function);
  size_t table = first_symbol(finder->tables, finder->table_count, name);
  if (table < finder->table_count &&
      mlirStringRefEqual(finder->tables[table].name, name))
    finder->table_is_used = true;
}

// Whether the op's own attribute "callee" names the function and its operands
// and results have the types of the function's.
static bool passes_through(MlirOperation op, const gmem_function_t *function) {
  MlirAttribute callee = mlirOperationGetAttributeByName(
      op, mlirStringRefCreateFromCString("callee"));
  if (mlirAttributeIsNull(callee) || !mlirAttributeIsASymbolRef(callee) ||
      !mlirStringRefEqual(mlirSymbolRefAttrGetRootReference(callee),
                          function->name))
    return false;
  MlirAttribute attribute = mlirOperationGetAttributeByName(
      function->op, mlirStringRefCreateFromCString("function_type"));
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

// Whether the op may hand out what it names, or let it run on after its step. A
// func.call does neither, whatever its results are.
static bool may_run_later(MlirOperation op) {
  if (mlirStringRefEqual(mlirIdentifierStr(mlirOperationGetName(op)),
                         mlirStringRefCreateFromCString("func.call")))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (mlirTypeIsAFunction(mlirValueGetType(mlirOperationGetResult(op, i))))
      return true;
  return gmem_yields_handle(op);
}

// After the op's mentions from |first| on have been added: what it may run at
// another time than its own step, or in turns, escapes.
static void judge_mentions(finder_t *finder, MlirOperation op, size_t first) {
  const gmem_schedule_t *schedule = finder->schedule;
  gmem_calls_t *calls = finder->calls;
  const gmem_step_t *step = &schedule->ops[finder->op];
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
  judge_mentions(finder, op, first);
  return MlirWalkResultAdvance;
}

static void find_mentions(finder_t *finder) {
  const gmem_schedule_t *schedule = finder->schedule;
  for (size_t f = 0; f < schedule->function_count; ++f) {
    const gmem_function_t *function = &schedule->functions[f];
    finder->calls->callees[f].first_call = (uint32_t)finder->calls->count;
    for (uint32_t op = function->first_op;
         op < function->end_op && !finder->out_of_memory; ++op) {
      finder->op = op;
      if (schedule->ops[op].opaque)
        mlirOperationWalk(schedule->ops[op].op, read_op, finder,
                          MlirWalkPreOrder);
      else
        read_op(schedule->ops[op].op, finder);
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
  size_t count = finder->schedule->function_count;
  for (size_t i = first_symbol(finder->symbols, count, name);
       i < count && mlirStringRefEqual(finder->symbols[i].name, name); ++i)
    finder->calls->callees[finder->symbols[i].function].escapes = true;
}

// Calls |visit| for the named ops of the scope that are no functions and name
// symbols themselves: a table of functions is one.
static void for_each_table(finder_t *finder,
                           void (*visit)(finder_t *, MlirOperation,
                                         MlirStringRef)) {
  MlirOperation scope = finder->schedule->scope;
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(scope); ++i) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(scope, i));
    for (MlirOperation op = mlirBlockIsNull(block)
                                ? (MlirOperation){NULL}
                                : mlirBlockGetFirstOperation(block);
         !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
      MlirAttribute name = mlirOperationGetAttributeByName(
          op, mlirStringRefCreateFromCString("sym_name"));
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
  finder->tables = gmem_arena_alloc(finder->arena, finder->table_count,
                                    sizeof *finder->tables);
  if (!finder->tables)
    return false;
  finder->table_count = 0;
  for_each_table(finder, add_table);
  qsort(finder->tables, finder->table_count, sizeof *finder->tables,
        compare_symbols);
  return true;
}

//===--- reachability -----------------------------------------------------===//

// Lists in |reachable| what function |root| may run, itself included, by a
// search with an explicit stack; notes when it comes back to |root|.
static uint32_t reach(gmem_calls_t *calls, uint32_t root, uint32_t *seen,
                      uint32_t *stack, uint32_t *reachable) {
  uint32_t count = 0, depth = 0;
  stack[depth++] = root;
  seen[root] = root + 1; // stamps need no clearing between roots
  while (depth) {
    uint32_t function = stack[--depth];
    reachable[count++] = function;
    const gmem_callee_t *callee = &calls->callees[function];
    for (uint32_t c = callee->first_call; c < callee->end_call; ++c) {
      uint32_t next = calls->calls[c].callee;
      if (next == root)
        calls->callees[root].recursive = true;
      if (seen[next] == root + 1)
        continue;
      seen[next] = root + 1;
      stack[depth++] = next;
    }
  }
  return count;
}

static int by_number(const void *a, const void *b) {
  uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
  return (left > right) - (left < right);
}

static bool find_reachable(gmem_calls_t *calls, size_t count,
                           gmem_arena_t *arena) {
  uint32_t *seen = gmem_arena_alloc(arena, count, sizeof *seen);
  uint32_t *stack = gmem_arena_alloc(arena, count, sizeof *stack);
  uint32_t *list = gmem_arena_alloc(arena, count, sizeof *list);
  if (!seen || !stack || !list)
    return false;
  for (uint32_t f = 0; f < count; ++f) {
    gmem_callee_t *callee = &calls->callees[f];
    callee->reachable_count = reach(calls, f, seen, stack, list);
    callee->reachable =
        gmem_arena_alloc(arena, callee->reachable_count, sizeof *list);
    if (!callee->reachable)
      return false;
    memcpy(callee->reachable, list, callee->reachable_count * sizeof *list);
    qsort(callee->reachable, callee->reachable_count, sizeof *list, by_number);
  }
  return true;
}

// The steps at which the functions that |callee| reaches run. Functions are
// numbered in the order of their steps.
static bool find_ranges(const gmem_schedule_t *schedule, gmem_callee_t *callee,
                        gmem_arena_t *arena) {
  callee->ranges =
      gmem_arena_alloc(arena, callee->reachable_count, sizeof *callee->ranges);
  if (!callee->ranges)
    return false;
  for (uint32_t i = 0; i < callee->reachable_count; ++i) {
    const gmem_function_t *function =
        &schedule->functions[callee->reachable[i]];
    if (callee->range_count &&
        callee->ranges[callee->range_count - 1].end == function->begin)
      callee->ranges[callee->range_count - 1].end = function->end;
    else
      callee->ranges[callee->range_count++] =
          (gmem_live_range_t){function->begin, function->end};
  }
  return true;
}

// What holds for a function holds for all that it calls, too.
static void spread(gmem_calls_t *calls, size_t count) {
  for (size_t f = 0; f < count; ++f) {
    const gmem_callee_t *caller = &calls->callees[f];
    for (uint32_t i = 0; i < caller->reachable_count; ++i) {
      gmem_callee_t *callee = &calls->callees[caller->reachable[i]];
      callee->escapes |= caller->escapes;
      callee->parallel |= caller->parallel;
    }
  }
}

//===--- returns ----------------------------------------------------------===//

bool gmem_is_return(const gmem_schedule_t *schedule, uint32_t index) {
  const gmem_step_t *op = &schedule->ops[index];
  return op->parent == GMEM_NO_INDEX &&
         mlirOperationGetNumSuccessors(op->op) == 0 &&
         mlirOperationIsNull(mlirOperationGetNextInBlock(op->op));
}

static uint32_t find_sole_return(const gmem_schedule_t *schedule,
                                 const gmem_function_t *function) {
  uint32_t found = GMEM_NO_INDEX;
  for (uint32_t i = function->first_op; i < function->end_op; ++i) {
    if (!gmem_is_return(schedule, i))
      continue;
    if (found != GMEM_NO_INDEX)
      return GMEM_NO_INDEX;
    found = i;
  }
  return found;
}

// Whether caller and callee can use the same memory for what is passed. In a
// layer group, operands are read as long as the group runs.
static bool is_by_reference(const gmem_schedule_t *schedule,
                            const gmem_calls_t *calls,
                            const gmem_call_t *call) {
  const gmem_callee_t *callee = &calls->callees[call->callee];
  const gmem_step_t *op = &schedule->ops[call->op];
  return callee->mentions == 1 && !callee->recursive && !callee->parallel &&
         !callee->escapes && !op->opaque && op->group == GMEM_NO_GROUP &&
         passes_through(op->op, &schedule->functions[call->callee]);
}

gmem_status_t gmem_calls_find(const gmem_schedule_t *schedule,
                              gmem_arena_t *arena, gmem_calls_t *out_calls,
                              gmem_diag_t *diag) {
  *out_calls = (gmem_calls_t){
      .callees = gmem_arena_alloc(arena, schedule->function_count,
                                  sizeof *out_calls->callees)};
  finder_t finder = {.schedule = schedule, .arena = arena, .calls = out_calls};
  if (!out_calls->callees || !sort_symbols(&finder) || !sort_tables(&finder))
    return gmem_out_of_memory(diag);
  find_mentions(&finder);
  if (finder.table_is_used)
    for_each_table(&finder, escape_table);
  if (finder.out_of_memory ||
      !find_reachable(out_calls, schedule->function_count, arena))
    return gmem_out_of_memory(diag);
  spread(out_calls, schedule->function_count);
  for (size_t i = 0; i < schedule->function_count; ++i) {
    out_calls->callees[i].sole_return =
        find_sole_return(schedule, &schedule->functions[i]);
    if (!find_ranges(schedule, &out_calls->callees[i], arena))
      return gmem_out_of_memory(diag);
  }
  for (size_t i = 0; i < out_calls->count; ++i)
    out_calls->calls[i].by_reference =
        is_by_reference(schedule, out_calls, &out_calls->calls[i]);
  return GMEM_OK;
}
