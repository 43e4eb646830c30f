// copy_order.c - see copy_order.h. The order is a topological one of the graph
// with an edge from each copy to those that overwrite its source. Copies that
// nothing must precede are taken first, then, from the rest, those that nothing
// must follow are put last; what remains are the cycles.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "copy_order.h"

#include <assert.h>
#include <stdlib.h>

#include "csr.h"

// The target of a copy: bytes [begin, end).
typedef struct target_s {
  uint32_t pool, copy;
  uint64_t begin, end;
  uint64_t reach; // the largest |end| up to here in this pool
} target_t;

typedef struct order_s {
  const gmem_control_copy_t *copies;
  size_t count;
  gmem_bump_t *arena;
  gmem_diag_t *diag;
  target_t *targets;              // by pool, begin, copy
  gmem_csr_pairs_t before, after; // which must be made before, after a key
  gmem_csr_t is_before, is_after; // the same by copy
  uint32_t *before_count, *after_count; // by copy: that have not been taken
  bool *is_taken;                       // by copy
} order_t;

static int by_address(const void *a, const void *b) {
  const target_t *left = a, *right = b;
  if (left->pool != right->pool)
    return left->pool < right->pool ? -1 : 1;
  if (left->begin != right->begin)
    return left->begin < right->begin ? -1 : 1;
  return (left->copy > right->copy) - (left->copy < right->copy);
}

static void sort_targets(const order_t *order) {
  target_t *targets = order->targets;
  for (uint32_t i = 0; i < order->count; ++i) {
    const gmem_control_copy_t *copy = &order->copies[i];
    targets[i] = (target_t){copy->to_pool, i, copy->record.to,
                            copy->record.to + copy->record.size, 0};
  }
  qsort(targets, order->count, sizeof *targets, by_address);
  for (size_t i = 0; i < order->count; ++i) {
    targets[i].reach = targets[i].end;
    if (i && targets[i - 1].pool == targets[i].pool &&
        targets[i - 1].reach > targets[i].reach)
      targets[i].reach = targets[i - 1].reach;
  }
}

// The number of targets before byte |end| of |pool|.
static size_t targets_below(const order_t *order, uint32_t pool, uint64_t end) {
  size_t low = 0, high = order->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const target_t *target = &order->targets[middle];
    if (target->pool < pool || (target->pool == pool && target->begin < end))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// Lists the copies that overwrite the source of copy |index|.
static void find_overwriters(order_t *order, uint32_t index) {
  const gmem_control_copy_t *copy = &order->copies[index];
  uint64_t begin = copy->record.from, end = begin + copy->record.size;
  for (size_t i = targets_below(order, copy->from_pool, end); i-- > 0;) {
    const target_t *target = &order->targets[i];
    if (target->pool != copy->from_pool || target->reach <= begin)
      return;
    if (target->end <= begin || target->copy == index)
      continue;
    GMEM_APPEND(order->arena, &order->before,
                (gmem_csr_pair_t){target->copy, index});
    GMEM_APPEND(order->arena, &order->after,
                (gmem_csr_pair_t){index, target->copy});
  }
}

// Takes the copies without |open| others, and those that have none when these
// are taken; |next| lists which have a copy as one of their others. Appends
// them to |out| and returns their number.
static size_t take(order_t *order, uint32_t *open, const gmem_csr_t *next,
                   uint32_t *out) {
  size_t count = 0;
  for (uint32_t i = 0; i < order->count; ++i)
    if (!open[i] && !order->is_taken[i])
      out[count++] = i;
  for (size_t i = 0; i < count; ++i) {
    order->is_taken[out[i]] = true;
    GMEM_CSR_EACH (item, next, out[i]) {
      assert(open[*item] > 0);
      if (--open[*item] == 0 && !order->is_taken[*item])
        out[count++] = *item;
    }
  }
  return count;
}

static gmem_status_t build_graph(order_t *order) {
  GMEM_TRY(gmem_csr_build(&order->before, order->count, order->arena,
                          &order->is_before, order->diag));
  GMEM_TRY(gmem_csr_build(&order->after, order->count, order->arena,
                          &order->is_after, order->diag));
  GMEM_TRY_ALLOC(order->before_count, order->arena, order->count, order->diag);
  GMEM_TRY_ALLOC(order->after_count, order->arena, order->count, order->diag);
  GMEM_TRY_ALLOC(order->is_taken, order->arena, order->count, order->diag);
  for (size_t i = 0; i < order->count; ++i) {
    order->before_count[i] = (uint32_t)gmem_csr_count(&order->is_before, i);
    order->after_count[i] = (uint32_t)gmem_csr_count(&order->is_after, i);
  }
  return GMEM_OK;
}

// Writes the copies to |out| in their order.
static gmem_status_t sort_copies(order_t *order, gmem_control_copy_t *out) {
  size_t count = order->count, next = 0;
  uint32_t *first, *last;
  GMEM_TRY(build_graph(order));
  GMEM_TRY_ALLOC(first, order->arena, count, order->diag);
  GMEM_TRY_ALLOC(last, order->arena, count, order->diag);
  size_t first_count =
      take(order, order->before_count, &order->is_after, first);
  for (size_t i = 0; i < first_count; ++i)
    out[next++] = order->copies[first[i]];
  size_t last_count = take(order, order->after_count, &order->is_before, last);
  for (uint32_t i = 0; i < count; ++i)
    if (!order->is_taken[i]) {
      out[next] = order->copies[i];
      out[next++].record.cycle = true;
    }
  while (last_count)
    out[next++] = order->copies[last[--last_count]];
  assert(next == count);
  return GMEM_OK;
}

gmem_status_t gmem_copies_order(gmem_control_copy_t *copies, size_t count,
                                gmem_bump_t *arena, gmem_diag_t *diag) {
  order_t order = {
      .copies = copies, .count = count, .arena = arena, .diag = diag};
  if (count < 2)
    return GMEM_OK;
  GMEM_TRY_ALLOC(order.targets, arena, count, diag);
  sort_targets(&order);
  for (uint32_t i = 0; i < count; ++i)
    find_overwriters(&order, i);
  GMEM_TRY(gmem_bump_status(arena, diag));
  if (!order.before.count)
    return GMEM_OK;
  gmem_control_copy_t *sorted;
  GMEM_TRY_ALLOC(sorted, arena, count, diag);
  GMEM_TRY(sort_copies(&order, sorted));
  for (size_t i = 0; i < count; ++i)
    copies[i] = sorted[i];
  return GMEM_OK;
}
