// control_flow.c - see control_flow.h. Control flow that does not match its
// model exactly is treated as unknown, which extends live ranges and keeps the
// plan correct.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "control_flow.h"

#include <assert.h>
#include <stdlib.h>

#include "calls.h"
#include "pointer_map.h"
#include "program.h"
#include "value_rows.h"

typedef struct builder_s {
  const gmem_program_t *program;
  const gmem_calls_t *calls;
  const bool *unordered;     // by region
  gmem_pointer_map_t blocks; // of regions with several blocks
  gmem_csr_pairs_t edges;    // from a block to a predecessor
  gmem_bump_t *arena;
  gmem_control_flow_t *flow;
} builder_t;

//===--- transfers --------------------------------------------------------===//

static uint32_t find_in_row(const builder_t *builder,
                            const gmem_value_row_t *row, intptr_t i) {
  return gmem_program_find(builder->program, gmem_row_at(row, i));
}

static void add_accesses(builder_t *builder, gmem_value_row_t row,
                         int64_t begin, int64_t end) {
  for (intptr_t i = 0; i < row.count; ++i) {
    uint32_t value = find_in_row(builder, &row, i);
    if (value != GMEM_NO_INDEX)
      GMEM_APPEND(builder->arena, &builder->flow->accesses,
                  (gmem_memory_access_t){value, begin, end});
  }
}

// Adds the transfers between two rows of the same types.
static void add_transfers(builder_t *builder, gmem_value_row_t source_row,
                          gmem_value_row_t to, uint32_t op, int64_t time) {
  assert(source_row.count == to.count);
  add_accesses(builder, source_row, time, time + 1);
  add_accesses(builder, to, time, time + 1);
  for (intptr_t i = 0; i < source_row.count; ++i) {
    uint32_t source = find_in_row(builder, &source_row, i);
    uint32_t target = find_in_row(builder, &to, i);
    if (source != GMEM_NO_INDEX && target != GMEM_NO_INDEX)
      GMEM_APPEND(builder->arena, &builder->flow->transfers,
                  (gmem_transfer_t){source, target, op, time, false});
  }
}

//===--- the regions of an op ---------------------------------------------===//

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
  uint32_t index = builder->program->ops[op].first_region;
  while (number-- && index != GMEM_NO_INDEX)
    index = builder->program->regions[index].next;
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
  return end &&
         (mlirOperationGetNumSuccessors(end->op) != 0 ||
          gmem_rows_match(gmem_operands_of(end->op), gmem_results_of(op->op)));
}

static bool is_arm(const builder_t *builder, const gmem_program_op_t *op,
                   uint32_t index) {
  const gmem_ir_region_t *region = &builder->program->regions[index];
  if (builder->unordered[index])
    return false;
  if (region->first_block == GMEM_NO_INDEX)
    return mlirOperationGetNumResults(op->op) == 0;
  gmem_value_row_t arguments =
      gmem_arguments_of(builder->program->blocks[region->first_block].block);
  if (!gmem_rows_match(
          arguments, gmem_row_last(gmem_operands_of(op->op), arguments.count)))
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
  gmem_value_row_t arguments =
      gmem_arguments_of(builder->program->blocks[region->first_block].block);
  add_transfers(builder,
                gmem_row_last(gmem_operands_of(op->op), arguments.count),
                arguments, index, op->begin);
  for (uint32_t i = region->first_block; i != GMEM_NO_INDEX;
       i = builder->program->blocks[i].next) {
    const gmem_block_t *block = &builder->program->blocks[i];
    const gmem_program_op_t *end = terminator_of(builder, block);
    if (end && mlirOperationGetNumResults(op->op) &&
        mlirOperationGetNumSuccessors(end->op) == 0)
      add_transfers(builder, gmem_operands_of(end->op), gmem_results_of(op->op),
                    block->last_op, end->begin);
  }
}

