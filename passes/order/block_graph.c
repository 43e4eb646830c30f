// block_graph.c - see block_graph.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "block_graph.h"

#include <assert.h>

#include "region_needs.h"

// A tensor of the graph.
typedef struct tensor_s {
  uint32_t value;    // of the program
  uint32_t producer; // node, or GMEM_ORDER_NONE
  uint32_t view_of;  // tensor, or GMEM_ORDER_NONE
} tensor_t;

typedef GMEM_LIST(tensor_t) tensors_t;

typedef struct builder_s {
  const gmem_order_inputs_t *inputs;
  const gmem_analysis_t *analysis;
  const gmem_program_t *program;
  uint32_t block;
  bool has_own_io; // inputs and outputs are in pools of their own
  gmem_bump_t *arena;
  gmem_block_graph_t *out;
  tensors_t tensors;
  gmem_csr_pairs_t uses;  // of tensors by nodes
  gmem_csr_pairs_t edges; // from node to node, of values without a tensor
  uint32_t node;          // the current one
  gmem_diag_t *diag;
} builder_t;

//===--- tensors ----------------------------------------------------------===//

static uint32_t *tensor_of(const builder_t *builder, uint32_t value) {
  return &builder->inputs->tensor_of[value];
}

// The alias set of |value| if it counts: it has memory while it is live, and
// not in a pool of inputs and outputs. Else GMEM_NO_INDEX.
static uint32_t set_of(const builder_t *builder, uint32_t value) {
  const gmem_liveness_t *liveness = &builder->analysis->liveness;
  if (value == GMEM_NO_INDEX ||
      liveness->live_values[value].storage != GMEM_STORAGE_TENSOR)
    return GMEM_NO_INDEX;
  uint32_t set = liveness->set_of[value];
  const gmem_live_value_t *root =
      &liveness->live_values[liveness->live_values[value].root];
  return builder->has_own_io && (root->input || root->output) ? GMEM_NO_INDEX
                                                              : set;
}

// The tensor that |op| takes and that has the memory of |set|, so that a result
// of that set is a view of it.
static uint32_t viewed_tensor(const builder_t *builder, MlirOperation op,
                              uint32_t set) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    uint32_t value = gmem_operand_value(builder->program, op, i);
    uint32_t tensor =
        value == GMEM_NO_INDEX ? GMEM_NO_INDEX : *tensor_of(builder, value);
    if (tensor != GMEM_NO_INDEX && set_of(builder, value) == set)
      return tensor;
  }
  return GMEM_ORDER_NONE;
}

static void add_tensor(builder_t *builder, tensor_t tensor) {
  uint32_t index = (uint32_t)builder->tensors.count;
  GMEM_APPEND(builder->arena, &builder->tensors, tensor);
  if (builder->tensors.count > index)
    *tensor_of(builder, tensor.value) = index;
}

static void add_results(builder_t *builder, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    uint32_t value = gmem_result_value(builder->program, op, i);
    uint32_t set = set_of(builder, value);
    if (set != GMEM_NO_INDEX)
      add_tensor(builder, (tensor_t){value, builder->node,
                                     viewed_tensor(builder, op, set)});
  }
}

// Whether |value| is defined in a region of an op of the block.
static bool is_inner(const builder_t *builder, uint32_t value) {
  const gmem_block_t *blocks = builder->program->blocks;
  const gmem_block_t *outer = &blocks[builder->block];
  const gmem_block_t *inner = &blocks[builder->program->values[value].block];
  return inner != outer && outer->begin <= inner->begin &&
         inner->end <= outer->end;
}

// Notes that a node uses a value from outside of it.
static void add_use(builder_t *builder, const gmem_node_use_t *use) {
  if (set_of(builder, use->value) == GMEM_NO_INDEX) {
    if (use->from != GMEM_NO_INDEX)
      GMEM_APPEND(builder->arena, &builder->edges,
                  (gmem_csr_pair_t){use->from, use->node});
    return;
  }
  if (is_inner(builder, use->value)) // part of the scratch bytes
    return;
  uint32_t tensor = *tensor_of(builder, use->value);
  if (tensor == GMEM_NO_INDEX) {
    assert(use->from == GMEM_NO_INDEX);
    tensor = (uint32_t)builder->tensors.count;
    add_tensor(builder,
               (tensor_t){use->value, GMEM_ORDER_NONE, GMEM_ORDER_NONE});
  }
  GMEM_APPEND(builder->arena, &builder->uses,
              (gmem_csr_pair_t){tensor, use->node});
}

