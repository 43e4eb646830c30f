// control_flow.c - see control_flow.h. Control flow that does not match its
// model exactly is treated as unknown, which extends live ranges and keeps the
// plan correct.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "control_flow.h"

#include <stdlib.h>

#include "diagnostics.h"
#include "program.h"

typedef struct block_key_s {
  const void *pointer; // of the MlirBlock
  uint32_t block;
} block_key_t;

typedef struct edge_s {
  uint32_t from, to; // blocks
} edge_t;

typedef struct builder_s {
  const gmem_program_t *program;
  const gmem_calls_t *calls;
  const bool *unordered;  // by region
  uint32_t *first_region; // by op: the first region it owns, linked by
                          //   |next_region|; or GMEM_NO_INDEX
  uint32_t *next_region;  // by region: of the same owner, or GMEM_NO_INDEX
  block_key_t *blocks;    // of regions with several blocks, by pointer
  size_t block_count;
  edge_t *edges;
  size_t edge_count, edge_room;
  gmem_bump_t *arena;
  gmem_control_flow_t *flow;
  bool out_of_memory;
} builder_t;

//===--- transfers --------------------------------------------------------===//

// A sequence of values that are the source or target of transfers.
typedef struct row_s {
  enum { OPERANDS, RESULTS, ARGUMENTS } kind;
  MlirOperation op; // of operands and results
  MlirBlock block;  // of arguments
  intptr_t first, count;
} row_t;

static row_t operands_of(MlirOperation op) {
  return (row_t){
      .kind = OPERANDS, .op = op, .count = mlirOperationGetNumOperands(op)};
}

static row_t results_of(MlirOperation op) {
  return (row_t){
      .kind = RESULTS, .op = op, .count = mlirOperationGetNumResults(op)};
}

static row_t arguments_of(MlirBlock block) {
  return (row_t){.kind = ARGUMENTS,
                 .block = block,
                 .count = mlirBlockGetNumArguments(block)};
}

// The row without its first |first| values; unchanged if it is too short.
static row_t row_from(row_t row, intptr_t first) {
  if (first < 0 || first > row.count)
    return row;
  row.first += first;
  row.count -= first;
  return row;
}

static row_t row_last(row_t row, intptr_t count) {
  return row_from(row, row.count - count);
}

static MlirValue value_at(const row_t *row, intptr_t i) {
  switch (row->kind) {
  case OPERANDS:
    return mlirOperationGetOperand(row->op, row->first + i);
  case RESULTS:
    return mlirOperationGetResult(row->op, row->first + i);
  default:
    return mlirBlockGetArgument(row->block, row->first + i);
  }
}

static bool have_same_types(row_t left, row_t right) {
  if (left.count != right.count)
    return false;
  for (intptr_t i = 0; i < left.count; ++i)
    if (!mlirTypeEqual(mlirValueGetType(value_at(&left, i)),
                       mlirValueGetType(value_at(&right, i))))
      return false;
  return true;
}

static void add_access(builder_t *builder, uint32_t value, int64_t begin,
                       int64_t end) {
  gmem_control_flow_t *flow = builder->flow;
  if (value == GMEM_NO_INDEX)
    return;
  if (!gmem_bump_grow(builder->arena, &flow->touches, flow->touch_count,
                      &flow->touch_room, sizeof *flow->touches)) {
    builder->out_of_memory = true;
    return;
  }
  flow->touches[flow->touch_count++] =
      (gmem_memory_access_t){value, begin, end};
}

static void add_accesses(builder_t *builder, row_t row, int64_t begin,
                         int64_t end) {
  for (intptr_t i = 0; i < row.count; ++i)
    add_access(builder, gmem_program_find(builder->program, value_at(&row, i)),
               begin, end);
}

// Adds the transfers between two rows of the same types.
static void add_transfers(builder_t *builder, row_t source_row, row_t to,
                          uint32_t op, int64_t time) {
  gmem_control_flow_t *flow = builder->flow;
  add_accesses(builder, source_row, time, time + 1);
  add_accesses(builder, to, time, time + 1);
  for (intptr_t i = 0; i < source_row.count; ++i) {
    uint32_t source =
        gmem_program_find(builder->program, value_at(&source_row, i));
    uint32_t target = gmem_program_find(builder->program, value_at(&to, i));
    if (source == GMEM_NO_INDEX || target == GMEM_NO_INDEX)
      continue;
    if (!gmem_bump_grow(builder->arena, &flow->transfers, flow->transfer_count,
                        &flow->transfer_room, sizeof *flow->transfers)) {
      builder->out_of_memory = true;
      return;
    }
    flow->transfers[flow->transfer_count++] =
        (gmem_transfer_t){source, target, op, time, false};
  }
}

