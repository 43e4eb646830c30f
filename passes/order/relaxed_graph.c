// relaxed_graph.c - see relaxed_graph.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relaxed_graph.h"

#include "calls.h"

// The ops of the graph that a node is: |end| - |begin| is 0, or 2.
typedef struct span_s {
  uint32_t begin, end;
  uint32_t op; // of the program, if it is the only one of the node; else
               //   GMEM_NO_INDEX
} span_t;

typedef struct tensor_s {
  uint32_t value, set;
  uint32_t *users; // of the graph
  gmem_order_tensor_t spec;
} tensor_t;

typedef struct builder_s {
  const gmem_relaxed_inputs_t *inputs;
  const gmem_analysis_t *analysis;
  const gmem_program_t *program;
  const gmem_block_nodes_t *nodes;
  uint32_t block;
  gmem_bump_t *arena;
  span_t *spans;     // by node
  uint32_t op_count; // of the graph
  GMEM_LIST(tensor_t) tensors;
  gmem_order_graph_t *graph;
  gmem_diag_t *diag;
} builder_t;

static const gmem_program_op_t *op_at(const builder_t *builder, uint32_t op) {
  return &builder->program->ops[op];
}

static bool is_split(const span_t *span) { return span->begin != span->end; }

// Adds |word| to the hash (FNV-1a, a word at a time).
static void mix(const builder_t *builder, uint64_t word) {
  uint64_t *print = builder->inputs->print;
  *print = (*print ^ word) * UINT64_C(0x100000001b3);
}

//===--- ops --------------------------------------------------------------===//

static gmem_status_t number_ops(builder_t *builder) {
  const gmem_block_nodes_t *nodes = builder->nodes;
  GMEM_TRY_ALLOC(builder->spans, builder->arena, nodes->count, builder->diag);
  for (uint32_t i = 0; i < nodes->count; ++i)
    builder->spans[i].op = GMEM_NO_INDEX;
  for (uint32_t o = builder->program->blocks[builder->block].first_op;
       o != GMEM_NO_INDEX; o = op_at(builder, o)->next) {
    uint32_t node =
        gmem_pointer_map_find(&nodes->node_of, op_at(builder, o)->op.ptr);
    if (node != GMEM_NO_INDEX &&
        nodes->first[node + 1] == nodes->first[node] + 1)
      builder->spans[node].op = o;
  }
  for (uint32_t i = 0; i < nodes->count; ++i) {
    span_t *span = &builder->spans[i];
    bool splits =
        span->op == GMEM_NO_INDEX ||
        op_at(builder, span->op)->end != op_at(builder, span->op)->begin + 1;
    span->begin = builder->op_count;
    span->end = span->begin + (splits ? 2 : 0);
    builder->op_count = span->end + 1;
  }
  return GMEM_OK;
}

// The node of op |op|, which is in the block, or GMEM_NO_INDEX.
static uint32_t node_of(const builder_t *builder, uint32_t op) {
  return gmem_pointer_map_find(&builder->nodes->node_of,
                               op_at(builder, op)->op.ptr);
}

static void raise_to(uint64_t *bytes, uint64_t least) {
  if (*bytes < least)
    *bytes = least;
}

// Raises the need of what runs inside of op |op| to |bytes|.
static void add_inside(const builder_t *builder, uint32_t op, uint64_t bytes,
                       uint64_t *scratch) {
  uint32_t node = node_of(builder, op);
  if (node != GMEM_NO_INDEX && is_split(&builder->spans[node]))
    raise_to(&scratch[builder->spans[node].begin + 1], bytes);
}

