// block_graph.c - see block_graph.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "block_graph.h"

#include <assert.h>

#include "annotations.h"
#include "csr.h"
#include "ir_reading.h"
#include "op_models.h"
#include "vocabulary.h"

// A tensor of the graph.
typedef struct tensor_s {
  uint32_t value;    // of the program
  uint32_t producer; // node, or GMEM_ORDER_NONE
  uint32_t view_of;  // tensor, or GMEM_ORDER_NONE
} tensor_t;

typedef GMEM_LIST(tensor_t) tensors_t;

typedef struct builder_s {
  const gmem_analysis_t *analysis;
  const gmem_program_t *program;
  uint32_t block;
  const uint64_t *function_needs;
  bool has_own_io; // inputs and outputs are in pools of their own
  gmem_bump_t *arena;
  gmem_block_graph_t *out;
  gmem_pointer_map_t node_of;   // from the ops of the block
  gmem_pointer_map_t tensor_of; // from values
  tensors_t tensors;
  gmem_csr_pairs_t uses;  // of tensors by nodes
  gmem_csr_pairs_t edges; // from node to node, of values without a tensor
  bool *uses_written;     // by node: it uses what ops may write in place
  bool writes_unplanned;  // gmem_writes_unplanned
  uint32_t node;          // the current one
  gmem_diag_t *diag;
} builder_t;

static bool has_attribute(MlirOperation op, gmem_attr_t which) {
  return !mlirAttributeIsNull(
      mlirOperationGetDiscardableAttributeByName(op, gmem_attr_name(which)));
}

static bool keeps_order(MlirOperation op) {
  return has_attribute(op, GMEM_ATTR_KEEP_ORDER);
}

bool gmem_writes_unplanned(const gmem_liveness_t *liveness) {
  const gmem_program_t *program = liveness->program;
  for (uint32_t v = 0; v < program->value_count; ++v)
    if (liveness->set_of[v] == GMEM_NO_INDEX &&
        liveness->live_values[v].is_written &&
        !gmem_is_memref_type(mlirValueGetType(program->values[v].value)))
      return true;
  return false;
}

bool gmem_block_may_be_ordered(const gmem_program_facts_t *facts,
                               uint32_t block) {
  const gmem_program_t *program = facts->program;
  const gmem_block_t *self = &program->blocks[block];
  MlirOperation last = mlirBlockGetTerminator(self->block);
  return !mlirOperationIsNull(last) && self->first_op != GMEM_NO_INDEX &&
         self->last_op >= self->first_op + 3 && !keeps_order(last) &&
         !facts->uses.unordered[self->region] &&
         !keeps_order(
             program->functions[gmem_region_of(program, block)->function].op);
}

//===--- nodes ------------------------------------------------------------===//

static uint32_t count_ops(MlirBlock block, MlirOperation terminator) {
  uint32_t count = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationEqual(op, terminator);
       op = mlirOperationGetNextInBlock(op))
    ++count;
  return count;
}

// The last op of the layer group that begins with |op|, or |op|.
static MlirOperation end_of_group(const builder_t *builder, MlirOperation op) {
  const gmem_layer_groups_t *groups = &builder->analysis->facts.groups;
  const gmem_program_op_t *ops = builder->program->ops;
  for (size_t i = 0; i < groups->count; ++i)
    if (groups->spans[i].block == builder->block &&
        mlirOperationEqual(ops[groups->spans[i].first].op, op))
      return ops[groups->spans[i].last].op;
  return op;
}

