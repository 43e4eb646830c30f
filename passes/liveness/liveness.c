// liveness.c - see liveness.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "liveness.h"

#include <assert.h>

#include "captures.h"
#include "insert_chains.h"
#include "memrefs.h"
#include "states.h"

typedef struct analysis_s {
  const gmem_program_facts_t *facts;
  const gmem_program_t *program;
  const gmem_csr_t *users; // by value: of |facts|
  gmem_memrefs_t *memrefs;
  gmem_live_value_t *live_values;
  bool has_handles;
  uint32_t *caller; // by function: an op that calls it, if any does
  gmem_bump_t *arena;
  gmem_diag_t *diag;
} analysis_t;

static bool is_entry(const analysis_t *analysis, uint32_t function) {
  return analysis->facts->calls.callees[function].mentions == 0;
}

// Whether the value is an argument of its function.
static bool is_argument(const gmem_program_t *program, uint32_t value) {
  const gmem_value_t *entry = &program->values[value];
  return entry->op == GMEM_NO_INDEX &&
         gmem_is_entry_block(program, entry->block);
}

//===--- storage of values ------------------------------------------------===//

static gmem_storage_t storage_of(const analysis_t *analysis, uint32_t value) {
  const gmem_program_t *program = analysis->program;
  const gmem_value_t *entry = &program->values[value];
  const gmem_callee_t *function =
      &analysis->facts->calls.callees[gmem_value_function(program, value)];
  const gmem_program_op_t *op = gmem_defining_op(program, value);
  uint32_t owner = gmem_region_of(program, entry->block)->owner;
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
  for (uint32_t i = 0; i < program->value_count; ++i) {
    const gmem_program_op_t *op = gmem_defining_op(program, i);
    gmem_live_value_t *live = &analysis->live_values[i];
    analysis->has_handles |= program->values[i].type == GMEM_TYPE_NO_MEMORY;
    *live = (gmem_live_value_t){.storage = storage_of(analysis, i), .root = i};
    live->input = op ? op->kind == GMEM_OP_INPUT
                     : is_argument(program, i) &&
                           is_entry(analysis, gmem_value_function(program, i));
    live->is_written = analysis->facts->uses.is_written[i];
    GMEM_CSR_EACH (user, analysis->users, i)
      live->uses += program->ops[*user].kind != GMEM_OP_RESHAPE;
  }
}

