// reach.h - the vertical reach of items with many parts, and interference.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_REACH_H_
#define GMEM_PLANNER_REACH_H_

#include "items.h"

// Whether live bytes of the two items, of which one has steps, interfere;
// *reach: the largest distance by which the end of such bytes of |left| exceeds
// the begin of such bytes of |right|, each relative to the start of its item.
// O(log n) per part or step of the item with fewer of them.
bool gmem_reaches_meet(const gmem_packing_t *packing, const gmem_item_t *left,
                       const gmem_item_t *right, int64_t *reach);

// reach.c: computes the reach over time of an item with many parts. Fails with
// OUT_OF_MEMORY.
gmem_status_t gmem_describe_reach(gmem_packing_t *packing, gmem_item_t *item,
                                  gmem_scratch_t *scratch);

#endif // GMEM_PLANNER_REACH_H_
