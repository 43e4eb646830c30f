// memrefs.c - see memrefs.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "memrefs.h"

#include <assert.h>

#include "ir_reading.h"

//===--- allocation sites -------------------------------------------------===//

static gmem_status_t list_sites(gmem_memref_analysis_t *analysis) {
  const gmem_program_t *program = analysis->program;
  gmem_memrefs_t *memrefs = analysis->memrefs;
  size_t count = 0;
  for (uint32_t i = 0; i < program->value_count; ++i)
    count += gmem_is_memref_root(program, i);
  GMEM_TRY_ALLOC(memrefs->sites, analysis->arena, count, analysis->diag);
  for (uint32_t i = 0; i < program->value_count; ++i)
    if (gmem_is_memref_root(program, i))
      memrefs->sites[memrefs->site_count++] =
          (gmem_allocation_site_t){.value = i, .cause = GMEM_NO_INDEX};
  return GMEM_OK;
}

static gmem_status_t prepare_marks(gmem_memref_analysis_t *analysis) {
  gmem_bump_t *arena = analysis->arena;
  gmem_site_accesses_t *accesses = &analysis->accesses;
  size_t ops = analysis->program->op_count;
  size_t blocks = analysis->program->block_count;
  size_t functions = analysis->program->function_count;
  GMEM_TRY_ALLOC(accesses->in_block, arena, blocks, analysis->diag);
  GMEM_TRY_ALLOC(accesses->first, arena, blocks, analysis->diag);
  GMEM_TRY_ALLOC(accesses->directly, arena, ops, analysis->diag);
  GMEM_TRY_ALLOC(accesses->by_op, arena, ops, analysis->diag);
  GMEM_TRY_ALLOC(accesses->through, arena, ops, analysis->diag);
  GMEM_TRY_ALLOC(accesses->arguments, arena, functions, analysis->diag);
  GMEM_TRY_ALLOC(accesses->in_function, arena, functions, analysis->diag);
  GMEM_TRY_ALLOC(analysis->effects, arena, ops, analysis->diag);
  GMEM_TRY_ALLOC(analysis->contents, arena, blocks, analysis->diag);
  GMEM_TRY_ALLOC(analysis->positions, arena, functions, analysis->diag);
  for (uint32_t i = 0; i < functions; ++i)
    analysis->positions[analysis->facts->calls.order[i]] = i;
  return GMEM_OK;
}

//===--- points-to sets ---------------------------------------------------===//

// Computes one context-insensitive points-to set for all sites from |first| on:
// fallback when the budget is exhausted.
static gmem_status_t share_rest(gmem_memref_analysis_t *analysis,
                                gmem_points_to_t *points_to, size_t first) {
  gmem_memrefs_t *memrefs = analysis->memrefs;
  size_t count = memrefs->site_count - first;
  uint32_t *values;
  gmem_site_values_t all;
  GMEM_TRY_ALLOC(values, analysis->arena, count, analysis->diag);
  for (size_t i = 0; i < count; ++i)
    values[i] = memrefs->sites[first + i].value;
  if (!gmem_points_to_together(points_to, values, count, &all))
    return gmem_out_of_memory(analysis->diag);
  for (size_t i = first; i < memrefs->site_count; ++i) {
    assert(!memrefs->sites[i].aliases);
    memrefs->sites[i].aliases = all.values;
    memrefs->sites[i].alias_count = all.value_count;
    memrefs->sites[i].is_shared = true;
  }
  return GMEM_OK;
}

static gmem_status_t find_points_to(gmem_memref_analysis_t *analysis) {
  gmem_memrefs_t *memrefs = analysis->memrefs;
  gmem_points_to_t *points_to;
  GMEM_TRY(gmem_points_to_begin(analysis->facts, &analysis->flow,
                                analysis->arena, &points_to, analysis->diag));
  for (size_t i = 0; i < memrefs->site_count; ++i) {
    gmem_allocation_site_t *site = &memrefs->sites[i];
    gmem_site_values_t found;
    if (!gmem_points_to_from(points_to, site->value, &found))
      return share_rest(analysis, points_to, i);
    assert(found.value_count && found.values[0] == site->value);
    site->aliases = found.values;
    site->alias_count = found.value_count;
    site->site_values = found.site_values;
    site->site_value_count = found.site_value_count;
  }
  return GMEM_OK;
}

//===--- concurrent execution ---------------------------------------------===//

