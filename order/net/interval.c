// interval.c - part of an order as a net of its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "interval.h"

#include <assert.h>
#include <string.h>

#include "executed.h"

gmem_status_t gmem_order_profile_create(const gmem_order_net_t *net,
                                        gmem_scratch_t *memory,
                                        gmem_order_profile_t *out_profile) {
  gmem_order_profile_t profile = {.net = net};
  GMEM_TRY_NEW(profile.place, memory, net->op_count);
  GMEM_TRY_NEW(profile.last, memory, net->buffer_count);
  GMEM_TRY_NEW(profile.live, memory, net->op_count);
  GMEM_TRY_NEW(profile.local, memory, net->buffer_count);
  GMEM_TRY_ZEROS(profile.stamp, memory, net->buffer_count);
  *out_profile = profile;
  return GMEM_OK;
}

gmem_status_t gmem_order_profile_read(gmem_order_profile_t *profile,
                                      const uint32_t *order,
                                      gmem_scratch_t *memory,
                                      uint64_t *out_peak) {
  const gmem_order_net_t *net = profile->net;
  profile->order = order;
  for (uint32_t p = 0; p < net->op_count; ++p)
    profile->place[order[p]] = p;
  for (uint32_t b = 0; b < net->buffer_count; ++b) {
    profile->last[b] = 0;
    for (uint32_t i = net->users.begin[b]; i < net->users.begin[b + 1]; ++i)
      if (profile->place[net->users.items[i]] > profile->last[b])
        profile->last[b] = profile->place[net->users.items[i]];
  }
  return gmem_order_peak(net, order, memory, profile->live, out_peak);
}

// The number of |buffer| in the interval, which it joins if it is new. An input
// of the interval is no longer part of the base.
static uint32_t join(gmem_order_profile_t *profile, uint32_t buffer,
                     uint32_t begin, uint32_t end, gmem_order_draft_t *draft) {
  const gmem_order_buffer_t *from = &profile->net->buffers[buffer];
  if (profile->stamp[buffer] == profile->stamps)
    return profile->local[buffer];
  bool is_inside = from->producer != GMEM_ORDER_NONE &&
                   profile->place[from->producer] >= begin;
  profile->stamp[buffer] = profile->stamps;
  profile->local[buffer] = draft->buffer_count;
  if (!is_inside)
    draft->base -= from->bytes;
  draft->buffers[draft->buffer_count] = (gmem_order_buffer_t){
      .bytes = from->bytes,
      .producer =
          is_inside ? profile->place[from->producer] - begin : GMEM_ORDER_NONE,
      .is_kept = from->is_kept || profile->last[buffer] >= end};
  return draft->buffer_count++;
}

static void draft_op(gmem_order_profile_t *profile, uint32_t position,
                     uint32_t begin, uint32_t end, gmem_order_draft_t *draft) {
  const gmem_order_net_t *net = profile->net;
  uint32_t op = profile->order[position], own = position - begin;
  draft->scratch[own] = net->costs[op].scratch;
  for (uint32_t i = net->outs.begin[op]; i < net->outs.begin[op + 1]; ++i)
    join(profile, net->outs.items[i], begin, end, draft);
  for (uint32_t i = net->ins.begin[op]; i < net->ins.begin[op + 1]; ++i) {
    uint32_t b = join(profile, net->ins.items[i], begin, end, draft);
    draft->uses[draft->use_count++] = (gmem_order_edge_t){b, own};
  }
  for (uint32_t i = net->succs.begin[op]; i < net->succs.begin[op + 1]; ++i) {
    uint32_t place = profile->place[net->succs.items[i]];
    if (place < end)
      draft->edges[draft->edge_count++] =
          (gmem_order_edge_t){own, place - begin};
  }
  for (uint32_t i = net->fact_begin[op]; i < net->fact_begin[op + 1]; ++i) {
    gmem_order_fact_t fact = net->facts[i];
    fact.op = own;
    fact.input = profile->local[fact.input];
    fact.output = profile->local[fact.output];
    draft->facts[draft->fact_count++] = fact;
  }
}

gmem_status_t gmem_order_interval(gmem_order_profile_t *profile, uint32_t begin,
                                  uint32_t end, gmem_scratch_t *memory,
                                  gmem_order_net_t *out_net) {
  const gmem_order_net_t *net = profile->net;
  gmem_order_draft_t draft = {.op_count = end - begin,
                              .base = profile->live[begin]};
  size_t outs = 0, ins = 0, succs = 0, facts = 0;
  assert(begin < end && end <= net->op_count);
  for (uint32_t p = begin; p < end; ++p) {
    uint32_t op = profile->order[p];
    outs += net->outs.begin[op + 1] - net->outs.begin[op];
    ins += net->ins.begin[op + 1] - net->ins.begin[op];
    succs += net->succs.begin[op + 1] - net->succs.begin[op];
    facts += net->fact_begin[op + 1] - net->fact_begin[op];
  }
  GMEM_TRY_NEW(draft.scratch, memory, draft.op_count);
  GMEM_TRY_NEW(draft.buffers, memory, outs + ins);
  GMEM_TRY_NEW(draft.uses, memory, ins);
  GMEM_TRY_NEW(draft.edges, memory, succs);
  GMEM_TRY_NEW(draft.facts, memory, facts);
  ++profile->stamps;
  for (uint32_t p = begin; p < end; ++p)
    draft_op(profile, p, begin, end, &draft);
  return gmem_order_net_create(&draft, memory, out_net);
}

// An op that is comparable with all others is alone between two cuts: every op
// before it has a successor up to it, every op after it a predecessor from it
// on.
uint32_t gmem_order_find_cuts(const gmem_order_net_t *net, uint32_t *scratch,
                              uint32_t *cuts) {
  uint32_t count = 0, n = net->op_count, reach = 0;
  scratch[n] = n;
  for (uint32_t op = n; op-- > 0;) { // the least last predecessor from op on
    uint32_t begin = net->preds.begin[op], end = net->preds.begin[op + 1];
    uint32_t last = begin == end ? 0 : net->preds.items[end - 1];
    bool has = begin != end;
    uint32_t low = has ? last + 1 : 0; // 0: none
    scratch[op] = low < scratch[op + 1] ? low : scratch[op + 1];
  }
  cuts[count++] = 0;
  for (uint32_t op = 0; op < n; ++op) {
    // |reach|: the largest first successor of the ops before this one.
    bool is_comparable = reach <= op && (op + 1 == n || scratch[op + 1] > op);
    if (is_comparable) {
      if (cuts[count - 1] != op)
        cuts[count++] = op;
      cuts[count++] = op + 1;
    }
    uint32_t begin = net->succs.begin[op];
    uint32_t first =
        begin == net->succs.begin[op + 1] ? n : net->succs.items[begin];
    reach = first > reach ? first : reach;
  }
  if (cuts[count - 1] != n)
    cuts[count++] = n;
  return count;
}