static bool find_branch(builder_t *builder, uint32_t index) {
  const gmem_program_op_t *op = &builder->program->ops[index];
  for (uint32_t i = builder->program->ops[index].first_region;
       i != GMEM_NO_INDEX; i = builder->program->regions[i].next)
    if (!is_arm(builder, op, i))
      return false;
  for (uint32_t i = builder->program->ops[index].first_region;
       i != GMEM_NO_INDEX; i = builder->program->regions[i].next)
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
  gmem_value_row_t results = gmem_results_of(op->op);
  gmem_value_row_t inits =
      gmem_row_last(gmem_operands_of(op->op), results.count);
  gmem_value_row_t arguments = gmem_arguments_of(body->block);
  gmem_value_row_t carried = gmem_row_last(arguments, results.count);
  gmem_value_row_t next = gmem_operands_of(end->op);
  if (!gmem_rows_match(inits, results) || !gmem_rows_match(carried, results) ||
      !gmem_rows_match(next, results))
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
  gmem_value_row_t inits = gmem_operands_of(op->op),
                   results = gmem_results_of(op->op);
  gmem_value_row_t arguments = gmem_arguments_of(before->block);
  gmem_value_row_t next = gmem_operands_of(yield->op);
  gmem_value_row_t source_row = gmem_operands_of(condition->op);
  if (source_row.count == 0)
    return false;
  source_row = is_unchanged ? arguments : gmem_row_from(source_row, 1);
  if (!gmem_rows_match(inits, arguments) ||
      !gmem_rows_match(source_row, results) ||
      !gmem_rows_match(source_row, gmem_arguments_of(after->block)) ||
      !gmem_rows_match(next, arguments))
    return false;
  add_transfers(builder, inits, arguments, index, op->begin);
  add_transfers(builder, source_row, gmem_arguments_of(after->block),
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
  for (uint32_t i = builder->program->ops[index].first_region;
       i != GMEM_NO_INDEX; i = builder->program->regions[i].next)
    if (program->regions[i].first_block != GMEM_NO_INDEX)
      add_accesses(builder,
                   gmem_arguments_of(
                       program->blocks[program->regions[i].first_block].block),
                   op->begin, op->end);
}

static void find_regions(builder_t *builder, uint32_t index) {
  const gmem_program_op_t *op = &builder->program->ops[index];
  bool is_exact = false;
  bool is_alone = !op->late && op->group == GMEM_NO_GROUP;
  if (builder->program->ops[index].first_region == GMEM_NO_INDEX)
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
  gmem_value_row_t operands = gmem_operands_of(op->op);
  gmem_value_row_t arguments =
      gmem_row_first(gmem_arguments_of(gmem_callee_entry(builder->calls, call)),
                     operands.count); // there may be more
  bool at_returns = transfers_at_returns(builder, call);
  builder->flow->flows[call->op] = GMEM_FLOW_CALL;
  add_transfers(builder, operands, arguments, call->op, op->begin);
  for (uint32_t i = callee->first_return; i < callee->end_return; ++i) {
    uint32_t index = builder->calls->returns[i];
    const gmem_program_op_t *end = &program->ops[index];
    add_transfers(builder, gmem_operands_of(end->op), gmem_results_of(op->op),
                  at_returns ? index : call->op,
                  at_returns ? end->begin : op->end - 1);
  }
}

//===--- blocks -----------------------------------------------------------===//

static bool has_several_blocks(const gmem_program_t *program, uint32_t block) {
  return gmem_region_of(program, block)->block_count > 1;
}

static gmem_status_t map_blocks(builder_t *builder, gmem_diag_t *diag) {
  const gmem_program_t *program = builder->program;
  size_t count = 0;
  for (uint32_t i = 0; i < program->block_count; ++i)
    count += has_several_blocks(program, i);
  GMEM_TRY(
      gmem_pointer_map_make(&builder->blocks, count, builder->arena, diag));
  for (uint32_t i = 0; i < program->block_count; ++i)
    if (has_several_blocks(program, i))
      gmem_pointer_map_add(&builder->blocks, program->blocks[i].block.ptr, i);
  return GMEM_OK;
}

// Whether the last operands of a terminator are, in order, the arguments of its
// successors. For ops of unregistered dialects this is unknown, whatever the
// types are.
static bool passes_arguments(const gmem_program_op_t *op, intptr_t *out_first) {
  gmem_value_row_t rest = gmem_operands_of(op->op);
  intptr_t successors = mlirOperationGetNumSuccessors(op->op), total = 0;
  for (intptr_t i = 0; i < successors; ++i)
    total += mlirBlockGetNumArguments(mlirOperationGetSuccessor(op->op, i));
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op->op));
  if (!mlirContextIsRegisteredOperation(mlirOperationGetContext(op->op), name))
    return total == 0;
  if (op->end != op->begin + 1 || total > rest.count)
    return false;
  *out_first = rest.count - total;
  rest = gmem_row_from(rest, *out_first);
  for (intptr_t i = 0; i < successors; ++i) {
    gmem_value_row_t to =
        gmem_arguments_of(mlirOperationGetSuccessor(op->op, i));
    if (!gmem_rows_match(gmem_row_first(rest, to.count), to))
      return false;
    rest = gmem_row_from(rest, to.count);
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
    gmem_value_row_t arguments = gmem_arguments_of(to);
    uint32_t target = gmem_pointer_map_find(&builder->blocks, to.ptr);
    if (target != GMEM_NO_INDEX)
      GMEM_APPEND(builder->arena, &builder->edges,
                  (gmem_csr_pair_t){target, block});
    if (!is_known) {
      add_accesses(builder, arguments, op->begin, op->end);
      continue;
    }
    gmem_value_row_t rest = gmem_row_from(gmem_operands_of(op->op), first);
    add_transfers(builder, gmem_row_first(rest, arguments.count), arguments,
                  index, op->begin);
    first += arguments.count;
  }
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
static void sort_transfers(gmem_transfers_t *transfers) {
  gmem_transfer_t *all = transfers->at;
  size_t count = 0;
  if (transfers->count > 1) // or there may be no array
    qsort(all, transfers->count, sizeof *all, in_order_of_ops);
  for (size_t i = 0; i < transfers->count; ++i)
    if (count == 0 || in_order_of_ops(&all[count - 1], &all[i]) != 0)
      all[count++] = all[i];
  transfers->count = count;
}

