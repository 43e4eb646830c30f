// order_methods.h - what an algorithm consists of.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_ORDER_ORDER_METHODS_H_
#define GMEM_ORDER_ORDER_METHODS_H_

#include "order_work.h"
#include "repair.h"
#include "simple_orders.h"

enum { GMEM_ORDER_STARTS = 5, GMEM_ORDER_STAGES = 5 };

// A search that improves a complete order of a segment.
typedef struct gmem_order_stage_s {
  const char *name;
  gmem_status_t (*run)(const gmem_order_net_t *net, gmem_order_work_t *work,
                       const gmem_allocator_t *allocator,
                       gmem_order_goal_t *goal, gmem_diag_t *diag);
  unsigned share; // of the work that is left, in sixteenths
} gmem_order_stage_t;

// A row of the table of algorithms. Lists end with a zero entry.
typedef struct gmem_order_method_s {
  gmem_order_algorithm_t about;
  gmem_order_simple_fn
      starts[GMEM_ORDER_STARTS];                // the best one of each segment
  gmem_order_stage_t stages[GMEM_ORDER_STAGES]; // one after the other
} gmem_order_method_t;

// Runs a method on a whole net. |order| receives an order with out->peak, which
// may be above that of the given order for methods that do not start from it.
typedef struct gmem_order_outcome_s {
  uint64_t peak, bound;
} gmem_order_outcome_t;
GMEM_MUST_USE gmem_status_t gmem_order_run(const gmem_order_net_t *net,
                                           const gmem_order_method_t *method,
                                           gmem_order_work_t *work,
                                           gmem_scratch_t *memory,
                                           uint32_t *order,
                                           gmem_order_outcome_t *out);

#endif // GMEM_ORDER_ORDER_METHODS_H_
