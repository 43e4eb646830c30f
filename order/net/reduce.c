// reduce.c - merges ops that some best order executes next to each other.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. A *free* op (no new bytes, no scratch) that depends on one group only
//    executes directly after that group: it never adds bytes, so no later state
//    gets larger (views, reshapes).
// 2. A *source* (it ends no live range) with one successor executes directly
//    before that successor: it only adds bytes, so no state gets larger if it
//    executes later (fills, constants). Its own need must not exceed what the
//    successor needs anyway.
//
// Each group has a main op: the one that is neither free nor a source.

#include "reduce.h"

#include <assert.h>

typedef struct reducer_s {
  const gmem_order_net_t *net;
  gmem_scratch_t *memory;
  uint32_t *group; // by op: the main op of its group; follow until it is itself
  uint32_t *next;  // by op: the next op of its group, or GMEM_ORDER_NONE
  uint32_t *first; // by main op
  uint32_t *tail;  // by main op
  uint32_t *left;  // by buffer: users, counted down by simulate()
} reducer_t;

static uint32_t group_of(const reducer_t *r, uint32_t op) {
  while (r->group[op] != op) {
    r->group[op] = r->group[r->group[op]];
    op = r->group[op];
  }
  return op;
}

//===--- free ops ---------------------------------------------------------===//

static void merge_free(reducer_t *r, uint32_t op) {
  const gmem_order_net_t *net = r->net;
  uint32_t begin = net->preds.begin[op], end = net->preds.begin[op + 1];
  if (begin == end || net->costs[op].made || net->costs[op].scratch)
    return;
  uint32_t group = group_of(r, net->preds.items[begin]);
  for (uint32_t i = begin + 1; i < end; ++i)
    if (group_of(r, net->preds.items[i]) != group)
      return;
  r->group[op] = group;
  r->next[r->tail[group]] = op;
  r->tail[group] = op;
}

//===--- sources ----------------------------------------------------------===//

// The only group that depends on |group|; GMEM_ORDER_NONE if there is none or
// several.
static uint32_t only_successor(const reducer_t *r, uint32_t group) {
  const gmem_order_lists_t *succs = &r->net->succs;
  uint32_t only = GMEM_ORDER_NONE;
  for (uint32_t op = r->first[group]; op != GMEM_ORDER_NONE; op = r->next[op])
    for (uint32_t i = succs->begin[op]; i < succs->begin[op + 1]; ++i) {
      uint32_t other = group_of(r, succs->items[i]);
      if (other != group && only != GMEM_ORDER_NONE && other != only)
        return GMEM_ORDER_NONE;
      if (other != group)
        only = other;
    }
  return only;
}

// Whether no live range that began outside can end in |group|.
static bool ends_nothing(const reducer_t *r, uint32_t group) {
  const gmem_order_net_t *net = r->net;
  for (uint32_t op = r->first[group]; op != GMEM_ORDER_NONE; op = r->next[op])
    for (uint32_t i = net->ins.begin[op]; i < net->ins.begin[op + 1]; ++i) {
      const gmem_order_buffer_t *buffer = &net->buffers[net->ins.items[i]];
      if (!buffer->is_kept && (buffer->producer == GMEM_ORDER_NONE ||
                               group_of(r, buffer->producer) != group))
        return false;
    }
  return true;
}

static uint64_t sure_reuse(const reducer_t *r, uint32_t op) {
  const gmem_order_net_t *net = r->net;
  uint64_t most = 0;
  for (uint32_t i = net->fact_begin[op]; i < net->fact_begin[op + 1]; ++i) {
    const gmem_order_fact_t *fact = &net->facts[i];
    uint64_t bytes = net->buffers[fact->input].bytes;
    uint64_t room = net->buffers[fact->output].bytes;
    if (r->left[fact->input] != 1 || net->buffers[fact->input].is_kept)
      continue;
    bytes = bytes < room ? bytes : room;
    most = bytes > most ? bytes : most; // less than all: a larger need
  }
  return most;
}

