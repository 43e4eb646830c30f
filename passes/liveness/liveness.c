// liveness.c - see liveness.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "liveness.h"

#include "alias_sets.h"
#include "control_flow.h"
#include "diagnostics.h"
#include "gmem/passes.h"
#include "live_ranges.h"
#include "loop_hazards.h"
#include "memrefs.h"
#include "uses.h"
#include "value_liveness.h"

typedef struct analysis_s {
  const gmem_program_t *program;
  gmem_memrefs_t *memrefs;
  gmem_memref_analysis_t *memref_analysis;
  gmem_diag_t *diag;
  const gmem_calls_t *calls;
  gmem_bump_t *arena;
  gmem_live_value_t *live_values;
  gmem_uses_t uses;
  gmem_control_flow_t flow;
  gmem_loop_hazards_t hazards;
} analysis_t;

static bool is_entry(const analysis_t *analysis, uint32_t function) {
  return analysis->calls->callees[function].mentions == 0;
}

// Whether the value is an argument of its function.
static bool is_argument(const gmem_program_t *program, uint32_t value) {
  const gmem_value_t *entry = &program->values[value];
  return entry->op == GMEM_NO_INDEX &&
         gmem_is_entry_block(program, entry->block);
}

// The op that defines the value, or NULL for an argument.
static const gmem_program_op_t *op_defining(const gmem_program_t *program,
                                            uint32_t value) {
  uint32_t op = program->values[value].op;
  return op == GMEM_NO_INDEX ? NULL : &program->ops[op];
}

//===--- storage of values ------------------------------------------------===//

static gmem_storage_t storage_of(const analysis_t *analysis, uint32_t value) {
  const gmem_program_t *program = analysis->program;
  const gmem_value_t *entry = &program->values[value];
  const gmem_callee_t *function =
      &analysis->calls->callees[gmem_value_function(program, value)];
  const gmem_program_op_t *op = op_defining(program, value);
  uint32_t owner = program->regions[program->blocks[entry->block].region].owner;
  bool is_inside_parallel =
      owner != GMEM_NO_INDEX && program->ops[owner].parallel;
  if (entry->type == GMEM_TYPE_MEMREF)
    return GMEM_STORAGE_UNPLANNED;
  if (op && op->kind == GMEM_OP_NONE)
    return GMEM_STORAGE_NONE;
  if (gmem_value_is_weight(program, value))
    return GMEM_STORAGE_WEIGHT;
  if (entry->type != GMEM_TYPE_SIZED || function->recursive ||
      function->parallel || is_inside_parallel)
    return GMEM_STORAGE_UNPLANNED;
  return GMEM_STORAGE_TENSOR;
}

static void init_live_values(analysis_t *analysis) {
  const gmem_program_t *program = analysis->program;
  const uint32_t *first_user = analysis->uses.first_user;
  for (uint32_t i = 0; i < program->value_count; ++i) {
    const gmem_program_op_t *op = op_defining(program, i);
    gmem_live_value_t *live = &analysis->live_values[i];
    *live = (gmem_live_value_t){.storage = storage_of(analysis, i), .root = i};
    live->input = op ? op->kind == GMEM_OP_INPUT
                     : is_argument(program, i) &&
                           is_entry(analysis, gmem_value_function(program, i));
    live->is_written = analysis->uses.is_written[i];
    for (uint32_t u = first_user[i]; u < first_user[i + 1]; ++u)
      live->uses +=
          program->ops[analysis->uses.users[u]].kind != GMEM_OP_RESHAPE;
  }
}

static void find_outputs(analysis_t *analysis) {
  const gmem_program_t *program = analysis->program;
  for (uint32_t f = 0; f < program->function_count; ++f) {
    const gmem_callee_t *callee = &analysis->calls->callees[f];
    for (uint32_t r = callee->first_return;
         r < callee->end_return && is_entry(analysis, f); ++r) {
      MlirOperation op = program->ops[analysis->calls->returns[r]].op;
      for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
        uint32_t value =
            gmem_program_find(program, mlirOperationGetOperand(op, i));
        if (value != GMEM_NO_INDEX)
          analysis->live_values[value].output = true;
      }
    }
  }
}

// Whether only network-input ops read this argument.
static bool is_read_by_inputs_only(const analysis_t *analysis, uint32_t value) {
  const gmem_program_t *program = analysis->program;
  const uint32_t *first_user = analysis->uses.first_user;
  if (!is_argument(program, value) ||
      first_user[value] == first_user[value + 1])
    return false;
  for (uint32_t u = first_user[value]; u < first_user[value + 1]; ++u)
    if (program->ops[analysis->uses.users[u]].kind != GMEM_OP_INPUT)
      return false;
  return true;
}

