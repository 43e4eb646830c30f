// needs.h - the bytes in memory at each position of an order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_ORDER_NEEDS_H_
#define GMEM_ORDER_NEEDS_H_

#include "order_net.h"

// Fills |needs|, one per position. They are at least the bytes that are live
// before and after it.
GMEM_MUST_USE gmem_status_t gmem_order_needs(const gmem_order_net_t *net,
                                             const uint32_t *order,
                                             gmem_scratch_t *memory,
                                             uint64_t *needs);

// The first position that needs most.
GMEM_MUST_USE gmem_status_t gmem_order_find_peak(const gmem_order_net_t *net,
                                                 const uint32_t *order,
                                                 gmem_scratch_t *memory,
                                                 uint32_t *out_position);

#endif // GMEM_ORDER_NEEDS_H_