static gmem_status_t find_tensors(builder_t *builder) {
  const gmem_block_nodes_t *nodes = &builder->out->nodes;
  size_t next = 0;
  for (uint32_t node = 0; node < nodes->count; ++node) {
    builder->node = node;
    for (; next < nodes->uses.count && nodes->uses.at[next].node == node;
         ++next)
      add_use(builder, &nodes->uses.at[next]);
    for (uint32_t i = nodes->first[node]; i < nodes->first[node + 1]; ++i)
      add_results(builder, nodes->ops[i]);
  }
  return gmem_bump_status(builder->arena, builder->diag);
}

//===--- scratch ----------------------------------------------------------===//

// The node whose op runs at |step|.
static uint32_t node_at(const builder_t *builder, int64_t step) {
  return gmem_block_node_of(builder->program, &builder->out->nodes,
                            gmem_program_op_at(builder->program, step));
}

// Lists what the regions of each node keep live, each alias set once, and what
// the functions that it calls do.
static void list_needs(const builder_t *builder, gmem_needs_t *needs) {
  const gmem_program_t *program = builder->program;
  const gmem_block_t *self = &program->blocks[builder->block];
  uint32_t number = gmem_region_of(program, builder->block)->function;
  const gmem_calls_t *calls = &builder->analysis->facts.calls;
  GMEM_CSR_EACH (v, &builder->inputs->inner_values, builder->block) {
    const gmem_live_value_t *live =
        &builder->analysis->liveness.live_values[*v];
    uint32_t node = node_at(builder, live->ranges[0].begin);
    for (size_t r = 0; node != GMEM_NO_INDEX && r < live->range_count; ++r)
      GMEM_APPEND(builder->arena, needs,
                  (gmem_need_t){node, live->ranges[r].begin,
                                live->ranges[r].end, program->values[*v].size});
  }
  for (uint32_t c = gmem_first_call_from(calls, number, self->begin);
       c < calls->callees[number].end_call; ++c) {
    const gmem_program_op_t *op = &program->ops[calls->calls[c].op];
    if (op->begin >= self->end)
      break;
    uint32_t node = node_at(builder, op->begin);
    if (node != GMEM_NO_INDEX)
      GMEM_APPEND(builder->arena, needs,
                  (gmem_need_t){
                      node, op->begin, op->end,
                      builder->inputs->function_needs[calls->calls[c].callee]});
  }
}

// Sets |scratch|, by node: the workbuffers of its ops, and what its regions
// and the functions that it calls keep live at most.
static gmem_status_t find_scratch(const builder_t *builder, uint64_t *scratch) {
  const gmem_workbuffers_t *work = &builder->analysis->workbuffers;
  gmem_needs_t needs = {0};
  list_needs(builder, &needs);
  GMEM_TRY(gmem_needs_peaks(&needs, builder->out->nodes.count, builder->arena,
                            scratch, builder->diag));
  GMEM_CSR_EACH (i, &builder->inputs->workbuffers, builder->block) {
    const gmem_op_workbuffer_t *buffer = &work->all[*i];
    uint32_t node = node_at(builder, builder->program->ops[buffer->step].begin);
    if (node != GMEM_NO_INDEX)
      scratch[node] += buffer->size;
  }
  return GMEM_OK;
}

//===--- the graph --------------------------------------------------------===//

static gmem_status_t add_nodes(builder_t *builder) {
  gmem_block_graph_t *out = builder->out;
  uint64_t *scratch;
  uint32_t index;
  GMEM_TRY_ALLOC(scratch, builder->arena, out->nodes.count, builder->diag);
  GMEM_TRY(find_scratch(builder, scratch));
  for (uint32_t i = 0; i < out->nodes.count; ++i)
    GMEM_TRY(gmem_order_add_op(out->graph,
                               &(gmem_order_op_t){.scratch = scratch[i]},
                               &index, builder->diag));
  return GMEM_OK;
}

// A view needs its source among what its node uses; a source in the same node
// is not.
static bool is_view(const builder_t *builder, const tensor_t *tensor) {
  return tensor->view_of != GMEM_ORDER_NONE &&
         builder->tensors.at[tensor->view_of].producer != tensor->producer;
}

