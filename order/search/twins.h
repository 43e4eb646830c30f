// twins.h - identical branches: swapping them does not change the graph.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_ORDER_TWINS_H_
#define GMEM_ORDER_TWINS_H_

#include "order_net.h"

// |branches| disjoint lists of |length| ops each (at most 64), one after the
// other in |ops|. Exchanging op i of one with op i of another, for all i, is an
// automorphism of the net.
typedef struct gmem_order_twin_group_s {
  uint32_t *ops;
  uint32_t branches, length;
} gmem_order_twin_group_t;

typedef struct gmem_order_twins_s {
  gmem_order_twin_group_t *groups;
  size_t count, room;
  uint32_t most_branches;
  uint64_t *patterns; // |most_branches|
  uint32_t *from;     // |most_branches|
} gmem_order_twins_t;

GMEM_MUST_USE gmem_status_t gmem_order_twins_find(const gmem_order_net_t *net,
                                                  gmem_scratch_t *memory,
                                                  gmem_order_twins_t *out);

// Exchanges branches such that of two of a group the one that has executed more
// (as a binary number) comes first. |where|, unless it is NULL, maps each op of
// the net to the op whose place it has taken; it is changed along.
void gmem_order_twins_sort(const gmem_order_twins_t *twins, uint64_t *done,
                           uint32_t *where);

#endif // GMEM_ORDER_TWINS_H_