static void add_regions(const builder_t *builder, uint64_t *scratch) {
  const gmem_program_t *program = builder->program;
  const gmem_block_t *self = &program->blocks[builder->block];
  uint32_t number = gmem_region_of(program, builder->block)->function;
  const gmem_calls_t *calls = &builder->analysis->facts.calls;
  GMEM_CSR_EACH (child, &builder->inputs->children, builder->block)
    add_inside(builder, gmem_region_of(program, *child)->owner,
               builder->inputs->of_blocks[*child], scratch);
  for (uint32_t c = gmem_first_call_from(calls, number, self->begin);
       c < calls->callees[number].end_call &&
       op_at(builder, calls->calls[c].op)->begin < self->end;
       ++c)
    if (op_at(builder, calls->calls[c].op)->block == builder->block)
      add_inside(builder, calls->calls[c].op,
                 builder->inputs->of_functions[calls->calls[c].callee],
                 scratch);
}

static void add_workbuffers(const builder_t *builder, uint64_t *scratch) {
  const gmem_analysis_t *analysis = builder->analysis;
  GMEM_CSR_EACH (i, &builder->inputs->inputs->workbuffers, builder->block) {
    const gmem_op_workbuffer_t *buffer = &analysis->workbuffers.all[*i];
    uint32_t node = op_at(builder, buffer->step)->block == builder->block
                        ? node_of(builder, buffer->step)
                        : GMEM_NO_INDEX;
    if (node == GMEM_NO_INDEX ||
        gmem_counting_pool(&analysis->constraints.pools,
                           analysis->constraints.work[*i].candidates) !=
            builder->inputs->pool)
      continue;
    uint32_t begin = builder->spans[node].begin;
    if (builder->spans[node].op == GMEM_NO_INDEX)
      raise_to(&scratch[begin + 1], buffer->size);
    else
      scratch[begin] += buffer->size;
  }
}

static gmem_status_t add_ops(builder_t *builder) {
  uint64_t *scratch;
  uint32_t index;
  GMEM_TRY_ALLOC(scratch, builder->arena, builder->op_count, builder->diag);
  add_regions(builder, scratch);
  add_workbuffers(builder, scratch);
  for (uint32_t i = 0; i < builder->op_count; ++i) {
    mix(builder, scratch[i]);
    GMEM_TRY(gmem_order_add_op(builder->graph,
                               &(gmem_order_op_t){.scratch = scratch[i]},
                               &index, builder->diag));
  }
  return GMEM_OK;
}

//===--- order ------------------------------------------------------------===//

static gmem_status_t add_edge(builder_t *builder, uint32_t from, uint32_t to) {
  mix(builder, (uint64_t)from << 32 | to);
  return gmem_order_add_edge(builder->graph, builder->spans[from].end,
                             builder->spans[to].begin, builder->diag);
}

static gmem_status_t add_edges(builder_t *builder) {
  const gmem_block_nodes_t *nodes = builder->nodes;
  bool is_fixed =
      !gmem_block_may_be_ordered(&builder->analysis->facts, builder->block);
  for (uint32_t i = 0; i < nodes->count; ++i) {
    const span_t *span = &builder->spans[i];
    for (uint32_t op = span->begin; op < span->end; ++op)
      GMEM_TRY(gmem_order_add_edge(builder->graph, op, op + 1, builder->diag));
    if (is_fixed && i > 0)
      GMEM_TRY(add_edge(builder, i - 1, i));
  }
  for (size_t i = 0; i < nodes->uses.count; ++i)
    if (nodes->uses.at[i].from != GMEM_NO_INDEX)
      GMEM_TRY(
          add_edge(builder, nodes->uses.at[i].from, nodes->uses.at[i].node));
  for (size_t i = 0; i < nodes->effects.count; ++i)
    GMEM_TRY(
        add_edge(builder, nodes->effects.at[i].key, nodes->effects.at[i].item));
  return GMEM_OK;
}

//===--- tensors ----------------------------------------------------------===//

// Whether something keeps the value live to the end of its function.
static bool is_held(const builder_t *builder, uint32_t value, uint32_t set) {
  const gmem_program_t *program = builder->program;
  const gmem_live_value_t *live =
      &builder->analysis->liveness.live_values[value];
  const gmem_program_op_t *op = gmem_defining_op(program, value);
  const gmem_ir_region_t *region = gmem_region_of(program, builder->block);
  bool is_kept =
      live->input && (builder->inputs->inputs->options->keep_inputs ||
                      builder->analysis->liveness.sets[set].is_written);
  return (is_kept || (op && op->hold)) && region->owner == GMEM_NO_INDEX &&
         region->block_count == 1;
}

