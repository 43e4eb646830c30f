// value_liveness.c - see value_liveness.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Liveness value by value, after "Computing Liveness Sets for SSA-Form
// Programs" (Brandner et al., INRIA RR-7503, 2011): a backward traversal of the
// blocks from each use to the block of the definition. From the entry block of
// a region it continues at the op that owns the region:
//
//   branch    at its first step: a use in one arm is live in that arm only
//   loop      at its last step but one: the value is live in every iteration
//   others    at their end: the order of execution is unknown
//
// Each block is visited at most once per value, and chains of blocks with
// single predecessors are passed in one step (block_chains.h), so the time is
// about linear in the number of uses.

#include "value_liveness.h"

#include <stdlib.h>

#include "diagnostics.h"
#include "layer_groups.h"
#include "live_ranges.h"

typedef struct walker_s {
  const gmem_program_t *program;
  const gmem_control_flow_t *flow;
  const gmem_uses_t *uses;
  gmem_live_value_t *live_values;
  bool keep_inputs;
  // By value: index of its first access by control flow; the next entry is the
  // end.
  uint32_t *first_access;
  gmem_memory_access_t *accesses;
  gmem_layer_groups_t spans;
  // Of the current value:
  uint32_t value;
  uint32_t home;        // block that defines it
  int64_t def_step;     // first step at which it is defined in that block
  gmem_ranges_t ranges; // live ranges, unsorted
  uint32_t *visited;    // by block: last value that is live at its begin, + 1
  uint32_t *stack;      // work stack: blocks at whose begin it is live
  size_t depth;
} walker_t;

static const gmem_ir_region_t *region_of(const walker_t *walker) {
  return &walker->program
              ->regions[walker->program->blocks[walker->home].region];
}

static const gmem_function_t *function_of(const walker_t *walker) {
  return &walker->program->functions[region_of(walker)->function];
}

// The op that owns the region of the definition, or NULL at function level.
static const gmem_program_op_t *op_around(const walker_t *walker) {
  uint32_t owner = region_of(walker)->owner;
  return owner == GMEM_NO_INDEX ? NULL : &walker->program->ops[owner];
}

// The op that defines the value, or NULL for an argument.
static const gmem_program_op_t *op_defining(const walker_t *walker) {
  uint32_t op = walker->program->values[walker->value].op;
  return op == GMEM_NO_INDEX ? NULL : &walker->program->ops[op];
}

static void add(walker_t *walker, int64_t begin, int64_t end) {
  gmem_ranges_add(&walker->ranges, begin, end);
}

// Extends the live range to the end of the function. If the definition is in a
// loop or among several blocks, a block earlier in the text may run after it,
// so the range then starts at the begin of the function.
static void keep_to_end(walker_t *walker) {
  const gmem_ir_region_t *region = region_of(walker);
  bool is_straight = region->owner == GMEM_NO_INDEX && region->block_count == 1;
  add(walker, is_straight ? walker->def_step : function_of(walker)->begin,
      function_of(walker)->end);
}

//===--- layer groups of flat ops -----------------------------------------===//

// If |op| is in a layer group, the value is live while the group runs; if
// |made| inside of the group, only from its definition on.
static void add_group_span(walker_t *walker, const gmem_program_op_t *op,
                           bool made) {
  const gmem_layer_group_t *span =
      op ? gmem_layer_group_of(&walker->spans, op) : NULL;
  if (!span)
    return;
  bool is_later =
      made && span->block == walker->home && walker->def_step > span->begin;
  add(walker, is_later ? walker->def_step : span->begin, span->end);
}

//===--- backward traversal -----------------------------------------------===//

// The value is live at the begin of |block|, and hence at the end of its
// predecessors.
static void live_in(walker_t *walker, uint32_t block) {
  if (walker->visited[block] == walker->value + 1)
    return;
  walker->visited[block] = walker->value + 1;
  walker->stack[walker->depth++] = block;
}

// The value is live in |block| up to step |end|.
static void live_until(walker_t *walker, uint32_t block, int64_t end) {
  if (block == walker->home) {
    add(walker, walker->def_step, end);
    return;
  }
  add(walker, walker->program->blocks[block].begin, end);
  live_in(walker, block);
}

