// order_net.c - a graph in the form that the searches read.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "order_net.h"

#include <assert.h>
#include <string.h>

#include "diag.h"

//===--- lists ------------------------------------------------------------===//

// Counting sort of |pairs| by |before| (or by |after|, if |by_after|), each
// list ascending and without repetitions if the pairs are sorted by the other
// end.
typedef struct sorter_s {
  gmem_scratch_t *memory;
  const gmem_order_edge_t *pairs;
  size_t count;
  bool by_after;
} sorter_t;

static uint32_t key_of(const sorter_t *sorter, size_t i) {
  return sorter->by_after ? sorter->pairs[i].after : sorter->pairs[i].before;
}

static uint32_t item_of(const sorter_t *sorter, size_t i) {
  return sorter->by_after ? sorter->pairs[i].before : sorter->pairs[i].after;
}

static gmem_status_t make_lists(const sorter_t *sorter, uint32_t keys,
                                gmem_order_lists_t *out) {
  gmem_order_lists_t lists;
  GMEM_TRY_ZEROS(lists.begin, sorter->memory, (size_t)keys + 2);
  GMEM_TRY_NEW(lists.items, sorter->memory, sorter->count);
  uint32_t *next = lists.begin + 1; // of the key: becomes the end of its list
  for (size_t i = 0; i < sorter->count; ++i)
    ++next[key_of(sorter, i) + 1];
  for (uint32_t key = 0; key < keys; ++key)
    next[key + 1] += next[key];
  for (size_t i = 0; i < sorter->count; ++i)
    lists.items[next[key_of(sorter, i)]++] = item_of(sorter, i);
  *out = lists;
  return GMEM_OK;
}

static void drop_repeated(gmem_order_lists_t *lists, uint32_t keys) {
  uint32_t kept = 0, from = 0;
  for (uint32_t key = 0; key < keys; ++key) {
    uint32_t begin = kept, end = lists->begin[key + 1];
    for (; from < end; ++from)
      if (kept == begin || lists->items[kept - 1] != lists->items[from])
        lists->items[kept++] = lists->items[from];
    lists->begin[key] = begin;
    lists->begin[key + 1] = end; // replaced in the next round
  }
  lists->begin[keys] = kept;
}

// Both directions of the pairs, which are sorted along: |forth| by |before|, of
// which there are counts[0], |back| by |after|.
static gmem_status_t make_both(sorter_t sorter, gmem_order_edge_t *pairs,
                               const uint32_t counts[2],
                               gmem_order_lists_t *forth,
                               gmem_order_lists_t *back) {
  const uint32_t befores = counts[0], afters = counts[1];
  gmem_order_lists_t lists;
  size_t at = 0;
  // Sorting twice sorts by both ends.
  sorter.by_after = true;
  GMEM_TRY(make_lists(&sorter, afters, &lists));
  for (uint32_t after = 0; after < afters; ++after)
    for (uint32_t i = lists.begin[after]; i < lists.begin[after + 1]; ++i)
      pairs[at++] = (gmem_order_edge_t){lists.items[i], after};
  assert(at == sorter.count);
  gmem_scratch_drop(sorter.memory, lists.items);
  gmem_scratch_drop(sorter.memory, lists.begin);
  sorter.by_after = false;
  GMEM_TRY(make_lists(&sorter, befores, forth));
  drop_repeated(forth, befores);
  at = 0;
  for (uint32_t before = 0; before < befores; ++before)
    for (uint32_t i = forth->begin[before]; i < forth->begin[before + 1]; ++i)
      pairs[at++] = (gmem_order_edge_t){before, forth->items[i]};
  sorter.by_after = true;
  sorter.count = at;
  return make_lists(&sorter, afters, back);
}

//===--- costs ------------------------------------------------------------===//

static bool outlives(const gmem_order_net_t *net, uint32_t buffer) {
  if (net->buffers[buffer].is_kept)
    return true;
  for (uint32_t i = net->users.begin[buffer]; i < net->users.begin[buffer + 1];
       ++i)
    if (net->users.items[i] != net->buffers[buffer].producer)
      return true;
  return false;
}

