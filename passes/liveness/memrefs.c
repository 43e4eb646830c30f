// memrefs.c - see memrefs.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "memrefs.h"

#include "deallocations.h"
#include "diagnostics.h"
#include "gmem/passes.h"
#include "ir_reading.h"
#include "memref_analysis.h"
#include "memref_coalescing.h"
#include "memref_liveness.h"

//===--- roots ------------------------------------------------------------===//

static bool list_roots(gmem_memref_analysis_t *finder) {
  const gmem_program_t *program = finder->program;
  gmem_memrefs_t *memrefs = finder->memrefs;
  size_t count = 0;
  for (uint32_t i = 0; i < program->value_count; ++i)
    count += gmem_is_memref_root(program, i);
  memrefs->roots =
      gmem_bump_alloc(finder->arena, count, sizeof *memrefs->roots);
  if (!memrefs->roots)
    return false;
  for (uint32_t i = 0; i < program->value_count; ++i)
    if (gmem_is_memref_root(program, i))
      memrefs->roots[memrefs->root_count++] = (gmem_allocation_site_t){
          .value = i, .place = i, .cause = GMEM_NO_INDEX};
  return true;
}

static bool prepare_marks(gmem_memref_analysis_t *finder) {
  const gmem_program_t *program = finder->program;
  gmem_bump_t *arena = finder->arena;
  size_t ops = program->op_count, blocks = program->block_count;
  size_t regions = program->region_count;
  finder->first_region = gmem_bump_alloc(arena, ops, sizeof(uint32_t));
  finder->next_region = gmem_bump_alloc(arena, regions, sizeof(uint32_t));
  finder->touched = gmem_bump_alloc(arena, blocks, sizeof(uint32_t));
  finder->first_touch = gmem_bump_alloc(arena, blocks, sizeof(uint32_t));
  finder->touches_itself = gmem_bump_alloc(arena, ops, sizeof(uint32_t));
  finder->touches = gmem_bump_alloc(arena, ops, sizeof(uint32_t));
  finder->blocks = gmem_bump_alloc(arena, blocks, sizeof(uint32_t));
  if (!finder->first_region || !finder->next_region || !finder->touched ||
      !finder->first_touch || !finder->touches_itself || !finder->touches ||
      !finder->blocks)
    return false;
  for (size_t i = 0; i < ops; ++i)
    finder->first_region[i] = GMEM_NO_INDEX;
  for (uint32_t i = (uint32_t)regions; i-- > 0;) {
    uint32_t owner = program->regions[i].owner;
    if (owner == GMEM_NO_INDEX)
      continue;
    finder->next_region[i] = finder->first_region[owner];
    finder->first_region[owner] = i;
  }
  return true;
}

//===--- where roots flow -------------------------------------------------===//

// All that any root from |first| on flows to, as one list for all of them.
static bool share_rest(gmem_memref_analysis_t *finder, gmem_points_to_t *walk,
                       size_t first) {
  gmem_memrefs_t *memrefs = finder->memrefs;
  size_t count = memrefs->root_count - first;
  uint32_t *values = gmem_bump_alloc(finder->arena, count, sizeof *values);
  gmem_site_values_t all;
  for (size_t i = 0; values && i < count; ++i)
    values[i] = memrefs->roots[first + i].value;
  if (!values || !gmem_points_to_together(walk, values, count, &all))
    return false;
  for (size_t i = first; i < memrefs->root_count; ++i) {
    memrefs->roots[i].seen_as = all.values;
    memrefs->roots[i].seen_count = all.value_count;
    memrefs->roots[i].is_shared = true;
  }
  return true;
}

static bool find_flows(gmem_memref_analysis_t *finder) {
  gmem_memrefs_t *memrefs = finder->memrefs;
  gmem_points_to_t *walk = gmem_points_to_begin(
      finder->program, finder->calls, finder->contexts, &finder->flow,
      finder->uses->first_user, finder->arena);
  if (!walk)
    return false;
  for (size_t i = 0; i < memrefs->root_count; ++i) {
    gmem_allocation_site_t *root = &memrefs->roots[i];
    gmem_site_values_t found;
    if (!gmem_points_to_from(walk, root->value, &found))
      return share_rest(finder, walk, i);
    root->seen_as = found.values;
    root->seen_count = found.value_count;
    root->site_values = found.site_values;
    root->sight_count = found.sight_count;
  }
  return true;
}

