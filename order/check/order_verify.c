// order_verify.c - checks an order and computes its peak from the positions of
// the ops: a buffer occupies the positions from its producer to its last use.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <inttypes.h>

#include "diag.h"
#include "order_graph.h"

typedef struct verifier_s {
  const gmem_order_graph_t *graph;
  const uint32_t *order;
  uint32_t *place;   // by op: its position
  uint32_t *last;    // by buffer (its root tensor): position of the last use
  uint64_t *bytes;   // by buffer: the largest of its tensors
  bool *is_used;     // by buffer: something produces, uses or keeps it
  bool *stays;       // by buffer: kept
  uint64_t *changes; // by position: bytes that come minus bytes that went
  uint64_t *saved;   // by position: bytes that outputs overwrite
} verifier_t;

static gmem_status_t fail(gmem_diag_t *diag, uint32_t op, const char *text,
                          uint32_t other) {
  gmem_status_t status = gmem_fail(
      diag, GMEM_ERR_INVALID_ARGUMENT,
      "the order is invalid: op %" PRIu32 " %s %" PRIu32, op, text, other);
  if (diag)
    diag->object = op;
  return status;
}

static gmem_status_t place_ops(verifier_t *v, gmem_diag_t *diag) {
  uint32_t count = (uint32_t)v->graph->op_count;
  for (uint32_t op = 0; op < count; ++op)
    v->place[op] = GMEM_ORDER_NONE;
  for (uint32_t p = 0; p < count; ++p) {
    uint32_t op = v->order[p];
    if (op >= count)
      return fail(diag, op, "is not in the graph; the number of ops is", count);
    if (v->place[op] != GMEM_ORDER_NONE)
      return fail(diag, op, "occurs again at position", p);
    v->place[op] = p;
  }
  return GMEM_OK;
}

static gmem_status_t check_dependences(const verifier_t *v, gmem_diag_t *diag) {
  const gmem_order_graph_t *graph = v->graph;
  for (size_t i = 0; i < graph->edge_count; ++i)
    if (v->place[graph->edges[i].before] >= v->place[graph->edges[i].after])
      return fail(diag, graph->edges[i].after, "must execute after op",
                  graph->edges[i].before);
  for (size_t i = 0; i < graph->tensor_count; ++i) {
    const gmem_order_tensor_t *tensor = &graph->tensors[i];
    if (tensor->producer == GMEM_ORDER_NONE)
      continue;
    for (uint32_t u = 0; u < tensor->user_count; ++u)
      if (v->place[tensor->users[u]] <= v->place[tensor->producer])
        return fail(diag, tensor->users[u], "uses a tensor of the later op",
                    tensor->producer);
  }
  return GMEM_OK;
}

static void extend(verifier_t *v, uint32_t buffer, uint32_t position) {
  v->is_used[buffer] = true;
  if (position > v->last[buffer])
    v->last[buffer] = position;
}

static void find_last_uses(verifier_t *v) {
  const gmem_order_graph_t *graph = v->graph;
  for (uint32_t i = 0; i < graph->tensor_count; ++i) {
    const gmem_order_tensor_t *tensor = &graph->tensors[i];
    uint32_t root = gmem_order_root(graph, i);
    if (tensor->bytes > v->bytes[root])
      v->bytes[root] = tensor->bytes;
    if (tensor->producer != GMEM_ORDER_NONE)
      extend(v, root, v->place[tensor->producer]);
    for (uint32_t u = 0; u < tensor->user_count; ++u)
      extend(v, root, v->place[tensor->users[u]]);
    if (tensor->is_kept) {
      v->is_used[root] = v->stays[root] = true;
      v->last[root] = (uint32_t)graph->op_count;
    }
  }
}

