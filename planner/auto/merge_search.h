// merge_search.h - searches on merged items.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_MERGE_SEARCH_H_
#define GMEM_PLANNER_MERGE_SEARCH_H_

#include "packing.h"

// Improves a placement.
gmem_pack_t gmem_merge_pack;

// The same, for a second time: without the climb, which would do the same.
gmem_pack_t gmem_merge_exact_pack;

// Exact search: of merged items for most of the work, then of the items.
gmem_pack_t gmem_merge_then_exact_pack;

// The same for items that form rectangles with little waste.
gmem_pack_t gmem_near_merge_pack;

#endif // GMEM_PLANNER_MERGE_SEARCH_H_