//===--- what runs several times at once ----------------------------------===//

// The innermost op around |op|, or itself if |inclusive|, whose regions may run
// several times at once: one that says so, or of which nothing is known.
static uint32_t parallel_around(const gmem_memref_analysis_t *finder,
                                uint32_t op) {
  const gmem_program_t *program = finder->program;
  for (uint32_t at = program->ops[op].parent; at != GMEM_NO_INDEX;
       at = program->ops[at].parent)
    if (program->ops[at].parallel || program->ops[at].late ||
        (finder->control->flows[at] == GMEM_FLOW_ANY &&
         (program->ops[at].kind == GMEM_OP_UNKNOWN ||
          program->ops[at].kind == GMEM_OP_COMPUTE)))
      return at;
  return GMEM_NO_INDEX;
}

// What other functions are, nobody knows: kernels, for example, of which many
// run at once.
static bool is_ordinary(const gmem_memref_analysis_t *finder,
                        uint32_t function) {
  MlirOperation op = finder->program->functions[function].op;
  return gmem_op_is(op, "func.func");
}

// Functions that may run while they run; what they call may, too.
static bool find_parallel(gmem_memref_analysis_t *finder) {
  const gmem_program_t *program = finder->program;
  const gmem_calls_t *calls = finder->calls;
  size_t count = program->function_count;
  uint32_t *stack = gmem_bump_alloc(finder->arena, 2 * count, sizeof *stack);
  size_t depth = 0;
  finder->parallel =
      gmem_bump_alloc(finder->arena, count, sizeof *finder->parallel);
  if (!stack || !finder->parallel)
    return false;
  for (uint32_t i = 0; i < count; ++i) {
    finder->parallel[i] = GMEM_NO_INDEX;
    if (!is_ordinary(finder, i))
      stack[depth++] = i;
  }
  for (size_t i = 0; i < calls->count; ++i) {
    const gmem_call_t *call = &calls->calls[i];
    uint32_t around = parallel_around(finder, call->op);
    if (finder->parallel[call->callee] != GMEM_NO_INDEX ||
        (call->is_plain && around == GMEM_NO_INDEX))
      continue;
    finder->parallel[call->callee] = call->is_plain ? around : call->op;
    stack[depth++] = call->callee;
  }
  while (depth) {
    const gmem_callee_t *caller = &calls->callees[stack[--depth]];
    for (uint32_t i = caller->first_call; i < caller->end_call; ++i) {
      uint32_t callee = calls->calls[i].callee;
      if (finder->parallel[callee] != GMEM_NO_INDEX)
        continue;
      finder->parallel[callee] = calls->calls[i].op;
      stack[depth++] = callee;
    }
  }
  return true;
}

//===--- what is known without lives --------------------------------------===//