// Whether |op| is parallel and deferred as far as the op around it is: a loop
// in a parallel one.
static bool inherits(const gmem_program_t *program,
                     const gmem_program_op_t *op) {
  if (op->kind == GMEM_OP_PARALLEL || op->parent == GMEM_NO_INDEX)
    return false;
  const gmem_program_op_t *parent = &program->ops[op->parent];
  return parent->parallel >= op->parallel && parent->deferred >= op->deferred;
}

// The innermost op around |op| whose regions may run concurrently with
// themselves: it is declared parallel, deferred, or has unknown semantics.
static uint32_t parallel_around(const gmem_memref_analysis_t *analysis,
                                uint32_t op) {
  const gmem_program_t *program = analysis->program;
  for (uint32_t i = program->ops[op].parent; i != GMEM_NO_INDEX;
       i = program->ops[i].parent) {
    const gmem_program_op_t *at = &program->ops[i];
    bool is_unknown =
        analysis->facts->flow.flows[i] == GMEM_FLOW_ANY &&
        (at->kind == GMEM_OP_UNKNOWN || at->kind == GMEM_OP_COMPUTE);
    if (is_unknown ||
        ((at->parallel || at->deferred) && !inherits(program, at)))
      return i;
  }
  return GMEM_NO_INDEX;
}

// The semantics of other functions are unknown: kernels, for example, of which
// many instances run at once.
static bool is_func_func(const gmem_memref_analysis_t *analysis,
                         uint32_t function) {
  return gmem_op_is(analysis->program->functions[function].op, "func.func");
}

// Marks functions that may run concurrently with themselves, and transitively
// their callees. Every function is on the stack at most twice: for its kind,
// and when it is marked.
static gmem_status_t find_parallel(gmem_memref_analysis_t *analysis) {
  const gmem_program_t *program = analysis->program;
  const gmem_calls_t *calls = &analysis->facts->calls;
  size_t count = program->function_count, depth = 0;
  uint32_t *stack, *parallel;
  GMEM_TRY_ALLOC(stack, analysis->arena, 2 * count, analysis->diag);
  GMEM_TRY_ALLOC(parallel, analysis->arena, count, analysis->diag);
  analysis->parallel = parallel;
  for (uint32_t i = 0; i < count; ++i) {
    parallel[i] = GMEM_NO_INDEX;
    if (!is_func_func(analysis, i))
      stack[depth++] = i;
  }
  for (size_t i = 0; i < calls->count; ++i) {
    const gmem_call_t *call = &calls->calls[i];
    uint32_t cause =
        call->is_plain ? parallel_around(analysis, call->op) : call->op;
    if (parallel[call->callee] != GMEM_NO_INDEX || cause == GMEM_NO_INDEX)
      continue;
    parallel[call->callee] = cause;
    stack[depth++] = call->callee;
  }
  while (depth) {
    const gmem_callee_t *caller = &calls->callees[stack[--depth]];
    for (uint32_t i = caller->first_call; i < caller->end_call; ++i) {
      uint32_t callee = calls->calls[i].callee;
      if (parallel[callee] != GMEM_NO_INDEX)
        continue;
      assert(depth < 2 * count);
      parallel[callee] = calls->calls[i].op;
      stack[depth++] = callee;
    }
  }
  return GMEM_OK;
}

//===--- decisions without live ranges ------------------------------------===//

// Whether the option, the op or the type excludes the site from planning.
static gmem_unplanned_t reason_by_type(const gmem_memref_analysis_t *analysis,
                                       uint32_t value) {
  const gmem_value_t *entry = &analysis->program->values[value];
  uint64_t ignored;
  if (!analysis->options->memrefs)
    return GMEM_MEMREF_UNWANTED;
  if (!analysis->options->allocas &&
      analysis->program->ops[entry->op].model->stack)
    return GMEM_MEMREF_STACK;
  if (entry->type == GMEM_TYPE_SIZED)
    return GMEM_MEMREF_PLANNED;
  switch (gmem_memref_size(mlirValueGetType(entry->value), NULL, &ignored)) {
  case GMEM_TYPE_UNKNOWN_ELEMENT:
    return GMEM_MEMREF_ELEMENT;
  case GMEM_TYPE_LAYOUT:
    return GMEM_MEMREF_LAYOUT;
  default:
    return GMEM_MEMREF_DYNAMIC;
  }
}

