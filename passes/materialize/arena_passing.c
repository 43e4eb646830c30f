// arena_passing.c - see arena_passing.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "arena_passing.h"

#include <stdio.h>
#include <string.h>

#include "diagnostics.h"
#include "ir_reading.h"
#include "materialization.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

static MlirStringRef symbol_name(MlirOperation op) {
  return mlirStringAttrGetValue(gmem_op_attribute(op, "sym_name"));
}

//===--- symbols ----------------------------------------------------------===//

typedef struct symbols_s {
  MlirSymbolTable table;
  gmem_bump_t *arena;
  const char **made;
  size_t count, room;
} symbols_t;

static bool is_taken(const symbols_t *symbols, const char *name) {
  for (size_t i = 0; i < symbols->count; ++i)
    if (strcmp(symbols->made[i], name) == 0)
      return true;
  return !mlirOperationIsNull(
      mlirSymbolTableLookup(symbols->table, gmem_string(name)));
}

// Returns an unused symbol name, |prefix| |stem| |suffix| with a number
// appended if necessary; NULL when memory is out.
static const char *free_symbol(symbols_t *symbols, const char *prefix,
                               MlirStringRef stem, const char *suffix) {
  size_t length = strlen(prefix) + stem.length + strlen(suffix);
  size_t size = length + 24; // a number
  char *name = gmem_bump_alloc(symbols->arena, size, 1);
  if (!name || !gmem_bump_grow(symbols->arena, &symbols->made, symbols->count,
                               &symbols->room, sizeof *symbols->made))
    return NULL;
  snprintf(name, size, "%s%.*s%s", prefix, (int)stem.length, stem.data, suffix);
  for (unsigned i = 0; is_taken(symbols, name); ++i)
    snprintf(name + length, size - length, "_%u", i);
  symbols->made[symbols->count++] = name;
  return name;
}

// The arena of pool "memory.1" is @gmem_arena_memory_1: a valid identifier in C
// and for linkers.
static const char *arena_symbol(symbols_t *symbols, MlirStringRef pool) {
  char *stem = gmem_bump_string(symbols->arena, pool.data, pool.length);
  if (!stem)
    return NULL;
  for (char *c = stem; *c; ++c)
    if (!(*c >= 'a' && *c <= 'z') && !(*c >= 'A' && *c <= 'Z') &&
        !(*c >= '0' && *c <= '9'))
      *c = '_';
  return free_symbol(symbols, "gmem_arena_", gmem_string(stem), "");
}

static bool is_static(const gmem_materialization_t *job,
                      const gmem_pool_arena_t *arena) {
  return job->mode == GMEM_ARENA_GLOBAL ||
         (arena->constant && job->mode == GMEM_ARENA_ALLOC);
}

static bool name_symbols(gmem_materialization_t *job, symbols_t *symbols) {
  for (size_t i = 0; i < job->arena_count; ++i) {
    gmem_pool_arena_t *arena = &job->arenas[i];
    if (is_static(job, arena) &&
        !(arena->symbol = arena_symbol(symbols, arena->pool)))
      return false;
  }
  for (size_t i = 0; i < job->function_count; ++i) {
    gmem_arena_function_t *function = &job->functions[i];
    if (function->passing == GMEM_ARENA_INNER &&
        !(function->inner_name =
              free_symbol(symbols, "", symbol_name(function->op), "_in_arena")))
      return false;
  }
  return true;
}

// Assigns the symbols of global arenas and inner functions.
static gmem_status_t find_symbols(gmem_materialization_t *job,
                                  gmem_bump_t *arena, gmem_diag_t *diag) {
  symbols_t symbols = {.table = mlirSymbolTableCreate(job->scope),
                       .arena = arena};
  if (mlirSymbolTableIsNull(symbols.table))
    return gmem_reject(diag, job->scope,
                       "this op is not a symbol table: it cannot contain the "
                       "arenas' symbols");
  bool has_memory = name_symbols(job, &symbols);
  mlirSymbolTableDestroy(symbols.table);
  return has_memory ? GMEM_OK : gmem_out_of_memory(diag);
}

//===--- calls ------------------------------------------------------------===//

// The calls of a scope; arrays by function.
typedef struct callers_s {
  const gmem_program_t *program;
  const gmem_calls_t *calls;
  bool *is_called;     // by a func.call, which can pass an arena
  uint32_t *mentioned; // a call that cannot, or GMEM_NO_INDEX
  uint32_t *first;     // start of each callee's callers in |list|, and the end
  uint32_t *list;      // callers, by callee
} callers_t;