// Whether all users of the value are in its own flat layer group.
static bool is_local(const analysis_t *analysis, uint32_t value) {
  const gmem_program_t *program = analysis->program;
  const uint32_t *first_user = analysis->uses.first_user;
  const gmem_program_op_t *op = op_defining(program, value);
  if (!op || op->group == GMEM_NO_GROUP || op->hold)
    return false;
  for (uint32_t u = first_user[value]; u < first_user[value + 1]; ++u)
    if (program->ops[analysis->uses.users[u]].group != op->group)
      return false;
  return true;
}

// The result of op |index| if it is a reshape, else GMEM_NO_INDEX.
static uint32_t reshaped_by(const gmem_program_t *program, uint32_t index) {
  const gmem_program_op_t *op = &program->ops[index];
  return op->kind == GMEM_OP_RESHAPE && mlirOperationGetNumResults(op->op)
             ? gmem_program_find(program, mlirOperationGetResult(op->op, 0))
             : GMEM_NO_INDEX;
}

// Whether the value has undefined contents and is never read, except through
// views for which the same holds.
static bool is_never_accessed(const analysis_t *analysis, uint32_t value) {
  const gmem_program_t *program = analysis->program;
  const uint32_t *first_user = analysis->uses.first_user;
  if (!analysis->uses.is_undefined[value])
    return false;
  for (uint32_t u = first_user[value]; u < first_user[value + 1]; ++u) {
    uint32_t view = reshaped_by(program, analysis->uses.users[u]);
    if (view == GMEM_NO_INDEX ||
        analysis->live_values[view].storage != GMEM_STORAGE_NONE)
      return false;
  }
  return true;
}

// Whether a deferred op (one that may run later than its step) reads a value
// that may be redefined before, directly or through a view. Inside of a
// deferred region, reader and value run together.
static bool is_loop_carried(const analysis_t *analysis, uint32_t value) {
  const gmem_program_t *program = analysis->program;
  const uint32_t *first_user = analysis->uses.first_user;
  const gmem_block_t *block = &program->blocks[program->values[value].block];
  uint32_t owner = program->regions[block->region].owner;
  if (owner == GMEM_NO_INDEX ? block->number == 0 : program->ops[owner].late)
    return false;
  for (uint32_t u = first_user[value]; u < first_user[value + 1]; ++u) {
    uint32_t view = reshaped_by(program, analysis->uses.users[u]);
    if (gmem_is_late_use(program, analysis->uses.users[u]) ||
        (view != GMEM_NO_INDEX && analysis->live_values[view].is_loop_carried))
      return true;
  }
  return false;
}

// Whether a stream may still use the value when it is redefined, directly or
// through views and handles. For memrefs the allocation site is checked
// instead.
static bool is_loop_hazard(const analysis_t *analysis, uint32_t value) {
  const gmem_program_t *program = analysis->program;
  const uint32_t *first_user = analysis->uses.first_user;
  if (!analysis->hazards.is_repeated)
    return false;
  if (gmem_loop_hazards_value(&analysis->hazards, value))
    return true;
  for (uint32_t u = first_user[value]; u < first_user[value + 1]; ++u) {
    const gmem_program_op_t *user = &program->ops[analysis->uses.users[u]];
    bool shows = user->kind == GMEM_OP_RESHAPE || user->kind == GMEM_OP_VIEW ||
                 user->kind == GMEM_OP_UNKNOWN;
    for (intptr_t i = 0; shows && i < mlirOperationGetNumResults(user->op);
         ++i) {
      uint32_t view =
          gmem_program_find(program, mlirOperationGetResult(user->op, i));
      bool is_same = user->kind == GMEM_OP_RESHAPE ||
                     (view != GMEM_NO_INDEX &&
                      program->values[view].type != GMEM_TYPE_SIZED);
      if (view != GMEM_NO_INDEX && is_same &&
          analysis->live_values[view].is_loop_hazard)
        return true;
    }
  }
  return false;
}

// Assigns the storage of values without global memory. The reverse order visits
// views before the values that they are made from, except in graph regions.
static void classify_values(analysis_t *analysis) {
  for (uint32_t i = (uint32_t)analysis->program->value_count; i-- > 0;) {
    gmem_live_value_t *live = &analysis->live_values[i];
    live->is_loop_carried = is_loop_carried(analysis, i);
    live->is_loop_hazard = is_loop_hazard(analysis, i);
    if (live->storage != GMEM_STORAGE_TENSOR ||
        gmem_is_memref_root(analysis->program, i))
      continue;
    if (live->is_loop_carried || live->is_loop_hazard)
      live->storage = GMEM_STORAGE_UNPLANNED;
    else if (is_never_accessed(analysis, i))
      live->storage = GMEM_STORAGE_NONE;
    else if (is_local(analysis, i))
      live->storage = GMEM_STORAGE_LOCAL;
    else if (is_read_by_inputs_only(analysis, i))
      live->storage = GMEM_STORAGE_HOST;
  }
}

