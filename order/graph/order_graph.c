// order_graph.c - builds a graph of ops and tensors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "order_graph.h"

#include <inttypes.h>
#include <string.h>

#include "diag.h"
#include "heap.h"

gmem_status_t gmem_order_graph_create(const gmem_allocator_t *allocator,
                                      gmem_order_graph_t **out_graph,
                                      gmem_diag_t *diag) {
  GMEM_NEED(out_graph, diag);
  gmem_allocator_t own = gmem_heap_allocator(allocator);
  gmem_order_graph_t *graph = gmem_heap_alloc(&own, 1, sizeof *graph);
  *out_graph = graph;
  if (!graph)
    return gmem_out_of_memory(diag);
  *graph = (gmem_order_graph_t){.allocator = own};
  graph->memory.allocator = &graph->allocator;
  return GMEM_OK;
}

void gmem_order_graph_destroy(gmem_order_graph_t *graph) {
  if (!graph)
    return;
  gmem_allocator_t own = graph->allocator;
  gmem_scratch_free(&graph->memory);
  gmem_heap_free(&own, graph, 1, sizeof *graph);
}

uint32_t gmem_order_op_count(const gmem_order_graph_t *graph) {
  return (uint32_t)graph->op_count;
}

uint32_t gmem_order_tensor_count(const gmem_order_graph_t *graph) {
  return (uint32_t)graph->tensor_count;
}

const gmem_order_op_t *gmem_order_op_at(const gmem_order_graph_t *graph,
                                        uint32_t op) {
  return &graph->ops[op];
}

const gmem_order_tensor_t *gmem_order_tensor_at(const gmem_order_graph_t *graph,
                                                uint32_t tensor) {
  return &graph->tensors[tensor];
}

//===--- additions --------------------------------------------------------===//

static gmem_status_t copy_name(gmem_scratch_t *memory, const char **name) {
  size_t length = *name ? strlen(*name) + 1 : 0;
  char *copy = NULL;
  if (!length)
    return GMEM_OK;
  GMEM_TRY_NEW(copy, memory, length);
  *name = memcpy(copy, *name, length);
  return GMEM_OK;
}

static gmem_status_t add_bytes(gmem_order_graph_t *graph, uint64_t bytes,
                               uint64_t *sum, gmem_diag_t *diag) {
  if (bytes > GMEM_ORDER_MAX_BYTES - graph->bytes)
    return gmem_fail(diag, GMEM_ERR_OUT_OF_RANGE,
                     "the sizes of all tensors and scratch exceed %" PRIu64
                     " bytes",
                     GMEM_ORDER_MAX_BYTES);
  *sum = graph->bytes + bytes;
  return GMEM_OK;
}

static gmem_status_t check_count(size_t count, const char *what,
                                 gmem_diag_t *diag) {
  return count < GMEM_ORDER_NONE
             ? GMEM_OK
             : gmem_fail(diag, GMEM_ERR_OUT_OF_RANGE, "too many %s", what);
}

static gmem_status_t check_op(const gmem_order_graph_t *graph, uint32_t op,
                              const char *what, gmem_diag_t *diag) {
  return op < graph->op_count
             ? GMEM_OK
             : gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                         "%s %" PRIu32 " is not an op of the graph", what, op);
}

gmem_status_t gmem_order_add_op(gmem_order_graph_t *graph,
                                const gmem_order_op_t *op, uint32_t *out_op,
                                gmem_diag_t *diag) {
  GMEM_NEED(graph && op, diag);
  uint64_t sum = 0;
  gmem_order_op_t copy = *op;
  graph->memory.diag = diag;
  GMEM_TRY(check_count(graph->op_count, "ops", diag));
  GMEM_TRY(add_bytes(graph, op->scratch, &sum, diag));
  GMEM_TRY_ROOM(graph->ops, &graph->memory, graph->op_count, graph->op_room);
  GMEM_TRY(copy_name(&graph->memory, &copy.name));
  graph->bytes = sum;
  *out_op = (uint32_t)graph->op_count;
  graph->ops[graph->op_count++] = copy;
  return GMEM_OK;
}

static bool uses(const gmem_order_tensor_t *tensor, uint32_t op) {
  for (uint32_t i = 0; i < tensor->user_count; ++i)
    if (tensor->users[i] == op)
      return true;
  return false;
}

static gmem_status_t check_view(const gmem_order_graph_t *graph,
                                const gmem_order_tensor_t *tensor,
                                gmem_diag_t *diag) {
  if (tensor->view_of == GMEM_ORDER_NONE)
    return GMEM_OK;
  if (tensor->view_of >= graph->tensor_count)
    return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                     "%" PRIu32 " is not a tensor of the graph",
                     tensor->view_of);
  const gmem_order_tensor_t *viewed = &graph->tensors[tensor->view_of];
  if (tensor->producer == viewed->producer || uses(viewed, tensor->producer))
    return GMEM_OK;
  return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                   "the producer of a view does not use the tensor %" PRIu32
                   " that it is a view of",
                   tensor->view_of);
}

