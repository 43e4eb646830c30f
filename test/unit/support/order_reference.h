// order_reference.h - random graphs for the tests of orders, and the least peak
// over all orders by trying every one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TEST_UNIT_ORDER_REFERENCE_H_
#define GMEM_TEST_UNIT_ORDER_REFERENCE_H_

#include <stdlib.h>

#include "check.h"
#include "gmem/order.h"

enum { SPEC_OPS = 16, SPEC_TENSORS = 48, SPEC_REUSES = 32 };

// A graph in the simplest form: sets of ops are bits.
typedef struct spec_s {
  uint32_t ops, tensors, reuses;
  uint64_t scratch[SPEC_OPS];
  uint32_t before[SPEC_OPS]; // precedence beyond data
  struct {
    uint64_t bytes;
    uint32_t producer, users, view_of;
    bool is_kept;
  } tensor[SPEC_TENSORS];
  gmem_order_reuse_t reuse[SPEC_REUSES];
} spec_t;

static uint64_t spec_random(uint64_t *seed) {
  *seed ^= *seed << 13;
  *seed ^= *seed >> 7;
  *seed ^= *seed << 17;
  return *seed >> 11;
}

static uint32_t spec_root(const spec_t *spec, uint32_t tensor) {
  while (spec->tensor[tensor].view_of != GMEM_ORDER_NONE)
    tensor = spec->tensor[tensor].view_of;
  return tensor;
}

static uint32_t spec_add(spec_t *spec, uint64_t bytes, uint32_t producer,
                         uint32_t users) {
  spec->tensor[spec->tensors].bytes = bytes;
  spec->tensor[spec->tensors].producer = producer;
  spec->tensor[spec->tensors].users = users;
  spec->tensor[spec->tensors].view_of = GMEM_ORDER_NONE;
  spec->tensor[spec->tensors].is_kept = false;
  return spec->tensors++;
}

// A graph with the edges of |edges|: bit i for the i-th pair (a, b), a < b, in
// the order (0, 1), (0, 2), (1, 2), (0, 3)... One tensor per op, used by all
// successors; without successors it is kept now and then.
static void spec_of_edges(spec_t *spec, uint32_t ops, uint64_t edges,
                          uint64_t *seed) {
  uint32_t pair = 0;
  *spec = (spec_t){.ops = ops};
  for (uint32_t op = 0; op < ops; ++op) {
    spec_add(spec, spec_random(seed) % 8, op, 0);
    if (spec_random(seed) % 4 == 0)
      spec->scratch[op] = spec_random(seed) % 6;
    spec->tensor[op].is_kept = spec_random(seed) % 8 == 0;
  }
  for (uint32_t b = 1; b < ops; ++b)
    for (uint32_t a = 0; a < b; ++a, ++pair)
      if (pair < 64 && edges >> pair & 1)
        spec->tensor[a].users |= 1u << b;
}

// Some of the edges become precedence, some tensors views; inputs, reuses.
static inline void spec_decorate(spec_t *spec, uint64_t *seed) {
  uint32_t outputs = spec->tensors;
  for (uint32_t t = 0; t < outputs; ++t)
    for (uint32_t op = 0; op < spec->ops; ++op)
      if (spec->tensor[t].users >> op & 1 && spec_random(seed) % 8 == 0) {
        spec->tensor[t].users &= ~(1u << op);
        spec->before[op] |= 1u << t;
      }
  for (uint32_t op = 0; op < spec->ops; ++op) {
    uint32_t source = (uint32_t)(spec_random(seed) % outputs);
    if (spec_random(seed) % 6 == 0 && source < op &&
        spec->tensor[source].users >> op & 1)
      spec->tensor[op].view_of = source;
  }
  for (uint32_t i = 0; i < 2; ++i) {
    uint32_t users = (uint32_t)spec_random(seed) & ((1u << spec->ops) - 1);
    uint32_t t = spec_add(spec, spec_random(seed) % 8, GMEM_ORDER_NONE, users);
    spec->tensor[t].is_kept = spec_random(seed) % 3 == 0;
  }
  for (uint32_t op = 0; op < spec->ops; ++op) {
    bool is_part = spec_random(seed) % 3 == 0;
    if (spec->tensor[op].view_of != GMEM_ORDER_NONE)
      continue;
    for (uint32_t t = 0; t < spec->tensors; ++t)
      if (spec->tensor[t].users >> op & 1 && spec_random(seed) % 2 &&
          spec->reuses < SPEC_REUSES)
        spec->reuse[spec->reuses++] = (gmem_order_reuse_t){op, t, is_part};
  }
}

static inline void spec_check(gmem_status_t status, const gmem_diag_t *diag) {
  if (status != GMEM_OK)
    fprintf(stderr, "%s\n", diag->text);
  CHECK(status == GMEM_OK);
}