// Executes a source group alone: its largest need and what is live after it.
static void simulate(reducer_t *r, uint32_t group, uint64_t *out_need,
                     uint64_t *out_rest) {
  const gmem_order_net_t *net = r->net;
  uint64_t live = 0, most = 0;
  for (uint32_t op = r->first[group]; op != GMEM_ORDER_NONE; op = r->next[op]) {
    const gmem_order_cost_t *cost = &net->costs[op];
    uint64_t need = live + cost->made + cost->scratch - sure_reuse(r, op);
    most = need > most ? need : most;
    live += cost->stays;
    for (uint32_t i = net->ins.begin[op]; i < net->ins.begin[op + 1]; ++i) {
      const gmem_order_buffer_t *buffer = &net->buffers[net->ins.items[i]];
      if (--r->left[net->ins.items[i]] == 0 && !buffer->is_kept &&
          buffer->producer != op)
        live -= buffer->bytes;
    }
  }
  for (uint32_t op = r->first[group]; op != GMEM_ORDER_NONE; op = r->next[op])
    for (uint32_t i = net->ins.begin[op]; i < net->ins.begin[op + 1]; ++i)
      ++r->left[net->ins.items[i]];
  *out_need = most;
  *out_rest = live;
}

// What the main op adds to the live bytes at least.
static uint64_t least_need(const reducer_t *r, uint32_t op) {
  const gmem_order_net_t *net = r->net;
  uint64_t need = net->costs[op].made + net->costs[op].scratch;
  for (uint32_t i = net->fact_begin[op]; i < net->fact_begin[op + 1]; ++i)
    if (i == net->fact_begin[op] ||
        net->facts[i].output != net->facts[i - 1].output)
      need -= net->buffers[net->facts[i].output].bytes;
  return need;
}

static void merge_source(reducer_t *r, uint32_t group) {
  uint64_t need, rest;
  uint32_t successor = only_successor(r, group);
  if (successor == GMEM_ORDER_NONE || !ends_nothing(r, group))
    return;
  simulate(r, group, &need, &rest);
  assert(need >= rest);
  if (need - rest > least_need(r, successor))
    return;
  r->next[r->tail[group]] = r->first[successor];
  r->first[successor] = r->first[group];
  r->group[group] = successor;
}

static gmem_status_t merge(reducer_t *r) {
  uint32_t count = r->net->op_count;
  GMEM_TRY_NEW(r->group, r->memory, count);
  GMEM_TRY_NEW(r->next, r->memory, count);
  GMEM_TRY_NEW(r->first, r->memory, count);
  GMEM_TRY_NEW(r->tail, r->memory, count);
  GMEM_TRY_NEW(r->left, r->memory, r->net->buffer_count);
  for (uint32_t b = 0; b < r->net->buffer_count; ++b)
    r->left[b] = r->net->users.begin[b + 1] - r->net->users.begin[b];
  for (uint32_t op = 0; op < count; ++op) {
    r->group[op] = r->first[op] = r->tail[op] = op;
    r->next[op] = GMEM_ORDER_NONE;
  }
  for (uint32_t op = 0; op < count; ++op)
    merge_free(r, op);
  for (uint32_t op = 0; op < count; ++op)
    if (r->group[op] == op)
      merge_source(r, op);
  return GMEM_OK;
}

//===--- the reduced net --------------------------------------------------===//

// Buffers that are gone before the main op of their group executes are left
// out: merge_source has made sure that they do not matter.
static gmem_status_t find_gone(const reducer_t *r, bool *is_gone) {
  const gmem_order_net_t *net = r->net;
  uint32_t *before; // by op: the op precedes the main op of its group
  GMEM_TRY_ZEROS(before, r->memory, net->op_count);
  for (uint32_t op = 0; op < net->op_count; ++op)
    if (r->group[op] == op)
      for (uint32_t i = r->first[op]; i != op; i = r->next[i])
        before[i] = 1;
  for (uint32_t b = 0; b < net->buffer_count; ++b) {
    const gmem_order_buffer_t *buffer = &net->buffers[b];
    is_gone[b] = buffer->producer != GMEM_ORDER_NONE && !buffer->is_kept &&
                 before[buffer->producer];
    for (uint32_t i = net->users.begin[b];
         is_gone[b] && i < net->users.begin[b + 1]; ++i)
      is_gone[b] =
          before[net->users.items[i]] &&
          group_of(r, net->users.items[i]) == group_of(r, buffer->producer);
  }
  return GMEM_OK;
}

// Whether another op of the group of |op| executes after it and uses |buffer|.
static bool is_used_after(const reducer_t *r, uint32_t op, uint32_t buffer) {
  const gmem_order_lists_t *ins = &r->net->ins;
  for (uint32_t o = r->next[op]; o != GMEM_ORDER_NONE; o = r->next[o])
    for (uint32_t i = ins->begin[o]; i < ins->begin[o + 1]; ++i)
      if (ins->items[i] == buffer)
        return true;
  return false;
}