static void sum_buffers(verifier_t *v) {
  const gmem_order_graph_t *graph = v->graph;
  for (uint32_t i = 0; i < graph->tensor_count; ++i) {
    const gmem_order_tensor_t *tensor = &graph->tensors[i];
    if (tensor->view_of != GMEM_ORDER_NONE || !v->is_used[i])
      continue;
    uint32_t begin =
        tensor->producer == GMEM_ORDER_NONE ? 0 : v->place[tensor->producer];
    v->changes[begin] += v->bytes[i];
    v->changes[v->last[i] + 1] -= v->bytes[i]; // wraps; the sums do not
  }
}

// Bytes that outputs overwrite. The reuses of an output are in the order of
// addition, which is that of the ops.
static void sum_reuses(verifier_t *v, uint64_t *of_output) {
  const gmem_order_graph_t *graph = v->graph;
  for (size_t i = 0; i < graph->reuse_count; ++i) {
    const gmem_order_reuse_t *reuse = &graph->reuses[i];
    uint32_t input = gmem_order_root(graph, reuse->input);
    uint32_t position = v->place[graph->tensors[reuse->output].producer];
    uint64_t room = v->bytes[reuse->output], had = of_output[reuse->output];
    bool is_repeated = false;
    for (size_t k = i; k-- > 0 && !is_repeated;) {
      const gmem_order_reuse_t *other = &graph->reuses[k];
      if (graph->tensors[other->output].producer !=
          graph->tensors[reuse->output].producer)
        break;
      is_repeated = gmem_order_root(graph, other->input) == input;
    }
    if (is_repeated || v->stays[input] || v->last[input] != position)
      continue;
    uint64_t bytes = v->bytes[input] < room ? v->bytes[input] : room;
    uint64_t now = !reuse->is_part      ? (bytes > had ? bytes : had)
                   : bytes > room - had ? room
                                        : had + bytes;
    of_output[reuse->output] = now;
    v->saved[position] += now - had;
  }
}

static uint64_t find_peak(const verifier_t *v) {
  uint64_t live = 0, peak = 0;
  for (uint32_t p = 0; p < v->graph->op_count; ++p) {
    live += v->changes[p];
    uint64_t need = live + v->graph->ops[v->order[p]].scratch - v->saved[p];
    if (need > peak)
      peak = need;
  }
  live += v->changes[v->graph->op_count]; // without ops: the kept inputs
  return live > peak ? live : peak;
}

static gmem_status_t verify(verifier_t *v, gmem_scratch_t *memory,
                            uint64_t *out_peak) {
  const gmem_order_graph_t *graph = v->graph;
  uint64_t *of_output;
  GMEM_TRY_NEW(v->place, memory, graph->op_count);
  GMEM_TRY_ZEROS(v->last, memory, graph->tensor_count);
  GMEM_TRY_ZEROS(v->bytes, memory, graph->tensor_count);
  GMEM_TRY_ZEROS(v->is_used, memory, graph->tensor_count);
  GMEM_TRY_ZEROS(v->stays, memory, graph->tensor_count);
  GMEM_TRY_ZEROS(v->changes, memory, graph->op_count + 2);
  GMEM_TRY_ZEROS(v->saved, memory, graph->op_count);
  GMEM_TRY_ZEROS(of_output, memory, graph->tensor_count);
  GMEM_TRY(place_ops(v, memory->diag));
  GMEM_TRY(check_dependences(v, memory->diag));
  find_last_uses(v);
  sum_buffers(v);
  sum_reuses(v, of_output);
  if (out_peak)
    *out_peak = find_peak(v);
  return GMEM_OK;
}

gmem_status_t gmem_order_verify(const gmem_order_graph_t *graph,
                                const uint32_t *order, uint64_t *out_peak,
                                gmem_diag_t *diag) {
  GMEM_NEED(graph, diag);
  gmem_scratch_t memory = {.allocator = &graph->allocator, .diag = diag};
  verifier_t verifier = {.graph = graph, .order = order};
  gmem_status_t status = verify(&verifier, &memory, out_peak);
  gmem_scratch_free(&memory);
  return status;
}
