// twins.c - identical branches: swapping them does not change the graph.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From two ops with the same predecessors, a mapping is grown along all their
// relations: the i-th successor of one is the i-th successor of the other, or
// both are the same op. It is kept only if every relation of every mapped op
// and buffer agrees, so that the exchange is an automorphism; branches whose
// ops are numbered differently are missed, which costs time only.

#include "twins.h"

#include <assert.h>
#include <string.h>

#include "executed.h"

enum { MOST_LENGTH = 64, MOST_OPS = 1 << 14, MOST_SUCCS = 512 };

typedef struct mapper_s {
  const gmem_order_net_t *net;
  gmem_scratch_t *memory;
  gmem_order_twins_t *twins;
  uint32_t *image;            // by op: its image, or GMEM_ORDER_NONE
  uint32_t *buffer_to;        // by buffer: the same
  bool *is_taken;             // by op: in a group
  uint32_t list[MOST_LENGTH]; // mapped ops, in the order of their discovery
  uint32_t length;
  uint32_t *touched; // mapped buffers
  uint32_t touched_count;
} mapper_t;

static bool map_op(mapper_t *m, uint32_t op, uint32_t to) {
  if (op == to)
    return m->image[op] == GMEM_ORDER_NONE;
  if (m->image[op] != GMEM_ORDER_NONE)
    return m->image[op] == to;
  if (m->length == MOST_LENGTH || m->is_taken[op] || m->is_taken[to] ||
      m->image[to] != GMEM_ORDER_NONE)
    return false;
  m->image[op] = to;
  m->image[to] = op;
  m->list[m->length++] = op;
  return true;
}

static bool map_buffer(mapper_t *m, uint32_t buffer, uint32_t to) {
  if (buffer == to)
    return m->buffer_to[buffer] == GMEM_ORDER_NONE;
  if (m->buffer_to[buffer] != GMEM_ORDER_NONE)
    return m->buffer_to[buffer] == to;
  if (m->buffer_to[to] != GMEM_ORDER_NONE)
    return false;
  m->buffer_to[buffer] = to;
  m->buffer_to[to] = buffer;
  m->touched[m->touched_count++] = buffer;
  return true;
}

typedef bool (*map_fn)(mapper_t *m, uint32_t item, uint32_t to);

static bool map_list(mapper_t *m, const gmem_order_lists_t *lists, uint32_t a,
                     uint32_t b, map_fn map) {
  uint32_t count = lists->begin[a + 1] - lists->begin[a];
  if (lists->begin[b + 1] - lists->begin[b] != count)
    return false;
  for (uint32_t i = 0; i < count; ++i)
    if (!map(m, lists->items[lists->begin[a] + i],
             lists->items[lists->begin[b] + i]))
      return false;
  return true;
}

static uint32_t mapped(const uint32_t *image, uint32_t item) {
  return image[item] == GMEM_ORDER_NONE ? item : image[item];
}

static bool has_fact(const gmem_order_net_t *net, uint32_t op, uint32_t input,
                     uint32_t output, bool is_part) {
  for (uint32_t i = net->fact_begin[op]; i < net->fact_begin[op + 1]; ++i)
    if (net->facts[i].input == input && net->facts[i].output == output &&
        net->facts[i].is_part == is_part)
      return true;
  return false;
}

// Whether the facts of |op| are those of its image, mapped.
static bool same_facts(const mapper_t *m, uint32_t op) {
  const gmem_order_net_t *net = m->net;
  uint32_t to = mapped(m->image, op);
  if (net->fact_begin[op + 1] - net->fact_begin[op] !=
      net->fact_begin[to + 1] - net->fact_begin[to])
    return false;
  for (uint32_t i = net->fact_begin[op]; i < net->fact_begin[op + 1]; ++i) {
    const gmem_order_fact_t *fact = &net->facts[i];
    if (!has_fact(net, to, mapped(m->buffer_to, fact->input),
                  mapped(m->buffer_to, fact->output), fact->is_part))
      return false;
  }
  return true;
}

static bool grow(mapper_t *m, uint32_t op) {
  const gmem_order_net_t *net = m->net;
  const gmem_order_cost_t *a = &net->costs[op], *b = &net->costs[m->image[op]];
  uint32_t to = m->image[op];
  return a->scratch == b->scratch && a->made == b->made &&
         a->stays == b->stays && map_list(m, &net->succs, op, to, map_op) &&
         map_list(m, &net->preds, op, to, map_op) &&
         map_list(m, &net->ins, op, to, map_buffer) &&
         map_list(m, &net->outs, op, to, map_buffer);
}