// Only planned allocation sites have memory in the plan.
static void apply_memref_decisions(analysis_t *analysis) {
  for (size_t i = 0; i < analysis->memrefs->site_count; ++i) {
    const gmem_allocation_site_t *site = &analysis->memrefs->sites[i];
    analysis->live_values[site->value].storage =
        site->reason == GMEM_MEMREF_PLANNED ? GMEM_STORAGE_TENSOR
                                            : GMEM_STORAGE_UNPLANNED;
    analysis->live_values[site->value].root = site->leader;
  }
}

static gmem_status_t finish_memrefs(void *user) {
  analysis_t *analysis = user;
  GMEM_TRY(gmem_memrefs_finish(analysis->memref_analysis, analysis->live_values,
                               analysis->diag));
  apply_memref_decisions(analysis);
  return GMEM_OK;
}

// A view of an unplanned value is not planned either: it occupies the same
// memory.
static void exclude_views(analysis_t *analysis) {
  const gmem_program_t *program = analysis->program;
  for (size_t i = 0; i < program->op_count; ++i) {
    uint32_t operand, result;
    if (!gmem_is_view(program, i, &operand, &result) ||
        analysis->live_values[result].storage != GMEM_STORAGE_TENSOR)
      continue;
    if (operand == GMEM_NO_INDEX ||
        analysis->live_values[operand].storage == GMEM_STORAGE_UNPLANNED)
      analysis->live_values[result].storage = GMEM_STORAGE_UNPLANNED;
  }
}

// Propagates writes from views to the values they are made from. The reverse
// order needs one iteration, except in graph regions, where a view may precede
// its operand.
static void find_written(analysis_t *analysis) {
  const gmem_program_t *program = analysis->program;
  bool is_changed = true;
  while (is_changed) {
    is_changed = false;
    for (size_t i = program->op_count; i-- > 0;) {
      uint32_t operand, result;
      if (!gmem_is_view(program, i, &operand, &result) ||
          operand == GMEM_NO_INDEX ||
          !analysis->live_values[result].is_written ||
          analysis->live_values[operand].is_written)
        continue;
      analysis->live_values[operand].is_written = true;
      is_changed |= result < operand;
    }
  }
}

//===--- the analysis -----------------------------------------------------===//

static bool number_sets(gmem_liveness_t *liveness, gmem_bump_t *arena) {
  size_t count = liveness->program->value_count;
  uint32_t *set_of = gmem_bump_alloc(arena, count, sizeof *set_of);
  if (!set_of)
    return false;
  for (size_t i = 0; i < count; ++i)
    set_of[i] = GMEM_NO_INDEX;
  for (uint32_t i = 0; i < liveness->set_count; ++i)
    set_of[liveness->sets[i].root] = i;
  for (size_t i = 0; i < count; ++i)
    if (liveness->live_values[i].storage == GMEM_STORAGE_TENSOR)
      set_of[i] = set_of[liveness->live_values[i].root];
  liveness->set_of = set_of;
  return true;
}

// Whether two transfers differ in their sources only.
static bool have_same_target(const gmem_transfer_t *left,
                             const gmem_transfer_t *right) {
  return left->op == right->op && left->time == right->time &&
         left->to == right->to;
}

// Whether control flow executes either transfer |i| or another one to the same
// target: a terminator reaches one block in two ways, or a callee has several
// returns.
static bool is_one_of_several(const gmem_control_flow_t *flow, size_t i) {
  const gmem_transfer_t *all = flow->transfers;
  return (i > 0 && have_same_target(&all[i - 1], &all[i])) ||
         (i + 1 < flow->transfer_count &&
          have_same_target(&all[i], &all[i + 1]));
}

// Whether the transfer copies: both values have memory, and not the same. The
// source may be a weight.
static bool is_copy(const gmem_liveness_t *liveness,
                    const gmem_transfer_t *transfer) {
  const gmem_live_value_t *from = &liveness->live_values[transfer->from];
  const gmem_live_value_t *to = &liveness->live_values[transfer->to];
  return (from->storage == GMEM_STORAGE_TENSOR ||
          from->storage == GMEM_STORAGE_WEIGHT) &&
         to->storage == GMEM_STORAGE_TENSOR && from->root != to->root;
}

