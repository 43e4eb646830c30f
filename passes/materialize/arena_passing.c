// arena_passing.c - see materialization.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "materialization.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "csr.h"
#include "diagnostics.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

//===--- symbols ----------------------------------------------------------===//

typedef struct symbols_s {
  MlirSymbolTable table;
  gmem_bump_t *arena;
  GMEM_LIST(const char *) made;
} symbols_t;

static bool is_taken(const symbols_t *symbols, const char *name) {
  for (size_t i = 0; i < symbols->made.count; ++i)
    if (strcmp(symbols->made.at[i], name) == 0)
      return true;
  return !mlirOperationIsNull(
      mlirSymbolTableLookup(symbols->table, gmem_string(name)));
}

// Returns an unused symbol name, |prefix| |stem| |suffix| with a number
// appended if necessary. All other characters than those of a C identifier
// become '_' in a stem after a prefix. NULL when memory is out.
static const char *new_symbol(symbols_t *symbols, const char *prefix,
                              MlirStringRef stem, const char *suffix) {
  size_t length = strlen(prefix) + stem.length + strlen(suffix);
  size_t size = length + 24; // a number
  char *name = gmem_bump_alloc(symbols->arena, size, 1);
  if (!name)
    return NULL;
  snprintf(name, size, "%s%.*s%s", prefix, (int)stem.length, stem.data, suffix);
  for (char *c = name; *prefix && *c; ++c)
    if (!(*c >= 'a' && *c <= 'z') && !(*c >= 'A' && *c <= 'Z') &&
        !(*c >= '0' && *c <= '9'))
      *c = '_';
  for (unsigned i = 0; is_taken(symbols, name); ++i)
    snprintf(name + length, size - length, "_%u", i);
  GMEM_APPEND(symbols->arena, &symbols->made, name);
  return name;
}

static bool is_static(const gmem_materialization_t *job,
                      const gmem_pool_arena_t *arena) {
  return job->mode == GMEM_ARENA_GLOBAL ||
         (arena->constant && job->mode == GMEM_ARENA_ALLOC);
}

// Assigns the symbols of global arenas and inner functions. The arena of pool
// "memory.1" is @gmem_arena_memory_1: a valid identifier in C and for linkers.
static gmem_status_t find_symbols(gmem_materialization_t *job,
                                  const gmem_analysis_t *analysis) {
  symbols_t symbols = {.table = mlirSymbolTableCreate(job->scope),
                       .arena = job->arena};
  if (mlirSymbolTableIsNull(symbols.table))
    return gmem_reject(job->diag, job->scope,
                       "this op is not a symbol table: it cannot contain the "
                       "arenas' symbols");
  for (size_t i = 0; i < job->arenas.count; ++i)
    if (is_static(job, &job->arenas.at[i]))
      job->arenas.at[i].symbol =
          new_symbol(&symbols, "gmem_arena_", job->arenas.at[i].pool, "");
  for (size_t i = 0; i < job->function_count; ++i) {
    gmem_arena_function_t *function = &job->functions[i];
    if (function->passing == GMEM_ARENA_INNER)
      function->inner_name = new_symbol(
          &symbols, "", analysis->program.functions[i].name, "_in_arena");
  }
  mlirSymbolTableDestroy(symbols.table);
  return gmem_bump_status(job->arena, job->diag);
}

//===--- calls ------------------------------------------------------------===//

// The calls of a scope; arrays by function.
typedef struct callers_s {
  const gmem_program_t *program;
  const gmem_calls_t *calls;
  bool *is_called;     // by a func.call, which can pass an arena
  uint32_t *mentioned; // a call that cannot, or GMEM_NO_INDEX
  gmem_csr_t callers;  // by callee
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

static gmem_status_t find_callers(callers_t *callers, gmem_bump_t *arena,
                                  gmem_diag_t *diag) {
  size_t functions = callers->program->function_count;
  gmem_csr_pairs_t pairs = {.count = 0};
  GMEM_TRY_ALLOC(callers->is_called, arena, functions, diag);
  GMEM_TRY_ALLOC(callers->mentioned, arena, functions, diag);
  GMEM_TRY_ALLOC(pairs.at, arena, callers->calls->count, diag);
  for (size_t i = 0; i < functions; ++i)
    callers->mentioned[i] = GMEM_NO_INDEX;
  for (uint32_t i = 0; i < callers->calls->count; ++i) {
    uint32_t callee = callers->calls->calls[i].callee;
    if (can_pass_arenas(callers, i)) {
      callers->is_called[callee] = true;
      pairs.at[pairs.count++] =
          (gmem_csr_pair_t){callee, caller_of(callers, i)};
    } else {
      callers->mentioned[callee] = i;
    }
  }
  return gmem_csr_build(&pairs, functions, arena, &callers->callers, diag);
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
    GMEM_CSR_EACH (caller, &callers->callers, callee) {
      bool *needs = &job->functions[*caller].needs[arena];
      if (!*needs)
        stack[depth++] = *caller;
      *needs = true;
    }
    assert(depth <= job->function_count);
  }
}

bool gmem_needs_arena(const gmem_materialization_t *job,
                      const gmem_arena_function_t *function) {
  for (size_t i = 0; i < job->arenas.count; ++i)
    if (function->needs[i])
      return true;
  return false;
}

//===--- arena passing ----------------------------------------------------===//