static bool same_buffers(mapper_t *m) {
  const gmem_order_net_t *net = m->net;
  for (uint32_t i = 0; i < m->touched_count; ++i) {
    uint32_t b = m->touched[i], to = m->buffer_to[b];
    const gmem_order_buffer_t *x = &net->buffers[b], *y = &net->buffers[to];
    if (x->bytes != y->bytes || x->is_kept != y->is_kept ||
        (x->producer == GMEM_ORDER_NONE) != (y->producer == GMEM_ORDER_NONE) ||
        (x->producer != GMEM_ORDER_NONE &&
         mapped(m->image, x->producer) != y->producer) ||
        !map_list(m, &net->users, b, to, map_op))
      return false;
  }
  return true;
}

// Facts of ops that are their own image and use mapped buffers.
static bool same_user_facts(mapper_t *m) {
  const gmem_order_net_t *net = m->net;
  for (uint32_t k = 0; k < m->touched_count; ++k) {
    uint32_t b = m->touched[k];
    for (uint32_t i = net->users.begin[b]; i < net->users.begin[b + 1]; ++i)
      if (!same_facts(m, net->users.items[i]))
        return false;
  }
  return true;
}

static void forget(mapper_t *m) {
  for (uint32_t i = 0; i < m->length; ++i) {
    m->image[m->image[m->list[i]]] = GMEM_ORDER_NONE;
    m->image[m->list[i]] = GMEM_ORDER_NONE;
  }
  for (uint32_t i = 0; i < m->touched_count; ++i) {
    m->buffer_to[m->buffer_to[m->touched[i]]] = GMEM_ORDER_NONE;
    m->buffer_to[m->touched[i]] = GMEM_ORDER_NONE;
  }
  m->length = m->touched_count = 0;
}

// Grows the mapping of |a| to |b| and back. The caller calls forget().
static bool match(mapper_t *m, uint32_t a, uint32_t b) {
  uint32_t before = 0;
  if (!map_op(m, a, b))
    return false;
  do { // buffers that only users relate may add ops
    for (; before < m->length; ++before)
      if (!grow(m, m->list[before]))
        return false;
    if (!same_buffers(m))
      return false;
  } while (before < m->length);
  for (uint32_t i = 0; i < m->length; ++i)
    if (!same_facts(m, m->list[i]))
      return false;
  return same_user_facts(m);
}

static gmem_status_t add_branch(mapper_t *m, gmem_order_twin_group_t *group,
                                uint32_t most) {
  if (!group->ops) {
    GMEM_TRY_NEW(group->ops, m->memory, (size_t)most * m->length);
    memcpy(group->ops, m->list, m->length * sizeof *m->list);
    group->branches = 1;
    group->length = m->length;
  }
  if (m->length != group->length ||
      memcmp(m->list, group->ops, m->length * sizeof *m->list) != 0)
    return GMEM_OK; // another region
  for (uint32_t i = 0; i < m->length; ++i)
    for (uint32_t k = 0; k < group->branches * group->length; ++k)
      if (m->image[m->list[i]] == group->ops[k])
        return GMEM_OK; // not disjoint
  uint32_t *to = group->ops + group->branches++ * group->length;
  for (uint32_t i = 0; i < m->length; ++i)
    to[i] = m->image[m->list[i]];
  return GMEM_OK;
}

static gmem_status_t find_group(mapper_t *m, const uint32_t *candidates,
                                uint32_t count) {
  gmem_order_twin_group_t group = {0};
  for (uint32_t i = 1; i < count; ++i) {
    gmem_status_t status = GMEM_OK;
    if (!m->is_taken[candidates[i]] && match(m, candidates[0], candidates[i]))
      status = add_branch(m, &group, count);
    forget(m);
    GMEM_TRY(status);
  }
  if (group.branches < 2)
    return GMEM_OK;
  for (uint32_t i = 0; i < group.branches * group.length; ++i)
    m->is_taken[group.ops[i]] = true;
  if (group.branches > m->twins->most_branches)
    m->twins->most_branches = group.branches;
  GMEM_TRY_ROOM(m->twins->groups, m->memory, m->twins->count, m->twins->room);
  m->twins->groups[m->twins->count++] = group;
  return GMEM_OK;
}

