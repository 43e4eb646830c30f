// best_first.h - the exact search, and the beam search over the same states.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_ORDER_BEST_FIRST_H_
#define GMEM_ORDER_BEST_FIRST_H_

#include "order_net.h"
#include "order_work.h"

// Of one search.
typedef struct gmem_order_goal_s {
  uint64_t floor;  // peaks up to this are as good as any
  uint64_t peak;   // in: of |order|; out: of the best order found
  uint64_t bound;  // out: no order has a peak below it (or below |floor|)
  uint32_t *order; // in and out
} gmem_order_goal_t;

// Finds an order with the least peak below goal->peak, if there is one, and
// proves it (bound == peak) unless the stage of |work| ends first.
GMEM_MUST_USE gmem_status_t
gmem_order_best_first(const gmem_order_net_t *net, gmem_order_work_t *work,
                      const gmem_allocator_t *allocator,
                      gmem_order_goal_t *goal, gmem_diag_t *diag);

// Keeps only the best states of each generation: finds good orders of large
// nets and proves nothing (bound == floor).
GMEM_MUST_USE gmem_status_t gmem_order_beam(const gmem_order_net_t *net,
                                            gmem_order_work_t *work,
                                            const gmem_allocator_t *allocator,
                                            gmem_order_goal_t *goal,
                                            gmem_diag_t *diag);

#endif // GMEM_ORDER_BEST_FIRST_H_