static void check_concurrency(gmem_memref_analysis_t *analysis,
                              gmem_allocation_site_t *site) {
  uint32_t op = analysis->program->values[site->value].op;
  uint32_t function = analysis->program->ops[op].function;
  const gmem_callee_t *callee = &analysis->facts->calls.callees[function];
  uint32_t around = parallel_around(analysis, op);
  if (!is_func_func(analysis, function))
    gmem_memref_exclude(site, GMEM_MEMREF_FUNCTION, GMEM_NO_INDEX);
  if (around == GMEM_NO_INDEX)
    around = analysis->parallel[function];
  if (around != GMEM_NO_INDEX || callee->recursive || callee->parallel ||
      callee->escapes)
    gmem_memref_exclude(site, GMEM_MEMREF_PARALLEL, around);
}

// Marks the site as not planned if a value that may denote it escapes, with the
// first such op as the cause.
static void check_escapes(gmem_memref_analysis_t *analysis,
                          gmem_allocation_site_t *site) {
  gmem_memref_escape_t first = {GMEM_MEMREF_PLANNED, GMEM_NO_INDEX};
  for (size_t i = 0; i < site->alias_count; ++i) {
    gmem_memref_escape_t escape = analysis->escapes[site->aliases[i]];
    if (escape.reason != GMEM_MEMREF_PLANNED && escape.op < first.op)
      first = escape;
  }
  gmem_memref_exclude(site, first.reason, first.op);
}

// A shared points-to set is checked once: its sites are adjacent.
static void check_sites(gmem_memref_analysis_t *analysis) {
  const gmem_allocation_site_t *shared = NULL;
  for (size_t i = 0; i < analysis->memrefs->site_count; ++i) {
    gmem_allocation_site_t *site = &analysis->memrefs->sites[i];
    gmem_memref_exclude(site, reason_by_type(analysis, site->value),
                        GMEM_NO_INDEX);
    check_concurrency(analysis, site);
    if (shared && shared->is_shared)
      gmem_memref_exclude(site, shared->reason, shared->cause);
    else
      check_escapes(analysis, site);
    shared = site;
  }
}

gmem_status_t gmem_memrefs_find(const gmem_program_facts_t *facts,
                                const gmem_model_options_t *options,
                                gmem_bump_t *arena, gmem_memrefs_t *memrefs,
                                gmem_memref_analysis_t **out_analysis,
                                gmem_diag_t *diag) {
  gmem_memref_analysis_t *analysis;
  *memrefs = (gmem_memrefs_t){0};
  GMEM_TRY_ALLOC(analysis, arena, 1, diag);
  *out_analysis = analysis;
  *analysis = (gmem_memref_analysis_t){.facts = facts,
                                       .program = facts->program,
                                       .contexts = facts->contexts,
                                       .options = options,
                                       .arena = arena,
                                       .memrefs = memrefs,
                                       .ranges = {.arena = arena},
                                       .live = {.arena = arena},
                                       .cuts = {.arena = arena},
                                       .callee_gaps = {.arena = arena},
                                       .diag = diag};
  GMEM_TRY(list_sites(analysis));
  if (memrefs->site_count == 0)
    return GMEM_OK;
  GMEM_TRY(gmem_memref_flow_find(facts, arena, &analysis->flow, diag));
  GMEM_TRY(gmem_memref_escapes_find(facts, &analysis->flow, arena,
                                    &analysis->escapes, diag));
  GMEM_TRY(prepare_marks(analysis));
  GMEM_TRY(find_points_to(analysis));
  GMEM_TRY(find_parallel(analysis));
  check_sites(analysis);
  return GMEM_OK;
}

gmem_status_t gmem_memrefs_finish(gmem_memref_analysis_t *analysis,
                                  const gmem_live_value_t *live_values) {
  gmem_memrefs_t *memrefs = analysis->memrefs;
  analysis->live_values = live_values;
  if (memrefs->site_count == 0)
    return GMEM_OK;
  for (size_t i = 0; i < memrefs->site_count; ++i)
    gmem_memref_check_loop_carried(analysis, &memrefs->sites[i]);
  GMEM_TRY(gmem_memref_find_deallocations(analysis));
  for (size_t i = 0; i < memrefs->site_count; ++i)
    if (memrefs->sites[i].reason == GMEM_MEMREF_PLANNED)
      gmem_memref_find_live_ranges(analysis, &memrefs->sites[i]);
  return gmem_bump_status(analysis->arena, analysis->diag);
}