//===--- the regions of an op ---------------------------------------------===//

static bool link_regions(builder_t *builder) {
  const gmem_program_t *program = builder->program;
  builder->first_region = gmem_bump_alloc(builder->arena, program->op_count,
                                          sizeof *builder->first_region);
  builder->next_region = gmem_bump_alloc(builder->arena, program->region_count,
                                         sizeof *builder->next_region);
  if (!builder->first_region || !builder->next_region)
    return false;
  for (size_t i = 0; i < program->op_count; ++i)
    builder->first_region[i] = GMEM_NO_INDEX;
  for (uint32_t i = (uint32_t)program->region_count; i-- > 0;) {
    uint32_t owner = program->regions[i].owner;
    if (owner == GMEM_NO_INDEX)
      continue;
    builder->next_region[i] = builder->first_region[owner];
    builder->first_region[owner] = i;
  }
  return true;
}

// The terminator of a block, an op of one step without results, or NULL.
static const gmem_program_op_t *terminator_of(const builder_t *builder,
                                              const gmem_block_t *block) {
  const gmem_program_op_t *op = block->last_op == GMEM_NO_INDEX
                                    ? NULL
                                    : &builder->program->ops[block->last_op];
  return op && op->end == op->begin + 1 &&
                 mlirOperationGetNumResults(op->op) == 0
             ? op
             : NULL;
}

// The only block of region |number| of the op if it has a terminator without
// successors; otherwise NULL.
static const gmem_block_t *sole_block(const builder_t *builder, uint32_t op,
                                      uint32_t number) {
  uint32_t index = builder->first_region[op];
  while (number-- && index != GMEM_NO_INDEX)
    index = builder->next_region[index];
  if (index == GMEM_NO_INDEX)
    return NULL;
  const gmem_ir_region_t *region = &builder->program->regions[index];
  if (region->block_count != 1 || builder->unordered[index])
    return NULL;
  const gmem_block_t *block = &builder->program->blocks[region->first_block];
  const gmem_program_op_t *end = terminator_of(builder, block);
  return end && mlirOperationGetNumSuccessors(end->op) == 0 ? block : NULL;
}

//===--- branches ---------------------------------------------------------===//

// Whether the values that |block| yields from an arm of |op| match its results.
static bool yields_results(const builder_t *builder,
                           const gmem_program_op_t *op,
                           const gmem_block_t *block) {
  if (mlirOperationGetNumResults(op->op) == 0)
    return true;
  const gmem_program_op_t *end = terminator_of(builder, block);
  return end && (mlirOperationGetNumSuccessors(end->op) != 0 ||
                 have_same_types(operands_of(end->op), results_of(op->op)));
}

static bool is_arm(const builder_t *builder, const gmem_program_op_t *op,
                   uint32_t index) {
  const gmem_ir_region_t *region = &builder->program->regions[index];
  if (builder->unordered[index])
    return false;
  if (region->first_block == GMEM_NO_INDEX)
    return mlirOperationGetNumResults(op->op) == 0;
  row_t arguments =
      arguments_of(builder->program->blocks[region->first_block].block);
  if (!have_same_types(arguments,
                       row_last(operands_of(op->op), arguments.count)))
    return false;
  for (uint32_t i = region->first_block; i != GMEM_NO_INDEX;
       i = builder->program->blocks[i].next)
    if (!yields_results(builder, op, &builder->program->blocks[i]))
      return false;
  return true;
}

static void add_arm_transfers(builder_t *builder, uint32_t index,
                              const gmem_ir_region_t *region) {
  const gmem_program_op_t *op = &builder->program->ops[index];
  if (region->first_block == GMEM_NO_INDEX)
    return;
  row_t arguments =
      arguments_of(builder->program->blocks[region->first_block].block);
  add_transfers(builder, row_last(operands_of(op->op), arguments.count),
                arguments, index, op->begin);
  for (uint32_t i = region->first_block; i != GMEM_NO_INDEX;
       i = builder->program->blocks[i].next) {
    const gmem_block_t *block = &builder->program->blocks[i];
    const gmem_program_op_t *end = terminator_of(builder, block);
    if (end && mlirOperationGetNumResults(op->op) &&
        mlirOperationGetNumSuccessors(end->op) == 0)
      add_transfers(builder, operands_of(end->op), results_of(op->op),
                    block->last_op, end->begin);
  }
}