// The fate of a root by its type and op.
static gmem_unplanned_t fate_of_type(const gmem_memref_analysis_t *finder,
                                     uint32_t value) {
  const gmem_value_t *entry = &finder->program->values[value];
  uint64_t ignored;
  if (!finder->options->memrefs)
    return GMEM_MEMREF_UNWANTED;
  if (!finder->options->allocas && finder->program->ops[entry->op].model->stack)
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

static void judge_place(gmem_memref_analysis_t *finder,
                        gmem_allocation_site_t *root) {
  uint32_t op = finder->program->values[root->value].op;
  uint32_t function = finder->program->ops[op].function;
  const gmem_callee_t *callee = &finder->calls->callees[function];
  uint32_t around = parallel_around(finder, op);
  if (!is_ordinary(finder, function))
    gmem_memref_leave(root, GMEM_MEMREF_FUNCTION, GMEM_NO_INDEX);
  if (around == GMEM_NO_INDEX)
    around = finder->parallel[function];
  if (around != GMEM_NO_INDEX || callee->recursive || callee->parallel ||
      callee->escapes)
    gmem_memref_leave(root, GMEM_MEMREF_PARALLEL, around);
}

// The first op by which the root goes where nobody can follow it.
static void judge_escapes(gmem_memref_analysis_t *finder,
                          gmem_allocation_site_t *root) {
  gmem_memref_escape_t first = {GMEM_MEMREF_PLANNED, GMEM_NO_INDEX};
  for (size_t i = 0; i < root->seen_count; ++i) {
    gmem_memref_escape_t escape = finder->escapes[root->seen_as[i]];
    if (escape.reason != GMEM_MEMREF_PLANNED && escape.op < first.op)
      first = escape;
  }
  gmem_memref_leave(root, first.reason, first.op);
}

// The list that roots share is looked at once.
static void judge_roots(gmem_memref_analysis_t *finder) {
  const gmem_allocation_site_t *shared = NULL;
  for (size_t i = 0; i < finder->memrefs->root_count; ++i) {
    gmem_allocation_site_t *root = &finder->memrefs->roots[i];
    gmem_memref_leave(root, fate_of_type(finder, root->value), GMEM_NO_INDEX);
    judge_place(finder, root);
    if (shared && shared->is_shared)
      gmem_memref_leave(root, shared->reason, shared->cause);
    else
      judge_escapes(finder, root);
    shared = root;
  }
}

gmem_status_t
gmem_memrefs_find(const gmem_call_contexts_t *contexts,
                  const gmem_program_t *program, const gmem_calls_t *calls,
                  const gmem_control_flow_t *control, const gmem_uses_t *uses,
                  const gmem_loop_hazards_t *hazards,
                  const gmem_model_options_t *options, gmem_bump_t *arena,
                  gmem_memrefs_t *memrefs, gmem_memref_analysis_t **out_finder,
                  gmem_diag_t *diag) {
  gmem_memref_analysis_t *finder = gmem_bump_alloc(arena, 1, sizeof *finder);
  *out_finder = finder;
  *memrefs = (gmem_memrefs_t){0};
  if (!finder)
    return gmem_out_of_memory(diag);
  *finder = (gmem_memref_analysis_t){.contexts = contexts,
                                     .program = program,
                                     .calls = calls,
                                     .control = control,
                                     .uses = uses,
                                     .hazards = hazards,
                                     .options = options,
                                     .arena = arena,
                                     .memrefs = memrefs,
                                     .ranges = {.arena = arena},
                                     .wanted = {.arena = arena},
                                     .cuts = {.arena = arena},
                                     .diag = diag};
  if (!list_roots(finder))
    return gmem_out_of_memory(diag);
  if (memrefs->root_count == 0)
    return GMEM_OK;
  gmem_status_t status = gmem_memref_flow_find(program, calls, control, arena,
                                               &finder->flow, diag);
  if (status == GMEM_OK)
    status = gmem_memref_escapes_find(program, calls, control, &finder->flow,
                                      arena, &finder->escapes, diag);
  if (status == GMEM_OK &&
      (!prepare_marks(finder) || !find_flows(finder) || !find_parallel(finder)))
    status = gmem_out_of_memory(diag);
  if (status == GMEM_OK)
    judge_roots(finder);
  return status;
}

gmem_status_t gmem_memrefs_settle(gmem_memref_analysis_t *finder,
                                  const gmem_live_value_t *live_values,
                                  gmem_diag_t *diag) {
  gmem_memrefs_t *memrefs = finder->memrefs;
  finder->live_values = live_values;
  if (memrefs->root_count == 0)
    return GMEM_OK;
  for (size_t i = 0; i < memrefs->root_count; ++i)
    if (!gmem_memref_judge_carried(finder, &memrefs->roots[i]))
      return gmem_out_of_memory(diag);
  if (!gmem_memref_settle_deallocations(finder))
    return gmem_out_of_memory(diag);
  // What takes turns in the text need not in streams.
  if (!finder->hazards->is_repeated && !gmem_memref_coalesce(finder))
    return gmem_out_of_memory(diag);
  for (size_t i = 0; i < memrefs->root_count; ++i)
    if (memrefs->roots[i].reason == GMEM_MEMREF_PLANNED &&
        !gmem_memref_find_live_ranges(finder, &memrefs->roots[i]))
      return gmem_out_of_memory(diag);
  return GMEM_OK;
}
