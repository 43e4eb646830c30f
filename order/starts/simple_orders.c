// simple_orders.c - orders that take linear or nearly linear time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simple_orders.h"

#include <assert.h>

#include "executed.h"

gmem_status_t gmem_order_given(const gmem_order_net_t *net,
                               gmem_scratch_t *memory, uint32_t *order) {
  (void)memory;
  for (uint32_t op = 0; op < net->op_count; ++op)
    order[op] = op;
  return GMEM_OK;
}

//===--- depth first ------------------------------------------------------===//

gmem_status_t gmem_order_depth_first(const gmem_order_net_t *net,
                                     gmem_scratch_t *memory, uint32_t *order) {
  uint32_t *stack, *next, count = 0;
  bool *is_visited;
  GMEM_TRY_NEW(stack, memory, net->op_count);
  GMEM_TRY_NEW(next, memory, net->op_count);
  GMEM_TRY_ZEROS(is_visited, memory, net->op_count);
  for (uint32_t sink = 0; sink < net->op_count; ++sink) {
    uint32_t depth = 0;
    if (net->succs.begin[sink] != net->succs.begin[sink + 1])
      continue;
    stack[depth++] = sink;
    next[sink] = net->preds.begin[sink];
    is_visited[sink] = true;
    while (depth > 0) {
      uint32_t op = stack[depth - 1];
      if (next[op] == net->preds.begin[op + 1]) {
        order[count++] = op;
        --depth;
        continue;
      }
      uint32_t pred = net->preds.items[next[op]++];
      if (is_visited[pred])
        continue;
      is_visited[pred] = true;
      next[pred] = net->preds.begin[pred];
      stack[depth++] = pred;
    }
  }
  assert(count == net->op_count);
  return GMEM_OK;
}

//===--- a heap of ops ----------------------------------------------------===//

// An op with the bytes that it would add, and after which entries are stale.
typedef struct entry_s {
  int64_t gain;
  uint32_t op;
} entry_t;

typedef struct queue_s {
  gmem_scratch_t *memory;
  entry_t *entries;
  size_t count, room;
  bool is_back; // among equal ops, the last one first
} queue_t;

static bool is_less(const queue_t *queue, entry_t a, entry_t b) {
  if (a.gain != b.gain)
    return a.gain < b.gain;
  return queue->is_back ? a.op > b.op : a.op < b.op;
}

static gmem_status_t push(queue_t *queue, entry_t entry) {
  GMEM_TRY_ROOM(queue->entries, queue->memory, queue->count, queue->room);
  size_t at = queue->count++;
  for (; at > 0 && is_less(queue, entry, queue->entries[(at - 1) / 2]);
       at = (at - 1) / 2)
    queue->entries[at] = queue->entries[(at - 1) / 2];
  queue->entries[at] = entry;
  return GMEM_OK;
}

static entry_t pop(queue_t *queue) {
  entry_t top = queue->entries[0], last = queue->entries[--queue->count];
  size_t at = 0;
  for (size_t child; (child = 2 * at + 1) < queue->count; at = child) {
    if (child + 1 < queue->count &&
        is_less(queue, queue->entries[child + 1], queue->entries[child]))
      ++child;
    if (!is_less(queue, queue->entries[child], last))
      break;
    queue->entries[at] = queue->entries[child];
  }
  queue->entries[at] = last;
  return top;
}

//===--- greedy -----------------------------------------------------------===//

static int64_t gain_of(const gmem_order_executed_t *executed, uint32_t op) {
  return (int64_t)(gmem_order_after(executed, op) - executed->live);
}

// The ops whose gain has changed by |op|: the last users of its inputs.
static gmem_status_t push_last_users(queue_t *queue,
                                     const gmem_order_executed_t *executed,
                                     uint32_t op) {
  const gmem_order_net_t *net = executed->net;
  for (uint32_t i = net->ins.begin[op]; i < net->ins.begin[op + 1]; ++i) {
    uint32_t b = net->ins.items[i], at = net->users.begin[b];
    if (executed->left[b] != 1)
      continue;
    while (gmem_order_bit(executed->done, net->users.items[at]))
      ++at;
    uint32_t user = net->users.items[at];
    if (gmem_order_bit(executed->ready, user))
      GMEM_TRY(push(queue, (entry_t){gain_of(executed, user), user}));
  }
  return GMEM_OK;
}

