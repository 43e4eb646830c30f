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
  uint32_t op;        // inside whose step the attributes are read
  bool takes_address; // the op being read may run what it names at any time
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

static void add_call(finder_t *finder, MlirStringRef name) {
  symbol_t key = {name, 0};
  const symbol_t *found =
      bsearch(&key, finder->symbols, finder->schedule->function_count,
              sizeof key, compare_symbols);
  if (!found)
    return;
  gmem_calls_t *calls = finder->calls;
  if (!gmem_arena_grow(finder->arena, &calls->calls, calls->count, &calls->room,
                       sizeof *calls->calls)) {
    finder->out_of_memory = true;
    return;
  }
  calls->calls[calls->count++] =
      (gmem_call_t){finder->op, found->function, false};
  ++calls->callees[found->function].mentions;
  if (finder->takes_address)
    calls->callees[found->function].escapes = true;
}

static void read_symbol(MlirStringRef name, void *user) {
  add_call(user, name);
}

// Whether the op makes a function a value, or names it beside regions of its
// own, while which it may run.
static bool takes_address(MlirOperation op, bool opaque) {
  if (!opaque && mlirOperationGetNumRegions(op))
    return true;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (mlirTypeIsAFunction(mlirValueGetType(mlirOperationGetResult(op, i))))
      return true;
  return false;
}

static MlirWalkResult read_op(MlirOperation op, void *user) {
  finder_t *finder = user;
  finder->takes_address =
      takes_address(op, finder->schedule->ops[finder->op].opaque);
  gmem_for_each_symbol(op, read_symbol, finder);
  return finder->out_of_memory ? MlirWalkResultInterrupt
                               : MlirWalkResultAdvance;
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

//===--- calls by reference -----------------------------------------------===//

// Whether the op's own attribute "callee" names the function and its operands
// and results have the types of the function's.
static bool passes_through(const gmem_schedule_t *schedule,
                           const gmem_call_t *call) {
  MlirOperation op = schedule->ops[call->op].op;
  const gmem_function_t *function = &schedule->functions[call->callee];
  MlirAttribute callee = mlirOperationGetAttributeByName(
      op, mlirStringRefCreateFromCString("callee"));
  if (schedule->ops[call->op].opaque || mlirAttributeIsNull(callee) ||
      !mlirAttributeIsASymbolRef(callee) ||
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

// A function whose address is taken may run at any time, and what it calls too.
static void spread_escapes(gmem_calls_t *calls, size_t count) {
  for (size_t f = 0; f < count; ++f)
    if (calls->callees[f].escapes)
      for (uint32_t i = 0; i < calls->callees[f].reachable_count; ++i)
        calls->callees[calls->callees[f].reachable[i]].escapes = true;
}

gmem_status_t gmem_calls_find(const gmem_schedule_t *schedule,
                              gmem_arena_t *arena, gmem_calls_t *out_calls,
                              gmem_diag_t *diag) {
  *out_calls = (gmem_calls_t){
      .callees = gmem_arena_alloc(arena, schedule->function_count,
                                  sizeof *out_calls->callees)};
  finder_t finder = {.schedule = schedule, .arena = arena, .calls = out_calls};
  if (!out_calls->callees || !sort_symbols(&finder))
    return gmem_out_of_memory(diag);
  find_mentions(&finder);
  if (finder.out_of_memory ||
      !find_reachable(out_calls, schedule->function_count, arena))
    return gmem_out_of_memory(diag);
  spread_escapes(out_calls, schedule->function_count);
  for (size_t i = 0; i < out_calls->count; ++i) {
    gmem_call_t *call = &out_calls->calls[i];
    const gmem_callee_t *callee = &out_calls->callees[call->callee];
    call->by_reference = callee->mentions == 1 && !callee->recursive &&
                         !callee->escapes && passes_through(schedule, call);
  }
  return GMEM_OK;
}