static void draft_ops(const reducer_t *r, const uint32_t *number,
                      const uint32_t *buffer_of, gmem_order_draft_t *draft) {
  const gmem_order_net_t *net = r->net;
  for (uint32_t op = 0; op < net->op_count; ++op) {
    uint32_t main = group_of(r, op), own = number[main];
    for (uint32_t i = net->ins.begin[op]; i < net->ins.begin[op + 1]; ++i)
      if (buffer_of[net->ins.items[i]] != GMEM_ORDER_NONE)
        draft->uses[draft->use_count++] =
            (gmem_order_edge_t){buffer_of[net->ins.items[i]], own};
    for (uint32_t i = net->succs.begin[op]; i < net->succs.begin[op + 1]; ++i) {
      uint32_t other = number[group_of(r, net->succs.items[i])];
      if (other != own)
        draft->edges[draft->edge_count++] = (gmem_order_edge_t){own, other};
    }
    if (main != op)
      continue;
    draft->scratch[own] = net->costs[op].scratch;
    for (uint32_t i = net->fact_begin[op]; i < net->fact_begin[op + 1]; ++i) {
      gmem_order_fact_t fact = net->facts[i];
      if (is_used_after(r, op, fact.input))
        continue;
      fact.op = own;
      fact.input = buffer_of[fact.input];
      fact.output = buffer_of[fact.output];
      assert(fact.input != GMEM_ORDER_NONE && fact.output != GMEM_ORDER_NONE);
      draft->facts[draft->fact_count++] = fact;
    }
  }
}

static gmem_status_t draft_groups(const reducer_t *r, gmem_order_draft_t *draft,
                                  uint32_t *number, gmem_order_reduced_t *out) {
  uint32_t at = 0;
  GMEM_TRY_NEW(out->groups.begin, r->memory, (size_t)r->net->op_count + 1);
  GMEM_TRY_NEW(out->groups.items, r->memory, r->net->op_count);
  for (uint32_t op = 0; op < r->net->op_count; ++op) {
    if (r->group[op] != op)
      continue;
    out->groups.begin[draft->op_count] = at;
    number[op] = draft->op_count++;
    for (uint32_t i = r->first[op]; i != GMEM_ORDER_NONE; i = r->next[i])
      out->groups.items[at++] = i;
  }
  assert(at == r->net->op_count && "every op is in one group");
  out->groups.begin[draft->op_count] = at;
  return GMEM_OK;
}

static gmem_status_t make_draft(const reducer_t *r, gmem_order_draft_t *draft,
                                gmem_order_reduced_t *out) {
  const gmem_order_net_t *net = r->net;
  uint32_t *number, *buffer_of;
  bool *is_gone;
  GMEM_TRY_NEW(number, r->memory, net->op_count);
  GMEM_TRY_NEW(buffer_of, r->memory, net->buffer_count);
  GMEM_TRY_NEW(is_gone, r->memory, net->buffer_count);
  GMEM_TRY(find_gone(r, is_gone));
  GMEM_TRY(draft_groups(r, draft, number, out));
  GMEM_TRY_NEW(draft->scratch, r->memory, draft->op_count);
  GMEM_TRY_NEW(draft->buffers, r->memory, net->buffer_count);
  GMEM_TRY_NEW(draft->uses, r->memory, net->ins.begin[net->op_count]);
  GMEM_TRY_NEW(draft->edges, r->memory, net->succs.begin[net->op_count]);
  GMEM_TRY_NEW(draft->facts, r->memory, net->fact_begin[net->op_count]);
  draft->base = net->base;
  for (uint32_t b = 0; b < net->buffer_count; ++b) {
    gmem_order_buffer_t buffer = net->buffers[b];
    buffer_of[b] = is_gone[b] ? GMEM_ORDER_NONE : draft->buffer_count;
    if (is_gone[b])
      continue;
    if (buffer.producer != GMEM_ORDER_NONE)
      buffer.producer = number[group_of(r, buffer.producer)];
    draft->buffers[draft->buffer_count++] = buffer;
  }
  draft_ops(r, number, buffer_of, draft);
  return GMEM_OK;
}

gmem_status_t gmem_order_reduce(const gmem_order_net_t *net,
                                gmem_scratch_t *memory,
                                gmem_order_reduced_t *out) {
  reducer_t reducer = {.net = net, .memory = memory};
  gmem_order_draft_t draft = {0};
  GMEM_TRY(merge(&reducer));
  GMEM_TRY(make_draft(&reducer, &draft, out));
  GMEM_TRY(gmem_order_net_create(&draft, memory, &out->net));
  gmem_order_net_check(&out->net);
  return GMEM_OK;
}
