// interval.h - part of an order as a net of its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_ORDER_INTERVAL_H_
#define GMEM_ORDER_INTERVAL_H_

#include "order_net.h"

// An order of a net, with what intervals of it need.
typedef struct gmem_order_profile_s {
  const gmem_order_net_t *net;
  const uint32_t *order; // op by position; owned by the caller
  uint32_t *place;       // position by op
  uint32_t *last;        // by buffer: the position of the last use
  uint64_t *live;        // by position: bytes before it
  uint32_t *local;       // by buffer: its number in the interval
  uint32_t *stamp;       // by buffer: the interval that |local| is of
  uint32_t stamps;       // intervals so far
} gmem_order_profile_t;

GMEM_MUST_USE gmem_status_t
gmem_order_profile_create(const gmem_order_net_t *net, gmem_scratch_t *memory,
                          gmem_order_profile_t *out_profile);

// Reads a new order of the same net, and its peak.
GMEM_MUST_USE gmem_status_t
gmem_order_profile_read(gmem_order_profile_t *profile, const uint32_t *order,
                        gmem_scratch_t *memory, uint64_t *out_peak);

// The net of the positions [begin, end) : op i is the one at begin + i. Every
// order of it can replace the interval.
GMEM_MUST_USE gmem_status_t gmem_order_interval(gmem_order_profile_t *profile,
                                                uint32_t begin, uint32_t end,
                                                gmem_scratch_t *memory,
                                                gmem_order_net_t *out_net);

// Finds the positions p such that every order has the first p ops of the given
// order (0, 1, ...) first. |cuts| has room for op_count + 1 positions, from 0
// to op_count. Returns their number. |scratch|: op_count + 1 numbers.
uint32_t gmem_order_find_cuts(const gmem_order_net_t *net, uint32_t *scratch,
                              uint32_t *cuts);

#endif // GMEM_ORDER_INTERVAL_H_
