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
// A loop of blocks in which a value from outside is live is visited as a whole,
// as are the runs of blocks in front of one at whose begin it is live; each of
// the other blocks is visited at most once per value.

#include "value_liveness.h"

#include <assert.h>

#include "block_runs.h"

typedef struct walker_s {
  const gmem_program_t *program;
  const gmem_program_facts_t *facts;
  gmem_live_value_t *live_values;
  bool keep_inputs;
  gmem_csr_t accesses; // by value: by control flow, indices
  gmem_block_loops_t loops;
  gmem_block_run_t *runs;
  // Of the current value:
  uint32_t value;
  uint32_t home;                   // block that defines it
  const gmem_ir_region_t *region;  // of that block
  const gmem_function_t *function; // of that region
  const gmem_program_op_t *op;     // that defines it, or NULL
  const gmem_program_op_t *around; // that owns the region, or NULL
  int64_t def_step;     // first step at which it is defined in that block
  gmem_ranges_t ranges; // live ranges, unsorted
  uint32_t *visited;    // by block: last value that is live at its begin, + 1;
                        // of a loop that is visited as a whole, by its header
  uint32_t *stack;      // work stack: blocks at whose begin it is live
  size_t depth;
} walker_t;

static void add(walker_t *walker, int64_t begin, int64_t end) {
  gmem_ranges_add(&walker->ranges, begin, end);
}

// Extends the live range to the end of the function. If the definition is in a
// loop or among several blocks, a block earlier in the text may run after it,
// so the range then starts at the begin of the function.
static void keep_to_end(walker_t *walker) {
  const gmem_function_t *function = walker->function;
  bool is_straight = !walker->around && walker->region->block_count == 1;
  add(walker, is_straight ? walker->def_step : function->begin, function->end);
}

//===--- layer groups of flat ops -----------------------------------------===//

// If |op| is in a layer group, the value is live while the group runs; if
// |made| inside of the group, only from its definition on.
static void add_group_span(walker_t *walker, const gmem_program_op_t *op,
                           bool made) {
  const gmem_layer_group_t *span =
      op ? gmem_layer_group_of(&walker->facts->groups, op) : NULL;
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
  assert(walker->depth < walker->program->block_count);
  walker->visited[block] = walker->value + 1;
  walker->stack[walker->depth++] = block;
}

// The value is live in |block| up to step |end|, and if that is in a loop that
// does not define it, in the whole loop.
static void live_until(walker_t *walker, uint32_t block, int64_t end) {
  const gmem_block_t *blocks = walker->program->blocks;
  assert(end <= blocks[block].end);
  if (block == walker->home) {
    add(walker, walker->def_step, end);
    return;
  }
  uint32_t loop = gmem_outermost_loop(&walker->loops, block, walker->home);
  if (loop != GMEM_NO_INDEX) {
    block = loop;
    end = blocks[walker->loops.at[loop].last].end;
  }
  add(walker, blocks[block].begin, end);
  live_in(walker, block);
}

