// order_bound.c - a lower bound on the peak of all orders.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "order_bound.h"

#include <string.h>

#include "executed.h"

enum { MOST_EXACT = 3000 };

typedef struct bounder_s {
  const gmem_order_net_t *net;
  uint32_t words;
  uint64_t *below; // by op, a bit set: its descendants
  uint64_t *above; // by op: its ancestors
  uint64_t *needs; // by op
} bounder_t;

static bool is_below(const bounder_t *b, uint32_t op, uint32_t of) {
  return b->below && gmem_order_bit(b->below + (size_t)of * b->words, op);
}

static bool may_die(const bounder_t *b, uint32_t buffer, uint32_t op) {
  const gmem_order_lists_t *users = &b->net->users;
  if (b->net->buffers[buffer].is_kept)
    return false;
  for (uint32_t i = users->begin[buffer]; i < users->begin[buffer + 1]; ++i)
    if (is_below(b, users->items[i], op))
      return false;
  return true;
}

// The bytes of inputs that the outputs of |op| overwrite at most.
static uint64_t most_reused(const bounder_t *b, uint32_t op) {
  const gmem_order_net_t *net = b->net;
  uint64_t sum = 0, of_output = 0;
  for (uint32_t i = net->fact_begin[op]; i < net->fact_begin[op + 1]; ++i) {
    const gmem_order_fact_t *fact = &net->facts[i];
    if (i > net->fact_begin[op] && fact[-1].output != fact->output) {
      sum += of_output;
      of_output = 0;
    }
    uint64_t room = net->buffers[fact->output].bytes;
    uint64_t bytes = net->buffers[fact->input].bytes;
    bytes = bytes < room ? bytes : room;
    if (!may_die(b, fact->input, op))
      continue;
    if (fact->is_part)
      of_output = bytes < room - of_output ? of_output + bytes : room;
    else
      of_output = bytes > of_output ? bytes : of_output;
  }
  return sum + of_output;
}

static void find_relatives(bounder_t *b) {
  const gmem_order_net_t *net = b->net;
  for (uint32_t op = 0; op < net->op_count; ++op) {
    uint64_t *own = b->above + (size_t)op * b->words;
    for (uint32_t i = net->preds.begin[op]; i < net->preds.begin[op + 1]; ++i) {
      uint32_t pred = net->preds.items[i];
      for (uint32_t w = 0; w < b->words; ++w)
        own[w] |= b->above[(size_t)pred * b->words + w];
      own[pred / 64] |= UINT64_C(1) << pred % 64;
    }
  }
  for (uint32_t op = net->op_count; op-- > 0;) {
    uint64_t *own = b->below + (size_t)op * b->words;
    for (uint32_t i = net->succs.begin[op]; i < net->succs.begin[op + 1]; ++i) {
      uint32_t succ = net->succs.items[i];
      for (uint32_t w = 0; w < b->words; ++w)
        own[w] |= b->below[(size_t)succ * b->words + w];
      own[succ / 64] |= UINT64_C(1) << succ % 64;
    }
  }
}

// Adds a buffer to the needs of all ops at which it is live in every order: the
// descendants of its producer that precede a user or are one.
static void add_buffer(bounder_t *b, uint32_t buffer, uint64_t *ops) {
  const gmem_order_net_t *net = b->net;
  const gmem_order_buffer_t *spec = &net->buffers[buffer];
  memset(ops, spec->is_kept ? 0xff : 0, b->words * sizeof *ops);
  for (uint32_t i = net->users.begin[buffer];
       !spec->is_kept && i < net->users.begin[buffer + 1]; ++i) {
    uint32_t user = net->users.items[i];
    for (uint32_t w = 0; w < b->words; ++w)
      ops[w] |= b->above[(size_t)user * b->words + w];
    ops[user / 64] |= UINT64_C(1) << user % 64;
  }
  for (uint32_t w = 0; spec->producer != GMEM_ORDER_NONE && w < b->words; ++w)
    ops[w] &= b->below[(size_t)spec->producer * b->words + w];
  for (uint32_t op = gmem_order_next_bit(ops, b->words, 0); op < net->op_count;
       op = gmem_order_next_bit(ops, b->words, op + 1))
    b->needs[op] += spec->bytes;
}

static gmem_status_t add_relatives(bounder_t *b, gmem_scratch_t *memory) {
  size_t size = (size_t)b->net->op_count * b->words;
  uint64_t *ops;
  GMEM_TRY_ZEROS(b->below, memory, size);
  GMEM_TRY_ZEROS(b->above, memory, size);
  GMEM_TRY_NEW(ops, memory, b->words);
  find_relatives(b);
  for (uint32_t i = 0; i < b->net->buffer_count; ++i)
    add_buffer(b, i, ops);
  gmem_scratch_drop(memory, ops);
  return GMEM_OK;
}

static void add_inputs(bounder_t *b) {
  const gmem_order_net_t *net = b->net;
  uint64_t always = 0;
  for (uint32_t i = 0; i < net->buffer_count; ++i)
    if (net->buffers[i].is_kept && net->buffers[i].producer == GMEM_ORDER_NONE)
      always += net->buffers[i].bytes;
  for (uint32_t op = 0; op < net->op_count; ++op) {
    b->needs[op] += always;
    for (uint32_t i = net->ins.begin[op]; i < net->ins.begin[op + 1]; ++i) {
      const gmem_order_buffer_t *in = &net->buffers[net->ins.items[i]];
      bool is_counted = in->is_kept && in->producer == GMEM_ORDER_NONE;
      if (!is_counted && in->producer != op)
        b->needs[op] += in->bytes;
    }
  }
}

// Live bytes at the begin and at the end.
static uint64_t bound_of_ends(const gmem_order_net_t *net) {
  uint64_t begin = net->base, end = net->base;
  for (uint32_t i = 0; i < net->buffer_count; ++i) {
    const gmem_order_buffer_t *buffer = &net->buffers[i];
    bool is_used = net->users.begin[i] < net->users.begin[i + 1];
    if (buffer->producer == GMEM_ORDER_NONE && (buffer->is_kept || is_used))
      begin += buffer->bytes;
    if (buffer->is_kept)
      end += buffer->bytes;
  }
  return begin > end ? begin : end;
}

gmem_status_t gmem_order_bound(const gmem_order_net_t *net,
                               gmem_scratch_t *memory, uint64_t *out_bound) {
  bounder_t b = {.net = net, .words = net->op_count / 64 + 1};
  uint64_t bound = bound_of_ends(net);
  GMEM_TRY_ZEROS(b.needs, memory, net->op_count);
  if (net->op_count <= MOST_EXACT)
    GMEM_TRY(add_relatives(&b, memory));
  else
    add_inputs(&b);
  for (uint32_t op = 0; op < net->op_count; ++op) {
    const gmem_order_cost_t *cost = &net->costs[op];
    uint64_t need = net->base + b.needs[op] + cost->made + cost->scratch -
                    most_reused(&b, op);
    bound = need > bound ? need : bound;
  }
  gmem_scratch_drop(memory, b.above);
  gmem_scratch_drop(memory, b.below);
  gmem_scratch_drop(memory, b.needs);
  *out_bound = bound;
  return GMEM_OK;
}
