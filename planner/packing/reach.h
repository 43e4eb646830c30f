// reach.h - how far items with many parts reach, and whether they meet.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_REACH_H_
#define GMEM_PLANNER_REACH_H_

#include "gmem/status.h"
#include "items.h"

// Whether bytes of the two, one of which has steps, are live together; *reach:
// the most by which the end of such bytes of |left| lies above the begin of
// such bytes of |right|, both seen from the start of their item. O(log n) for
// each part or step of the one that has fewer of them.
bool gmem_reaches_meet(const gmem_packing_t *packing, const gmem_item_t *left,
                       const gmem_item_t *right, int64_t *reach);

// reach.c: of an item with many parts, how far it reaches at which times. Fails
// with OUT_OF_MEMORY.
gmem_status_t gmem_describe_reach(gmem_packing_t *packing, gmem_item_t *item,
                                  gmem_diag_t *diag);

#endif // GMEM_PLANNER_REACH_H_