// Continues at the op that owns the region.
static void leave_region(walker_t *walker, uint32_t owner) {
  const gmem_program_op_t *op = &walker->program->ops[owner];
  switch (walker->flow->flows[owner]) {
  case GMEM_FLOW_BRANCH:
    live_until(walker, op->block, op->begin + 1);
    break;
  case GMEM_FLOW_FOR:
  case GMEM_FLOW_WHILE:
    live_until(walker, op->block, op->end - 1);
    break;
  default:
    live_until(walker, op->block, op->end);
  }
}

// Passes the single-predecessor chain of block |index| in one step, if there is
// one: up to the block of the definition, or to the head of the chain.
static bool follow_chain(walker_t *walker, uint32_t index) {
  const gmem_block_chains_t *chains = &walker->flow->chains;
  const gmem_block_t *blocks = walker->program->blocks;
  const gmem_block_t *home = &blocks[walker->home];
  uint32_t root = chains->root[index];
  bool is_home_near = home->region == blocks[index].region &&
                      home->number > blocks[root].number &&
                      home->number < blocks[index].number;
  if (root == index)
    return false;
  if (gmem_is_on_chain(chains, index, walker->home)) {
    add(walker, walker->def_step, blocks[index].begin);
    return true;
  }
  if (is_home_near) // the definition is between the blocks of the chain, but
                    // not on it
    return false;
  add(walker, blocks[root].begin, blocks[index].begin);
  live_in(walker, root);
  return true;
}

static void traverse(walker_t *walker) {
  const gmem_program_t *program = walker->program;
  const gmem_control_flow_t *flow = walker->flow;
  while (walker->depth) {
    uint32_t index = walker->stack[--walker->depth];
    if (follow_chain(walker, index))
      continue;
    const gmem_block_t *block = &program->blocks[index];
    const gmem_ir_region_t *region = &program->regions[block->region];
    // In its own region the definition dominates, so the traversal reaches it
    // before the entry block, except on unreachable paths.
    if (block->number == 0 && region != region_of(walker) &&
        region->owner != GMEM_NO_INDEX)
      leave_region(walker, region->owner);
    for (uint32_t p = flow->first_predecessor[index];
         p < flow->first_predecessor[index + 1]; ++p)
      live_until(walker, flow->predecessors[p],
                 program->blocks[flow->predecessors[p]].end);
  }
}

static void add_use(walker_t *walker, uint32_t user) {
  const gmem_program_t *program = walker->program;
  const gmem_program_op_t *op = &program->ops[user];
  bool is_first_step = gmem_flow_is_exact(walker->flow->flows[user]);
  live_until(walker, op->block, is_first_step ? op->begin + 1 : op->end);
  traverse(walker);
  add_group_span(walker, op, true);
  if (gmem_is_late_use(program, user))
    keep_to_end(walker);
}

//===--- one value --------------------------------------------------------===//

static void begin_value(walker_t *walker, uint32_t value) {
  const gmem_value_t *entry = &walker->program->values[value];
  walker->value = value;
  walker->home = entry->block;
  walker->ranges.count = 0;
  const gmem_program_op_t *op = op_defining(walker);
  if (!op)
    walker->def_step = walker->program->blocks[entry->block].begin;
  else if (gmem_flow_is_exact(walker->flow->flows[entry->op]))
    walker->def_step = op->end - 1;
  else
    walker->def_step = op->begin;
}

static void add_definition(walker_t *walker) {
  const gmem_program_op_t *op = op_defining(walker);
  const gmem_function_t *function = function_of(walker);
  const gmem_live_value_t *live = &walker->live_values[walker->value];
  if (op)
    add(walker, walker->def_step, op->end);
  else if (gmem_is_entry_block(walker->program, walker->home))
    add(walker, function->begin, function->begin + 1);
  for (uint32_t i = walker->first_access[walker->value];
       i < walker->first_access[walker->value + 1]; ++i)
    add(walker, walker->accesses[i].begin, walker->accesses[i].end);
  add_group_span(walker, op, false);
  add_group_span(walker, op_around(walker), false);
  if (op && op->hold)
    keep_to_end(walker);
  if (live->input && walker->keep_inputs)
    keep_to_end(walker);
}