static bool list_transfers(gmem_liveness_t *liveness,
                           const gmem_control_flow_t *flow,
                           gmem_bump_t *arena) {
  liveness->transfers =
      gmem_bump_alloc(arena, flow->transfer_count, sizeof *liveness->transfers);
  if (!liveness->transfers)
    return false;
  for (size_t i = 0; i < flow->transfer_count; ++i) {
    gmem_transfer_t transfer = flow->transfers[i];
    transfer.is_one_of_several = is_one_of_several(flow, i);
    if (is_copy(liveness, &transfer))
      liveness->transfers[liveness->transfer_count++] = transfer;
  }
  return true;
}

static gmem_status_t find_sets(analysis_t *analysis, gmem_liveness_t *liveness,
                               gmem_diag_t *diag) {
  GMEM_TRY(gmem_alias_sets_build(liveness->contexts, analysis->program,
                                 analysis->calls, analysis->memrefs,
                                 analysis->live_values, analysis->arena,
                                 &liveness->sets, &liveness->set_count, diag));
  if (!number_sets(liveness, analysis->arena) ||
      !list_transfers(liveness, &analysis->flow, analysis->arena))
    return gmem_out_of_memory(diag);
  return GMEM_OK;
}

gmem_status_t
gmem_liveness_analyse(const gmem_program_t *program, const gmem_calls_t *calls,
                      const gmem_streams_t *streams,
                      const gmem_model_options_t *options, gmem_bump_t *arena,
                      gmem_liveness_t *out_liveness, gmem_diag_t *diag) {
  analysis_t analysis = {.program = program,
                         .memrefs = &out_liveness->memrefs,
                         .diag = diag,
                         .calls = calls,
                         .arena = arena,
                         .live_values =
                             gmem_bump_alloc(arena, program->value_count,
                                             sizeof(gmem_live_value_t))};
  if (!analysis.live_values)
    return gmem_out_of_memory(diag);
  gmem_uses_t *uses;
  GMEM_TRY_ALLOC(uses, arena, 1, diag);
  *out_liveness = (gmem_liveness_t){.program = program,
                                    .calls = calls,
                                    .streams = streams,
                                    .uses = uses,
                                    .live_values = analysis.live_values};
  GMEM_TRY(gmem_uses_find(program, arena, &analysis.uses, diag));
  GMEM_TRY(gmem_control_flow_find(program, calls, analysis.uses.unordered,
                                  arena, &analysis.flow, diag));
  *uses = analysis.uses;
  if (!gmem_loop_hazards_find(streams, &analysis.flow, uses, arena,
                              &analysis.hazards))
    return gmem_out_of_memory(diag);
  GMEM_TRY(gmem_call_contexts_find(program, calls, arena,
                                   &out_liveness->contexts, diag));
  GMEM_TRY(gmem_memrefs_find(out_liveness->contexts, program, calls,
                             &analysis.flow, &analysis.uses, &analysis.hazards,
                             options, arena, analysis.memrefs,
                             &analysis.memref_analysis, diag));
  out_liveness->unordered = analysis.uses.unordered;
  init_live_values(&analysis);
  apply_memref_decisions(&analysis);
  find_outputs(&analysis);
  classify_values(&analysis);
  exclude_views(&analysis);
  find_written(&analysis);
  GMEM_TRY(gmem_value_liveness_find(
      program, &analysis.flow, &analysis.uses, options->keep_inputs,
      finish_memrefs, &analysis, analysis.live_values, arena, diag));
  return find_sets(&analysis, out_liveness, diag);
}

//===--- queries ----------------------------------------------------------===//

bool gmem_alias_sets_meet(const gmem_liveness_t *liveness, uint32_t set_a,
                          uint32_t set_b) {
  const gmem_alias_set_t *few = &liveness->sets[set_a];
  const gmem_alias_set_t *many = &liveness->sets[set_b];
  if (few->range_count > many->range_count) {
    const gmem_alias_set_t *other = few;
    few = many;
    many = other;
  }
  for (size_t i = 0; i < few->range_count; ++i) {
    size_t next = gmem_first_range_after(many->ranges, many->range_count,
                                         few->ranges[i].begin);
    if (next < many->range_count &&
        many->ranges[next].begin < few->ranges[i].end)
      return true;
  }
  return false;
}

bool gmem_alias_set_is_live_at(const gmem_liveness_t *liveness, uint32_t set,
                               int64_t step) {
  const gmem_alias_set_t *entry = &liveness->sets[set];
  uint32_t function = gmem_program_function_at(liveness->program, step);
  size_t count;
  const uint32_t *list = gmem_contexts_of(liveness->contexts, function, &count);
  for (size_t i = 0; i < count; ++i) {
    int64_t time = gmem_context_time(liveness->contexts, list[i], step);
    size_t next =
        gmem_first_range_after(entry->ranges, entry->range_count, time);
    if (next < entry->range_count && entry->ranges[next].begin <= time)
      return true;
  }
  return false;
}