static uint32_t caller_of(const callers_t *callers, uint32_t call) {
  return callers->program->ops[callers->calls->calls[call].op].function;
}

// Whether arenas can be added to the operands of the call.
static bool can_pass_arenas(const callers_t *callers, uint32_t call) {
  const gmem_call_t *mention = &callers->calls->calls[call];
  MlirOperation op = callers->program->ops[mention->op].op;
  if (!mention->is_plain || !gmem_op_is(op, "func.call"))
    return false;
  MlirAttribute callee = gmem_op_attribute(op, "callee");
  return mlirStringRefEqual(mlirFlatSymbolRefAttrGetValue(callee),
                            callers->program->functions[mention->callee].name);
}

static bool find_callers(callers_t *callers, gmem_bump_t *arena) {
  size_t functions = callers->program->function_count;
  size_t count = callers->calls->count;
  callers->is_called = gmem_bump_alloc(arena, functions, sizeof(bool));
  callers->mentioned = gmem_bump_alloc(arena, functions, sizeof(uint32_t));
  callers->first = gmem_bump_alloc(arena, functions + 2, sizeof(uint32_t));
  callers->list = gmem_bump_alloc(arena, count, sizeof(uint32_t));
  if (!callers->is_called || !callers->mentioned || !callers->first ||
      !callers->list)
    return false;
  for (size_t i = 0; i < functions; ++i)
    callers->mentioned[i] = GMEM_NO_INDEX;
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t callee = callers->calls->calls[i].callee;
    if (!can_pass_arenas(callers, i)) {
      callers->mentioned[callee] = i;
      continue;
    }
    callers->is_called[callee] = true;
    ++callers->first[callee + 2];
  }
  for (size_t i = 2; i < functions + 2; ++i)
    callers->first[i] += callers->first[i - 1];
  for (uint32_t i = 0; i < count; ++i)
    if (can_pass_arenas(callers, i))
      callers->list[callers->first[callers->calls->calls[i].callee + 1]++] =
          caller_of(callers, i);
  return true;
}

// Propagates needs from callees to callers. |stack|: one entry per function.
static void propagate_needs(const gmem_materialization_t *job,
                            const callers_t *callers, size_t arena,
                            uint32_t *stack) {
  size_t depth = 0;
  for (uint32_t i = 0; i < job->function_count; ++i)
    if ((job->functions[i].needs[arena] = job->functions[i].uses[arena]))
      stack[depth++] = i;
  while (depth) {
    uint32_t callee = stack[--depth];
    for (uint32_t i = callers->first[callee]; i < callers->first[callee + 1];
         ++i) {
      bool *needs = &job->functions[callers->list[i]].needs[arena];
      if (!*needs)
        stack[depth++] = callers->list[i];
      *needs = true;
    }
  }
}

bool gmem_needs_arena(const gmem_materialization_t *job,
                      const gmem_arena_function_t *function) {
  for (size_t i = 0; i < job->arena_count; ++i)
    if (function->needs[i])
      return true;
  return false;
}

//===--- arena passing ----------------------------------------------------===//

static gmem_status_t refuse_function(const callers_t *callers,
                                     uint32_t function, const char *why,
                                     gmem_diag_t *diag) {
  const gmem_function_t *refused = &callers->program->functions[function];
  return gmem_reject(diag, refused->op, "@%.*s needs an arena, but %s",
                     (int)refused->name.length, refused->name.data, why);
}

static gmem_status_t find_passing(gmem_materialization_t *job,
                                  const callers_t *callers, uint32_t index,
                                  gmem_diag_t *diag) {
  gmem_arena_function_t *function = &job->functions[index];
  bool is_pinned = callers->mentioned[index] != GMEM_NO_INDEX ||
                   callers->calls->callees[index].escapes;
  bool is_called = callers->is_called[index];
  function->is_called = is_called;
  if (job->mode == GMEM_ARENA_ARG)
    return is_pinned
               ? refuse_function(callers, index,
                                 "an op other than func.call refers to it and "
                                 "cannot pass one: use arena-mode=global",
                                 diag)
               : GMEM_OK;
  if (is_pinned || !is_called || !gmem_is_private(function->op))
    function->passing = is_called ? GMEM_ARENA_INNER : GMEM_ARENA_OWN;
  return GMEM_OK;
}

