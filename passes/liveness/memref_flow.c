// memref_flow.c - see memref_flow.h. The graph over-approximates: a superfluous
// edge only extends live ranges, a missing edge leads to an incorrect plan.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "memref_flow.h"

#include <assert.h>
#include <stdlib.h>

#include "calls.h"
#include "ir_reading.h"
#include "mlir-c/BuiltinTypes.h"
#include "scopes.h"
#include "value_rows.h"

typedef GMEM_LIST(gmem_memref_edge_t) edges_t;

typedef struct builder_s {
  const gmem_program_facts_t *facts;
  const gmem_program_t *program;
  gmem_bump_t *arena;
  gmem_memref_flow_t *flow;
  edges_t edges;
  bool *is_target; // by node: it has an incoming edge
  uint32_t op;     // current op
} builder_t;

//===--- memrefs of ops ---------------------------------------------------===//

uint32_t gmem_memref_of(const gmem_program_t *program, MlirValue value) {
  return gmem_is_memref_type(mlirValueGetType(value))
             ? gmem_program_find(program, value)
             : GMEM_NO_INDEX;
}

typedef struct memref_walk_s {
  const gmem_program_t *program;
  gmem_operand_fn visit;
  void *user;
} memref_walk_t;

static void visit_memref(uint32_t value, void *user) {
  const memref_walk_t *walk = user;
  if (gmem_is_memref_type(mlirValueGetType(walk->program->values[value].value)))
    walk->visit(value, walk->user);
}

void gmem_for_each_memref(const gmem_program_t *program, uint32_t index,
                          gmem_operand_fn visit, void *user) {
  memref_walk_t walk = {program, visit, user};
  gmem_for_each_operand(program, index, visit_memref, &walk);
}

static bool is_unknown(const builder_t *builder, uint32_t op) {
  return builder->facts->flow.flows[op] == GMEM_FLOW_ANY;
}

//===--- edges ------------------------------------------------------------===//

static uint32_t op_node(const builder_t *builder, uint32_t op) {
  return (uint32_t)builder->program->value_count + op;
}

static void add_edge_by(builder_t *builder, uint32_t from, uint32_t to,
                        uint32_t call) {
  if (from == GMEM_NO_INDEX || to == GMEM_NO_INDEX)
    return;
  assert(from < builder->flow->node_count && to < builder->flow->node_count);
  builder->is_target[to] = true;
  GMEM_APPEND(builder->arena, &builder->edges,
              (gmem_memref_edge_t){from, to, call});
}

static void add_edge(builder_t *builder, uint32_t from, uint32_t to) {
  add_edge_by(builder, from, to, GMEM_NO_INDEX);
}

static void add_to_op_node(uint32_t value, void *user) {
  builder_t *builder = user;
  add_edge(builder, value, op_node(builder, builder->op));
}

static void add_from_op_node(builder_t *builder, MlirValue value,
                             bool foreign) {
  uint32_t to = gmem_memref_of(builder->program, value);
  add_edge(builder, op_node(builder, builder->op), to);
  if (to != GMEM_NO_INDEX && foreign)
    builder->flow->is_foreign[to] = true;
}

static void add_row(builder_t *builder, gmem_value_row_t row, bool foreign) {
  for (intptr_t i = 0; i < row.count; ++i)
    add_from_op_node(builder, gmem_row_at(&row, i), foreign);
}

// A view of operand 0, whatever its other operands are.
static void add_view(builder_t *builder, MlirOperation op) {
  uint32_t from =
      mlirOperationGetNumOperands(op)
          ? gmem_memref_of(builder->program, mlirOperationGetOperand(op, 0))
          : GMEM_NO_INDEX;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    add_edge(builder, from,
             gmem_memref_of(builder->program, mlirOperationGetResult(op, i)));
}