static void find_outputs(analysis_t *analysis) {
  const gmem_program_t *program = analysis->program;
  for (uint32_t f = 0; f < program->function_count; ++f) {
    const gmem_callee_t *callee = &analysis->facts->calls.callees[f];
    for (uint32_t r = callee->first_return;
         r < callee->end_return && is_entry(analysis, f); ++r) {
      MlirOperation op = program->ops[analysis->facts->calls.returns[r]].op;
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
  if (!is_argument(program, value) ||
      gmem_csr_count(analysis->users, value) == 0)
    return false;
  GMEM_CSR_EACH (user, analysis->users, value)
    if (program->ops[*user].kind != GMEM_OP_INPUT)
      return false;
  return true;
}

// Whether |made|, a result of |op|, may be a memref of what |op| uses.
static bool is_memref_of(const gmem_program_t *program,
                         const gmem_program_op_t *op, uint32_t made) {
  return (op->kind == GMEM_OP_UNKNOWN || op->kind == GMEM_OP_VIEW ||
          op->kind == GMEM_OP_RESHAPE) &&
         gmem_is_memref_type(mlirValueGetType(program->values[made].value));
}

// Whether an op that is not in the flat layer group of the value, if it has
// one, uses it or a handle of it.
static bool leaves_group(const analysis_t *analysis, uint32_t value) {
  const gmem_program_t *program = analysis->program;
  const gmem_program_op_t *op = gmem_defining_op(program, value);
  if (!op || op->group == GMEM_NO_GROUP || op->hold)
    return true;
  GMEM_CSR_EACH (user, analysis->users, value) {
    MlirOperation by = program->ops[*user].op;
    if (program->ops[*user].group != op->group)
      return true;
    for (intptr_t i = 0; i < mlirOperationGetNumResults(by); ++i) {
      uint32_t made = gmem_result_value(program, by, i);
      if (made != GMEM_NO_INDEX && analysis->live_values[made].leaves_group &&
          (program->values[made].type == GMEM_TYPE_NO_MEMORY ||
           is_memref_of(program, &program->ops[*user], made)))
        return true;
    }
  }
  return false;
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
  if (!analysis->facts->uses.is_undefined[value])
    return false;
  GMEM_CSR_EACH (user, analysis->users, value) {
    uint32_t view = reshaped_by(program, *user);
    if (view == GMEM_NO_INDEX ||
        analysis->live_values[view].storage != GMEM_STORAGE_NONE)
      return false;
  }
  return true;
}

// Whether result |made| of |op| is |value| under another shape or a handle of
// it. An op without a model may return handles of any of its operands.
static bool shows(const gmem_program_t *program, uint32_t value,
                  const gmem_program_op_t *op, uint32_t made) {
  if (op->kind == GMEM_OP_RESHAPE)
    return gmem_operand_value(program, op->op, 0) == value;
  return op->kind == GMEM_OP_UNKNOWN &&
         program->values[made].type == GMEM_TYPE_NO_MEMORY;
}

// Whether |op|, which uses a value of region |region|, may run when other code
// of that has gone on: it is in a deferred op of the region, or is one.
static bool runs_later(const analysis_t *analysis, const gmem_program_op_t *op,
                       uint32_t region) {
  const gmem_program_t *program = analysis->program;
  while (!gmem_starts_deferred(program->models, op) &&
         op->parent != GMEM_NO_INDEX &&
         program->blocks[op->block].region != region)
    op = &program->ops[op->parent];
  return gmem_starts_deferred(program->models, op);
}

// Whether a deferred op (one that may run later than its step) reads a value
// that may be redefined before, directly or through a view or handle. Inside of
// a deferred region, reader and value run together, unless the reader is in
// another one.
static bool is_loop_carried(const analysis_t *analysis, uint32_t value) {
  const gmem_program_t *program = analysis->program;
  const gmem_block_t *block = &program->blocks[program->values[value].block];
  uint32_t owner = program->regions[block->region].owner;
  bool is_inside = owner != GMEM_NO_INDEX && program->ops[owner].deferred;
  if (owner == GMEM_NO_INDEX && block->number == 0)
    return false;
  GMEM_CSR_EACH (user, analysis->users, value) {
    const gmem_program_op_t *op = &program->ops[*user];
    if (op->deferred && (!is_inside || runs_later(analysis, op, block->region)))
      return true;
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op->op); ++i) {
      uint32_t made = gmem_result_value(program, op->op, i);
      if (made != GMEM_NO_INDEX && shows(program, value, op, made) &&
          analysis->live_values[made].is_loop_carried)
        return true;
    }
  }
  return false;
}

//===--- handles that control flow passes on ------------------------------===//

// Whether |op| may pass a handle that it uses to where its block does not:
// out of the block, or through regions or a function.
static bool passes_on(const gmem_program_t *program,
                      const gmem_program_op_t *op) {
  return gmem_ends_block(op->op) ||
         (op->end != op->begin + 1 &&
          gmem_yields_handle(program->models, op->op));
}

// Whether control flow passes the value, a handle, on, or a handle of it.
static bool is_passed_on(const analysis_t *analysis, uint32_t value) {
  const gmem_program_t *program = analysis->program;
  if (!analysis->has_handles)
    return false;
  bool is_handle =
      program->values[value].type == GMEM_TYPE_NO_MEMORY &&
      gmem_is_handle_type(program->models,
                          mlirValueGetType(program->values[value].value));
  GMEM_CSR_EACH (user, analysis->users, value) {
    const gmem_program_op_t *op = &program->ops[*user];
    if (is_handle && passes_on(program, op))
      return true;
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op->op); ++i) {
      uint32_t made = gmem_result_value(program, op->op, i);
      if (made != GMEM_NO_INDEX && shows(program, value, op, made) &&
          analysis->live_values[made].is_passed_on)
        return true;
    }
  }
  return false;
}

