// liveness.c - see liveness.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "liveness.h"

#include "classes.h"
#include "control_flow.h"
#include "diagnostics.h"
#include "gmem/passes.h"
#include "live_ranges.h"
#include "memrefs.h"
#include "stream_laps.h"
#include "uses.h"
#include "value_lives.h"

typedef struct analysis_s {
  const gmem_program_t *schedule;
  gmem_memrefs_t *memrefs;
  gmem_memref_finder_t *memref_finder;
  gmem_diag_t *diag;
  const gmem_calls_t *calls;
  gmem_arena_t *arena;
  gmem_life_t *lives;
  gmem_uses_t uses;
  gmem_control_flow_t flow;
  gmem_stream_laps_t laps;
} analysis_t;

static bool is_entry(const analysis_t *analysis, uint32_t function) {
  return analysis->calls->callees[function].mentions == 0;
}

// Whether the value is an argument of its function.
static bool is_argument(const gmem_program_t *schedule, uint32_t value) {
  const gmem_value_t *entry = &schedule->values[value];
  return entry->op == GMEM_NO_INDEX &&
         gmem_is_entry_block(schedule, entry->block);
}

// The op that defines the value, or NULL for an argument.
static const gmem_step_t *op_defining(const gmem_program_t *schedule,
                                      uint32_t value) {
  uint32_t op = schedule->values[value].op;
  return op == GMEM_NO_INDEX ? NULL : &schedule->ops[op];
}

//===--- where values are -------------------------------------------------===//

static gmem_storage_t storage_of(const analysis_t *analysis, uint32_t value) {
  const gmem_program_t *schedule = analysis->schedule;
  const gmem_value_t *entry = &schedule->values[value];
  const gmem_callee_t *function =
      &analysis->calls->callees[gmem_value_function(schedule, value)];
  const gmem_step_t *op = op_defining(schedule, value);
  uint32_t owner =
      schedule->regions[schedule->blocks[entry->block].region].owner;
  bool is_inside_parallel =
      owner != GMEM_NO_INDEX && schedule->ops[owner].parallel;
  if (entry->type == GMEM_TYPE_MEMREF)
    return GMEM_STORAGE_UNPLANNED;
  if (op && op->kind == GMEM_OP_NONE)
    return GMEM_STORAGE_NONE;
  if (gmem_value_is_weight(schedule, value))
    return GMEM_STORAGE_WEIGHT;
  if (entry->type != GMEM_TYPE_SIZED || function->recursive ||
      function->parallel || is_inside_parallel)
    return GMEM_STORAGE_UNPLANNED;
  return GMEM_STORAGE_TENSOR;
}

static void begin_lives(analysis_t *analysis) {
  const gmem_program_t *schedule = analysis->schedule;
  const uint32_t *first_user = analysis->uses.first_user;
  for (uint32_t i = 0; i < schedule->value_count; ++i) {
    const gmem_step_t *op = op_defining(schedule, i);
    gmem_life_t *life = &analysis->lives[i];
    *life = (gmem_life_t){.storage = storage_of(analysis, i), .root = i};
    life->input = op ? op->kind == GMEM_OP_INPUT
                     : is_argument(schedule, i) &&
                           is_entry(analysis, gmem_value_function(schedule, i));
    life->is_written = analysis->uses.is_written[i];
    for (uint32_t u = first_user[i]; u < first_user[i + 1]; ++u)
      life->uses +=
          schedule->ops[analysis->uses.users[u]].kind != GMEM_OP_RESHAPE;
  }
}

static void find_outputs(analysis_t *analysis) {
  const gmem_program_t *schedule = analysis->schedule;
  for (uint32_t f = 0; f < schedule->function_count; ++f) {
    const gmem_callee_t *callee = &analysis->calls->callees[f];
    for (uint32_t r = callee->first_return;
         r < callee->end_return && is_entry(analysis, f); ++r) {
      MlirOperation op = schedule->ops[analysis->calls->returns[r]].op;
      for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
        uint32_t value =
            gmem_schedule_find(schedule, mlirOperationGetOperand(op, i));
        if (value != GMEM_NO_INDEX)
          analysis->lives[value].output = true;
      }
    }
  }
}

// Whether nothing but network-input ops reads this argument.
static bool is_read_by_inputs_only(const analysis_t *analysis, uint32_t value) {
  const gmem_program_t *schedule = analysis->schedule;
  const uint32_t *first_user = analysis->uses.first_user;
  if (!is_argument(schedule, value) ||
      first_user[value] == first_user[value + 1])
    return false;
  for (uint32_t u = first_user[value]; u < first_user[value + 1]; ++u)
    if (schedule->ops[analysis->uses.users[u]].kind != GMEM_OP_INPUT)
      return false;
  return true;
}

