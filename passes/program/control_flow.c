// control_flow.c - see control_flow.h. Control flow that does not match its
// model exactly is treated as unknown, which extends live ranges and keeps the
// plan correct.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "control_flow.h"

#include <assert.h>

#include "pointer_map.h"
#include "program.h"
#include "sorting.h"
#include "value_rows.h"

// The contents of a row of values may be transferred to another one: at step
// |time|, by |op|.
typedef struct link_s {
  gmem_value_row_t from, to;
  uint32_t op;
  int64_t time;
  bool has_memrefs; // these are transferred, too
  bool is_edge;     // between blocks: the target begins right behind |time|
} link_t;

typedef struct links_s {
  link_t *at;
  size_t count, room;
} links_t;

typedef struct builder_s {
  const gmem_program_t *program;
  const gmem_calls_t *calls;
  const bool *unordered;     // by region
  gmem_pointer_map_t blocks; // from MlirBlock
  gmem_csr_pairs_t edges;    // from a block to a predecessor
  links_t links;             // of the op that is being read
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

// Adds the writes of the targets of |link|. Passing a memref to a block writes
// nothing: until its block begins, an argument needs no memory but that of the
// operand. Else each memory that may reach a block would be live at all
// branches to it.
static void add_targets(builder_t *builder, const link_t *link) {
  for (intptr_t i = 0; i < link->to.count; ++i) {
    gmem_value_row_t one = gmem_row_first(gmem_row_from(link->to, i), 1);
    if (!link->is_edge ||
        !gmem_is_memref_type(mlirValueGetType(gmem_row_at(&link->to, i))))
      add_accesses(builder, one, link->time, link->time + 1);
  }
}

static void add_transfers(builder_t *builder, const link_t *link) {
  add_accesses(builder, link->from, link->time, link->time + 1);
  add_targets(builder, link);
  for (intptr_t i = 0; i < link->from.count; ++i) {
    uint32_t source = find_in_row(builder, &link->from, i);
    uint32_t target = find_in_row(builder, &link->to, i);
    if (source != GMEM_NO_INDEX && target != GMEM_NO_INDEX &&
        (link->has_memrefs ||
         !gmem_is_memref_type(mlirValueGetType(gmem_row_at(&link->to, i)))))
      GMEM_APPEND(
          builder->arena, &builder->flow->transfers,
          (gmem_transfer_t){source, target, link->op, link->time, false});
  }
}

// Notes that |from| is transferred to |to| at the first step of op |op|, or at
// its last.
static void link_rows(builder_t *builder, gmem_value_row_t from,
                      gmem_value_row_t to, uint32_t op) {
  GMEM_APPEND(
      builder->arena, &builder->links,
      (link_t){from, to, op, builder->program->ops[op].begin, true, false});
}

static void link_rows_at_end(builder_t *builder, gmem_value_row_t from,
                             gmem_value_row_t to, uint32_t op) {
  GMEM_APPEND(
      builder->arena, &builder->links,
      (link_t){from, to, op, builder->program->ops[op].end - 1, true, false});
}

// Adds the transfers of all links if |is_exact| and the types of all rows
// match, or else none. Returns whether it added them.
static bool transfer_links(builder_t *builder, bool is_exact) {
  const links_t *links = &builder->links;
  for (size_t i = 0; i < links->count; ++i)
    is_exact = is_exact && gmem_rows_match(links->at[i].from, links->at[i].to);
  for (size_t i = 0; i < links->count && is_exact; ++i)
    add_transfers(builder, &links->at[i]);
  builder->links.count = 0;
  return is_exact;
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

// Links an arm of |op|. Returns whether control flow in it is known.
static bool link_arm(builder_t *builder, uint32_t op, uint32_t index) {
  const gmem_program_t *program = builder->program;
  const gmem_ir_region_t *region = &program->regions[index];
  gmem_value_row_t operands = gmem_operands_of(program->ops[op].op);
  gmem_value_row_t results = gmem_results_of(program->ops[op].op);
  if (builder->unordered[index])
    return false;
  if (region->first_block == GMEM_NO_INDEX)
    return results.count == 0;
  gmem_value_row_t arguments =
      gmem_arguments_of(program->blocks[region->first_block].block);
  link_rows(builder, gmem_row_last(operands, arguments.count), arguments, op);
  for (uint32_t i = region->first_block; i != GMEM_NO_INDEX && results.count;
       i = program->blocks[i].next) {
    const gmem_block_t *block = &program->blocks[i];
    const gmem_program_op_t *end = terminator_of(builder, block);
    if (!end)
      return false;
    if (mlirOperationGetNumSuccessors(end->op) == 0)
      link_rows(builder, gmem_operands_of(end->op), results, block->last_op);
  }
  return true;
}

static bool link_branch(builder_t *builder, uint32_t index) {
  const gmem_program_t *program = builder->program;
  bool is_known = true;
  for (uint32_t i = program->ops[index].first_region;
       i != GMEM_NO_INDEX && is_known; i = program->regions[i].next)
    is_known = link_arm(builder, index, i);
  return transfer_links(builder, is_known);
}

//===--- loops ------------------------------------------------------------===//

static bool link_for(builder_t *builder, uint32_t index) {
  const gmem_program_op_t *op = &builder->program->ops[index];
  const gmem_block_t *body = sole_block(builder, index, 0);
  if (!body || mlirOperationGetNumRegions(op->op) != 1)
    return false;
  gmem_value_row_t results = gmem_results_of(op->op);
  gmem_value_row_t inits =
      gmem_row_last(gmem_operands_of(op->op), results.count);
  gmem_value_row_t arguments = gmem_arguments_of(body->block);
  gmem_value_row_t carried = gmem_row_last(arguments, results.count);
  MlirOperation end = builder->program->ops[body->last_op].op;
  link_rows(builder, inits, carried, index);
  link_rows(builder, gmem_operands_of(end), carried, body->last_op);
  link_rows_at_end(builder, carried, results, index);
  if (!transfer_links(builder, true))
    return false;
  // The other arguments, such as induction variables, are written by the op
  // itself in each iteration.
  arguments.count -= carried.count;
  add_accesses(builder, arguments, op->begin, op->end);
  return true;
}

// Region 0 yields the operands of its terminator after the condition
// (GMEM_OP_LOOP: its own arguments) to region 1 or, at the end, to the results.
static bool link_while(builder_t *builder, uint32_t index) {
  const gmem_program_op_t *op = &builder->program->ops[index];
  const gmem_block_t *before = sole_block(builder, index, 0);
  const gmem_block_t *after = sole_block(builder, index, 1);
  if (!before || !after || mlirOperationGetNumRegions(op->op) != 2)
    return false;
  bool is_unchanged = op->kind == GMEM_OP_LOOP;
  const gmem_program_op_t *condition = &builder->program->ops[before->last_op];
  MlirOperation yield = builder->program->ops[after->last_op].op;
  gmem_value_row_t arguments = gmem_arguments_of(before->block);
  gmem_value_row_t yielded = gmem_operands_of(condition->op);
  bool is_known = yielded.count != 0;
  yielded = is_unchanged ? arguments : gmem_row_from(yielded, 1);
  link_rows(builder, gmem_operands_of(op->op), arguments, index);
  link_rows(builder, yielded, gmem_arguments_of(after->block), before->last_op);
  link_rows(builder, gmem_operands_of(yield), arguments, after->last_op);
  link_rows_at_end(builder, yielded, gmem_results_of(op->op), index);
  if (!transfer_links(builder, is_known))
    return false;
  if (is_unchanged)
    add_accesses(builder, arguments, before->begin, condition->end);
  return true;
}

//===--- unknown control flow ---------------------------------------------===//

// Entry arguments may be accessed as long as the op runs.
static void add_unknown_accesses(builder_t *builder, uint32_t index) {
  const gmem_program_t *program = builder->program;
  const gmem_program_op_t *op = &program->ops[index];
  for (uint32_t i = op->first_region; i != GMEM_NO_INDEX;
       i = program->regions[i].next)
    if (program->regions[i].first_block != GMEM_NO_INDEX)
      add_accesses(builder,
                   gmem_arguments_of(
                       program->blocks[program->regions[i].first_block].block),
                   op->begin, op->end);
}

// The control flow of an op with regions.
static gmem_flow_t find_regions(builder_t *builder, uint32_t index) {
  const gmem_program_op_t *op = &builder->program->ops[index];
  assert(op->first_region != GMEM_NO_INDEX && !op->opaque);
  bool is_other = gmem_starts_deferred(builder->program->models, op) ||
                  op->group != GMEM_NO_GROUP;
  gmem_op_kind_t kind = is_other ? GMEM_OP_UNKNOWN : op->kind;
  if (kind == GMEM_OP_BRANCH && link_branch(builder, index))
    return GMEM_FLOW_BRANCH;
  if (kind == GMEM_OP_FOR && link_for(builder, index))
    return GMEM_FLOW_FOR;
  if ((kind == GMEM_OP_WHILE || kind == GMEM_OP_LOOP) &&
      link_while(builder, index))
    return GMEM_FLOW_WHILE;
  add_unknown_accesses(builder, index);
  return GMEM_FLOW_ANY;
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
  MlirOperation op = program->ops[call->op].op;
  const gmem_callee_t *callee = &builder->calls->callees[call->callee];
  gmem_value_row_t operands = gmem_operands_of(op);
  gmem_value_row_t arguments =
      gmem_row_first(gmem_arguments_of(gmem_callee_entry(builder->calls, call)),
                     operands.count); // there may be more
  bool at_returns = transfers_at_returns(builder, call);
  assert(builder->flow->flows[call->op] == GMEM_FLOW_STEP); // no regions
  if (call->is_plain)
    builder->flow->flows[call->op] = GMEM_FLOW_CALL;
  link_rows(builder, operands, arguments, call->op);
  for (uint32_t i = callee->first_return; i < callee->end_return; ++i) {
    uint32_t end = builder->calls->returns[i];
    gmem_value_row_t returned = gmem_operands_of(program->ops[end].op);
    if (at_returns)
      link_rows(builder, returned, gmem_results_of(op), end);
    else
      link_rows_at_end(builder, returned, gmem_results_of(op), call->op);
  }
  // What other memrefs the callee may be given is unknown.
  for (size_t i = 0; i < builder->links.count; ++i)
    builder->links.at[i].has_memrefs = call->is_plain;
  bool is_added = transfer_links(builder, true);
  assert(is_added || builder->arena->out_of_memory); // the call is plain
  (void)is_added;
}

//===--- blocks -----------------------------------------------------------===//

// The last operands of a terminator are, in order, the arguments of its
// successors, which are written there. For ops of unregistered dialects this is
// unknown, whatever the types are.
static void find_edges(builder_t *builder, uint32_t block) {
  uint32_t index = builder->program->blocks[block].last_op;
  if (index == GMEM_NO_INDEX)
    return;
  const gmem_program_op_t *op = &builder->program->ops[index];
  intptr_t successors = mlirOperationGetNumSuccessors(op->op), total = 0;
  for (intptr_t i = 0; i < successors; ++i) {
    MlirBlock to = mlirOperationGetSuccessor(op->op, i);
    uint32_t target = gmem_pointer_map_find(&builder->blocks, to.ptr);
    if (target != GMEM_NO_INDEX)
      GMEM_APPEND(builder->arena, &builder->edges,
                  (gmem_csr_pair_t){target, block});
    total += mlirBlockGetNumArguments(to);
  }
  gmem_value_row_t rest = gmem_row_last(gmem_operands_of(op->op), total);
  for (intptr_t i = 0; i < successors; ++i) {
    gmem_value_row_t to =
        gmem_arguments_of(mlirOperationGetSuccessor(op->op, i));
    link_rows(builder, gmem_row_first(rest, to.count), to, index);
    if (builder->links.count)
      builder->links.at[builder->links.count - 1].is_edge = true;
    rest = gmem_row_from(rest, to.count);
  }
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op->op));
  bool is_registered =
      mlirContextIsRegisteredOperation(mlirOperationGetContext(op->op), name);
  if (!transfer_links(builder, is_registered && op->end == op->begin + 1))
    for (intptr_t i = 0; i < successors; ++i)
      add_accesses(builder,
                   gmem_arguments_of(mlirOperationGetSuccessor(op->op, i)),
                   op->begin, op->end);
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
  gmem_sort(all, transfers->count, sizeof *all, in_order_of_ops);
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
  GMEM_TRY(gmem_pointer_map_make(&builder.blocks, program->block_count, arena,
                                 diag));
  for (uint32_t i = 0; i < program->block_count; ++i)
    gmem_pointer_map_add(&builder.blocks, program->blocks[i].block.ptr, i);
  for (uint32_t i = 0; i < program->op_count; ++i)
    if (program->ops[i].first_region != GMEM_NO_INDEX)
      out_flow->flows[i] = find_regions(&builder, i);
  for (size_t i = 0; i < calls->count; ++i)
    if (calls->calls[i].is_direct)
      find_call(&builder, &calls->calls[i]);
  for (uint32_t i = 0; i < program->block_count; ++i)
    if (gmem_region_of(program, i)->block_count > 1)
      find_edges(&builder, i);
  GMEM_TRY(gmem_csr_build(&builder.edges, program->block_count, arena,
                          &out_flow->predecessors, diag));
  sort_transfers(&out_flow->transfers);
  assert(gmem_csr_check(&out_flow->predecessors, program->block_count,
                        program->block_count));
  return GMEM_OK;
}