// The op of the block that is or encloses op |op|, or GMEM_NO_INDEX.
static uint32_t op_of_block(const builder_t *builder, uint32_t op) {
  while (op != GMEM_NO_INDEX && op_at(builder, op)->block != builder->block)
    op = op_at(builder, op)->parent;
  return op;
}

// Adds the op that reads |tensor| as op |user| of the program.
static void add_user(const builder_t *builder, uint32_t user,
                     tensor_t *tensor) {
  uint32_t op = op_of_block(builder, user);
  gmem_order_tensor_t *spec = &tensor->spec;
  if (op == GMEM_NO_INDEX)
    return;
  uint32_t node = node_of(builder, op);
  if (node == GMEM_NO_INDEX) { // the terminator
    spec->is_kept = true;
    return;
  }
  const span_t *span = &builder->spans[node];
  if (span->begin == spec->producer || span->end == spec->producer)
    return;
  tensor->users[spec->user_count++] = span->begin;
  uint8_t flow = builder->analysis->facts.flow.flows[op];
  if (op != user && op == span->op && is_split(span) &&
      (flow == GMEM_FLOW_FOR || flow == GMEM_FLOW_WHILE))
    tensor->users[spec->user_count++] = span->begin + 1;
}

// A part of a concatenation counts until that is made.
static gmem_status_t add_users(const builder_t *builder, tensor_t *tensor) {
  const gmem_csr_t *users = &builder->analysis->facts.uses.users;
  uint32_t whole = builder->inputs->sets->all[tensor->set].whole;
  GMEM_TRY_ALLOC(tensor->users, builder->arena,
                 2 * gmem_csr_count(users, tensor->value), builder->diag);
  tensor->spec.users = tensor->users;
  GMEM_CSR_EACH (user, users, tensor->value)
    if (whole == GMEM_NO_INDEX || *user == whole)
      add_user(builder, *user, tensor);
  if (whole == GMEM_NO_INDEX)
    tensor->spec.is_kept |= is_held(builder, tensor->value, tensor->set);
  return GMEM_OK;
}

static uint32_t *tensor_of(const builder_t *builder, uint32_t value) {
  return &builder->inputs->inputs->tensor_of[value];
}

static bool has_user(const tensor_t *tensor, uint32_t op) {
  for (uint32_t i = 0; i < tensor->spec.user_count; ++i)
    if (tensor->users[i] == op)
      return true;
  return false;
}

// The tensor of |set| that |op| reads and of which its results are views, so
// that the set is live from one to the other; or GMEM_NO_INDEX.
static uint32_t viewed_by(const builder_t *builder, MlirOperation op,
                          uint32_t producer, uint32_t set) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    uint32_t value = gmem_operand_value(builder->program, op, i);
    uint32_t index =
        value == GMEM_NO_INDEX ? GMEM_NO_INDEX : *tensor_of(builder, value);
    if (index != GMEM_NO_INDEX && builder->tensors.at[index].set == set &&
        has_user(&builder->tensors.at[index], producer))
      return index;
  }
  return GMEM_NO_INDEX;
}

// The bytes of a set, rounded up.
static uint64_t bytes_of(const builder_t *builder,
                         const gmem_countable_set_t *set) {
  uint64_t unit = builder->inputs->sets->units[set->pool];
  uint64_t over = (0 - set->bytes) & (unit - 1);
  return set->bytes +
         (over < builder->inputs->slack ? over : builder->inputs->slack);
}

