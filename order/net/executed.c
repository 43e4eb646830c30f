// executed.c - the set of ops that have executed, with the bytes that are live.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "executed.h"

#include <assert.h>
#include <string.h>

gmem_status_t gmem_order_executed_create(const gmem_order_net_t *net,
                                         gmem_scratch_t *memory,
                                         gmem_order_executed_t *out_executed) {
  gmem_order_executed_t executed = {.net = net,
                                    .words = net->op_count / 64 + 1};
  GMEM_TRY_NEW(executed.done, memory, executed.words);
  GMEM_TRY_NEW(executed.ready, memory, executed.words);
  GMEM_TRY_NEW(executed.waits, memory, net->op_count);
  GMEM_TRY_NEW(executed.left, memory, net->buffer_count);
  gmem_order_executed_clear(&executed);
  *out_executed = executed;
  return GMEM_OK;
}

void gmem_order_executed_clear(gmem_order_executed_t *executed) {
  const gmem_order_net_t *net = executed->net;
  memset(executed->done, 0, executed->words * sizeof *executed->done);
  memset(executed->ready, 0, executed->words * sizeof *executed->ready);
  executed->live = net->base;
  executed->count = 0;
  for (uint32_t op = 0; op < net->op_count; ++op) {
    executed->waits[op] = net->preds.begin[op + 1] - net->preds.begin[op];
    if (!executed->waits[op])
      executed->ready[op / 64] |= UINT64_C(1) << op % 64;
  }
  for (uint32_t b = 0; b < net->buffer_count; ++b) {
    const gmem_order_buffer_t *buffer = &net->buffers[b];
    executed->left[b] = net->users.begin[b + 1] - net->users.begin[b];
    if (buffer->producer == GMEM_ORDER_NONE &&
        (buffer->is_kept || executed->left[b]))
      executed->live += buffer->bytes;
  }
}

void gmem_order_executed_free(gmem_order_executed_t *executed,
                              gmem_scratch_t *memory) {
  gmem_scratch_drop(memory, executed->left);
  gmem_scratch_drop(memory, executed->waits);
  gmem_scratch_drop(memory, executed->ready);
  gmem_scratch_drop(memory, executed->done);
}

static bool is_produced(const gmem_order_executed_t *executed,
                        const gmem_order_buffer_t *buffer) {
  return buffer->producer == GMEM_ORDER_NONE ||
         gmem_order_bit(executed->done, buffer->producer);
}

void gmem_order_execute(gmem_order_executed_t *executed, uint32_t op) {
  const gmem_order_net_t *net = executed->net;
  uint64_t bit = UINT64_C(1) << op % 64;
  assert(!gmem_order_bit(executed->done, op));
  executed->done[op / 64] |= bit;
  executed->ready[op / 64] &= ~bit;
  ++executed->count;
  for (uint32_t i = net->outs.begin[op]; i < net->outs.begin[op + 1]; ++i) {
    uint32_t b = net->outs.items[i];
    if (net->buffers[b].is_kept || executed->left[b])
      executed->live += net->buffers[b].bytes;
  }
  for (uint32_t i = net->ins.begin[op]; i < net->ins.begin[op + 1]; ++i) {
    const gmem_order_buffer_t *buffer = &net->buffers[net->ins.items[i]];
    if (--executed->left[net->ins.items[i]] == 0 && !buffer->is_kept &&
        is_produced(executed, buffer))
      executed->live -= buffer->bytes;
  }
  for (uint32_t i = net->succs.begin[op]; i < net->succs.begin[op + 1]; ++i) {
    uint32_t succ = net->succs.items[i];
    if (--executed->waits[succ] == 0 && !gmem_order_bit(executed->done, succ))
      executed->ready[succ / 64] |= UINT64_C(1) << succ % 64;
  }
}

