// derivation_graph.c - see derivation_graph.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "derivation_graph.h"

#include <assert.h>

typedef struct builder_s {
  gmem_derivation_graph_t *graph;
  const gmem_program_t *program;
  uint32_t op; // whose uses are listed
  gmem_csr_pairs_t uses, users;
  gmem_bump_t *arena;
  gmem_diag_t *diag;
} builder_t;

bool gmem_node_is_constant(const gmem_derivation_graph_t *graph,
                           uint32_t node) {
  return node >= graph->derivation->analysis->program.op_count ||
         graph->derivation->origin[node] == GMEM_ORIGIN_CONSTANT;
}

bool gmem_node_is_derived(const gmem_derivation_graph_t *graph, uint32_t node) {
  return node < graph->derivation->analysis->program.op_count &&
         graph->derivation->origin[node] == GMEM_ORIGIN_DERIVED;
}

static uint64_t round_up(uint64_t bytes, uint64_t unit) {
  return (bytes + unit - 1) & ~(unit - 1);
}

uint64_t gmem_node_bytes(const gmem_derivation_graph_t *graph, uint32_t node,
                         uint64_t unit) {
  const gmem_program_t *program = &graph->derivation->analysis->program;
  uint64_t bytes = 0;
  if (graph->same[node] != node)
    return 0;
  if (node >= program->op_count)
    return round_up(program->values[node - program->op_count].size, unit);
  MlirOperation op = program->ops[node].op;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    uint32_t value = gmem_result_value(program, op, i);
    if (value != GMEM_NO_INDEX && gmem_value_is_weight(program, value))
      bytes += round_up(program->values[value].size, unit);
  }
  return bytes;
}

// The node of a value that a derived op uses.
static uint32_t node_of(const builder_t *builder, MlirValue value) {
  if (mlirValueIsAOpResult(value))
    return gmem_pointer_map_find(&builder->graph->derivation->number,
                                 mlirOpResultGetOwner(value).ptr);
  uint32_t number = gmem_program_find(builder->program, value);
  assert(number != GMEM_NO_INDEX);
  return (uint32_t)builder->program->op_count + number;
}

static void add_edge(MlirValue value, void *user) {
  builder_t *builder = user;
  uint32_t node = builder->graph->same[node_of(builder, value)];
  GMEM_APPEND(builder->arena, &builder->uses,
              (gmem_csr_pair_t){builder->op, node});
  GMEM_APPEND(builder->arena, &builder->users,
              (gmem_csr_pair_t){node, builder->op});
}

// Counts the uses of |value| that are not by derived ops.
static void count_outside(const builder_t *builder, uint32_t node,
                          MlirValue value) {
  const gmem_derivation_t *derivation = builder->graph->derivation;
  node = builder->graph->same[node];
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    uint32_t user =
        gmem_derivation_outermost(derivation, mlirOpOperandGetOwner(use));
    if (user == GMEM_NO_INDEX ||
        derivation->origin[user] != GMEM_ORIGIN_DERIVED)
      ++builder->graph->outside[node];
  }
}

// The node of a constant, GMEM_NO_INDEX if it is one of several of its op.
static uint32_t node_of_constant(const gmem_program_t *program,
                                 uint32_t value) {
  const gmem_value_t *entry = &program->values[value];
  if (entry->op == GMEM_NO_INDEX)
    return (uint32_t)program->op_count + value;
  return mlirOperationGetNumResults(program->ops[entry->op].op) == 1
             ? entry->op
             : GMEM_NO_INDEX;
}

static void find_same(const builder_t *builder,
                      const gmem_constants_t *constants) {
  uint32_t *same = builder->graph->same;
  for (uint32_t i = 0; i < builder->graph->count; ++i)
    same[i] = i;
  for (size_t i = 0; i < constants->count; ++i) {
    const gmem_constant_t *weight = &constants->weights[i];
    uint32_t from = node_of_constant(builder->program, weight->value);
    uint32_t to = node_of_constant(builder->program, weight->source);
    if (from != GMEM_NO_INDEX && to != GMEM_NO_INDEX)
      same[from] = to;
  }
}

static void list_edges(builder_t *builder) {
  const gmem_program_t *program = builder->program;
  const gmem_derivation_graph_t *graph = builder->graph;
  for (uint32_t i = 0; i < program->op_count; ++i) {
    MlirOperation op = program->ops[i].op;
    bool is_derived = gmem_node_is_derived(graph, i);
    builder->op = i;
    if (is_derived)
      gmem_for_each_used(op, add_edge, builder);
    if (!is_derived && !gmem_node_is_constant(graph, i))
      continue;
    for (intptr_t k = 0; k < mlirOperationGetNumResults(op); ++k)
      count_outside(builder, i, mlirOperationGetResult(op, k));
  }
  for (uint32_t i = 0; i < program->value_count; ++i)
    if (program->values[i].weight_argument)
      count_outside(builder, (uint32_t)program->op_count + i,
                    program->values[i].value);
}

gmem_status_t gmem_derivation_graph_make(const gmem_derivation_t *derivation,
                                         const gmem_constants_t *constants,
                                         gmem_bump_t *arena,
                                         gmem_derivation_graph_t *out_graph,
                                         gmem_diag_t *diag) {
  const gmem_program_t *program = &derivation->analysis->program;
  builder_t builder = {
      .graph = out_graph, .program = program, .arena = arena, .diag = diag};
  *out_graph = (gmem_derivation_graph_t){
      .derivation = derivation,
      .count = (uint32_t)(program->op_count + program->value_count)};
  GMEM_TRY_ALLOC(out_graph->same, arena, out_graph->count, diag);
  GMEM_TRY_ALLOC(out_graph->outside, arena, out_graph->count, diag);
  find_same(&builder, constants);
  list_edges(&builder);
  GMEM_TRY(gmem_bump_status(arena, diag));
  GMEM_TRY(gmem_csr_build(&builder.uses, program->op_count, arena,
                          &out_graph->uses, diag));
  return gmem_csr_build(&builder.users, out_graph->count, arena,
                        &out_graph->users, diag);
}
