// closure.h - executes at once what some best order executes next.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_ORDER_CLOSURE_H_
#define GMEM_ORDER_CLOSURE_H_

#include "executed.h"

// Ops executed since some state, in order.
typedef struct gmem_order_moves_s {
  uint32_t *ops; // room for all ops of the net
  uint32_t count;
} gmem_order_moves_t;

static inline void gmem_order_move(gmem_order_executed_t *executed,
                                   gmem_order_moves_t *moves, uint32_t op) {
  gmem_order_execute(executed, op);
  moves->ops[moves->count++] = op;
}

// Undoes moves until |count| are left.
static inline void gmem_order_move_back(gmem_order_executed_t *executed,
                                        gmem_order_moves_t *moves,
                                        uint32_t count) {
  while (moves->count > count)
    gmem_order_unexecute(executed, moves->ops[--moves->count]);
}

// Executes every op, and every chain of ops each of which enables the next,
// that needs at most |peak| bytes and leaves at most the live bytes that there
// were before it. Some completion with the least peak, or a peak of at most
// |peak|, begins so. Returns the number of ops examined.
uint64_t gmem_order_close(gmem_order_executed_t *executed, uint64_t peak,
                          gmem_order_moves_t *moves);

#endif // GMEM_ORDER_CLOSURE_H_