static bool find_branch(builder_t *builder, uint32_t index) {
  const gmem_program_op_t *op = &builder->program->ops[index];
  for (uint32_t i = builder->first_region[index]; i != GMEM_NO_INDEX;
       i = builder->next_region[i])
    if (!is_arm(builder, op, i))
      return false;
  for (uint32_t i = builder->first_region[index]; i != GMEM_NO_INDEX;
       i = builder->next_region[i])
    add_arm_transfers(builder, index, &builder->program->regions[i]);
  return true;
}

//===--- loops ------------------------------------------------------------===//

static bool find_for(builder_t *builder, uint32_t index) {
  const gmem_program_op_t *op = &builder->program->ops[index];
  const gmem_block_t *body = sole_block(builder, index, 0);
  if (!body || mlirOperationGetNumRegions(op->op) != 1)
    return false;
  uint32_t last_op = body->last_op;
  const gmem_program_op_t *end = &builder->program->ops[last_op];
  row_t results = results_of(op->op);
  row_t inits = row_last(operands_of(op->op), results.count);
  row_t arguments = arguments_of(body->block);
  row_t carried = row_last(arguments, results.count);
  row_t next = operands_of(end->op);
  if (!have_same_types(inits, results) || !have_same_types(carried, results) ||
      !have_same_types(next, results))
    return false;
  add_transfers(builder, inits, carried, index, op->begin);
  add_transfers(builder, next, carried, last_op, end->begin);
  add_transfers(builder, carried, results, index, op->end - 1);
  // The other arguments, such as induction variables, are written by the op
  // itself in each iteration.
  arguments.count -= carried.count;
  add_accesses(builder, arguments, op->begin, op->end);
  return true;
}

// Region 0 yields the operands of its terminator after the condition
// (GMEM_OP_LOOP: its own arguments) to region 1 or, at the end, to the results.
static bool find_while(builder_t *builder, uint32_t index) {
  const gmem_program_op_t *op = &builder->program->ops[index];
  const gmem_block_t *before = sole_block(builder, index, 0);
  const gmem_block_t *after = sole_block(builder, index, 1);
  if (!before || !after || mlirOperationGetNumRegions(op->op) != 2)
    return false;
  bool is_unchanged = op->kind == GMEM_OP_LOOP;
  const gmem_program_op_t *condition = &builder->program->ops[before->last_op];
  const gmem_program_op_t *yield = &builder->program->ops[after->last_op];
  row_t inits = operands_of(op->op), results = results_of(op->op);
  row_t arguments = arguments_of(before->block);
  row_t next = operands_of(yield->op);
  row_t source_row = operands_of(condition->op);
  if (source_row.count == 0)
    return false;
  source_row = is_unchanged ? arguments : row_from(source_row, 1);
  if (!have_same_types(inits, arguments) ||
      !have_same_types(source_row, results) ||
      !have_same_types(source_row, arguments_of(after->block)) ||
      !have_same_types(next, arguments))
    return false;
  add_transfers(builder, inits, arguments, index, op->begin);
  add_transfers(builder, source_row, arguments_of(after->block),
                before->last_op, condition->begin);
  add_transfers(builder, next, arguments, after->last_op, yield->begin);
  add_transfers(builder, source_row, results, index, op->end - 1);
  if (is_unchanged)
    add_accesses(builder, arguments, before->begin, condition->end);
  return true;
}

//===--- unknown control flow ---------------------------------------------===//

// Entry arguments may be accessed as long as the op runs.
static void add_unknown_accesses(builder_t *builder, uint32_t index) {
  const gmem_program_t *program = builder->program;
  const gmem_program_op_t *op = &program->ops[index];
  for (uint32_t i = builder->first_region[index]; i != GMEM_NO_INDEX;
       i = builder->next_region[i])
    if (program->regions[i].first_block != GMEM_NO_INDEX)
      add_accesses(
          builder,
          arguments_of(program->blocks[program->regions[i].first_block].block),
          op->begin, op->end);
}

static void find_regions(builder_t *builder, uint32_t index) {
  const gmem_program_op_t *op = &builder->program->ops[index];
  bool is_exact = false;
  bool is_alone = !op->late && op->group == GMEM_NO_GROUP;
  if (builder->first_region[index] == GMEM_NO_INDEX)
    return;
  if (is_alone && op->kind == GMEM_OP_BRANCH)
    is_exact = find_branch(builder, index);
  else if (is_alone && op->kind == GMEM_OP_FOR)
    is_exact = find_for(builder, index);
  else if (is_alone && (op->kind == GMEM_OP_WHILE || op->kind == GMEM_OP_LOOP))
    is_exact = find_while(builder, index);
  builder->flow->flows[index] = GMEM_FLOW_ANY;
  if (!is_exact)
    add_unknown_accesses(builder, index);
  else if (op->kind == GMEM_OP_BRANCH)
    builder->flow->flows[index] = GMEM_FLOW_BRANCH;
  else
    builder->flow->flows[index] =
        op->kind == GMEM_OP_FOR ? GMEM_FLOW_FOR : GMEM_FLOW_WHILE;
}