// Whether ops of |block| may run more than once in a run of its function.
static bool is_repeated(const analysis_t *analysis, uint32_t block) {
  const gmem_program_t *program = analysis->program;
  for (;;) {
    const gmem_block_t *entry = &program->blocks[block];
    uint32_t owner = program->regions[entry->region].owner;
    if (entry->number != 0)
      return true;
    if (owner == GMEM_NO_INDEX)
      return false;
    if (analysis->facts->flow.flows[owner] != GMEM_FLOW_BRANCH)
      return true;
    block = program->ops[owner].block;
  }
}

// Whether |function| runs once at most when an entry function runs.
static bool runs_once(const analysis_t *analysis, uint32_t function) {
  const gmem_callee_t *callees = analysis->facts->calls.callees;
  while (callees[function].mentions == 1) {
    const gmem_program_op_t *op =
        &analysis->program->ops[analysis->caller[function]];
    if (callees[function].recursive || callees[function].in_table ||
        gmem_yields_function(op->op) || is_repeated(analysis, op->block))
      return false;
    function = op->function;
  }
  return is_entry(analysis, function) && !callees[function].escapes;
}

// Whether a handle of the value may be in use when the value is defined again.
// A view is as its operand is, which is looked at later.
static bool is_outlived(const analysis_t *analysis, uint32_t value) {
  const gmem_program_t *program = analysis->program;
  const gmem_value_t *entry = &program->values[value];
  uint32_t operand, result;
  if (!analysis->live_values[value].is_passed_on ||
      (entry->op != GMEM_NO_INDEX &&
       gmem_is_view(program, entry->op, &operand, &result) &&
       operand != GMEM_NO_INDEX))
    return false;
  return is_repeated(analysis, entry->block) ||
         !runs_once(analysis, gmem_value_function(program, value));
}

// Whether gmem.hold may keep the value, or a view or list of it, from an
// earlier round, until it is defined again.
static bool is_held(const analysis_t *analysis, uint32_t value) {
  const gmem_program_t *program = analysis->program;
  const gmem_program_op_t *op = gmem_defining_op(program, value);
  const gmem_ir_region_t *region =
      gmem_region_of(program, program->values[value].block);
  if (!(program->own >> GMEM_ATTR_HOLD & 1) ||
      (region->owner == GMEM_NO_INDEX && region->block_count == 1))
    return false;
  if ((op && op->hold) || analysis->live_values[value].is_passed_on)
    return true;
  GMEM_CSR_EACH (user, analysis->users, value) {
    MlirOperation by = program->ops[*user].op;
    for (intptr_t i = 0; i < mlirOperationGetNumResults(by); ++i) {
      uint32_t made = gmem_result_value(program, by, i);
      if (made != GMEM_NO_INDEX &&
          shows(program, value, &program->ops[*user], made) &&
          analysis->live_values[made].is_held)
        return true;
    }
  }
  return false;
}

//===--- storage by uses --------------------------------------------------===//