// Lists the ops, and numbers the nodes.
static gmem_status_t list_nodes(builder_t *builder) {
  MlirBlock block = builder->program->blocks[builder->block].block;
  MlirOperation terminator = mlirBlockGetTerminator(block);
  gmem_block_graph_t *out = builder->out;
  uint32_t count = count_ops(block, terminator), listed = 0;
  GMEM_TRY_ALLOC(out->ops, builder->arena, count, builder->diag);
  GMEM_TRY_ALLOC(out->first, builder->arena, (size_t)count + 1, builder->diag);
  GMEM_TRY_ALLOC(builder->uses_written, builder->arena, count, builder->diag);
  GMEM_TRY(gmem_pointer_map_make(&builder->node_of, count, builder->arena,
                                 builder->diag));
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationEqual(op, terminator);
       op = mlirOperationGetNextInBlock(op)) {
    MlirOperation last = end_of_group(builder, op);
    out->first[out->node_count] = listed;
    for (;; op = mlirOperationGetNextInBlock(op)) {
      gmem_pointer_map_add(&builder->node_of, op.ptr, out->node_count);
      out->ops[listed++] = op;
      if (mlirOperationEqual(op, last))
        break;
    }
    ++out->node_count;
  }
  out->first[out->node_count] = listed;
  assert(listed == count);
  return GMEM_OK;
}

//===--- tensors ----------------------------------------------------------===//

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
        value == GMEM_NO_INDEX
            ? GMEM_NO_INDEX
            : gmem_pointer_map_find(&builder->tensor_of,
                                    &builder->program->values[value]);
    if (tensor != GMEM_NO_INDEX && set_of(builder, value) == set)
      return tensor;
  }
  return GMEM_ORDER_NONE;
}

