// merge.h - merges items that form a rectangle into one, for fewer and larger
// items.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   gmem_merge_t merge;
//   GMEM_TRY(gmem_merge_create(packing, 0, search, memory, &merge));
//   ... place the items of merge.packing: merge.offsets ...
//   gmem_merge_unfold(&merge, merge.offsets, offsets);

#ifndef GMEM_PLANNER_MERGE_H_
#define GMEM_PLANNER_MERGE_H_

#include "merge_rectangles.h"

// Merges items of |packing|, which must be plain and outlive |merge|, until
// none are left to merge or the work limit of |search| is reached. All arrays
// are in |memory|. Then, with a |tolerance| in bytes, sizes may differ by up to
// this much, which is wasted. O(n log n) in all practical cases. Fails with
// OUT_OF_MEMORY.
gmem_status_t gmem_merge_create(const gmem_packing_t *packing,
                                uint64_t tolerance, gmem_search_t *search,
                                gmem_scratch_t *memory, gmem_merge_t *merge);

// Fills |offsets| of the whole packing from those of the merged packing.
void gmem_merge_unfold(const gmem_merge_t *merge, const uint64_t *merged,
                       uint64_t *offsets);

#endif // GMEM_PLANNER_MERGE_H_