static bool find_returns(gmem_arena_function_t *function,
                         const callers_t *callers, uint32_t index,
                         gmem_bump_t *arena) {
  const gmem_callee_t *callee = &callers->calls->callees[index];
  function->return_count = callee->end_return - callee->first_return;
  function->returns =
      gmem_bump_alloc(arena, function->return_count, sizeof *function->returns);
  for (size_t i = 0; i < function->return_count && function->returns; ++i)
    function->returns[i] =
        callers->program->ops[callers->calls->returns[callee->first_return + i]]
            .op;
  return function->returns != NULL;
}

// Sets the names of the pools whose arenas |function| takes.
static bool name_pools(const gmem_materialization_t *job,
                       gmem_arena_function_t *function, gmem_bump_t *arena) {
  MlirContext context = mlirOperationGetContext(function->op);
  MlirAttribute *names =
      gmem_bump_alloc(arena, job->arena_count, sizeof *names);
  intptr_t count = 0;
  for (size_t i = 0; i < job->arena_count && names; ++i)
    if (function->needs[i])
      names[count++] = mlirStringAttrGet(context, job->arenas[i].pool);
  if (names)
    function->pools = mlirArrayAttrGet(context, count, names);
  return names != NULL;
}

void gmem_materialization_widen(gmem_materialization_t *job, intptr_t width) {
  if ((size_t)width > job->width)
    job->width = (size_t)width;
}

// Lists the calls to functions that need arenas.
static bool list_calls(gmem_materialization_t *job, const callers_t *callers,
                       gmem_bump_t *arena) {
  job->calls =
      gmem_bump_alloc(arena, callers->calls->count, sizeof *job->calls);
  if (!job->calls)
    return false;
  for (uint32_t i = 0; i < callers->calls->count; ++i) {
    const gmem_call_t *call = &callers->calls->calls[i];
    if (!can_pass_arenas(callers, i) ||
        !gmem_needs_arena(job, &job->functions[call->callee]))
      continue;
    MlirOperation op = callers->program->ops[call->op].op;
    gmem_materialization_widen(job, mlirOperationGetNumOperands(op));
    job->calls[job->call_count++] =
        (gmem_arena_call_t){op, caller_of(callers, i), call->callee};
  }
  return true;
}

// Functions of other dialects may run concurrently with themselves (GPU kernels
// do), and the rules for their signatures are unknown.
static gmem_status_t refuse_other_functions(const gmem_materialization_t *job,
                                            const callers_t *callers,
                                            gmem_diag_t *diag) {
  for (size_t i = 0; i < job->part_count; ++i) {
    uint32_t function = job->parts[i].function;
    if (!gmem_op_is(job->functions[function].op, "func.func"))
      return refuse_function(callers, function, "is not a func.func", diag);
  }
  return GMEM_OK;
}

static gmem_status_t find_passing_of_all(gmem_materialization_t *job,
                                         const callers_t *callers,
                                         gmem_bump_t *arena,
                                         gmem_diag_t *diag) {
  for (uint32_t i = 0; i < job->function_count; ++i) {
    gmem_arena_function_t *function = &job->functions[i];
    if (!gmem_needs_arena(job, function))
      continue;
    GMEM_TRY(find_passing(job, callers, i, diag));
    MlirType type =
        mlirTypeAttrGetValue(gmem_op_attribute(function->op, "function_type"));
    gmem_materialization_widen(job, mlirFunctionTypeGetNumInputs(type) +
                                        mlirFunctionTypeGetNumResults(type));
    if (!find_returns(function, callers, i, arena) ||
        !name_pools(job, function, arena))
      return gmem_out_of_memory(diag);
  }
  return GMEM_OK;
}

gmem_status_t gmem_arena_passing_find(gmem_materialization_t *job,
                                      const gmem_analysis_t *analysis,
                                      gmem_bump_t *arena, gmem_diag_t *diag) {
  callers_t callers = {.program = &analysis->program,
                       .calls = &analysis->facts.calls};
  uint32_t *stack =
      gmem_bump_alloc(analysis->arena, job->function_count, sizeof *stack);
  if (!stack || !find_callers(&callers, analysis->arena))
    return gmem_out_of_memory(diag);
  for (size_t i = 0; i < job->arena_count; ++i)
    if (!is_static(job, &job->arenas[i]))
      propagate_needs(job, &callers, i, stack);
  GMEM_TRY(refuse_other_functions(job, &callers, diag));
  GMEM_TRY(find_passing_of_all(job, &callers, arena, diag));
  if (!list_calls(job, &callers, arena))
    return gmem_out_of_memory(diag);
  return find_symbols(job, arena, diag);
}