static gmem_status_t refuse_function(const gmem_materialization_t *job,
                                     const gmem_function_t *function,
                                     const char *why) {
  return gmem_reject(job->diag, function->op, "@%.*s needs an arena, but %s",
                     (int)function->name.length, function->name.data, why);
}

static gmem_status_t find_passing(gmem_materialization_t *job,
                                  const callers_t *callers, uint32_t index) {
  gmem_arena_function_t *function = &job->functions[index];
  bool is_pinned = callers->mentioned[index] != GMEM_NO_INDEX ||
                   callers->calls->callees[index].escapes;
  function->is_called = callers->is_called[index];
  if (job->mode == GMEM_ARENA_ARG)
    return is_pinned
               ? refuse_function(job, &callers->program->functions[index],
                                 "an op other than func.call refers to it and "
                                 "cannot pass one: use arena-mode=global")
               : GMEM_OK;
  if (is_pinned || !function->is_called || !gmem_is_private(function->op))
    function->passing = function->is_called ? GMEM_ARENA_INNER : GMEM_ARENA_OWN;
  return GMEM_OK;
}

static gmem_status_t find_returns(const gmem_materialization_t *job,
                                  const callers_t *callers, uint32_t index) {
  gmem_arena_function_t *function = &job->functions[index];
  const gmem_callee_t *callee = &callers->calls->callees[index];
  const uint32_t *returns = callers->calls->returns;
  function->return_count = callee->end_return - callee->first_return;
  GMEM_TRY_ALLOC(function->returns, job->arena, function->return_count,
                 job->diag);
  for (size_t i = 0; i < function->return_count; ++i)
    function->returns[i] =
        callers->program->ops[returns[callee->first_return + i]].op;
  return GMEM_OK;
}

// Sets the names of the pools whose arenas |function| takes.
static gmem_status_t name_pools(const gmem_materialization_t *job,
                                gmem_arena_function_t *function) {
  MlirContext context = mlirOperationGetContext(function->op);
  intptr_t count = 0;
  MlirAttribute *names;
  GMEM_TRY_ALLOC(names, job->arena, job->arenas.count, job->diag);
  for (size_t i = 0; i < job->arenas.count; ++i)
    if (function->needs[i])
      names[count++] = mlirStringAttrGet(context, job->arenas.at[i].pool);
  function->pools = mlirArrayAttrGet(context, count, names);
  return GMEM_OK;
}

void gmem_materialization_widen(gmem_materialization_t *job, intptr_t width) {
  if ((size_t)width > job->scratch.width)
    job->scratch.width = (size_t)width;
}

// Lists the calls to functions that need arenas.
static void list_calls(gmem_materialization_t *job, const callers_t *callers) {
  for (uint32_t i = 0; i < callers->calls->count; ++i) {
    const gmem_call_t *call = &callers->calls->calls[i];
    if (!can_pass_arenas(callers, i) ||
        !gmem_needs_arena(job, &job->functions[call->callee]))
      continue;
    MlirOperation op = callers->program->ops[call->op].op;
    gmem_materialization_widen(job, mlirOperationGetNumOperands(op));
    GMEM_APPEND(job->arena, &job->calls,
                (gmem_arena_call_t){op, caller_of(callers, i), call->callee});
  }
}

// Functions of other dialects may run concurrently with themselves (GPU kernels
// do), and the rules for their signatures are unknown.
static gmem_status_t refuse_other_functions(const gmem_materialization_t *job,
                                            const callers_t *callers) {
  for (size_t i = 0; i < job->parts.count; ++i) {
    const gmem_function_t *function =
        &callers->program->functions[job->parts.at[i].function];
    if (!gmem_op_is(function->op, "func.func"))
      return refuse_function(job, function, "is not a func.func");
  }
  return GMEM_OK;
}

static gmem_status_t find_passing_of_all(gmem_materialization_t *job,
                                         const callers_t *callers) {
  for (uint32_t i = 0; i < job->function_count; ++i) {
    gmem_arena_function_t *function = &job->functions[i];
    if (!gmem_needs_arena(job, function))
      continue;
    GMEM_TRY(find_passing(job, callers, i));
    MlirType type =
        mlirTypeAttrGetValue(gmem_op_attribute(function->op, "function_type"));
    gmem_materialization_widen(job, mlirFunctionTypeGetNumInputs(type) +
                                        mlirFunctionTypeGetNumResults(type));
    GMEM_TRY(find_returns(job, callers, i));
    GMEM_TRY(name_pools(job, function));
  }
  return GMEM_OK;
}

gmem_status_t gmem_arena_passing_find(gmem_materialization_t *job,
                                      const gmem_analysis_t *analysis) {
  callers_t callers = {.program = &analysis->program,
                       .calls = &analysis->facts.calls};
  uint32_t *stack;
  GMEM_TRY_ALLOC(stack, analysis->arena, job->function_count, job->diag);
  GMEM_TRY(find_callers(&callers, analysis->arena, job->diag));
  for (size_t i = 0; i < job->arenas.count; ++i)
    if (!is_static(job, &job->arenas.at[i]))
      propagate_needs(job, &callers, i, stack);
  GMEM_TRY(refuse_other_functions(job, &callers));
  GMEM_TRY(find_passing_of_all(job, &callers));
  list_calls(job, &callers);
  return find_symbols(job, analysis);
}