// Any operand may flow to any result. The results of an op with a model are
// among its operands, unless it may load a memref from one; those of other ops
// may be external memory as well.
static void add_generic_op(builder_t *builder, const gmem_program_op_t *entry) {
  gmem_value_row_t results = gmem_results_of(entry->op);
  bool foreign = entry->kind != GMEM_OP_COMPUTE || entry->opaque ||
                 gmem_row_any(gmem_operands_of(entry->op), gmem_holds_memrefs);
  if (!gmem_row_any(results, gmem_is_memref_type))
    return;
  gmem_for_each_memref(builder->program, builder->op, add_to_op_node, builder);
  add_row(builder, results, foreign);
}

//===--- regions and blocks -----------------------------------------------===//

// For an op with unknown region semantics, any operand or external memory may
// flow to any result and any block argument.
static void add_regions(builder_t *builder) {
  const gmem_program_t *program = builder->program;
  for (uint32_t i = 0; i < program->block_count; ++i) {
    uint32_t owner = gmem_region_of(program, i)->owner;
    if (owner == GMEM_NO_INDEX || !is_unknown(builder, owner))
      continue;
    builder->op = owner;
    add_row(builder, gmem_arguments_of(program->blocks[i].block), true);
  }
}

uint32_t gmem_unknown_target(const gmem_program_facts_t *facts,
                             uint32_t index) {
  const gmem_program_t *program = facts->program;
  const uint8_t *flows = facts->flow.flows;
  const gmem_program_op_t *op = &program->ops[index];
  if (program->blocks[op->block].last_op != index ||
      op->parent == GMEM_NO_INDEX || mlirOperationGetNumSuccessors(op->op) != 0)
    return GMEM_NO_INDEX;
  uint32_t owner = op->parent;
  // A branch without results forwards nothing: its terminator may exit an
  // enclosing op, to which the operands then flow.
  bool is_forwarded = flows[owner] != GMEM_FLOW_ANY &&
                      mlirOperationGetNumResults(program->ops[owner].op) != 0;
  if (is_forwarded)
    return GMEM_NO_INDEX;
  while (owner != GMEM_NO_INDEX && flows[owner] != GMEM_FLOW_ANY)
    owner = program->ops[owner].parent;
  return owner;
}

// The operands of a terminator may flow to every enclosing op with unknown
// control flow.
static void add_terminator(builder_t *builder, uint32_t index) {
  const gmem_program_t *program = builder->program;
  MlirOperation op = program->ops[index].op;
  uint32_t last = GMEM_NO_INDEX;
  for (uint32_t owner = gmem_unknown_target(builder->facts, index);
       owner != GMEM_NO_INDEX; owner = program->ops[owner].parent) {
    if (!is_unknown(builder, owner))
      continue;
    builder->op = owner;
    if (last == GMEM_NO_INDEX)
      for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
        add_edge(builder,
                 gmem_memref_of(program, mlirOperationGetOperand(op, i)),
                 op_node(builder, owner));
    else
      add_edge(builder, op_node(builder, last), op_node(builder, owner));
    last = owner;
  }
}

static int in_order_of_targets(const void *a, const void *b) {
  const gmem_transfer_t *left = a, *right = b;
  if (left->op != right->op)
    return left->op < right->op ? -1 : 1;
  return (left->to > right->to) - (left->to < right->to);
}

// Whether control flow analysis has a transfer from op |index| to |argument|.
// Transfers are sorted by op, time and target, and a branch op takes one step.
static bool is_known_argument(const builder_t *builder, uint32_t index,
                              uint32_t argument) {
  gmem_transfer_t key = {.op = index, .to = argument};
  const gmem_transfers_t *transfers = &builder->facts->flow.transfers;
  return transfers->count && bsearch(&key, transfers->at, transfers->count,
                                     sizeof key, in_order_of_targets);
}