static gmem_status_t spec_build(const spec_t *spec,
                                const gmem_allocator_t *allocator,
                                gmem_order_graph_t **graph, gmem_diag_t *diag) {
  uint32_t id;
  GMEM_TRY(gmem_order_graph_create(allocator, graph, diag));
  for (uint32_t op = 0; op < spec->ops; ++op) {
    gmem_order_op_t own = {.name = "op", .scratch = spec->scratch[op]};
    GMEM_TRY(gmem_order_add_op(*graph, &own, &id, diag));
  }
  for (uint32_t t = 0; t < spec->tensors; ++t) {
    uint32_t users[SPEC_OPS], count = 0;
    for (uint32_t op = 0; op < spec->ops; ++op)
      if (spec->tensor[t].users >> op & 1)
        users[count++] = op;
    gmem_order_tensor_t own = {.bytes = spec->tensor[t].bytes,
                               .producer = spec->tensor[t].producer,
                               .users = users,
                               .user_count = count,
                               .is_kept = spec->tensor[t].is_kept,
                               .view_of = spec->tensor[t].view_of};
    GMEM_TRY(gmem_order_add_tensor(*graph, &own, &id, diag));
  }
  for (uint32_t op = 0; op < spec->ops; ++op)
    for (uint32_t b = 0; b < op; ++b)
      if (spec->before[op] >> b & 1)
        GMEM_TRY(gmem_order_add_edge(*graph, b, op, diag));
  for (uint32_t i = 0; i < spec->reuses; ++i)
    GMEM_TRY(gmem_order_add_reuse(*graph, &spec->reuse[i], diag));
  return GMEM_OK;
}

//===--- all orders -------------------------------------------------------===//

typedef struct storage_s {
  uint64_t bytes;
  uint32_t producer, users; // users of all its tensors, without the producer
  bool is_kept;
} storage_t;

typedef struct reference_s {
  const spec_t *spec;
  storage_t storage[SPEC_TENSORS]; // by root tensor
  uint32_t preds[SPEC_OPS];
  uint64_t best;
} reference_t;

static uint64_t live_after(const reference_t *r, uint32_t done) {
  uint64_t live = 0;
  for (uint32_t t = 0; t < r->spec->tensors; ++t) {
    const storage_t *s = &r->storage[t];
    bool is_there =
        s->producer == GMEM_ORDER_NONE || (done >> s->producer & 1) != 0;
    if (r->spec->tensor[t].view_of == GMEM_ORDER_NONE && is_there &&
        (s->is_kept || (s->users & ~done)))
      live += s->bytes;
  }
  return live;
}

static uint64_t need_of(const reference_t *r, uint32_t done, uint32_t op) {
  const spec_t *spec = r->spec;
  uint64_t need = live_after(r, done) + spec->scratch[op];
  for (uint32_t t = 0; t < spec->tensors; ++t) {
    uint64_t saved = 0, sum = 0;
    uint64_t inputs = 0;
    bool is_part = false;
    if (spec->tensor[t].view_of != GMEM_ORDER_NONE ||
        spec->tensor[t].producer != op)
      continue;
    for (uint32_t i = 0; i < spec->reuses; ++i) {
      uint32_t root = spec_root(spec, spec->reuse[i].input);
      const storage_t *s = &r->storage[root];
      if (spec->reuse[i].output != t || inputs >> root & 1 || s->is_kept ||
          (s->users & ~done) != 1u << op)
        continue;
      inputs |= UINT64_C(1) << root;
      is_part = spec->reuse[i].is_part;
      sum += s->bytes;
      saved = s->bytes > saved ? s->bytes : saved;
    }
    saved = is_part ? sum : saved;
    need += r->storage[t].bytes;
    need -= saved < r->storage[t].bytes ? saved : r->storage[t].bytes;
  }
  return need;
}

static void try_all(reference_t *r, uint32_t done, uint64_t peak) {
  if (done == (1u << r->spec->ops) - 1 && peak < r->best)
    r->best = peak;
  for (uint32_t op = 0; op < r->spec->ops; ++op) {
    if (done >> op & 1 || (r->preds[op] & ~done))
      continue;
    uint64_t need = need_of(r, done, op);
    need = need > peak ? need : peak;
    if (need < r->best)
      try_all(r, done | 1u << op, need);
  }
}

static reference_t reference_of(const spec_t *spec) {
  reference_t r = {.spec = spec, .best = UINT64_MAX};
  for (uint32_t t = 0; t < spec->tensors; ++t)
    r.storage[t].producer = spec->tensor[t].producer;
  for (uint32_t t = 0; t < spec->tensors; ++t) {
    uint32_t producer = spec->tensor[t].producer;
    storage_t *s = &r.storage[spec_root(spec, t)];
    if (spec->tensor[t].bytes > s->bytes)
      s->bytes = spec->tensor[t].bytes;
    s->users |= spec->tensor[t].users;
    if (producer != s->producer)
      s->users |= 1u << producer;
    s->is_kept |= spec->tensor[t].is_kept;
    for (uint32_t op = 0; op < spec->ops; ++op)
      if (producer != GMEM_ORDER_NONE && spec->tensor[t].users >> op & 1)
        r.preds[op] |= 1u << producer;
  }
  for (uint32_t op = 0; op < spec->ops; ++op)
    r.preds[op] |= spec->before[op];
  return r;
}

// The least peak of all orders.
static inline uint64_t least_peak(const spec_t *spec) {
  reference_t r = reference_of(spec);
  try_all(&r, 0, live_after(&r, 0));
  return r.best;
}

// The peak of one order.
static inline uint64_t peak_of(const spec_t *spec, const uint32_t *order) {
  reference_t r = reference_of(spec);
  uint64_t peak = live_after(&r, 0);
  uint32_t done = 0;
  for (uint32_t p = 0; p < spec->ops; ++p) {
    uint64_t need = need_of(&r, done, order[p]);
    CHECK(!(r.preds[order[p]] & ~done) && !(done >> order[p] & 1));
    peak = need > peak ? need : peak;
    done |= 1u << order[p];
  }
  return peak;
}

#endif // GMEM_TEST_UNIT_ORDER_REFERENCE_H_