static gmem_status_t check_tensor(const gmem_order_graph_t *graph,
                                  const gmem_order_tensor_t *tensor,
                                  gmem_diag_t *diag) {
  if (tensor->producer != GMEM_ORDER_NONE)
    GMEM_TRY(check_op(graph, tensor->producer, "the producer", diag));
  for (uint32_t i = 0; i < tensor->user_count; ++i) {
    uint32_t user = tensor->users[i];
    GMEM_TRY(check_op(graph, user, "the user", diag));
    if (tensor->producer != GMEM_ORDER_NONE && user <= tensor->producer)
      return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                       "op %" PRIu32 " uses a tensor that op %" PRIu32
                       " produces, which is not before it in the given order",
                       user, tensor->producer);
  }
  return check_view(graph, tensor, diag);
}

gmem_status_t gmem_order_add_tensor(gmem_order_graph_t *graph,
                                    const gmem_order_tensor_t *tensor,
                                    uint32_t *out_tensor, gmem_diag_t *diag) {
  GMEM_NEED(graph && tensor, diag);
  uint64_t sum = 0;
  uint32_t *users = NULL;
  gmem_order_tensor_t copy = *tensor;
  graph->memory.diag = diag;
  GMEM_TRY(check_count(graph->tensor_count, "tensors", diag));
  GMEM_TRY(check_tensor(graph, tensor, diag));
  GMEM_TRY(add_bytes(graph, tensor->bytes, &sum, diag));
  GMEM_TRY_ROOM(graph->tensors, &graph->memory, graph->tensor_count,
                graph->tensor_room);
  GMEM_TRY(copy_name(&graph->memory, &copy.name));
  if (tensor->user_count) {
    GMEM_TRY_NEW(users, &graph->memory, tensor->user_count);
    memcpy(users, tensor->users, tensor->user_count * sizeof *users);
  }
  copy.users = users;
  graph->bytes = sum;
  *out_tensor = (uint32_t)graph->tensor_count;
  graph->tensors[graph->tensor_count++] = copy;
  return GMEM_OK;
}

gmem_status_t gmem_order_add_edge(gmem_order_graph_t *graph, uint32_t before,
                                  uint32_t after, gmem_diag_t *diag) {
  GMEM_NEED(graph, diag);
  graph->memory.diag = diag;
  GMEM_TRY(check_op(graph, before, "the edge's op", diag));
  GMEM_TRY(check_op(graph, after, "the edge's op", diag));
  if (before >= after)
    return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                     "the edge from op %" PRIu32 " to op %" PRIu32
                     " is against the given order",
                     before, after);
  GMEM_TRY_ROOM(graph->edges, &graph->memory, graph->edge_count,
                graph->edge_room);
  graph->edges[graph->edge_count++] = (gmem_order_edge_t){before, after};
  return GMEM_OK;
}

// Rejects what would make the bytes that an op saves depend on a choice.
static gmem_status_t check_other_reuse(const gmem_order_graph_t *graph,
                                       const gmem_order_reuse_t *reuse,
                                       const gmem_order_reuse_t *other,
                                       gmem_diag_t *diag) {
  uint32_t op = graph->tensors[reuse->output].producer;
  bool same_input = gmem_order_root(graph, other->input) ==
                    gmem_order_root(graph, reuse->input);
  if (same_input && other->output != reuse->output)
    return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                     "tensor %" PRIu32
                     " is listed for several outputs of op %" PRIu32,
                     reuse->input, op);
  if (other->output == reuse->output && other->is_part != reuse->is_part)
    return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                     "tensor %" PRIu32
                     " has parts and inputs that it may overwrite",
                     reuse->output);
  return GMEM_OK;
}

static gmem_status_t check_reuse(const gmem_order_graph_t *graph,
                                 const gmem_order_reuse_t *reuse,
                                 gmem_diag_t *diag) {
  if (reuse->output >= graph->tensor_count ||
      reuse->input >= graph->tensor_count)
    return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                     "%" PRIu32 " is not a tensor of the graph",
                     reuse->output >= graph->tensor_count ? reuse->output
                                                          : reuse->input);
  const gmem_order_tensor_t *output = &graph->tensors[reuse->output];
  if (output->producer == GMEM_ORDER_NONE ||
      output->view_of != GMEM_ORDER_NONE ||
      !uses(&graph->tensors[reuse->input], output->producer))
    return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                     "tensor %" PRIu32
                     " is not a new output of an op that uses tensor %" PRIu32,
                     reuse->output, reuse->input);
  for (size_t i = graph->reuse_count; i-- > 0;) {
    uint32_t other = graph->tensors[graph->reuses[i].output].producer;
    if (other < output->producer)
      break;
    if (other > output->producer)
      return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                       "a reuse of op %" PRIu32
                       " is added after one of op %" PRIu32,
                       output->producer, other);
    GMEM_TRY(check_other_reuse(graph, reuse, &graph->reuses[i], diag));
  }
  return GMEM_OK;
}

gmem_status_t gmem_order_add_reuse(gmem_order_graph_t *graph,
                                   const gmem_order_reuse_t *reuse,
                                   gmem_diag_t *diag) {
  GMEM_NEED(graph && reuse, diag);
  graph->memory.diag = diag;
  GMEM_TRY(check_reuse(graph, reuse, diag));
  GMEM_TRY_ROOM(graph->reuses, &graph->memory, graph->reuse_count,
                graph->reuse_room);
  graph->reuses[graph->reuse_count++] = *reuse;
  return GMEM_OK;
}