static gmem_status_t add_tensors(builder_t *builder) {
  const gmem_liveness_t *liveness = &builder->analysis->liveness;
  const gmem_program_t *program = builder->program;
  // The terminator runs in the last step of its block.
  int64_t end = program->blocks[builder->block].end - 1;
  gmem_csr_t users;
  GMEM_TRY(gmem_csr_build(&builder->uses, builder->tensors.count,
                          builder->arena, &users, builder->diag));
  for (uint32_t i = 0; i < builder->tensors.count; ++i) {
    const tensor_t *tensor = &builder->tensors.at[i];
    uint32_t index, set = liveness->set_of[tensor->value];
    gmem_order_tensor_t spec = {
        .bytes = program->values[tensor->value].size,
        .producer = tensor->producer,
        .users = users.items + users.first[i],
        .user_count = (uint32_t)gmem_csr_count(&users, i),
        .is_kept = gmem_alias_set_is_live_at(liveness, set, end),
        .view_of =
            is_view(builder, tensor) ? tensor->view_of : GMEM_ORDER_NONE};
    GMEM_TRY(gmem_order_add_tensor(builder->out->graph, &spec, &index,
                                   builder->diag));
    assert(index == i);
  }
  return GMEM_OK;
}

static gmem_status_t add_edges(const gmem_csr_pairs_t *edges,
                               gmem_order_graph_t *graph, gmem_diag_t *diag) {
  for (size_t i = 0; i < edges->count; ++i)
    GMEM_TRY(
        gmem_order_add_edge(graph, edges->at[i].key, edges->at[i].item, diag));
  return GMEM_OK;
}

// Facts that the graph cannot express are left out: they only make the plan
// smaller than the graph says.
static gmem_status_t add_reuses(builder_t *builder) {
  const gmem_aliases_t *aliases = &builder->inputs->aliases;
  GMEM_CSR_EACH (i, &builder->inputs->aliases_by_block, builder->block) {
    const gmem_alias_t *alias = &aliases->aliases[*i];
    bool is_part = alias->kind == GMEM_SHARE_CONCAT;
    if (alias->kind == GMEM_SHARE_SLICE || alias->kind == GMEM_SHARE_TRANSFER)
      continue;
    uint32_t child = *tensor_of(builder, alias->child);
    uint32_t parent = *tensor_of(builder, alias->parent);
    if (child == GMEM_NO_INDEX || parent == GMEM_NO_INDEX)
      continue;
    gmem_order_reuse_t reuse = {.output = is_part ? parent : child,
                                .input = is_part ? child : parent,
                                .is_part = is_part};
    gmem_status_t status =
        gmem_order_add_reuse(builder->out->graph, &reuse, NULL);
    if (status != GMEM_OK && status != GMEM_ERR_INVALID_ARGUMENT)
      return gmem_out_of_memory(builder->diag);
  }
  return GMEM_OK;
}

gmem_status_t gmem_block_graph_build(const gmem_order_inputs_t *inputs,
                                     uint32_t block,
                                     gmem_block_graph_t *out_graph,
                                     gmem_diag_t *diag) {
  *out_graph = (gmem_block_graph_t){.graph = NULL};
  const gmem_analysis_t *analysis = inputs->analysis;
  builder_t builder = {.inputs = inputs,
                       .analysis = analysis,
                       .program = &analysis->program,
                       .block = block,
                       .has_own_io = inputs->options->io != GMEM_IO_SHARED,
                       .arena = analysis->arena,
                       .out = out_graph,
                       .diag = diag};
  GMEM_TRY(gmem_order_graph_create(&analysis->arena->allocator,
                                   &out_graph->graph, diag));
  GMEM_TRY(gmem_block_nodes_find(inputs, block, &out_graph->nodes, diag));
  GMEM_TRY(find_tensors(&builder));
  GMEM_TRY(add_nodes(&builder));
  GMEM_TRY(add_tensors(&builder));
  GMEM_TRY(add_edges(&out_graph->nodes.effects, out_graph->graph, diag));
  GMEM_TRY(add_edges(&builder.edges, out_graph->graph, diag));
  GMEM_TRY(add_reuses(&builder));
  for (size_t i = 0; i < builder.tensors.count; ++i)
    *tensor_of(&builder, builder.tensors.at[i].value) = GMEM_NO_INDEX;
  return GMEM_OK;
}

void gmem_block_graph_destroy(gmem_block_graph_t *graph) {
  gmem_order_graph_destroy(graph->graph);
  graph->graph = NULL;
}