static gmem_status_t make_costs(gmem_order_net_t *net,
                                const gmem_order_draft_t *draft,
                                gmem_scratch_t *memory) {
  GMEM_TRY_NEW(net->costs, memory, net->op_count);
  for (uint32_t op = 0; op < net->op_count; ++op)
    net->costs[op] = (gmem_order_cost_t){.scratch = draft->scratch[op]};
  for (uint32_t b = 0; b < net->buffer_count; ++b) {
    const gmem_order_buffer_t *buffer = &net->buffers[b];
    if (buffer->producer == GMEM_ORDER_NONE)
      continue;
    net->costs[buffer->producer].made += buffer->bytes;
    if (outlives(net, b))
      net->costs[buffer->producer].stays += buffer->bytes;
  }
  return GMEM_OK;
}

//===--- facts ------------------------------------------------------------===//

// Sorts the facts of one op by output (few: insertion sort).
static void sort_facts(gmem_order_fact_t *facts, size_t count) {
  for (size_t i = 1; i < count; ++i) {
    gmem_order_fact_t fact = facts[i];
    size_t k = i;
    for (; k > 0 && facts[k - 1].output > fact.output; --k)
      facts[k] = facts[k - 1];
    facts[k] = fact;
  }
}

static bool is_repeated(const gmem_order_fact_t *facts, size_t begin,
                        size_t end, const gmem_order_fact_t *fact) {
  for (size_t i = begin; i < end; ++i)
    if (facts[i].input == fact->input)
      return true;
  return false;
}

static gmem_status_t make_facts(gmem_order_net_t *net,
                                const gmem_order_draft_t *draft,
                                gmem_scratch_t *memory) {
  size_t kept = 0, i = 0;
  net->facts = draft->facts;
  GMEM_TRY_NEW(net->fact_begin, memory, (size_t)net->op_count + 1);
  for (uint32_t op = 0; op < net->op_count; ++op) {
    size_t begin = kept;
    net->fact_begin[op] = (uint32_t)begin;
    for (; i < draft->fact_count && draft->facts[i].op == op; ++i)
      if (!is_repeated(net->facts, begin, kept, &draft->facts[i]))
        net->facts[kept++] = draft->facts[i];
    sort_facts(net->facts + begin, kept - begin);
  }
  assert(i == draft->fact_count && "facts are sorted by op");
  net->fact_begin[net->op_count] = (uint32_t)kept;
  return GMEM_OK;
}

//===--- nets -------------------------------------------------------------===//

static gmem_status_t make_outs(gmem_order_net_t *net, gmem_scratch_t *memory) {
  uint32_t *next;
  GMEM_TRY_ZEROS(net->outs.begin, memory, (size_t)net->op_count + 2);
  GMEM_TRY_NEW(net->outs.items, memory, net->buffer_count);
  next = net->outs.begin + 1;
  for (uint32_t b = 0; b < net->buffer_count; ++b)
    if (net->buffers[b].producer != GMEM_ORDER_NONE)
      ++next[net->buffers[b].producer + 1];
  for (uint32_t op = 0; op < net->op_count; ++op)
    next[op + 1] += next[op];
  for (uint32_t b = 0; b < net->buffer_count; ++b)
    if (net->buffers[b].producer != GMEM_ORDER_NONE)
      net->outs.items[next[net->buffers[b].producer]++] = b;
  return GMEM_OK;
}

gmem_status_t gmem_order_net_create(gmem_order_draft_t *draft,
                                    gmem_scratch_t *memory,
                                    gmem_order_net_t *out_net) {
  gmem_order_net_t net = {.op_count = draft->op_count,
                          .buffer_count = draft->buffer_count,
                          .base = draft->base,
                          .buffers = draft->buffers};
  GMEM_TRY(make_outs(&net, memory));
  sorter_t uses = {memory, draft->uses, draft->use_count, false};
  sorter_t edges = {memory, draft->edges, draft->edge_count, false};
  GMEM_TRY(make_both(uses, draft->uses,
                     (uint32_t[]){net.buffer_count, net.op_count}, &net.users,
                     &net.ins));
  GMEM_TRY(make_both(edges, draft->edges,
                     (uint32_t[]){net.op_count, net.op_count}, &net.succs,
                     &net.preds));
  GMEM_TRY(make_costs(&net, draft, memory));
  GMEM_TRY(make_facts(&net, draft, memory));
  *out_net = net;
  return GMEM_OK;
}

void gmem_order_net_check(const gmem_order_net_t *net) {
  for (uint32_t op = 0; op < net->op_count; ++op) {
    assert(net->succs.begin[op] <= net->succs.begin[op + 1]);
    assert(net->costs[op].stays <= net->costs[op].made);
    for (uint32_t i = net->succs.begin[op]; i < net->succs.begin[op + 1]; ++i)
      assert(net->succs.items[i] > op && net->succs.items[i] < net->op_count);
    for (uint32_t i = net->ins.begin[op]; i < net->ins.begin[op + 1]; ++i)
      assert(net->ins.items[i] < net->buffer_count);
  }
}