//===--- calls ------------------------------------------------------------===//

// If the callee has several returns, one of them executes and writes all
// results there, as in a branch. With several calls, however, the results of
// all calls would interfere there; the returned values are then transferred at
// the call.
static bool transfers_at_returns(const builder_t *builder,
                                 const gmem_call_t *call) {
  const gmem_callee_t *callee = &builder->calls->callees[call->callee];
  for (uint32_t i = callee->first_return; i < callee->end_return; ++i) {
    const gmem_program_op_t *op =
        &builder->program->ops[builder->calls->returns[i]];
    if (op->end != op->begin + 1)
      return false;
  }
  return call->by_reference && callee->end_return > callee->first_return + 1;
}

static void find_call(builder_t *builder, const gmem_call_t *call) {
  const gmem_program_t *program = builder->program;
  const gmem_program_op_t *op = &program->ops[call->op];
  const gmem_callee_t *callee = &builder->calls->callees[call->callee];
  MlirBlock entry = mlirRegionGetFirstBlock(
      mlirOperationGetRegion(program->functions[call->callee].op, 0));
  row_t operands = operands_of(op->op), arguments = arguments_of(entry);
  bool at_returns = transfers_at_returns(builder, call);
  builder->flow->flows[call->op] = GMEM_FLOW_CALL;
  arguments.count = operands.count; // there may be more
  add_transfers(builder, operands, arguments, call->op, op->begin);
  for (uint32_t i = callee->first_return; i < callee->end_return; ++i) {
    uint32_t index = builder->calls->returns[i];
    const gmem_program_op_t *end = &program->ops[index];
    add_transfers(builder, operands_of(end->op), results_of(op->op),
                  at_returns ? index : call->op,
                  at_returns ? end->begin : op->end - 1);
  }
}

//===--- blocks -----------------------------------------------------------===//

static int by_pointer(const void *a, const void *b) {
  uintptr_t left = (uintptr_t)((const block_key_t *)a)->pointer;
  uintptr_t right = (uintptr_t)((const block_key_t *)b)->pointer;
  return (left > right) - (left < right);
}

static bool list_blocks(builder_t *builder) {
  const gmem_program_t *program = builder->program;
  builder->blocks = gmem_bump_alloc(builder->arena, program->block_count,
                                    sizeof *builder->blocks);
  if (!builder->blocks)
    return false;
  for (uint32_t i = 0; i < program->block_count; ++i)
    if (program->regions[program->blocks[i].region].block_count > 1)
      builder->blocks[builder->block_count++] =
          (block_key_t){program->blocks[i].block.ptr, i};
  qsort(builder->blocks, builder->block_count, sizeof *builder->blocks,
        by_pointer);
  return true;
}

static uint32_t find_block(const builder_t *builder, MlirBlock block) {
  block_key_t key = {block.ptr, 0};
  const block_key_t *found =
      builder->block_count
          ? bsearch(&key, builder->blocks, builder->block_count, sizeof key,
                    by_pointer)
          : NULL;
  return found ? found->block : GMEM_NO_INDEX;
}

static void add_edge(builder_t *builder, uint32_t from, uint32_t to) {
  if (to == GMEM_NO_INDEX)
    return;
  if (!gmem_bump_grow(builder->arena, &builder->edges, builder->edge_count,
                      &builder->edge_room, sizeof *builder->edges)) {
    builder->out_of_memory = true;
    return;
  }
  builder->edges[builder->edge_count++] = (edge_t){from, to};
}

// Whether the last operands of a terminator are, in order, the arguments of its
// successors. For ops of unregistered dialects this is unknown, whatever the
// types are.
static bool passes_arguments(const gmem_program_op_t *op, intptr_t *out_first) {
  row_t rest = operands_of(op->op);
  intptr_t successors = mlirOperationGetNumSuccessors(op->op), total = 0;
  for (intptr_t i = 0; i < successors; ++i)
    total += mlirBlockGetNumArguments(mlirOperationGetSuccessor(op->op, i));
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op->op));
  if (!mlirContextIsRegisteredOperation(mlirOperationGetContext(op->op), name))
    return total == 0;
  if (op->end != op->begin + 1 || total > rest.count)
    return false;
  *out_first = rest.count - total;
  rest = row_from(rest, *out_first);
  for (intptr_t i = 0; i < successors; ++i) {
    row_t to = arguments_of(mlirOperationGetSuccessor(op->op, i)),
          source_row = rest;
    source_row.count = to.count;
    if (!have_same_types(source_row, to))
      return false;
    rest = row_from(rest, to.count);
  }
  return true;
}