void gmem_order_unexecute(gmem_order_executed_t *executed, uint32_t op) {
  const gmem_order_net_t *net = executed->net;
  uint64_t bit = UINT64_C(1) << op % 64;
  assert(gmem_order_bit(executed->done, op));
  for (uint32_t i = net->succs.begin[op]; i < net->succs.begin[op + 1]; ++i) {
    uint32_t succ = net->succs.items[i];
    if (executed->waits[succ]++ == 0)
      executed->ready[succ / 64] &= ~(UINT64_C(1) << succ % 64);
  }
  for (uint32_t i = net->ins.begin[op]; i < net->ins.begin[op + 1]; ++i) {
    const gmem_order_buffer_t *buffer = &net->buffers[net->ins.items[i]];
    if (executed->left[net->ins.items[i]]++ == 0 && !buffer->is_kept &&
        is_produced(executed, buffer))
      executed->live += buffer->bytes;
  }
  for (uint32_t i = net->outs.begin[op]; i < net->outs.begin[op + 1]; ++i) {
    uint32_t b = net->outs.items[i];
    if (net->buffers[b].is_kept || executed->left[b])
      executed->live -= net->buffers[b].bytes;
  }
  executed->done[op / 64] &= ~bit;
  if (!executed->waits[op])
    executed->ready[op / 64] |= bit;
  --executed->count;
}

uint32_t gmem_order_executed_load(gmem_order_executed_t *executed,
                                  const uint64_t *done) {
  uint32_t changes = 0;
  for (uint32_t word = 0; word < executed->words; ++word) {
    uint64_t differs = executed->done[word] ^ done[word];
    for (; differs; differs &= differs - 1, ++changes) {
      uint32_t op = word * 64 + (uint32_t)__builtin_ctzll(differs);
      if (gmem_order_bit(done, op))
        gmem_order_execute(executed, op);
      else
        gmem_order_unexecute(executed, op);
    }
  }
  return changes;
}

static bool dies(const gmem_order_executed_t *executed, uint32_t buffer) {
  return executed->left[buffer] == 1 && !executed->net->buffers[buffer].is_kept;
}

// Bytes of inputs that the outputs of |op| overwrite.
static uint64_t reused(const gmem_order_executed_t *executed, uint32_t op) {
  const gmem_order_net_t *net = executed->net;
  uint64_t sum = 0, of_output = 0;
  uint32_t begin = net->fact_begin[op], end = net->fact_begin[op + 1];
  for (uint32_t i = begin; i < end; ++i) {
    const gmem_order_fact_t *fact = &net->facts[i];
    if (i > begin && fact[-1].output != fact->output) {
      sum += of_output;
      of_output = 0;
    }
    if (!dies(executed, fact->input))
      continue;
    uint64_t room = net->buffers[fact->output].bytes;
    uint64_t bytes = net->buffers[fact->input].bytes;
    if (fact->is_part)
      of_output = bytes < room - of_output ? of_output + bytes : room;
    else if (bytes > of_output)
      of_output = bytes < room ? bytes : room;
  }
  return sum + of_output;
}

uint64_t gmem_order_need(const gmem_order_executed_t *executed, uint32_t op) {
  const gmem_order_cost_t *cost = &executed->net->costs[op];
  assert(gmem_order_bit(executed->ready, op));
  return executed->live + cost->made + cost->scratch - reused(executed, op);
}

uint64_t gmem_order_after(const gmem_order_executed_t *executed, uint32_t op) {
  const gmem_order_net_t *net = executed->net;
  uint64_t after = executed->live + net->costs[op].stays;
  for (uint32_t i = net->ins.begin[op]; i < net->ins.begin[op + 1]; ++i) {
    uint32_t b = net->ins.items[i];
    if (dies(executed, b) && net->buffers[b].producer != op)
      after -= net->buffers[b].bytes;
  }
  return after;
}

gmem_status_t gmem_order_peak(const gmem_order_net_t *net,
                              const uint32_t *order, gmem_scratch_t *memory,
                              uint64_t *out_live, uint64_t *out_peak) {
  gmem_order_executed_t executed;
  GMEM_TRY(gmem_order_executed_create(net, memory, &executed));
  uint64_t peak = executed.live;
  for (uint32_t p = 0; p < net->op_count; ++p) {
    uint64_t need = gmem_order_need(&executed, order[p]);
    if (out_live)
      out_live[p] = executed.live;
    gmem_order_execute(&executed, order[p]);
    if (need > peak)
      peak = need;
  }
  assert(executed.live <= peak);
  gmem_order_executed_free(&executed, memory);
  *out_peak = peak;
  return GMEM_OK;
}