gmem_status_t gmem_control_flow_find(const gmem_calls_t *calls,
                                     const gmem_uses_t *uses,
                                     gmem_bump_t *arena,
                                     gmem_control_flow_t *out_flow,
                                     gmem_diag_t *diag) {
  const gmem_program_t *program = calls->program;
  *out_flow = (gmem_control_flow_t){0};
  builder_t builder = {.program = program,
                       .calls = calls,
                       .unordered = uses->unordered,
                       .arena = arena,
                       .flow = out_flow};
  GMEM_TRY_ALLOC(out_flow->flows, arena, program->op_count, diag);
  GMEM_TRY(map_blocks(&builder, diag));
  for (uint32_t i = 0; i < program->op_count; ++i)
    find_regions(&builder, i);
  for (size_t i = 0; i < calls->count; ++i)
    if (calls->calls[i].is_plain)
      find_call(&builder, &calls->calls[i]);
  for (uint32_t i = 0; i < program->block_count; ++i)
    if (has_several_blocks(program, i))
      find_edges(&builder, i);
  GMEM_TRY(gmem_csr_build(&builder.edges, program->block_count, arena,
                          &out_flow->predecessors, diag));
  sort_transfers(&out_flow->transfers);
  assert(gmem_csr_check(&out_flow->predecessors, program->block_count,
                        program->block_count));
  return GMEM_OK;
}
