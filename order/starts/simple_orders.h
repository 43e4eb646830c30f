// simple_orders.h - orders that take linear or nearly linear time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_ORDER_SIMPLE_ORDERS_H_
#define GMEM_ORDER_SIMPLE_ORDERS_H_

#include "order_net.h"

// Fills |order|; temporary memory comes from |allocator|.
typedef gmem_status_t (*gmem_order_simple_fn)(const gmem_order_net_t *net,
                                              gmem_scratch_t *memory,
                                              uint32_t *order);

// The given order.
GMEM_MUST_USE gmem_status_t gmem_order_given(const gmem_order_net_t *net,
                                             gmem_scratch_t *memory,
                                             uint32_t *order);

// Depth first from the ops that nothing depends on: what an op needs executes
// directly before it.
GMEM_MUST_USE gmem_status_t gmem_order_depth_first(const gmem_order_net_t *net,
                                                   gmem_scratch_t *memory,
                                                   uint32_t *order);

// Always the op that leaves the fewest live bytes.
GMEM_MUST_USE gmem_status_t gmem_order_greedy(const gmem_order_net_t *net,
                                              gmem_scratch_t *memory,
                                              uint32_t *order);

// The same from the end: the last op is the one before which the fewest bytes
// are live.
GMEM_MUST_USE gmem_status_t gmem_order_greedy_back(const gmem_order_net_t *net,
                                                   gmem_scratch_t *memory,
                                                   uint32_t *order);

#endif // GMEM_ORDER_SIMPLE_ORDERS_H_
