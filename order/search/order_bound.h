// order_bound.h - a lower bound on the peak of all orders.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_ORDER_ORDER_BOUND_H_
#define GMEM_ORDER_ORDER_BOUND_H_

#include "order_net.h"

// The largest need of a single op: the buffers that are live there in every
// order, its outputs and its scratch. Exact ancestors up to a few thousand ops,
// else only the op's own inputs and what is kept throughout.
GMEM_MUST_USE gmem_status_t gmem_order_bound(const gmem_order_net_t *net,
                                             gmem_scratch_t *memory,
                                             uint64_t *out_bound);

#endif // GMEM_ORDER_ORDER_BOUND_H_
