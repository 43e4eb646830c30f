// reach.h - how far items with many parts reach, and whether they meet.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_REACH_H_
#define GMEM_PLANNER_REACH_H_

#include "packing.h"

// Whether bytes of the two, one of which has steps, are live together; *reach:
// the most by which the end of such bytes of |left| lies above the begin of
// such bytes of |right|, both seen from the start of their item. O(log n) for
// each part or step of the one that has fewer of them.
bool gmem_reaches_meet(const gmem_packing_t *packing, const gmem_item_t *left,
                       const gmem_item_t *right, int64_t *reach);

#endif // GMEM_PLANNER_REACH_H_