// Continues at the op that owns the region.
static void leave_region(walker_t *walker, uint32_t owner) {
  const gmem_program_op_t *op = &walker->program->ops[owner];
  switch (walker->facts->flow.flows[owner]) {
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

static void traverse(walker_t *walker) {
  const gmem_program_t *program = walker->program;
  while (walker->depth) {
    uint32_t index = walker->stack[--walker->depth];
    const gmem_block_t *block = &program->blocks[index];
    const gmem_ir_region_t *region = &program->regions[block->region];
    // In its own region the definition dominates, so the traversal reaches it
    // before the entry block, except on unreachable paths.
    if (block->number == 0 && region != walker->region &&
        region->owner != GMEM_NO_INDEX)
      leave_region(walker, region->owner);
    uint32_t first = gmem_first_of_runs(walker->runs, index, walker->home);
    if (first != index) {
      add(walker, program->blocks[first].begin, block->begin);
      live_in(walker, first);
    }
    GMEM_CSR_EACH (from, &walker->facts->flow.predecessors, index)
      if (first == index || *from >= index)
        live_until(walker, *from, program->blocks[*from].end);
  }
}

static void add_use(walker_t *walker, uint32_t user) {
  const gmem_program_t *program = walker->program;
  const gmem_program_op_t *op = &program->ops[user];
  bool is_first_step = gmem_flow_is_exact(walker->facts->flow.flows[user]);
  live_until(walker, op->block, is_first_step ? op->begin + 1 : op->end);
  traverse(walker);
  add_group_span(walker, op, true);
  if (op->deferred)
    keep_to_end(walker);
}

//===--- one value --------------------------------------------------------===//

static void begin_value(walker_t *walker, uint32_t value) {
  const gmem_program_t *program = walker->program;
  const gmem_value_t *entry = &program->values[value];
  const gmem_ir_region_t *region = gmem_region_of(program, entry->block);
  const gmem_program_op_t *op = gmem_defining_op(program, value);
  assert(walker->depth == 0);
  walker->value = value;
  walker->home = entry->block;
  walker->region = region;
  walker->function = &program->functions[region->function];
  walker->op = op;
  walker->around =
      region->owner == GMEM_NO_INDEX ? NULL : &program->ops[region->owner];
  walker->ranges.count = 0;
  if (!op)
    walker->def_step = program->blocks[entry->block].begin;
  else if (gmem_flow_is_exact(walker->facts->flow.flows[entry->op]))
    walker->def_step = op->end - 1;
  else
    walker->def_step = op->begin;
}

static void add_definition(walker_t *walker) {
  const gmem_program_op_t *op = walker->op;
  const gmem_function_t *function = walker->function;
  const gmem_live_value_t *live = &walker->live_values[walker->value];
  if (op)
    add(walker, walker->def_step, op->end);
  else if (gmem_is_entry_block(walker->program, walker->home))
    add(walker, function->begin, function->begin + 1);
  GMEM_CSR_EACH (i, &walker->accesses, walker->value) {
    const gmem_memory_access_t *access = &walker->facts->flow.accesses.at[*i];
    add(walker, access->begin, access->end);
  }
  add_group_span(walker, op, false);
  add_group_span(walker, walker->around, false);
  if (op && op->hold)
    keep_to_end(walker);
  if (live->input && walker->keep_inputs)
    keep_to_end(walker);
}

// Cases in which execution does not follow program order.
static void add_unordered_cases(walker_t *walker) {
  const gmem_program_op_t *op = walker->op, *around = walker->around;
  const gmem_ir_region_t *region = walker->region;
  const gmem_function_t *function = walker->function;
  if (walker->facts->uses
          .unordered[walker->program->blocks[walker->home].region])
    add(walker, region->begin, region->end);
  // Executed once, or its values are not planned.
  if (around && around->deferred)
    add(walker, region->begin, function->end);
  if (op && op->kind == GMEM_OP_INPUT) { // written before the function runs
    if (!around && region->block_count == 1)
      add(walker, function->begin, walker->def_step + 1);
    else
      add(walker, function->begin, function->end);
  }
}

// A value that has no live range: an argument of an unreachable block or, as
// passing a memref accesses nothing, a memref that the block does not use. This
// one gets the step of the terminator, at which nothing is allocated.
static void add_unused(walker_t *walker) {
  const gmem_block_t *home = &walker->program->blocks[walker->home];
  if (walker->program->values[walker->value].type == GMEM_TYPE_MEMREF)
    add(walker, home->end - 1, home->end);
  else
    add(walker, walker->region->begin, walker->region->end);
}

// Sets the ranges of the value, unless out of memory.
static void end_value(walker_t *walker) {
  gmem_live_value_t *live = &walker->live_values[walker->value];
  if (walker->ranges.count == 0)
    add_unused(walker);
  gmem_ranges_normalise(&walker->ranges);
  const gmem_live_range_t *ranges = gmem_ranges_copy(&walker->ranges);
  if (!ranges)
    return;
  assert(walker->ranges.count);
  live->ranges = ranges;
  live->range_count = walker->ranges.count;
}

static void find_live_ranges(walker_t *walker, uint32_t value) {
  begin_value(walker, value);
  add_definition(walker);
  add_unordered_cases(walker);
  GMEM_CSR_EACH (user, &walker->facts->uses.users, value)
    add_use(walker, *user);
  end_value(walker);
}

//===--- views without memory of their own --------------------------------===//

static bool is_handle(const gmem_value_t *value) {
  return value->type != GMEM_TYPE_SIZED && value->type != GMEM_TYPE_DYNAMIC;
}

// Whether an op may forward the value beyond its live range: by control flow,
// or into the regions of the op.
static bool is_forwarded(const walker_t *walker, uint32_t value) {
  GMEM_CSR_EACH (user, &walker->facts->uses.users, value) {
    const gmem_program_op_t *op = &walker->program->ops[*user];
    bool ends_block = mlirOperationGetNumResults(op->op) == 0 &&
                      walker->program->blocks[op->block].last_op == *user;
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
static void add_views(walker_t *walker, uint32_t value) {
  const gmem_live_value_t *live = &walker->live_values[value];
  bool is_changed = false;
  begin_value(walker, value);
  GMEM_CSR_EACH (user, &walker->facts->uses.users, value)
    is_changed |= add_views_by(walker, value, *user);
  if (!is_changed)
    return;
  gmem_ranges_add_all(&walker->ranges, live->ranges, live->range_count);
  end_value(walker);
}

//===--- all values -------------------------------------------------------===//

static bool has_live_range(const gmem_live_value_t *live) {
  return live->storage == GMEM_STORAGE_TENSOR ||
         live->storage == GMEM_STORAGE_UNPLANNED;
}

static walker_t make_walker(const gmem_program_facts_t *facts,
                            gmem_bump_t *arena,
                            gmem_live_value_t *live_values) {
  return (walker_t){.program = facts->program,
                    .facts = facts,
                    .live_values = live_values,
                    .ranges = {.arena = arena}};
}

static gmem_status_t list_accesses(walker_t *walker, gmem_bump_t *arena,
                                   gmem_diag_t *diag) {
  const gmem_memory_access_list_t *accesses = &walker->facts->flow.accesses;
  gmem_csr_pairs_t pairs = {0};
  GMEM_TRY_ALLOC(pairs.at, arena, accesses->count, diag);
  for (uint32_t i = 0; i < accesses->count; ++i)
    pairs.at[pairs.count++] = (gmem_csr_pair_t){accesses->at[i].value, i};
  return gmem_csr_build(&pairs, walker->program->value_count, arena,
                        &walker->accesses, diag);
}

static gmem_status_t find_direct_ranges(walker_t *walker, gmem_bump_t *scratch,
                                        gmem_diag_t *diag) {
  const gmem_program_t *program = walker->program;
  GMEM_TRY(gmem_block_loops_find(walker->facts, scratch, &walker->loops, diag));
  GMEM_TRY(gmem_block_runs_find(walker->facts, &walker->loops, scratch,
                                &walker->runs, diag));
  GMEM_TRY_ALLOC(walker->visited, scratch, program->block_count, diag);
  GMEM_TRY_ALLOC(walker->stack, scratch, program->block_count, diag);
  GMEM_TRY(list_accesses(walker, scratch, diag));
  for (uint32_t i = 0; i < program->value_count; ++i)
    if (has_live_range(&walker->live_values[i]))
      find_live_ranges(walker, i);
  return gmem_bump_status(walker->ranges.arena, diag);
}

gmem_status_t gmem_find_direct_ranges(const gmem_program_facts_t *facts,
                                      bool keep_inputs, gmem_bump_t *arena,
                                      gmem_live_value_t *live_values,
                                      gmem_diag_t *diag) {
  walker_t walker = make_walker(facts, arena, live_values);
  walker.keep_inputs = keep_inputs;
  gmem_bump_t scratch;
  gmem_bump_init(&scratch, &arena->allocator);
  gmem_status_t status = find_direct_ranges(&walker, &scratch, diag);
  gmem_bump_destroy(&scratch);
  return status;
}

gmem_status_t gmem_add_view_ranges(const gmem_program_facts_t *facts,
                                   gmem_bump_t *arena,
                                   gmem_live_value_t *live_values,
                                   gmem_diag_t *diag) {
  walker_t walker = make_walker(facts, arena, live_values);
  for (uint32_t i = (uint32_t)facts->program->value_count; i-- > 0;)
    if (has_live_range(&live_values[i]) &&
        !gmem_is_memref_root(facts->program, i))
      add_views(&walker, i);
  return gmem_bump_status(arena, diag);
}

bool gmem_is_same_memory(const gmem_program_t *program,
                         const gmem_live_value_t *live_values, uint32_t left,
                         uint32_t right) {
  return gmem_live_value_is_planned(&live_values[left]) &&
         gmem_live_value_is_planned(&live_values[right]) &&
         program->values[left].size == program->values[right].size;
}
