// closure.c - executes at once what some best order executes next.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Let C be a chain of ops that can execute next within |peak|, such that the
// live bytes after C are at most those before it and after each of its
// prefixes. Take any completion and move C to its front, the rest in the same
// order. By submodularity (executed.h) the live bytes after any state T, now
// T + C, satisfy f(T + C) <= f(T) + f(S + C) - f(S + (T and C)) <= f(T), and an
// op can overwrite at least as much as before: no later state gets larger. This
// extends Liu's hill-valley argument (1987) from trees to hypergraphs.

#include "closure.h"

// The op with the least live bytes after it among those that |op| has enabled;
// GMEM_ORDER_NONE if none fits.
static uint32_t best_enabled(const gmem_order_executed_t *executed, uint32_t op,
                             uint64_t peak, uint64_t *work) {
  const gmem_order_lists_t *succs = &executed->net->succs;
  uint32_t best = GMEM_ORDER_NONE;
  uint64_t least = UINT64_MAX;
  for (uint32_t i = succs->begin[op]; i < succs->begin[op + 1]; ++i) {
    uint32_t succ = succs->items[i];
    ++*work;
    if (!gmem_order_bit(executed->ready, succ) ||
        gmem_order_need(executed, succ) > peak)
      continue;
    uint64_t after = gmem_order_after(executed, succ);
    if (after < least) {
      least = after;
      best = succ;
    }
  }
  return best;
}

static bool run_chain(gmem_order_executed_t *executed, uint32_t op,
                      uint64_t peak, gmem_order_moves_t *moves,
                      uint64_t *work) {
  uint64_t live = executed->live;
  uint32_t count = moves->count;
  if (gmem_order_need(executed, op) > peak)
    return false;
  while (op != GMEM_ORDER_NONE) {
    gmem_order_move(executed, moves, op);
    if (executed->live <= live)
      return true;
    op = best_enabled(executed, op, peak, work);
  }
  *work += moves->count - count;
  gmem_order_move_back(executed, moves, count);
  return false;
}

static bool run_single(gmem_order_executed_t *executed, uint64_t peak,
                       gmem_order_moves_t *moves, uint64_t *work) {
  bool any = false;
  for (uint32_t op = gmem_order_next_bit(executed->ready, executed->words, 0);
       op < executed->net->op_count;
       op = gmem_order_next_bit(executed->ready, executed->words, op + 1)) {
    ++*work;
    if (gmem_order_after(executed, op) > executed->live ||
        gmem_order_need(executed, op) > peak)
      continue;
    gmem_order_move(executed, moves, op);
    any = true;
  }
  return any;
}

static bool run_any_chain(gmem_order_executed_t *executed, uint64_t peak,
                          gmem_order_moves_t *moves, uint64_t *work) {
  for (uint32_t op = gmem_order_next_bit(executed->ready, executed->words, 0);
       op < executed->net->op_count;
       op = gmem_order_next_bit(executed->ready, executed->words, op + 1)) {
    ++*work;
    if (run_chain(executed, op, peak, moves, work))
      return true;
  }
  return false;
}

uint64_t gmem_order_close(gmem_order_executed_t *executed, uint64_t peak,
                          gmem_order_moves_t *moves) {
  uint64_t work = 1;
  do {
    while (run_single(executed, peak, moves, &work))
      ;
  } while (run_any_chain(executed, peak, moves, &work));
  return work;
}