// Whether the value stays inside its flat layer group.
static bool is_local(const analysis_t *analysis, uint32_t value) {
  const gmem_program_t *schedule = analysis->schedule;
  const uint32_t *first_user = analysis->uses.first_user;
  const gmem_step_t *op = op_defining(schedule, value);
  if (!op || op->group == GMEM_NO_GROUP || op->hold)
    return false;
  for (uint32_t u = first_user[value]; u < first_user[value + 1]; ++u)
    if (schedule->ops[analysis->uses.users[u]].group != op->group)
      return false;
  return true;
}

// What op |index| makes of its operand if it is a reshape, or GMEM_NO_INDEX.
static uint32_t reshaped_by(const gmem_program_t *schedule, uint32_t index) {
  const gmem_step_t *op = &schedule->ops[index];
  return op->kind == GMEM_OP_RESHAPE && mlirOperationGetNumResults(op->op)
             ? gmem_schedule_find(schedule, mlirOperationGetResult(op->op, 0))
             : GMEM_NO_INDEX;
}

// Whether nothing reads the value, whose contents do not matter either, but
// views of which the same is true.
static bool is_only_a_place(const analysis_t *analysis, uint32_t value) {
  const gmem_program_t *schedule = analysis->schedule;
  const uint32_t *first_user = analysis->uses.first_user;
  if (!analysis->uses.is_blank[value])
    return false;
  for (uint32_t u = first_user[value]; u < first_user[value + 1]; ++u) {
    uint32_t view = reshaped_by(schedule, analysis->uses.users[u]);
    if (view == GMEM_NO_INDEX ||
        analysis->lives[view].storage != GMEM_STORAGE_NONE)
      return false;
  }
  return true;
}

// Whether a value that may be made again is read by an op that may run later
// than its step, or by a view of which the same is true. Inside of what is late
// itself, reader and value run together.
static bool is_overtaken(const analysis_t *analysis, uint32_t value) {
  const gmem_program_t *schedule = analysis->schedule;
  const uint32_t *first_user = analysis->uses.first_user;
  const gmem_block_t *block = &schedule->blocks[schedule->values[value].block];
  uint32_t owner = schedule->regions[block->region].owner;
  if (owner == GMEM_NO_INDEX ? block->number == 0 : schedule->ops[owner].late)
    return false;
  for (uint32_t u = first_user[value]; u < first_user[value + 1]; ++u) {
    uint32_t view = reshaped_by(schedule, analysis->uses.users[u]);
    if (gmem_is_late_use(schedule, analysis->uses.users[u]) ||
        (view != GMEM_NO_INDEX && analysis->lives[view].overtaken))
      return true;
  }
  return false;
}

// Whether a stream may still use the value when it is made again, by itself or
// by what has no memory of its own and stands for it. In memrefs that is looked
// for where they are allocated.
static bool is_lapped(const analysis_t *analysis, uint32_t value) {
  const gmem_program_t *schedule = analysis->schedule;
  const uint32_t *first_user = analysis->uses.first_user;
  if (!analysis->laps.is_repeated)
    return false;
  if (gmem_stream_laps_value(&analysis->laps, value))
    return true;
  for (uint32_t u = first_user[value]; u < first_user[value + 1]; ++u) {
    const gmem_step_t *user = &schedule->ops[analysis->uses.users[u]];
    bool shows = user->kind == GMEM_OP_RESHAPE || user->kind == GMEM_OP_VIEW ||
                 user->kind == GMEM_OP_UNKNOWN;
    for (intptr_t i = 0; shows && i < mlirOperationGetNumResults(user->op);
         ++i) {
      uint32_t view =
          gmem_schedule_find(schedule, mlirOperationGetResult(user->op, i));
      bool is_same = user->kind == GMEM_OP_RESHAPE ||
                     (view != GMEM_NO_INDEX &&
                      schedule->values[view].type != GMEM_TYPE_SIZED);
      if (view != GMEM_NO_INDEX && is_same && analysis->lives[view].is_lapped)
        return true;
    }
  }
  return false;
}

