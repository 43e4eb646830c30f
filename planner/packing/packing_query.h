// packing_query.h - queries on the items of a packing, for engines.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_PACKING_QUERY_H_
#define GMEM_PLANNER_PACKING_QUERY_H_

#include "items.h"

// Whether two buffers are in different arms of one choice.
bool gmem_buffers_exclude(const gmem_buffer_spec_t *a,
                          const gmem_buffer_spec_t *b);

// Compares their branches in a total order; 0: the same arms of the same
// choices.
int gmem_compare_branches(const gmem_buffer_spec_t *a,
                          const gmem_buffer_spec_t *b);

// Whether two different items interfere, in all or part of their bytes.
bool gmem_items_conflict(const gmem_packing_t *packing, uint32_t a, uint32_t b);

// The least offset(upper) - offset(lower) of two interfering items when |upper|
// is above |lower|: extent(lower) for whole items, less (even negative) when
// the interfering bytes are further down in |lower| or up in |upper|.
int64_t gmem_clearance(const gmem_packing_t *packing, uint32_t lower,
                       uint32_t upper);

// Lists in |clashes|, which has room for at least one and up to |room|, the
// intervals of infeasible distances of |item| from |other|, unordered. Where
// not all bytes of both are live at the same times, and there is room, these
// are finer than the clearances: |item| may fit between two parts of |other|.
// Returns their count.
uint32_t gmem_list_clashes(const gmem_packing_t *packing, uint32_t other,
                           uint32_t item, gmem_clash_t *clashes, size_t room);

// The peak of the placement, in bytes: the largest offset + size.
uint64_t gmem_packing_peak(const gmem_packing_t *packing,
                           const uint64_t *offsets);

// Writes the placements of the buffers of all items that have an offset, which
// is not GMEM_NOT_FIXED.
void gmem_packing_write(const gmem_packing_t *packing, const uint64_t *offsets,
                        gmem_placement_t *plan);

// The lowest index of the buffers of |item|.
uint32_t gmem_first_buffer(const gmem_packing_t *packing, uint32_t item);

// Reports in |diag| that |item| has no valid address. Returns OVER_BUDGET.
gmem_status_t gmem_no_address(const gmem_packing_t *packing, uint32_t item,
                              gmem_diag_t *diag);

#endif // GMEM_PLANNER_PACKING_QUERY_H_
