// block_nodes.c - see block_nodes.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "block_nodes.h"

#include "annotations.h"
#include "ir_reading.h"
#include "op_models.h"
#include "vocabulary.h"

typedef struct builder_s {
  const gmem_order_inputs_t *inputs;
  const gmem_program_t *program;
  gmem_bump_t *arena;
  gmem_block_nodes_t *out;
  gmem_pointer_map_t group_ends; // from the first op of a layer group: its span
  bool *uses_written;            // by node: it uses what ops may write in place
  uint32_t node;                 // the current one
  gmem_diag_t *diag;
} builder_t;

static bool has_attribute(MlirOperation op, gmem_attr_t which) {
  return !mlirAttributeIsNull(
      mlirOperationGetDiscardableAttributeByName(op, gmem_attr_name(which)));
}

static bool keeps_order(MlirOperation op) {
  return has_attribute(op, GMEM_ATTR_KEEP_ORDER);
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

static gmem_status_t map_groups(builder_t *builder) {
  const gmem_csr_t *groups = &builder->inputs->groups;
  const gmem_layer_group_t *spans =
      builder->inputs->analysis->facts.groups.spans;
  uint32_t block = builder->out->block;
  GMEM_TRY(gmem_pointer_map_make(&builder->group_ends,
                                 gmem_csr_count(groups, block), builder->arena,
                                 builder->diag));
  GMEM_CSR_EACH (i, groups, block)
    gmem_pointer_map_add(&builder->group_ends,
                         builder->program->ops[spans[*i].first].op.ptr, *i);
  return GMEM_OK;
}

// The last op of the layer group that begins with |op|, or |op|.
static MlirOperation end_of_group(const builder_t *builder, MlirOperation op) {
  uint32_t span = gmem_pointer_map_find(&builder->group_ends, op.ptr);
  const gmem_layer_groups_t *groups = &builder->inputs->analysis->facts.groups;
  return span == GMEM_NO_INDEX
             ? op
             : builder->program->ops[groups->spans[span].last].op;
}

// Lists the ops, and numbers the nodes.
static gmem_status_t list_nodes(builder_t *builder) {
  MlirBlock block = builder->program->blocks[builder->out->block].block;
  MlirOperation terminator = mlirBlockGetTerminator(block);
  gmem_block_nodes_t *out = builder->out;
  uint32_t count = count_ops(block, terminator), listed = 0;
  GMEM_TRY_ALLOC(out->ops, builder->arena, count, builder->diag);
  GMEM_TRY_ALLOC(out->first, builder->arena, (size_t)count + 1, builder->diag);
  GMEM_TRY_ALLOC(builder->uses_written, builder->arena, count, builder->diag);
  GMEM_TRY(gmem_pointer_map_make(&out->node_of, count, builder->arena,
                                 builder->diag));
  GMEM_TRY(map_groups(builder));
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationEqual(op, terminator);
       op = mlirOperationGetNextInBlock(op)) {
    MlirOperation last = end_of_group(builder, op);
    out->first[out->count] = listed;
    for (;; op = mlirOperationGetNextInBlock(op)) {
      gmem_pointer_map_add(&out->node_of, op.ptr, out->count);
      out->ops[listed++] = op;
      if (mlirOperationEqual(op, last))
        break;
    }
    ++out->count;
  }
  out->first[out->count] = listed;
  assert(listed == count);
  return GMEM_OK;
}

uint32_t gmem_block_node_of(const gmem_program_t *program,
                            const gmem_block_nodes_t *nodes, MlirOperation op) {
  MlirOperation around =
      mlirBlockGetParentOperation(program->blocks[nodes->block].block);
  for (; !mlirOperationIsNull(op) && !mlirOperationEqual(op, around);
       op = mlirOperationGetParentOperation(op)) {
    uint32_t node = gmem_pointer_map_find(&nodes->node_of, op.ptr);
    if (node != GMEM_NO_INDEX)
      return node;
  }
  return GMEM_NO_INDEX;
}

//===--- uses -------------------------------------------------------------===//