//===--- from a graph -----------------------------------------------------===//

static size_t count_users(const gmem_order_graph_t *graph) {
  size_t count = graph->tensor_count;
  for (size_t i = 0; i < graph->tensor_count; ++i)
    count += graph->tensors[i].user_count;
  return count;
}

// The storages become buffers: buffer_of[tensor].
static void draft_buffers(const gmem_order_graph_t *graph, uint32_t *buffer_of,
                          gmem_order_draft_t *draft) {
  for (uint32_t i = 0; i < graph->tensor_count; ++i) {
    const gmem_order_tensor_t *tensor = &graph->tensors[i];
    if (tensor->view_of == GMEM_ORDER_NONE) {
      buffer_of[i] = draft->buffer_count;
      draft->buffers[draft->buffer_count++] =
          (gmem_order_buffer_t){.producer = tensor->producer};
    } else {
      buffer_of[i] = buffer_of[tensor->view_of];
    }
    gmem_order_buffer_t *buffer = &draft->buffers[buffer_of[i]];
    if (tensor->bytes > buffer->bytes)
      buffer->bytes = tensor->bytes;
    buffer->is_kept |= tensor->is_kept;
  }
}

static void draft_uses(const gmem_order_graph_t *graph,
                       const uint32_t *buffer_of, gmem_order_draft_t *draft) {
  for (uint32_t i = 0; i < graph->tensor_count; ++i) {
    const gmem_order_tensor_t *tensor = &graph->tensors[i];
    if (tensor->view_of != GMEM_ORDER_NONE &&
        tensor->producer != GMEM_ORDER_NONE &&
        tensor->producer != draft->buffers[buffer_of[i]].producer)
      draft->uses[draft->use_count++] =
          (gmem_order_edge_t){buffer_of[i], tensor->producer};
    for (uint32_t u = 0; u < tensor->user_count; ++u) {
      draft->uses[draft->use_count++] =
          (gmem_order_edge_t){buffer_of[i], tensor->users[u]};
      if (tensor->producer != GMEM_ORDER_NONE)
        draft->edges[draft->edge_count++] =
            (gmem_order_edge_t){tensor->producer, tensor->users[u]};
    }
  }
}

gmem_status_t gmem_order_net_of_graph(const gmem_order_graph_t *graph,
                                      gmem_scratch_t *memory,
                                      gmem_order_net_t *out_net) {
  gmem_order_draft_t draft = {.op_count = (uint32_t)graph->op_count};
  size_t users = count_users(graph);
  uint32_t *buffer_of;
  // Lists are indexed with 32 bits.
  if (users >= UINT32_MAX || graph->edge_count >= UINT32_MAX - users ||
      graph->reuse_count >= UINT32_MAX)
    return gmem_fail(memory->diag, GMEM_ERR_OUT_OF_RANGE,
                     "the graph has more than 4294967295 uses and edges");
  GMEM_TRY_NEW(buffer_of, memory, graph->tensor_count);
  GMEM_TRY_NEW(draft.buffers, memory, graph->tensor_count);
  GMEM_TRY_NEW(draft.uses, memory, users);
  GMEM_TRY_NEW(draft.edges, memory, users + graph->edge_count);
  GMEM_TRY_NEW(draft.facts, memory, graph->reuse_count);
  GMEM_TRY_NEW(draft.scratch, memory, graph->op_count);
  draft_buffers(graph, buffer_of, &draft);
  draft_uses(graph, buffer_of, &draft);
  for (size_t i = 0; i < graph->edge_count; ++i)
    draft.edges[draft.edge_count++] = graph->edges[i];
  for (size_t i = 0; i < graph->reuse_count; ++i) {
    const gmem_order_reuse_t *reuse = &graph->reuses[i];
    draft.facts[draft.fact_count++] =
        (gmem_order_fact_t){.op = graph->tensors[reuse->output].producer,
                            .input = buffer_of[reuse->input],
                            .output = buffer_of[reuse->output],
                            .is_part = reuse->is_part};
  }
  for (size_t i = 0; i < graph->op_count; ++i)
    draft.scratch[i] = graph->ops[i].scratch;
  GMEM_TRY(gmem_order_net_create(&draft, memory, out_net));
  gmem_order_net_check(out_net);
  return GMEM_OK;
}