// Lists |value|, made by |op| of |node|, if its set counts here. Of the values
// of one set that are not views of one another the first counts, and of those
// that several ops of one node make the ones that it leaves behind.
static gmem_status_t list_tensor(builder_t *builder, uint32_t value,
                                 uint32_t node, MlirOperation op) {
  uint32_t set = value == GMEM_NO_INDEX
                     ? GMEM_NO_INDEX
                     : builder->analysis->liveness.set_of[value];
  if (set == GMEM_NO_INDEX)
    return GMEM_OK;
  const gmem_countable_set_t *counted = &builder->inputs->sets->all[set];
  if (!counted->bytes || counted->home != builder->block ||
      counted->pool != builder->inputs->pool)
    return GMEM_OK;
  uint32_t *first = &builder->inputs->first_tensor[set];
  uint32_t producer =
      node == GMEM_NO_INDEX ? GMEM_ORDER_NONE : builder->spans[node].end;
  tensor_t tensor = {.value = value,
                     .set = set,
                     .spec = {.bytes = bytes_of(builder, counted),
                              .producer = producer,
                              .view_of = GMEM_ORDER_NONE}};
  if (*first != GMEM_NO_INDEX) {
    tensor.spec.view_of = mlirOperationIsNull(op)
                              ? GMEM_NO_INDEX
                              : viewed_by(builder, op, producer, set);
    if (tensor.spec.view_of == GMEM_NO_INDEX)
      return GMEM_OK;
  }
  GMEM_TRY(add_users(builder, &tensor));
  if (node != GMEM_NO_INDEX && builder->spans[node].op == GMEM_NO_INDEX &&
      !tensor.spec.user_count && !tensor.spec.is_kept)
    return GMEM_OK;
  uint32_t index = (uint32_t)builder->tensors.count;
  GMEM_APPEND(builder->arena, &builder->tensors, tensor);
  GMEM_TRY(gmem_bump_status(builder->arena, builder->diag));
  *tensor_of(builder, value) = index;
  if (*first == GMEM_NO_INDEX)
    *first = index;
  return GMEM_OK;
}

static gmem_status_t list_tensors(builder_t *builder) {
  const gmem_block_nodes_t *nodes = builder->nodes;
  MlirBlock block = builder->program->blocks[builder->block].block;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
    GMEM_TRY(list_tensor(
        builder,
        gmem_program_find(builder->program, mlirBlockGetArgument(block, i)),
        GMEM_NO_INDEX, (MlirOperation){NULL}));
  for (uint32_t node = 0; node < nodes->count; ++node)
    for (uint32_t k = nodes->first[node]; k < nodes->first[node + 1]; ++k) {
      MlirOperation op = nodes->ops[k];
      for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
        GMEM_TRY(list_tensor(
            builder, gmem_result_value(builder->program, op, i), node, op));
    }
  return GMEM_OK;
}

//===--- sharing ----------------------------------------------------------===//

// Finds the tensors of an alias; false if one of its sets does not count here.
// If the graph cannot state the alias, *out_holds is false.
static bool find_reuse(const builder_t *builder, const gmem_alias_t *alias,
                       gmem_order_reuse_t *out_reuse, bool *out_holds) {
  const uint32_t *sets = builder->analysis->liveness.set_of;
  const uint32_t *first = builder->inputs->first_tensor;
  bool is_part = alias->kind == GMEM_SHARE_CONCAT;
  uint32_t output = is_part ? alias->parent : alias->child;
  uint32_t input = is_part ? alias->child : alias->parent;
  if (first[sets[output]] == GMEM_NO_INDEX ||
      first[sets[input]] == GMEM_NO_INDEX)
    return false;
  *out_reuse = (gmem_order_reuse_t){.output = *tensor_of(builder, output),
                                    .input = *tensor_of(builder, input),
                                    .is_part = is_part};
  *out_holds =
      out_reuse->output != GMEM_NO_INDEX && out_reuse->input != GMEM_NO_INDEX &&
      builder->tensors.at[out_reuse->output].spec.view_of == GMEM_ORDER_NONE &&
      has_user(&builder->tensors.at[out_reuse->input],
               builder->tensors.at[out_reuse->output].spec.producer);
  return true;
}