// Whether ops may write |operand|, which is |value|, in place, perhaps as a
// view.
static bool is_written(const builder_t *builder, MlirValue operand,
                       uint32_t value) {
  const gmem_liveness_t *liveness = &builder->inputs->analysis->liveness;
  if (gmem_is_memref_type(mlirValueGetType(operand)))
    return true;
  if (value == GMEM_NO_INDEX)
    return false;
  uint32_t set = liveness->set_of[value];
  return set == GMEM_NO_INDEX ? builder->inputs->writes_unplanned
                              : liveness->live_values[value].is_changed;
}

// Notes that the current node uses |operand|.
static void add_use(builder_t *builder, MlirValue operand) {
  gmem_node_use_t use = {builder->node,
                         gmem_program_find(builder->program, operand),
                         GMEM_NO_INDEX};
  if (mlirValueIsAOpResult(operand))
    use.from = gmem_pointer_map_find(&builder->out->node_of,
                                     mlirOpResultGetOwner(operand).ptr);
  if (use.from == use.node)
    return;
  builder->uses_written[use.node] |= is_written(builder, operand, use.value);
  GMEM_APPEND(builder->arena, &builder->out->uses, use);
}

static gmem_status_t add_uses(MlirOperation op, void *user) {
  builder_t *builder = user;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    add_use(builder, mlirOperationGetOperand(op, i));
  return GMEM_OK;
}

static gmem_status_t list_uses(builder_t *builder) {
  const gmem_block_nodes_t *out = builder->out;
  for (uint32_t node = 0; node < out->count; ++node)
    for (uint32_t i = out->first[node]; i < out->first[node + 1]; ++i) {
      builder->node = node;
      GMEM_TRY(gmem_walk(out->ops[i], add_uses, builder));
    }
  return GMEM_OK;
}

//===--- effects ----------------------------------------------------------===//

// Ops in the regions of another op may be in hardware queues.
static bool is_free(const builder_t *builder, MlirOperation op) {
  bool may_have_streams = builder->inputs->analysis->facts.streams.count > 0 &&
                          (mlirOperationGetNumRegions(op) > 0 ||
                           has_attribute(op, GMEM_ATTR_STREAM) ||
                           has_attribute(op, GMEM_ATTR_WAIT));
  return !may_have_streams &&
         gmem_op_models_is_pure(builder->program->models, op);
}

static void add_order(const builder_t *builder, uint32_t before,
                      uint32_t after) {
  GMEM_APPEND(builder->arena, &builder->out->effects,
              (gmem_csr_pair_t){before, after});
}

// Keeps the order of the ops that are not free of effects, or that use what ops
// write in place, among themselves, and of those with gmem.keep_order against
// all.
static void add_effects(const builder_t *builder) {
  gmem_block_nodes_t *out = builder->out;
  uint32_t last_effect = GMEM_NO_INDEX, barrier = 0;
  for (uint32_t node = 0; node < out->count; ++node) {
    bool has_effects = builder->uses_written[node], is_kept = false;
    for (uint32_t i = out->first[node]; i < out->first[node + 1]; ++i) {
      MlirOperation op = out->ops[i];
      is_kept |= keeps_order(op);
      has_effects |= !is_free(builder, op);
    }
    if (barrier > 0) // number of the last kept node, + 1
      add_order(builder, barrier - 1, node);
    for (uint32_t k = barrier; is_kept && k < node; ++k)
      add_order(builder, k, node);
    if (is_kept)
      barrier = node + 1;
    if (!has_effects)
      continue;
    if (last_effect != GMEM_NO_INDEX)
      add_order(builder, last_effect, node);
    last_effect = node;
  }
}

gmem_status_t gmem_block_nodes_find(const gmem_order_inputs_t *inputs,
                                    uint32_t block,
                                    gmem_block_nodes_t *out_nodes,
                                    gmem_diag_t *diag) {
  *out_nodes = (gmem_block_nodes_t){.block = block};
  builder_t builder = {.inputs = inputs,
                       .program = &inputs->analysis->program,
                       .arena = inputs->analysis->arena,
                       .out = out_nodes,
                       .diag = diag};
  GMEM_TRY(list_nodes(&builder));
  GMEM_TRY(list_uses(&builder));
  add_effects(&builder);
  return gmem_bump_status(builder.arena, diag);
}
