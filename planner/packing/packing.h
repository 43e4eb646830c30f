// packing.h - the buffers of one pool in the form that algorithms use.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A packing consists of *items*, the units of placement: a buffer, or an offset
// group of buffers whose relative offsets aliases and blocks fix. Time is
// divided into *sections*, numbered from 0: the maximal sets of items that are
// live together, in order of time. Two items are live together exactly when
// they share a section. There are at most as many sections as live ranges.
//
// Items are in canonical order (by begin, end, size, alignment, fixed offset,
// name), so that results do not depend on the order in which buffers were
// added.

#ifndef GMEM_PLANNER_PACKING_H_
#define GMEM_PLANNER_PACKING_H_

#include "items.h"
#include "offset_group.h"
#include "planner_internal.h"

// A packing that is to be placed.
typedef struct gmem_task_s {
  const gmem_packing_t *packing;
  gmem_search_t *search;
  uint64_t *offsets;      // the result: bytes from the start of the pool
  gmem_scratch_t *memory; // freed when the algorithm returns
} gmem_task_t;

// Places every item of the packing. May exceed its |limit|: the caller
// compares. Returns as soon as the peak is <= |goal|. Fails with OUT_OF_MEMORY,
// OVER_BUDGET (an offset above GMEM_MAX_ADDRESS) or OVERLAP (fixed items).
typedef gmem_status_t gmem_pack_t(const gmem_task_t *task);

// Runs |algorithm| with a memory that is freed when it returns.
gmem_status_t gmem_pack(gmem_pack_t *algorithm, const gmem_packing_t *packing,
                        gmem_search_t *search, uint64_t *offsets,
                        gmem_diag_t *diag);

// An algorithm for one pool; |user| of its descriptor points to one.
typedef struct gmem_engine_s {
  gmem_pack_t *pack;
  bool is_search;      // not a rule: the form of the problem has no meaning
  bool searches_pools; // the assignment of buffers to pools is searched, too
} gmem_engine_t;

// Creates the packing of the buffers for which pool_of[buffer] == pool.
// Optional aliases apply when chosen[alias] is set (NULL: none applies);
// |groups|: with these, or NULL: they are made here.
// Buffers of size 0 are left out. Fails with OUT_OF_MEMORY, OUT_OF_RANGE (a sum
// above GMEM_MAX_ADDRESS) or INVALID_ARGUMENT (|misfit|); |packing| may be
// destroyed even after failure. O(n log n).
gmem_status_t gmem_packing_create(const gmem_problem_t *problem, uint32_t pool,
                                  const uint32_t *pool_of, const bool *chosen,
                                  const gmem_offset_groups_t *groups,
                                  gmem_packing_t *packing, gmem_diag_t *diag);

// Whether the items are live in sections of the packing, and their parts and
// spans are sorted and disjoint. For asserts and tests.
bool gmem_check_packing(const gmem_packing_t *packing);

// Creates a packing that is only valid for its bound: of the buffers whose only
// candidate is |pool|, or with GMEM_NO_POOL of all buffers as if addresses had
// no alignment. |only|: by buffer, leaves the others out; NULL: keeps all.
// Items are in no order. Optional aliases are assumed wherever that lowers the
// bound. Fails as gmem_packing_create does.
gmem_status_t gmem_packing_create_for_bound(const gmem_problem_t *problem,
                                            uint32_t pool, const bool *only,
                                            gmem_packing_t *packing,
                                            gmem_diag_t *diag);

// The lowest offset >= |offset| that is aligned for |item|; false when it
// exceeds GMEM_MAX_ADDRESS.
static inline bool gmem_item_align(const gmem_packing_t *packing,
                                   const gmem_item_t *item, uint64_t offset,
                                   uint64_t *aligned) {
  return gmem_align_offset(packing->base, offset, item->alignment, aligned);
}

#endif // GMEM_PLANNER_PACKING_H_
