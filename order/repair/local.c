// local.c - moves single ops over the peak.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <string.h>

#include "executed.h"
#include "needs.h"
#include "repair.h"

typedef struct local_s {
  const gmem_order_net_t *net;
  gmem_order_work_t *work;
  gmem_order_goal_t *goal;
  gmem_scratch_t *memory;
  uint32_t *place; // by op
  uint32_t *trial; // an order
  uint64_t peaks;  // positions of the current order that need goal->peak
} local_t;

// The peak of an order and how many positions need it.
static gmem_status_t measure(const local_t *l, const uint32_t *order,
                             uint64_t *out_peak, uint64_t *out_peaks) {
  uint64_t *needs, peak = 0, count = 0;
  GMEM_TRY_NEW(needs, l->memory, l->net->op_count);
  GMEM_TRY(gmem_order_needs(l->net, order, l->memory, needs));
  for (uint32_t p = 0; p < l->net->op_count; ++p) {
    count = needs[p] > peak ? 1 : count + (needs[p] == peak);
    peak = needs[p] > peak ? needs[p] : peak;
  }
  gmem_scratch_drop(l->memory, needs);
  *out_peak = peak;
  *out_peaks = count;
  return GMEM_OK;
}

// Moves the op at |from| to |to| if that is better.
static gmem_status_t try_move(local_t *l, uint32_t from, uint32_t to,
                              bool *out_better) {
  uint32_t *order = l->goal->order, op = order[from];
  uint64_t peak, peaks;
  memcpy(l->trial, order, l->net->op_count * sizeof *order);
  for (; from < to; ++from)
    l->trial[from] = l->trial[from + 1];
  for (; from > to; --from)
    l->trial[from] = l->trial[from - 1];
  l->trial[to] = op;
  GMEM_TRY(measure(l, l->trial, &peak, &peaks));
  *out_better =
      peak < l->goal->peak || (peak == l->goal->peak && peaks < l->peaks);
  if (!*out_better)
    return GMEM_OK;
  memcpy(order, l->trial, l->net->op_count * sizeof *order);
  l->goal->peak = peak;
  l->peaks = peaks;
  return GMEM_OK;
}

static uint32_t first_succ(const local_t *l, uint32_t op) {
  uint32_t first = l->net->op_count;
  for (uint32_t i = l->net->succs.begin[op]; i < l->net->succs.begin[op + 1];
       ++i)
    if (l->place[l->net->succs.items[i]] < first)
      first = l->place[l->net->succs.items[i]];
  return first;
}

// One more than the position of the last predecessor; 0 if there is none.
static uint32_t after_preds(const local_t *l, uint32_t op) {
  uint32_t after = 0;
  for (uint32_t i = l->net->preds.begin[op]; i < l->net->preds.begin[op + 1];
       ++i)
    if (l->place[l->net->preds.items[i]] >= after)
      after = l->place[l->net->preds.items[i]] + 1;
  return after;
}

static gmem_status_t improve(local_t *l, bool *out_better) {
  const uint32_t *order = l->goal->order;
  uint32_t peak_at = 0;
  GMEM_TRY(gmem_order_find_peak(l->net, order, l->memory, &peak_at));
  for (uint32_t p = 0; p < l->net->op_count; ++p)
    l->place[order[p]] = p;
  *out_better = false;
  for (uint32_t p = 0; p < l->net->op_count && !*out_better; ++p) {
    uint32_t op = order[p], to = p;
    if (p <= peak_at && first_succ(l, op) > peak_at + 1)
      to = first_succ(l, op) - 1;
    else if (p > peak_at && after_preds(l, op) <= peak_at)
      to = after_preds(l, op) > peak_at ? p : peak_at;
    if (to == p)
      continue;
    if (!gmem_order_spend(l->work, l->net->op_count))
      return GMEM_OK;
    GMEM_TRY(try_move(l, p, to, out_better));
  }
  return GMEM_OK;
}

static gmem_status_t run(local_t *l) {
  bool is_better = true;
  uint64_t peak;
  GMEM_TRY_NEW(l->place, l->memory, l->net->op_count);
  GMEM_TRY_NEW(l->trial, l->memory, l->net->op_count);
  GMEM_TRY(measure(l, l->goal->order, &peak, &l->peaks));
  while (is_better && l->goal->peak > l->goal->floor &&
         gmem_order_spend(l->work, l->net->op_count))
    GMEM_TRY(improve(l, &is_better));
  return GMEM_OK;
}

gmem_status_t gmem_order_local(const gmem_order_net_t *net,
                               gmem_order_work_t *work,
                               const gmem_allocator_t *allocator,
                               gmem_order_goal_t *goal, gmem_diag_t *diag) {
  gmem_scratch_t memory = {.allocator = allocator, .diag = diag};
  local_t local = {.net = net, .work = work, .goal = goal, .memory = &memory};
  goal->bound = goal->floor < goal->peak ? goal->floor : goal->peak;
  if (goal->peak <= goal->floor)
    return GMEM_OK;
  gmem_status_t status = run(&local);
  gmem_scratch_free(&memory);
  return status;
}