// Cases in which execution does not follow program order.
static void add_unordered_cases(walker_t *walker) {
  const gmem_program_op_t *op = op_defining(walker),
                          *around = op_around(walker);
  const gmem_ir_region_t *region = region_of(walker);
  const gmem_function_t *function = function_of(walker);
  if (walker->uses->unordered[walker->program->blocks[walker->home].region])
    add(walker, region->begin, region->end);
  if (around && around->late) // executed once, or its values are not planned
    add(walker, region->begin, function->end);
  if (op && op->kind == GMEM_OP_INPUT) { // written before the function runs
    if (region->owner == GMEM_NO_INDEX && region->block_count == 1)
      add(walker, function->begin, walker->def_step + 1);
    else
      add(walker, function->begin, function->end);
  }
}

static bool end_value(walker_t *walker) {
  gmem_live_value_t *live = &walker->live_values[walker->value];
  const gmem_ir_region_t *region = region_of(walker);
  if (walker->ranges.count == 0) // a block argument of an unreachable block
    add(walker, region->begin, region->end);
  gmem_ranges_normalise(&walker->ranges);
  live->ranges = gmem_ranges_copy(&walker->ranges);
  live->range_count = walker->ranges.count;
  return live->ranges != NULL;
}

static bool find_live_ranges(walker_t *walker, uint32_t value) {
  begin_value(walker, value);
  add_definition(walker);
  add_unordered_cases(walker);
  for (uint32_t i = walker->uses->first_user[value];
       i < walker->uses->first_user[value + 1]; ++i)
    add_use(walker, walker->uses->users[i]);
  return end_value(walker);
}

//===--- views without memory of their own --------------------------------===//

static bool is_handle(const gmem_value_t *value) {
  return value->type != GMEM_TYPE_SIZED && value->type != GMEM_TYPE_DYNAMIC;
}

// Whether an op may forward the value beyond its live range: by control flow,
// or into the regions of the op.
static bool is_forwarded(const walker_t *walker, uint32_t value) {
  const gmem_uses_t *uses = walker->uses;
  for (uint32_t i = uses->first_user[value]; i < uses->first_user[value + 1];
       ++i) {
    const gmem_program_op_t *op = &walker->program->ops[uses->users[i]];
    bool ends_block =
        mlirOperationGetNumResults(op->op) == 0 &&
        walker->program->blocks[op->block].last_op == uses->users[i];
    if (ends_block || op->end != op->begin + 1 ||
        mlirOperationGetNumRegions(op->op) != 0)
      return true;
  }
  return false;
}

// Whether the view escapes. A list of tensors, for example, does not if only
// ops without regions, and no terminators, read it.
static bool may_escape(const walker_t *walker, uint32_t view) {
  const gmem_value_t *entry = &walker->program->values[view];
  if (!is_handle(entry))
    return false;
  return entry->type != GMEM_TYPE_NO_MEMORY ||
         walker->program->ops[entry->op].kind == GMEM_OP_RESHAPE ||
         is_forwarded(walker, view);
}

// Adds the live range of |view|, a view of the current value.
static void add_view(walker_t *walker, uint32_t view) {
  const gmem_live_value_t *live = &walker->live_values[view];
  gmem_ranges_add_all(&walker->ranges, live->ranges, live->range_count);
  walker->live_values[walker->value].output |= live->output;
  // The view's own views have been added already if it follows the value in the
  // text.
  bool is_escaping = may_escape(walker, view);
  walker->live_values[walker->value].is_escaping |=
      is_escaping || live->is_escaping;
  if (view < walker->value || is_escaping)
    keep_to_end(walker);
}

// The result of reshape |op| if it is a view of |value| but not in the same
// planned memory; else GMEM_NO_INDEX.
static uint32_t view_by_reshape(const walker_t *walker, uint32_t value,
                                MlirOperation op) {
  const gmem_program_t *program = walker->program;
  if (!mlirOperationGetNumOperands(op) || !mlirOperationGetNumResults(op) ||
      !mlirValueEqual(mlirOperationGetOperand(op, 0),
                      program->values[value].value))
    return GMEM_NO_INDEX;
  uint32_t result = gmem_program_find(program, mlirOperationGetResult(op, 0));
  return result != GMEM_NO_INDEX &&
                 !gmem_is_same_memory(program, walker->live_values, value,
                                      result)
             ? result
             : GMEM_NO_INDEX;
}