// Values that have no global memory, for all that can be known of them. Views
// come behind what they show, where the text has an order.
static void drop_values(analysis_t *analysis) {
  for (uint32_t i = (uint32_t)analysis->schedule->value_count; i-- > 0;) {
    gmem_life_t *life = &analysis->lives[i];
    life->overtaken = is_overtaken(analysis, i);
    life->is_lapped = is_lapped(analysis, i);
    if (life->storage != GMEM_STORAGE_TENSOR ||
        gmem_is_memref_root(analysis->schedule, i))
      continue;
    if (life->overtaken || life->is_lapped)
      life->storage = GMEM_STORAGE_UNPLANNED;
    else if (is_only_a_place(analysis, i))
      life->storage = GMEM_STORAGE_NONE;
    else if (is_local(analysis, i))
      life->storage = GMEM_STORAGE_LOCAL;
    else if (is_read_by_inputs_only(analysis, i))
      life->storage = GMEM_STORAGE_HOST;
  }
}

// What a program allocates has a place if it is planned, and only then.
static void drop_memrefs(analysis_t *analysis) {
  for (size_t i = 0; i < analysis->memrefs->root_count; ++i) {
    const gmem_memref_root_t *root = &analysis->memrefs->roots[i];
    analysis->lives[root->value].storage = root->fate == GMEM_MEMREF_PLANNED
                                               ? GMEM_STORAGE_TENSOR
                                               : GMEM_STORAGE_UNPLANNED;
    analysis->lives[root->value].root = root->place;
  }
}

static gmem_status_t settle_memrefs(void *user) {
  analysis_t *analysis = user;
  gmem_status_t status = gmem_memrefs_settle(analysis->memref_finder,
                                             analysis->lives, analysis->diag);
  if (status == GMEM_OK)
    drop_memrefs(analysis);
  return status;
}

// A view of what is not planned is somewhere else, too.
static void drop_views(analysis_t *analysis) {
  const gmem_program_t *schedule = analysis->schedule;
  for (size_t i = 0; i < schedule->op_count; ++i) {
    uint32_t operand, result;
    if (!gmem_is_view(schedule, i, &operand, &result) ||
        analysis->lives[result].storage != GMEM_STORAGE_TENSOR)
      continue;
    if (operand == GMEM_NO_INDEX ||
        analysis->lives[operand].storage == GMEM_STORAGE_UNPLANNED)
      analysis->lives[result].storage = GMEM_STORAGE_UNPLANNED;
  }
}

// What is changed through a view is changed. Views come behind what they show,
// but where the text has no order.
static void find_written(analysis_t *analysis) {
  const gmem_program_t *schedule = analysis->schedule;
  bool is_changed = true;
  while (is_changed) {
    is_changed = false;
    for (size_t i = schedule->op_count; i-- > 0;) {
      uint32_t operand, result;
      if (!gmem_is_view(schedule, i, &operand, &result) ||
          operand == GMEM_NO_INDEX || !analysis->lives[result].is_written ||
          analysis->lives[operand].is_written)
        continue;
      analysis->lives[operand].is_written = true;
      is_changed |= result < operand;
    }
  }
}

//===--- the whole --------------------------------------------------------===//

static bool number_classes(gmem_liveness_t *liveness, gmem_arena_t *arena) {
  size_t count = liveness->schedule->value_count;
  uint32_t *class_of = gmem_arena_alloc(arena, count, sizeof *class_of);
  if (!class_of)
    return false;
  for (size_t i = 0; i < count; ++i)
    class_of[i] = GMEM_NO_INDEX;
  for (uint32_t i = 0; i < liveness->class_count; ++i)
    class_of[liveness->classes[i].root] = i;
  for (size_t i = 0; i < count; ++i)
    if (liveness->lives[i].storage == GMEM_STORAGE_TENSOR)
      class_of[i] = class_of[liveness->lives[i].root];
  liveness->class_of = class_of;
  return true;
}

// Whether two transfers are the same but for where they come from.
static bool have_same_target(const gmem_transfer_t *left,
                             const gmem_transfer_t *right) {
  return left->op == right->op && left->time == right->time &&
         left->to == right->to;
}

// Whether control flow makes either transfer |i| or another to its target: a
// terminator goes to one block in two ways, a callee has several returns.
static bool is_one_of_several(const gmem_control_flow_t *flow, size_t i) {
  const gmem_transfer_t *all = flow->transfers;
  return (i > 0 && have_same_target(&all[i - 1], &all[i])) ||
         (i + 1 < flow->transfer_count &&
          have_same_target(&all[i], &all[i + 1]));
}