gmem_status_t gmem_order_greedy(const gmem_order_net_t *net,
                                gmem_scratch_t *memory, uint32_t *order) {
  gmem_order_executed_t executed;
  queue_t queue = {.memory = memory};
  GMEM_TRY(gmem_order_executed_create(net, memory, &executed));
  for (uint32_t op = 0; op < net->op_count; ++op)
    if (gmem_order_bit(executed.ready, op))
      GMEM_TRY(push(&queue, (entry_t){gain_of(&executed, op), op}));
  while (queue.count > 0) {
    entry_t entry = pop(&queue);
    if (gmem_order_bit(executed.done, entry.op) ||
        gain_of(&executed, entry.op) != entry.gain)
      continue; // another entry is up to date
    order[executed.count] = entry.op;
    gmem_order_execute(&executed, entry.op);
    GMEM_TRY(push_last_users(&queue, &executed, entry.op));
    for (uint32_t i = net->succs.begin[entry.op];
         i < net->succs.begin[entry.op + 1]; ++i) {
      uint32_t succ = net->succs.items[i];
      if (gmem_order_bit(executed.ready, succ))
        GMEM_TRY(push(&queue, (entry_t){gain_of(&executed, succ), succ}));
    }
  }
  assert(executed.count == net->op_count);
  return GMEM_OK;
}

//===--- greedy from the end ----------------------------------------------===//

typedef struct back_s {
  gmem_order_executed_t executed;
  queue_t queue;
  uint32_t *blocked; // by op: successors that are still executed
} back_t;

// The bytes by which the live bytes before |op| exceed those after it.
static int64_t gain_back(const gmem_order_executed_t *executed, uint32_t op) {
  const gmem_order_net_t *net = executed->net;
  int64_t gain = -(int64_t)net->costs[op].stays;
  for (uint32_t i = net->ins.begin[op]; i < net->ins.begin[op + 1]; ++i) {
    uint32_t b = net->ins.items[i];
    const gmem_order_buffer_t *buffer = &net->buffers[b];
    if (executed->left[b] == 0 && !buffer->is_kept && buffer->producer != op)
      gain += (int64_t)buffer->bytes;
  }
  return gain;
}

static gmem_status_t push_back(back_t *back, uint32_t op) {
  if (back->blocked[op] || !gmem_order_bit(back->executed.done, op))
    return GMEM_OK;
  return push(&back->queue, (entry_t){gain_back(&back->executed, op), op});
}

static gmem_status_t take_back(back_t *back, uint32_t op) {
  const gmem_order_net_t *net = back->executed.net;
  gmem_order_unexecute(&back->executed, op);
  for (uint32_t i = net->ins.begin[op]; i < net->ins.begin[op + 1]; ++i) {
    uint32_t b = net->ins.items[i];
    if (back->executed.left[b] != 1)
      continue; // its users have been told
    for (uint32_t u = net->users.begin[b]; u < net->users.begin[b + 1]; ++u)
      GMEM_TRY(push_back(back, net->users.items[u]));
  }
  for (uint32_t i = net->preds.begin[op]; i < net->preds.begin[op + 1]; ++i)
    if (--back->blocked[net->preds.items[i]] == 0)
      GMEM_TRY(push_back(back, net->preds.items[i]));
  return GMEM_OK;
}

gmem_status_t gmem_order_greedy_back(const gmem_order_net_t *net,
                                     gmem_scratch_t *memory, uint32_t *order) {
  back_t back = {.queue = {.memory = memory, .is_back = true}};
  GMEM_TRY(gmem_order_executed_create(net, memory, &back.executed));
  GMEM_TRY_NEW(back.blocked, memory, net->op_count);
  for (uint32_t op = 0; op < net->op_count; ++op) {
    back.blocked[op] = net->succs.begin[op + 1] - net->succs.begin[op];
    gmem_order_execute(&back.executed, op);
  }
  for (uint32_t op = 0; op < net->op_count; ++op)
    GMEM_TRY(push_back(&back, op));
  while (back.queue.count > 0) {
    entry_t entry = pop(&back.queue);
    if (!gmem_order_bit(back.executed.done, entry.op) ||
        gain_back(&back.executed, entry.op) != entry.gain)
      continue;
    order[back.executed.count - 1] = entry.op;
    GMEM_TRY(take_back(&back, entry.op));
  }
  assert(back.executed.count == 0);
  return GMEM_OK;
}