// Adds the live ranges of results of op |user| that are views of |value|;
// returns whether there are any. Handles that an op without a model returns may
// refer to any of its operands.
static bool add_views_by(walker_t *walker, uint32_t value, uint32_t user) {
  const gmem_program_t *program = walker->program;
  const gmem_program_op_t *op = &program->ops[user];
  bool is_changed = false;
  if (op->kind == GMEM_OP_RESHAPE) {
    uint32_t view = view_by_reshape(walker, value, op->op);
    if (view == GMEM_NO_INDEX)
      return false;
    add_view(walker, view);
    return true;
  }
  if (op->kind != GMEM_OP_UNKNOWN && op->kind != GMEM_OP_VIEW)
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op->op); ++i) {
    uint32_t view =
        gmem_program_find(program, mlirOperationGetResult(op->op, i));
    if (view == GMEM_NO_INDEX ||
        (program->values[view].type != GMEM_TYPE_NO_MEMORY &&
         program->values[view].type != GMEM_TYPE_MEMREF))
      continue;
    is_changed = true;
    add_view(walker, view);
  }
  return is_changed;
}

// A value is live as long as its views without memory of their own.
static bool add_views(walker_t *walker, uint32_t value) {
  bool is_changed = false;
  begin_value(walker, value);
  for (uint32_t i = walker->uses->first_user[value];
       i < walker->uses->first_user[value + 1]; ++i)
    is_changed |= add_views_by(walker, value, walker->uses->users[i]);
  if (!is_changed)
    return true;
  gmem_ranges_add_all(&walker->ranges, walker->live_values[value].ranges,
                      walker->live_values[value].range_count);
  return end_value(walker);
}

//===--- all values -------------------------------------------------------===//

// Sorts the accesses of control flow by value: a stable counting sort.
static bool list_accesses(walker_t *walker, gmem_bump_t *arena) {
  const gmem_control_flow_t *flow = walker->flow;
  size_t count = walker->program->value_count;
  walker->first_access =
      gmem_bump_alloc(arena, count + 1, sizeof *walker->first_access);
  walker->accesses =
      gmem_bump_alloc(arena, flow->touch_count, sizeof *walker->accesses);
  if (!walker->first_access || !walker->accesses)
    return false;
  for (size_t i = 0; i < flow->touch_count; ++i)
    ++walker->first_access[flow->touches[i].value];
  uint32_t total = 0;
  for (size_t i = 0; i <= count; ++i)
    walker->first_access[i] = total += walker->first_access[i];
  for (size_t i = flow->touch_count; i-- > 0;)
    walker->accesses[--walker->first_access[flow->touches[i].value]] =
        flow->touches[i];
  return true;
}

static bool has_live_range(const gmem_live_value_t *live) {
  return live->storage == GMEM_STORAGE_TENSOR ||
         live->storage == GMEM_STORAGE_UNPLANNED;
}

gmem_status_t gmem_value_liveness_find(
    const gmem_program_t *program, const gmem_control_flow_t *flow,
    const gmem_uses_t *uses, bool keep_inputs, gmem_own_liveness_fn own_found,
    void *user, gmem_live_value_t *live_values, gmem_bump_t *arena,
    gmem_diag_t *diag) {
  size_t blocks = program->block_count;
  walker_t walker = {.program = program,
                     .flow = flow,
                     .uses = uses,
                     .live_values = live_values,
                     .keep_inputs = keep_inputs,
                     .ranges = {.arena = arena},
                     .visited =
                         gmem_bump_alloc(arena, blocks, sizeof(uint32_t)),
                     .stack = gmem_bump_alloc(arena, blocks, sizeof(uint32_t))};
  if (!walker.visited || !walker.stack ||
      !gmem_layer_groups_find(program, arena, &walker.spans) ||
      !list_accesses(&walker, arena))
    return gmem_out_of_memory(diag);
  for (uint32_t i = 0; i < program->value_count; ++i)
    if (has_live_range(&live_values[i]) && !find_live_ranges(&walker, i))
      return gmem_out_of_memory(diag);
  GMEM_TRY(own_found(user));
  for (uint32_t i = (uint32_t)program->value_count; i-- > 0;)
    if (has_live_range(&live_values[i]) && !gmem_is_memref_root(program, i) &&
        !add_views(&walker, i))
      return gmem_out_of_memory(diag);
  return GMEM_OK;
}

bool gmem_is_same_memory(const gmem_program_t *program,
                         const gmem_live_value_t *live_values, uint32_t left,
                         uint32_t right) {
  return gmem_live_value_is_planned(&live_values[left]) &&
         gmem_live_value_is_planned(&live_values[right]) &&
         program->values[left].size == program->values[right].size;
}