static gmem_status_t find_among(mapper_t *m, const uint32_t *candidates,
                                uint32_t count) {
  count = count > MOST_SUCCS ? MOST_SUCCS : count;
  for (uint32_t i = 0; i + 1 < count; ++i)
    if (!m->is_taken[candidates[i]])
      GMEM_TRY(find_group(m, candidates + i, count - i));
  return GMEM_OK;
}

static gmem_status_t find(mapper_t *m) {
  const gmem_order_net_t *net = m->net;
  uint32_t *roots, count = 0;
  GMEM_TRY_NEW(m->image, m->memory, net->op_count);
  GMEM_TRY_NEW(m->buffer_to, m->memory, net->buffer_count);
  GMEM_TRY_NEW(m->touched, m->memory, net->buffer_count);
  GMEM_TRY_NEW(roots, m->memory, net->op_count);
  GMEM_TRY_ZEROS(m->is_taken, m->memory, net->op_count);
  for (uint32_t op = 0; op < net->op_count; ++op) {
    m->image[op] = GMEM_ORDER_NONE;
    if (net->preds.begin[op] == net->preds.begin[op + 1])
      roots[count++] = op;
  }
  for (uint32_t b = 0; b < net->buffer_count; ++b)
    m->buffer_to[b] = GMEM_ORDER_NONE;
  GMEM_TRY(find_among(m, roots, count));
  for (uint32_t op = 0; op < net->op_count; ++op)
    GMEM_TRY(find_among(m, net->succs.items + net->succs.begin[op],
                        net->succs.begin[op + 1] - net->succs.begin[op]));
  GMEM_TRY_NEW(m->twins->patterns, m->memory, m->twins->most_branches);
  GMEM_TRY_NEW(m->twins->from, m->memory, m->twins->most_branches);
  return GMEM_OK;
}

gmem_status_t gmem_order_twins_find(const gmem_order_net_t *net,
                                    gmem_scratch_t *memory,
                                    gmem_order_twins_t *out) {
  *out = (gmem_order_twins_t){0};
  mapper_t mapper = {.net = net, .memory = memory, .twins = out};
  return net->op_count > MOST_OPS ? GMEM_OK : find(&mapper);
}

//===--- states -----------------------------------------------------------===//

static uint64_t pattern_of(const gmem_order_twin_group_t *group,
                           uint32_t branch, const uint64_t *done) {
  uint64_t pattern = 0;
  for (uint32_t i = 0; i < group->length; ++i)
    pattern = pattern << 1 |
              gmem_order_bit(done, group->ops[branch * group->length + i]);
  return pattern;
}

// Moves the branches of one group to their sorted places.
static void apply(const gmem_order_twins_t *twins,
                  const gmem_order_twin_group_t *group, uint64_t *done,
                  uint32_t *where) {
  for (uint32_t i = 0; i < group->length; ++i) {
    uint32_t old[MOST_SUCCS];
    assert(group->branches <= MOST_SUCCS);
    for (uint32_t b = 0; b < group->branches; ++b) {
      uint32_t op = group->ops[b * group->length + i];
      uint64_t bit = UINT64_C(1) << op % 64;
      bool is_done = twins->patterns[b] >> (group->length - 1 - i) & 1;
      done[op / 64] = is_done ? done[op / 64] | bit : done[op / 64] & ~bit;
      old[b] = where ? where[op] : 0;
    }
    for (uint32_t b = 0; where && b < group->branches; ++b)
      where[group->ops[b * group->length + i]] = old[twins->from[b]];
  }
}

void gmem_order_twins_sort(const gmem_order_twins_t *twins, uint64_t *done,
                           uint32_t *where) {
  for (size_t g = 0; g < twins->count; ++g) {
    const gmem_order_twin_group_t *group = &twins->groups[g];
    bool is_sorted = true;
    for (uint32_t b = 0; b < group->branches; ++b) {
      uint64_t pattern = pattern_of(group, b, done);
      uint32_t at = b; // insertion sort, stable, descending
      for (; at > 0 && twins->patterns[at - 1] < pattern; --at) {
        twins->patterns[at] = twins->patterns[at - 1];
        twins->from[at] = twins->from[at - 1];
      }
      is_sorted &= at == b;
      twins->patterns[at] = pattern;
      twins->from[at] = b;
    }
    if (!is_sorted)
      apply(twins, group, done, where);
  }
}