// Whether a stream may still use the value when it is redefined, directly or
// through views and handles. For memrefs the allocation site is checked
// instead.
static bool is_loop_hazard(const analysis_t *analysis, uint32_t value) {
  const gmem_program_t *program = analysis->program;
  if (!analysis->facts->streams.is_repeated)
    return false;
  if (gmem_is_loop_hazard(&analysis->facts->streams, value))
    return true;
  GMEM_CSR_EACH (user, analysis->users, value) {
    const gmem_program_op_t *op = &program->ops[*user];
    bool shows = op->kind == GMEM_OP_RESHAPE || op->kind == GMEM_OP_VIEW ||
                 op->kind == GMEM_OP_UNKNOWN;
    for (intptr_t i = 0; shows && i < mlirOperationGetNumResults(op->op); ++i) {
      uint32_t view =
          gmem_program_find(program, mlirOperationGetResult(op->op, i));
      bool is_same = op->kind == GMEM_OP_RESHAPE ||
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
    live->is_passed_on = is_passed_on(analysis, i);
    live->leaves_group = leaves_group(analysis, i);
    live->is_held = is_held(analysis, i);
    if (live->storage != GMEM_STORAGE_TENSOR ||
        gmem_is_memref_root(analysis->program, i))
      continue;
    live->is_outlived = is_outlived(analysis, i);
    if (live->is_loop_carried || live->is_loop_hazard || live->is_outlived)
      live->storage = GMEM_STORAGE_UNPLANNED;
    else if (is_never_accessed(analysis, i))
      live->storage = GMEM_STORAGE_NONE;
    else if (!live->leaves_group)
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
  }
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

// Whether two transfers differ in their sources only.
static bool have_same_target(const gmem_transfer_t *left,
                             const gmem_transfer_t *right) {
  return left->op == right->op && left->time == right->time &&
         left->to == right->to;
}

// Whether the transfer copies: both values have memory, and not the same. The
// source may be a weight.
static bool is_copy(const analysis_t *analysis,
                    const gmem_transfer_t *transfer) {
  const gmem_live_value_t *from = &analysis->live_values[transfer->from];
  const gmem_live_value_t *to = &analysis->live_values[transfer->to];
  return gmem_live_value_is_planned(from) &&
         to->storage == GMEM_STORAGE_TENSOR && from->root != to->root;
}

static gmem_status_t list_transfers(const analysis_t *analysis,
                                    gmem_liveness_t *liveness) {
  const gmem_transfers_t *all = &analysis->facts->flow.transfers;
  gmem_transfer_t *copies;
  GMEM_TRY_ALLOC(copies, analysis->arena, all->count, analysis->diag);
  liveness->transfers = copies;
  for (size_t first = 0, end; first < all->count; first = end) {
    for (end = first + 1;
         end < all->count && have_same_target(&all->at[first], &all->at[end]);)
      ++end;
    // A terminator reaches one block in two ways, or a callee has two returns.
    bool is_one_of_several = all->at[first].from != all->at[end - 1].from;
    for (size_t i = first; i < end; ++i) {
      assert(i == 0 || all->at[i - 1].op <= all->at[i].op);
      if (!is_copy(analysis, &all->at[i]))
        continue;
      copies[liveness->transfer_count] = all->at[i];
      copies[liveness->transfer_count++].is_one_of_several = is_one_of_several;
    }
  }
  return GMEM_OK;
}

static gmem_status_t find_callers(analysis_t *analysis) {
  const gmem_calls_t *calls = &analysis->facts->calls;
  GMEM_TRY_ALLOC(analysis->caller, analysis->arena,
                 analysis->program->function_count, analysis->diag);
  for (size_t i = 0; i < calls->count; ++i)
    analysis->caller[calls->calls[i].callee] = calls->calls[i].op;
  return GMEM_OK;
}

// What follows from the uses alone.
static void find_properties(analysis_t *analysis) {
  init_live_values(analysis);
  apply_memref_decisions(analysis);
  find_outputs(analysis);
  classify_values(analysis);
  exclude_views(analysis);
  find_written(analysis);
}

// Live ranges of memrefs follow from those of direct uses; those of other
// values follow from both and from the points-to analysis.
static gmem_status_t find_ranges(analysis_t *analysis,
                                 gmem_memref_analysis_t *memrefs,
                                 bool keep_inputs) {
  GMEM_TRY(gmem_find_direct_ranges(analysis->facts, keep_inputs,
                                   analysis->arena, analysis->live_values,
                                   analysis->diag));
  GMEM_TRY(gmem_memrefs_finish(memrefs, analysis->live_values));
  apply_memref_decisions(analysis);
  return gmem_add_view_ranges(analysis->facts, analysis->arena,
                              analysis->live_values, analysis->diag);
}

// The alias sets with their final live ranges.
static gmem_status_t find_sets(const analysis_t *analysis,
                               const gmem_liveness_inputs_t *inputs,
                               gmem_liveness_t *liveness) {
  gmem_alias_sets_t sets;
  bool *links;
  GMEM_TRY(gmem_insert_chains_find(analysis->facts, analysis->live_values,
                                   inputs->is_placed, analysis->arena, &links,
                                   analysis->diag));
  liveness->links = links;
  GMEM_TRY(gmem_alias_sets_build(analysis->facts, analysis->memrefs, links,
                                 analysis->live_values, analysis->arena, &sets,
                                 analysis->diag));
  GMEM_TRY(gmem_states_extend(analysis->facts, analysis->live_values,
                              analysis->arena, &sets, analysis->diag));
  liveness->sets = sets.at;
  liveness->set_count = sets.count;
  liveness->set_of = sets.of;
  GMEM_TRY(list_transfers(analysis, liveness));
  gmem_stream_inputs_t streams = {.facts = analysis->facts,
                                  .live_values = analysis->live_values,
                                  .memrefs = analysis->memrefs,
                                  .sets = &sets,
                                  .buffer_ops = inputs->buffer_ops,
                                  .buffer_count = inputs->buffer_count};
  return gmem_happens_before_find(&streams, analysis->arena, &liveness->order,
                                  analysis->diag);
}

gmem_status_t gmem_liveness_analyse(const gmem_liveness_inputs_t *inputs,
                                    gmem_bump_t *arena,
                                    gmem_liveness_t *out_liveness,
                                    gmem_diag_t *diag) {
  const gmem_program_facts_t *facts = inputs->facts;
  analysis_t analysis = {.facts = facts,
                         .program = facts->program,
                         .users = &facts->uses.users,
                         .memrefs = &out_liveness->memrefs,
                         .arena = arena,
                         .diag = diag};
  GMEM_TRY_ALLOC(analysis.live_values, arena, facts->program->value_count,
                 diag);
  *out_liveness = (gmem_liveness_t){.program = facts->program,
                                    .calls = &facts->calls,
                                    .contexts = facts->contexts,
                                    .facts = facts,
                                    .live_values = analysis.live_values};
  gmem_memref_analysis_t *memrefs;
  GMEM_TRY(gmem_memrefs_find(facts, inputs->options, arena, analysis.memrefs,
                             &memrefs, diag));
  GMEM_TRY(find_callers(&analysis));
  find_properties(&analysis);
  GMEM_TRY(find_ranges(&analysis, memrefs, inputs->options->keep_inputs));
  GMEM_TRY(find_sets(&analysis, inputs, out_liveness));
  assert(gmem_liveness_check(out_liveness));
  return GMEM_OK;
}

bool gmem_liveness_check(const gmem_liveness_t *liveness) {
  for (uint32_t i = 0; i < liveness->program->value_count; ++i) {
    const gmem_live_value_t *live = &liveness->live_values[i];
    if (!gmem_ranges_check(live->ranges, live->range_count) ||
        liveness->live_values[live->root].root != live->root)
      return false;
  }
  for (uint32_t i = 0; i < liveness->set_count; ++i) {
    const gmem_alias_set_t *set = &liveness->sets[i];
    if (!gmem_ranges_check(set->ranges, set->range_count) ||
        set->range_count == 0 || liveness->set_of[set->root] != i ||
        (i && set->root <= set[-1].root))
      return false;
  }
  return true;
}

//===--- queries ----------------------------------------------------------===//

bool gmem_alias_sets_meet(const gmem_liveness_t *liveness, uint32_t set_a,
                          uint32_t set_b) {
  const gmem_alias_set_t *a = &liveness->sets[set_a];
  const gmem_alias_set_t *b = &liveness->sets[set_b];
  return gmem_ranges_meet(a->ranges, a->range_count, b->ranges, b->range_count);
}

bool gmem_alias_set_is_live_at(const gmem_liveness_t *liveness, uint32_t set,
                               int64_t step) {
  const gmem_alias_set_t *entry = &liveness->sets[set];
  uint32_t function = gmem_program_function_at(liveness->program, step);
  size_t count;
  const uint32_t *list = gmem_contexts_of(liveness->contexts, function, &count);
  for (size_t i = 0; i < count; ++i) {
    int64_t time = gmem_context_time(liveness->contexts, list[i], step);
    if (gmem_ranges_contain(entry->ranges, entry->range_count, time))
      return true;
  }
  return false;
}
