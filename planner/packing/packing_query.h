// packing_query.h - what engines ask about the items of a packing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_PACKING_QUERY_H_
#define GMEM_PLANNER_PACKING_QUERY_H_

#include "gmem/planner.h"
#include "items.h"

// Whether two buffers are in different arms of one choice.
bool gmem_buffers_exclude(const gmem_buffer_spec_t *a,
                          const gmem_buffer_spec_t *b);

// Whether two different items may share no bytes at all or in part.
bool gmem_items_conflict(const gmem_packing_t *packing, uint32_t a, uint32_t b);

// Of two items that conflict, the least offset(upper) - offset(lower) when
// |upper| lies above |lower|: extent(lower) for whole items; less, even
// negative, when the bytes that are live together are further down or up.
int64_t gmem_clearance(const gmem_packing_t *packing, uint32_t lower,
                       uint32_t upper);

// The same in more detail, for items whose bytes are not all live at the same
// times: what lies between two parts of |other| may be free for |item|. Lists
// up to |room| such intervals in |clashes|, in no order. Returns how many; 0
// when there is nothing to say but the clearances.
uint32_t gmem_list_clashes(const gmem_packing_t *packing, uint32_t other,
                           uint32_t item, gmem_clash_t *clashes, uint32_t room);

// Bytes that the placement needs: the largest offset + size.
uint64_t gmem_packing_peak(const gmem_packing_t *packing,
                           const uint64_t *offsets);

// The lowest index of the buffers in |item|.
uint32_t gmem_first_buffer(const gmem_packing_t *packing, uint32_t item);

// Fills |diag|: there is no address for |item|. Returns OVER_BUDGET.
gmem_status_t gmem_no_address(const gmem_packing_t *packing, uint32_t item,
                              gmem_diag_t *diag);

#endif // GMEM_PLANNER_PACKING_QUERY_H_