static bool is_reuse(const gmem_alias_t *alias) {
  return alias->kind == GMEM_SHARE_INPLACE ||
         alias->kind == GMEM_SHARE_DESTINATION ||
         alias->kind == GMEM_SHARE_CONCAT;
}

// Sets with an alias that the graph cannot state do not count.
static void drop_sharing(const builder_t *builder) {
  const gmem_order_inputs_t *inputs = builder->inputs->inputs;
  GMEM_CSR_EACH (i, &inputs->aliases_by_block, builder->block) {
    const gmem_alias_t *alias = &inputs->aliases.aliases[*i];
    gmem_order_reuse_t reuse;
    bool holds;
    if (!is_reuse(alias) || !find_reuse(builder, alias, &reuse, &holds) ||
        holds)
      continue;
    uint32_t set = builder->analysis->liveness.set_of[alias->child];
    for (size_t k = 0; k < builder->tensors.count; ++k)
      if (builder->tensors.at[k].set == set)
        builder->tensors.at[k].spec.bytes = 0;
  }
}

static gmem_status_t add_reuses(const builder_t *builder) {
  const gmem_order_inputs_t *inputs = builder->inputs->inputs;
  GMEM_CSR_EACH (i, &inputs->aliases_by_block, builder->block) {
    const gmem_alias_t *alias = &inputs->aliases.aliases[*i];
    gmem_order_reuse_t reuse;
    bool holds;
    if (!is_reuse(alias) || !find_reuse(builder, alias, &reuse, &holds) ||
        !holds)
      continue;
    mix(builder, (uint64_t)reuse.output << 32 | reuse.input);
    GMEM_TRY(gmem_order_add_reuse(builder->graph, &reuse, builder->diag));
  }
  return GMEM_OK;
}

static gmem_status_t add_tensors(builder_t *builder) {
  uint32_t index;
  for (size_t i = 0; i < builder->tensors.count; ++i) {
    const gmem_order_tensor_t *spec = &builder->tensors.at[i].spec;
    mix(builder, spec->bytes);
    mix(builder, (uint64_t)spec->producer << 32 | spec->view_of);
    mix(builder, (uint64_t)spec->user_count << 1 | spec->is_kept);
    for (uint32_t k = 0; k < spec->user_count; ++k)
      mix(builder, spec->users[k]);
    GMEM_TRY(
        gmem_order_add_tensor(builder->graph, spec, &index, builder->diag));
  }
  return GMEM_OK;
}

static void forget_tensors(const builder_t *builder) {
  for (size_t i = 0; i < builder->tensors.count; ++i) {
    *tensor_of(builder, builder->tensors.at[i].value) = GMEM_NO_INDEX;
    builder->inputs->first_tensor[builder->tensors.at[i].set] = GMEM_NO_INDEX;
  }
}

gmem_status_t gmem_relaxed_graph_build(const gmem_relaxed_inputs_t *inputs,
                                       const gmem_block_nodes_t *nodes,
                                       gmem_order_graph_t **out_graph,
                                       gmem_diag_t *diag) {
  const gmem_analysis_t *analysis = inputs->inputs->analysis;
  builder_t builder = {.inputs = inputs,
                       .analysis = analysis,
                       .program = &analysis->program,
                       .nodes = nodes,
                       .block = nodes->block,
                       .arena = analysis->arena,
                       .diag = diag};
  GMEM_TRY(
      gmem_order_graph_create(&analysis->arena->allocator, out_graph, diag));
  builder.graph = *out_graph;
  GMEM_TRY(number_ops(&builder));
  GMEM_TRY(add_ops(&builder));
  GMEM_TRY(add_edges(&builder));
  GMEM_TRY(list_tensors(&builder));
  drop_sharing(&builder);
  GMEM_TRY(add_tensors(&builder));
  GMEM_TRY(add_reuses(&builder));
  forget_tensors(&builder);
  return GMEM_OK;
}
