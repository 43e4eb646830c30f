// reduce.h - merges ops that some best order executes next to each other.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_ORDER_REDUCE_H_
#define GMEM_ORDER_REDUCE_H_

#include "order_net.h"

// A net whose ops are groups of ops of another net. Its peak over all orders is
// that of the other net.
typedef struct gmem_order_reduced_s {
  gmem_order_net_t net;
  gmem_order_lists_t groups; // by op of |net|: ops of the other net, in order
} gmem_order_reduced_t;

GMEM_MUST_USE gmem_status_t gmem_order_reduce(const gmem_order_net_t *net,
                                              gmem_scratch_t *memory,
                                              gmem_order_reduced_t *out);

#endif // GMEM_ORDER_REDUCE_H_