static void add_tensor(builder_t *builder, tensor_t tensor) {
  uint32_t index = (uint32_t)builder->tensors.count;
  GMEM_APPEND(builder->arena, &builder->tensors, tensor);
  if (builder->tensors.count > index)
    gmem_pointer_map_add(&builder->tensor_of,
                         &builder->program->values[tensor.value], index);
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

// Whether ops may write |operand|, which is |value|, in place, perhaps as a
// view.
static bool is_written(const builder_t *builder, MlirValue operand,
                       uint32_t value) {
  const gmem_liveness_t *liveness = &builder->analysis->liveness;
  if (gmem_is_memref_type(mlirValueGetType(operand)))
    return true;
  if (value == GMEM_NO_INDEX)
    return false;
  uint32_t set = liveness->set_of[value];
  return set == GMEM_NO_INDEX ? builder->writes_unplanned
                              : liveness->sets[set].is_written;
}

// Notes that the current node uses |operand|.
static void add_use(builder_t *builder, MlirValue operand) {
  uint32_t value = gmem_program_find(builder->program, operand);
  uint32_t from = GMEM_NO_INDEX; // the node that defines it
  if (mlirValueIsAOpResult(operand))
    from = gmem_pointer_map_find(&builder->node_of,
                                 mlirOpResultGetOwner(operand).ptr);
  if (from == builder->node)
    return;
  builder->uses_written[builder->node] |= is_written(builder, operand, value);
  if (set_of(builder, value) == GMEM_NO_INDEX) {
    if (from != GMEM_NO_INDEX)
      GMEM_APPEND(builder->arena, &builder->edges,
                  (gmem_csr_pair_t){from, builder->node});
    return;
  }
  if (is_inner(builder, value)) // part of the scratch bytes
    return;
  uint32_t tensor = gmem_pointer_map_find(&builder->tensor_of,
                                          &builder->program->values[value]);
  if (tensor == GMEM_NO_INDEX) {
    assert(from == GMEM_NO_INDEX);
    tensor = (uint32_t)builder->tensors.count;
    add_tensor(builder, (tensor_t){value, GMEM_ORDER_NONE, GMEM_ORDER_NONE});
  }
  GMEM_APPEND(builder->arena, &builder->uses,
              (gmem_csr_pair_t){tensor, builder->node});
}

static gmem_status_t add_uses(MlirOperation op, void *user) {
  builder_t *builder = user;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    add_use(builder, mlirOperationGetOperand(op, i));
  return GMEM_OK;
}

static gmem_status_t find_tensors(builder_t *builder) {
  const gmem_block_graph_t *out = builder->out;
  GMEM_TRY(gmem_pointer_map_make(&builder->tensor_of,
                                 builder->program->value_count, builder->arena,
                                 builder->diag));
  for (uint32_t node = 0; node < out->node_count; ++node)
    for (uint32_t i = out->first[node]; i < out->first[node + 1]; ++i) {
      builder->node = node;
      GMEM_TRY(gmem_walk(out->ops[i], add_uses, builder));
      add_results(builder, out->ops[i]);
    }
  return gmem_bump_status(builder->arena, builder->diag);
}

//===--- scratch ----------------------------------------------------------===//

// The node whose op runs at |step|.
static uint32_t node_at(const builder_t *builder, int64_t step) {
  const gmem_program_t *program = builder->program;
  MlirOperation op = gmem_program_op_at(program, step);
  MlirOperation around =
      mlirBlockGetParentOperation(program->blocks[builder->block].block);
  for (; !mlirOperationIsNull(op) && !mlirOperationEqual(op, around);
       op = mlirOperationGetParentOperation(op)) {
    uint32_t node = gmem_pointer_map_find(&builder->node_of, op.ptr);
    if (node != GMEM_NO_INDEX)
      return node;
  }
  return GMEM_NO_INDEX;
}

// Lists what the regions of each node keep live, each alias set once, and what
// the functions that it calls do.
static void list_needs(const builder_t *builder, gmem_needs_t *needs) {
  const gmem_program_t *program = builder->program;
  const gmem_block_t *self = &program->blocks[builder->block];
  uint32_t number = gmem_region_of(program, builder->block)->function;
  const gmem_function_t *function = &program->functions[number];
  const gmem_calls_t *calls = &builder->analysis->facts.calls;
  for (uint32_t v = function->first_value; v < function->end_value; ++v) {
    const gmem_live_value_t *live = &builder->analysis->liveness.live_values[v];
    if (live->storage != GMEM_STORAGE_TENSOR || live->root != v ||
        live->range_count == 0 || !is_inner(builder, v))
      continue;
    uint32_t node = node_at(builder, live->ranges[0].begin);
    for (size_t r = 0; node != GMEM_NO_INDEX && r < live->range_count; ++r)
      GMEM_APPEND(builder->arena, needs,
                  (gmem_need_t){node, live->ranges[r].begin,
                                live->ranges[r].end, program->values[v].size});
  }
  for (uint32_t c = gmem_first_call_from(calls, number, self->begin);
       c < calls->callees[number].end_call; ++c) {
    const gmem_program_op_t *op = &program->ops[calls->calls[c].op];
    if (op->begin >= self->end)
      break;
    uint32_t node = node_at(builder, op->begin);
    if (node != GMEM_NO_INDEX)
      GMEM_APPEND(
          builder->arena, needs,
          (gmem_need_t){node, op->begin, op->end,
                        builder->function_needs[calls->calls[c].callee]});
  }
}

// Sets |scratch|, by node: the workbuffers of its ops, and what its regions
// and the functions that it calls keep live at most.
static gmem_status_t find_scratch(const builder_t *builder, uint64_t *scratch) {
  const gmem_workbuffers_t *work = &builder->analysis->workbuffers;
  gmem_needs_t needs = {0};
  list_needs(builder, &needs);
  GMEM_TRY(gmem_needs_peaks(&needs, builder->out->node_count, builder->arena,
                            scratch, builder->diag));
  for (size_t i = 0; i < work->mutable_count; ++i) {
    const gmem_op_workbuffer_t *buffer = &work->all[work->mutables[i]];
    const gmem_program_op_t *op = &builder->program->ops[buffer->step];
    const gmem_block_t *self = &builder->program->blocks[builder->block];
    if (op->begin < self->begin || op->begin >= self->end)
      continue;
    uint32_t node = node_at(builder, op->begin);
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
  GMEM_TRY_ALLOC(scratch, builder->arena, out->node_count, builder->diag);
  GMEM_TRY(find_scratch(builder, scratch));
  for (uint32_t i = 0; i < out->node_count; ++i)
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

// Ops in the regions of another op may be in hardware queues.
static bool is_free(const builder_t *builder, MlirOperation op) {
  bool may_have_streams = builder->analysis->facts.streams.count > 0 &&
                          (mlirOperationGetNumRegions(op) > 0 ||
                           has_attribute(op, GMEM_ATTR_STREAM) ||
                           has_attribute(op, GMEM_ATTR_WAIT));
  return !may_have_streams &&
         gmem_op_models_is_pure(builder->program->models, op);
}

// Keeps the order of the ops that are not free of effects, or that use what ops
// write in place, among themselves, and of those with gmem.keep_order against
// all.
static gmem_status_t add_order(builder_t *builder) {
  const gmem_block_graph_t *out = builder->out;
  uint32_t last_effect = GMEM_NO_INDEX, barrier = 0;
  for (uint32_t node = 0; node < out->node_count; ++node) {
    bool has_effects = builder->uses_written[node], is_kept = false;
    for (uint32_t i = out->first[node]; i < out->first[node + 1]; ++i) {
      MlirOperation op = out->ops[i];
      is_kept |= keeps_order(op);
      has_effects |= !is_free(builder, op);
    }
    if (barrier > 0) // number of the last kept node, + 1
      GMEM_TRY(
          gmem_order_add_edge(out->graph, barrier - 1, node, builder->diag));
    for (uint32_t k = barrier; is_kept && k < node; ++k)
      GMEM_TRY(gmem_order_add_edge(out->graph, k, node, builder->diag));
    if (is_kept)
      barrier = node + 1;
    if (!has_effects)
      continue;
    if (last_effect != GMEM_NO_INDEX)
      GMEM_TRY(
          gmem_order_add_edge(out->graph, last_effect, node, builder->diag));
    last_effect = node;
  }
  for (size_t i = 0; i < builder->edges.count; ++i)
    GMEM_TRY(gmem_order_add_edge(out->graph, builder->edges.at[i].key,
                                 builder->edges.at[i].item, builder->diag));
  return GMEM_OK;
}

// Facts that the graph cannot express are left out: they only make the plan
// smaller than the graph says.
static gmem_status_t add_reuses(builder_t *builder,
                                const gmem_aliases_t *aliases) {
  for (size_t i = 0; i < aliases->count; ++i) {
    const gmem_alias_t *alias = &aliases->aliases[i];
    const gmem_value_t *values = builder->program->values;
    bool is_part = alias->kind == GMEM_SHARE_CONCAT;
    if (alias->kind == GMEM_SHARE_SLICE || alias->kind == GMEM_SHARE_TRANSFER)
      continue;
    uint32_t child =
        gmem_pointer_map_find(&builder->tensor_of, &values[alias->child]);
    uint32_t parent =
        gmem_pointer_map_find(&builder->tensor_of, &values[alias->parent]);
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
  *out_graph = (gmem_block_graph_t){.block = block};
  const gmem_analysis_t *analysis = inputs->analysis;
  builder_t builder = {.analysis = analysis,
                       .program = &analysis->program,
                       .block = block,
                       .function_needs = inputs->function_needs,
                       .has_own_io = inputs->io != GMEM_IO_SHARED,
                       .arena = analysis->arena,
                       .out = out_graph,
                       .writes_unplanned = inputs->writes_unplanned,
                       .diag = diag};
  GMEM_TRY(gmem_order_graph_create(&analysis->arena->allocator,
                                   &out_graph->graph, diag));
  GMEM_TRY(list_nodes(&builder));
  GMEM_TRY(find_tensors(&builder));
  GMEM_TRY(add_nodes(&builder));
  GMEM_TRY(add_tensors(&builder));
  GMEM_TRY(add_order(&builder));
  return add_reuses(&builder, inputs->aliases);
}

void gmem_block_graph_destroy(gmem_block_graph_t *graph) {
  gmem_order_graph_destroy(graph->graph);
  graph->graph = NULL;
}