// Successor arguments are written at the predecessor's terminator.
static void find_edges(builder_t *builder, uint32_t block) {
  uint32_t index = builder->program->blocks[block].last_op;
  if (index == GMEM_NO_INDEX)
    return;
  const gmem_program_op_t *op = &builder->program->ops[index];
  intptr_t successors = mlirOperationGetNumSuccessors(op->op), first = 0;
  bool is_known = successors && passes_arguments(op, &first);
  for (intptr_t i = 0; i < successors; ++i) {
    MlirBlock to = mlirOperationGetSuccessor(op->op, i);
    row_t arguments = arguments_of(to), source_row = operands_of(op->op);
    add_edge(builder, block, find_block(builder, to));
    if (!is_known) {
      add_accesses(builder, arguments, op->begin, op->end);
      continue;
    }
    source_row = row_from(source_row, first);
    source_row.count = arguments.count;
    add_transfers(builder, source_row, arguments, index, op->begin);
    first += arguments.count;
  }
}

// Counting sort of the edges by target.
static bool list_predecessors(builder_t *builder) {
  gmem_control_flow_t *flow = builder->flow;
  size_t count = builder->program->block_count;
  flow->first_predecessor = gmem_bump_alloc(builder->arena, count + 1,
                                            sizeof *flow->first_predecessor);
  flow->predecessors = gmem_bump_alloc(builder->arena, builder->edge_count,
                                       sizeof *flow->predecessors);
  if (!flow->first_predecessor || !flow->predecessors)
    return false;
  for (size_t i = 0; i < builder->edge_count; ++i)
    ++flow->first_predecessor[builder->edges[i].to];
  uint32_t total = 0;
  for (size_t i = 0; i <= count; ++i)
    flow->first_predecessor[i] = total += flow->first_predecessor[i];
  for (size_t i = builder->edge_count; i-- > 0;)
    flow->predecessors[--flow->first_predecessor[builder->edges[i].to]] =
        builder->edges[i].from;
  return true;
}

static int in_order_of_ops(const void *a, const void *b) {
  const gmem_transfer_t *left = a, *right = b;
  if (left->op != right->op)
    return left->op < right->op ? -1 : 1;
  if (left->time != right->time)
    return left->time < right->time ? -1 : 1;
  if (left->to != right->to)
    return left->to < right->to ? -1 : 1;
  return (left->from > right->from) - (left->from < right->from);
}

// Sorts the transfers and removes duplicates at one step.
static void sort_transfers(gmem_control_flow_t *flow) {
  gmem_transfer_t *all = flow->transfers;
  size_t count = 0;
  if (flow->transfer_count > 1) // or there may be no array
    qsort(all, flow->transfer_count, sizeof *all, in_order_of_ops);
  for (size_t i = 0; i < flow->transfer_count; ++i)
    if (count == 0 || in_order_of_ops(&all[count - 1], &all[i]) != 0)
      all[count++] = all[i];
  flow->transfer_count = count;
}

gmem_status_t gmem_control_flow_find(const gmem_program_t *program,
                                     const gmem_calls_t *calls,
                                     const bool *unordered, gmem_bump_t *arena,
                                     gmem_control_flow_t *out_flow,
                                     gmem_diag_t *diag) {
  *out_flow = (gmem_control_flow_t){
      .flows = gmem_bump_alloc(arena, program->op_count, sizeof(uint8_t))};
  builder_t builder = {.program = program,
                       .calls = calls,
                       .unordered = unordered,
                       .arena = arena,
                       .flow = out_flow};
  if (!out_flow->flows || !link_regions(&builder) || !list_blocks(&builder))
    return gmem_out_of_memory(diag);
  for (uint32_t i = 0; i < program->op_count; ++i)
    find_regions(&builder, i);
  for (size_t i = 0; i < calls->count; ++i)
    if (calls->calls[i].is_plain)
      find_call(&builder, &calls->calls[i]);
  for (uint32_t i = 0; i < program->block_count; ++i)
    if (program->regions[program->blocks[i].region].block_count > 1)
      find_edges(&builder, i);
  if (builder.out_of_memory || !list_predecessors(&builder) ||
      !gmem_block_chains_find(program, out_flow->first_predecessor,
                              out_flow->predecessors, arena, &out_flow->chains))
    return gmem_out_of_memory(diag);
  sort_transfers(out_flow);
  return GMEM_OK;
}