// A branch op whose block arguments are not all known: any operand may be
// passed for them.
static void add_branch(builder_t *builder, MlirOperation op) {
  const gmem_program_t *program = builder->program;
  bool has_operands = false;
  for (intptr_t s = 0; s < mlirOperationGetNumSuccessors(op); ++s) {
    MlirBlock to = mlirOperationGetSuccessor(op, s);
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(to); ++i) {
      MlirValue argument = mlirBlockGetArgument(to, i);
      uint32_t value = gmem_memref_of(program, argument);
      if (value == GMEM_NO_INDEX ||
          is_known_argument(builder, builder->op, value))
        continue;
      if (!has_operands)
        gmem_for_each_memref(program, builder->op, add_to_op_node, builder);
      has_operands = true;
      add_from_op_node(builder, argument, true);
    }
  }
}

static void add_op(builder_t *builder, uint32_t index) {
  const gmem_program_op_t *entry = &builder->program->ops[index];
  builder->op = index;
  if (entry->kind == GMEM_OP_VIEW)
    add_view(builder, entry->op);
  else if (entry->kind != GMEM_OP_ALLOC && entry->kind != GMEM_OP_GLOBAL &&
           !gmem_flow_is_exact(builder->facts->flow.flows[index]))
    add_generic_op(builder, entry);
  if (is_unknown(builder, index))
    gmem_for_each_memref(builder->program, index, add_to_op_node, builder);
  add_branch(builder, entry->op);
  add_terminator(builder, index);
}

// The plain call that the transfer enters or leaves, or GMEM_NO_INDEX if it
// stays in its function.
static uint32_t call_of(const builder_t *builder,
                        const gmem_transfer_t *transfer) {
  const gmem_program_t *program = builder->program;
  if (gmem_value_function(program, transfer->from) ==
      gmem_value_function(program, transfer->to))
    return GMEM_NO_INDEX;
  uint32_t definition = program->values[transfer->to].op;
  const gmem_program_op_t *op =
      &program->ops[definition == GMEM_NO_INDEX ? transfer->op : definition];
  return gmem_first_call_from(&builder->facts->calls, op->function, op->begin);
}

static void add_transfers(builder_t *builder) {
  const gmem_program_t *program = builder->program;
  const gmem_transfers_t *transfers = &builder->facts->flow.transfers;
  for (size_t i = 0; i < transfers->count; ++i) {
    const gmem_transfer_t *transfer = &transfers->at[i];
    if (gmem_is_memref_type(
            mlirValueGetType(program->values[transfer->from].value)))
      add_edge_by(builder, transfer->from, transfer->to,
                  call_of(builder, transfer));
  }
}

static gmem_status_t list_edges(builder_t *builder, gmem_diag_t *diag) {
  const edges_t *edges = &builder->edges;
  gmem_csr_pairs_t pairs = {0};
  GMEM_TRY_ALLOC(pairs.at, builder->arena, edges->count, diag);
  for (uint32_t i = 0; i < edges->count; ++i)
    pairs.at[pairs.count++] = (gmem_csr_pair_t){edges->at[i].from, i};
  builder->flow->edges = edges->at;
  return gmem_csr_build(&pairs, builder->flow->node_count, builder->arena,
                        &builder->flow->by_source, diag);
}

//===--- functions --------------------------------------------------------===//

static void mark_referenced(MlirStringRef name, void *user) {
  builder_t *builder = user;
  for (size_t i = 0; i < builder->program->function_count; ++i)
    if (mlirStringRefEqual(builder->program->functions[i].name, name))
      builder->flow->has_unknown_callers[i] = true;
}

static MlirWalkResult mark_referenced_by(MlirOperation op, void *user) {
  gmem_for_each_symbol(op, mark_referenced, user);
  return MlirWalkResultAdvance;
}