// Whether the transfer is a copy: both values have memory, and it is not the
// same. The source may be a weight.
static bool is_copy(const gmem_liveness_t *liveness,
                    const gmem_transfer_t *transfer) {
  const gmem_life_t *from = &liveness->lives[transfer->from];
  const gmem_life_t *to = &liveness->lives[transfer->to];
  return (from->storage == GMEM_STORAGE_TENSOR ||
          from->storage == GMEM_STORAGE_WEIGHT) &&
         to->storage == GMEM_STORAGE_TENSOR && from->root != to->root;
}

static bool list_transfers(gmem_liveness_t *liveness,
                           const gmem_control_flow_t *flow,
                           gmem_arena_t *arena) {
  liveness->transfers = gmem_arena_alloc(arena, flow->transfer_count,
                                         sizeof *liveness->transfers);
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

static gmem_status_t find_classes(analysis_t *analysis,
                                  gmem_liveness_t *liveness,
                                  gmem_diag_t *diag) {
  gmem_status_t status = gmem_classes_build(
      liveness->contexts, analysis->schedule, analysis->calls,
      analysis->memrefs, analysis->lives, analysis->arena, &liveness->classes,
      &liveness->class_count, diag);
  if (status != GMEM_OK)
    return status;
  if (!number_classes(liveness, analysis->arena) ||
      !list_transfers(liveness, &analysis->flow, analysis->arena))
    return gmem_out_of_memory(diag);
  return GMEM_OK;
}

gmem_status_t
gmem_liveness_analyse(const gmem_program_t *schedule, const gmem_calls_t *calls,
                      const gmem_streams_t *streams,
                      const gmem_model_options_t *options, gmem_arena_t *arena,
                      gmem_liveness_t *out_liveness, gmem_diag_t *diag) {
  analysis_t analysis = {.schedule = schedule,
                         .memrefs = &out_liveness->memrefs,
                         .diag = diag,
                         .calls = calls,
                         .arena = arena,
                         .lives = gmem_arena_alloc(arena, schedule->value_count,
                                                   sizeof(gmem_life_t))};
  if (!analysis.lives)
    return gmem_out_of_memory(diag);
  gmem_uses_t *uses = gmem_arena_alloc(arena, 1, sizeof *uses);
  if (!uses)
    return gmem_out_of_memory(diag);
  *out_liveness = (gmem_liveness_t){.schedule = schedule,
                                    .calls = calls,
                                    .streams = streams,
                                    .uses = uses,
                                    .lives = analysis.lives};
  gmem_status_t status = gmem_uses_find(schedule, arena, &analysis.uses, diag);
  if (status == GMEM_OK)
    status = gmem_control_flow_find(schedule, calls, analysis.uses.unordered,
                                    arena, &analysis.flow, diag);
  *uses = analysis.uses;
  if (status == GMEM_OK && !gmem_stream_laps_find(streams, &analysis.flow, uses,
                                                  arena, &analysis.laps))
    status = gmem_out_of_memory(diag);
  if (status == GMEM_OK)
    status = gmem_call_contexts_find(schedule, calls, arena,
                                     &out_liveness->contexts, diag);
  if (status == GMEM_OK)
    status = gmem_memrefs_find(out_liveness->contexts, schedule, calls,
                               &analysis.flow, &analysis.uses, &analysis.laps,
                               options, arena, analysis.memrefs,
                               &analysis.memref_finder, diag);
  if (status != GMEM_OK)
    return status;
  out_liveness->unordered = analysis.uses.unordered;
  begin_lives(&analysis);
  drop_memrefs(&analysis);
  find_outputs(&analysis);
  drop_values(&analysis);
  drop_views(&analysis);
  find_written(&analysis);
  status = gmem_value_lives_find(schedule, &analysis.flow, &analysis.uses,
                                 options->keep_inputs, settle_memrefs,
                                 &analysis, analysis.lives, arena, diag);
  return status == GMEM_OK ? find_classes(&analysis, out_liveness, diag)
                           : status;
}

//===--- queries ----------------------------------------------------------===//

bool gmem_classes_meet(const gmem_liveness_t *liveness, uint32_t class_a,
                       uint32_t class_b) {
  const gmem_class_t *few = &liveness->classes[class_a];
  const gmem_class_t *many = &liveness->classes[class_b];
  if (few->range_count > many->range_count) {
    const gmem_class_t *other = few;
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

bool gmem_class_is_live_at(const gmem_liveness_t *liveness, uint32_t class,
                           int64_t step) {
  const gmem_class_t *entry = &liveness->classes[class];
  uint32_t function = gmem_schedule_function_at(liveness->schedule, step);
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
