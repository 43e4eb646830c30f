// repair.h - improves an order around its peak, and brings it close to the
// given one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_ORDER_REPAIR_H_
#define GMEM_ORDER_REPAIR_H_

#include "best_first.h"

// Replaces intervals round the peak by a best order of the same ops.
GMEM_MUST_USE gmem_status_t gmem_order_window(const gmem_order_net_t *net,
                                              gmem_order_work_t *work,
                                              const gmem_allocator_t *allocator,
                                              gmem_order_goal_t *goal,
                                              gmem_diag_t *diag);

// Moves single ops over the peak: producers of buffers that are live there
// after it, last users of them before it.
GMEM_MUST_USE gmem_status_t gmem_order_local(const gmem_order_net_t *net,
                                             gmem_order_work_t *work,
                                             const gmem_allocator_t *allocator,
                                             gmem_order_goal_t *goal,
                                             gmem_diag_t *diag);

// Exchanges neighbours that are inverted with respect to the given order
// (0, 1, ...) as long as no position needs more than |peak| bytes.
GMEM_MUST_USE gmem_status_t gmem_order_restore(const gmem_order_net_t *net,
                                               gmem_order_work_t *work,
                                               gmem_scratch_t *memory,
                                               uint64_t peak, uint32_t *order);

#endif // GMEM_ORDER_REPAIR_H_