// Marks functions that are referenced in the scope, but not inside of a
// function: they may have unknown callers.
static void mark_referenced_outside(builder_t *builder) {
  MlirOperation scope = builder->program->scope;
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(scope); ++i)
    for (MlirOperation op = gmem_first_op(scope, i); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op))
      if (gmem_is_function(op))
        gmem_for_each_symbol(op, mark_referenced, builder);
      else
        mlirOperationWalk(op, mark_referenced_by, builder, MlirWalkPreOrder);
}

static void find_unknown_callers(builder_t *builder) {
  const gmem_program_t *program = builder->program;
  bool *has_unknown_callers = builder->flow->has_unknown_callers;
  for (uint32_t i = 0; i < program->function_count; ++i)
    has_unknown_callers[i] = builder->facts->calls.callees[i].mentions == 0 ||
                             !gmem_is_private(program->functions[i].op);
  for (size_t i = 0; i < builder->facts->calls.count; ++i)
    if (!builder->facts->calls.calls[i].is_plain)
      has_unknown_callers[builder->facts->calls.calls[i].callee] = true;
  mark_referenced_outside(builder);
}

//===--- external memory --------------------------------------------------===//

static bool is_external(const builder_t *builder, uint32_t value) {
  const gmem_program_t *program = builder->program;
  const gmem_value_t *entry = &program->values[value];
  if (entry->op == GMEM_NO_INDEX && gmem_is_entry_block(program, entry->block))
    return !builder->is_target[value] ||
           builder->flow
               ->has_unknown_callers[gmem_value_function(program, value)];
  return !builder->is_target[value] && !gmem_is_memref_root(program, value);
}

// Propagates |is_foreign| along the edges.
static gmem_status_t propagate_foreign(builder_t *builder, gmem_diag_t *diag) {
  const gmem_memref_flow_t *flow = builder->flow;
  uint32_t *stack;
  size_t depth = 0;
  GMEM_TRY_ALLOC(stack, builder->arena, flow->node_count, diag);
  for (uint32_t i = 0; i < flow->node_count; ++i)
    if (flow->is_foreign[i])
      stack[depth++] = i;
  while (depth) {
    uint32_t node = stack[--depth];
    GMEM_CSR_EACH (edge, &flow->by_source, node) {
      uint32_t to = flow->edges[*edge].to;
      if (!flow->is_foreign[to])
        stack[depth++] = to;
      flow->is_foreign[to] = true;
    }
  }
  return GMEM_OK;
}

static gmem_status_t find_foreign(builder_t *builder, gmem_diag_t *diag) {
  const gmem_program_t *program = builder->program;
  for (uint32_t i = 0; i < program->value_count; ++i)
    if (gmem_is_memref_type(mlirValueGetType(program->values[i].value)) &&
        is_external(builder, i))
      builder->flow->is_foreign[i] = true;
  return propagate_foreign(builder, diag);
}

gmem_status_t gmem_memref_flow_find(const gmem_program_facts_t *facts,
                                    gmem_bump_t *arena,
                                    gmem_memref_flow_t *out_flow,
                                    gmem_diag_t *diag) {
  const gmem_program_t *program = facts->program;
  size_t nodes = program->value_count + program->op_count;
  *out_flow = (gmem_memref_flow_t){.node_count = nodes};
  builder_t builder = {
      .facts = facts, .program = program, .arena = arena, .flow = out_flow};
  GMEM_TRY_ALLOC(out_flow->is_foreign, arena, nodes, diag);
  GMEM_TRY_ALLOC(out_flow->has_unknown_callers, arena, program->function_count,
                 diag);
  GMEM_TRY_ALLOC(builder.is_target, arena, nodes, diag);
  for (uint32_t i = 0; i < program->op_count; ++i)
    add_op(&builder, i);
  add_transfers(&builder);
  add_regions(&builder);
  find_unknown_callers(&builder);
  GMEM_TRY(list_edges(&builder, diag));
  assert(gmem_csr_check(&out_flow->by_source, nodes, builder.edges.count));
  return find_foreign(&builder, diag);
}
