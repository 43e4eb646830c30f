// packing.h - the buffers of one pool in the form that the algorithms work on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A packing has *items*: what moves as one. An item is a buffer, or buffers
// that aliases and blocks tie together. Time is cut into *sections*, numbered
// from 0: the largest sets of items that are live together, in order of time.
// Two items are live together exactly when they share a section, so nothing is
// lost, and there are never more sections than live ranges.
//
// Items are in canonical order: by begin, end, size, alignment, fixed offset,
// name. So what an algorithm does depends on the buffers, not on the order in
// which they were added.

#ifndef GMEM_PLANNER_PACKING_H_
#define GMEM_PLANNER_PACKING_H_

#include "items.h"
#include "planner_internal.h"

// Places every item of |packing|: fills |offsets| (bytes from the start of the
// pool). |limit| of the packing need not be kept: the caller compares. Stops as
// soon as the peak is <= |goal|. Fails with OUT_OF_MEMORY, OVER_BUDGET (beyond
// every address) or OVERLAP (fixed items).
typedef gmem_status_t gmem_pack_t(const gmem_packing_t *packing,
                                  gmem_search_t *search, uint64_t *offsets,
                                  gmem_diag_t *diag);

// An algorithm made of engines; |user| of its descriptor points to one.
typedef struct gmem_engine_s {
  gmem_pack_t *start;   // places
  gmem_pack_t *improve; // then makes it better; NULL: nothing does
  bool searches_pools;  // which buffer goes where is searched, too
} gmem_engine_t;

// Makes the packing of the buffers for which pool_of[buffer] == pool. Aliases
// that are optional count when chosen[alias] (NULL: none does). Buffers of size
// 0 are left out. Fails with OUT_OF_MEMORY, OUT_OF_RANGE (sums above every
// address) or INVALID_ARGUMENT (|misfit|); |packing| may be destroyed all the
// same. O(n log n).
gmem_status_t gmem_packing_create(const gmem_problem_t *problem, uint32_t pool,
                                  const uint32_t *pool_of, const bool *chosen,
                                  gmem_packing_t *packing, gmem_diag_t *diag);

// Makes a packing that is good for its bound only: of the buffers that can go
// nowhere but to |pool|, or with GMEM_NO_POOL of all, as if addresses had no
// alignment. |only|: by buffer, the others are left out; NULL: none is. Items
// are in no order; optional aliases are chosen wherever that makes the bound
// lower. Fails as gmem_packing_create does.
gmem_status_t gmem_packing_create_for_bound(const gmem_problem_t *problem,
                                            uint32_t pool, const bool *only,
                                            gmem_packing_t *packing,
                                            gmem_diag_t *diag);

// The lowest offset >= |offset| that is aligned for |item|; false when that is
// above every address.
static inline bool gmem_item_align(const gmem_packing_t *packing,
                                   const gmem_item_t *item, uint64_t offset,
                                   uint64_t *aligned) {
  return gmem_align_offset(packing->base, offset, item->alignment, aligned);
}

#endif // GMEM_PLANNER_PACKING_H_
