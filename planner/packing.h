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

#include "planner_internal.h"

#define GMEM_NOT_FIXED UINT64_MAX
#define GMEM_NO_ITEM UINT32_MAX

// Sections [begin, end).
typedef struct gmem_span_s {
  uint32_t begin, end;
} gmem_span_t;

// Bytes [begin, end) of an item and when they are live.
typedef struct gmem_part_s {
  uint64_t begin, end; // bytes from the start of the item
  uint32_t span;       // the first of them in |spans| of the packing
  uint32_t span_count; // sorted, disjoint, not touching
} gmem_part_t;

// How far an item reaches from some section on: its live bytes are in
// [low, high); high is 0 where it has none.
typedef struct gmem_reach_s {
  uint64_t low, high; // bytes from the start of the item
} gmem_reach_t;

typedef struct gmem_item_s {
  uint64_t size;         // bytes
  uint64_t extent;       // size rounded up to the granule of the packing
  uint64_t alignment;    // of the address; a multiple of the granule
  uint64_t fixed_offset; // bytes from the start of the pool; GMEM_NOT_FIXED
  uint64_t duration;     // units of time in which it is live
  uint32_t begin, end;   // sections [begin, end): first to last in which it is
                         //   live
  uint32_t member;       // its first in |members| of the packing
  uint32_t member_count; // at least 1
  uint32_t part;         // its first in |parts| of the packing
  uint32_t part_count;   // 0: all of its bytes, in all of [begin, end)
  bool has_branches;     // all its members are in the branches of the first
  uint32_t step;         // its first in |steps| of the packing
  uint32_t step_count;   // 0: it has few parts
} gmem_item_t;

// Where a buffer lies in its item.
typedef struct gmem_member_s {
  uint32_t buffer, item;
  uint64_t offset; // bytes from the start of the item
} gmem_member_t;

typedef struct gmem_packing_s {
  const gmem_allocator_t *allocator;
  const gmem_problem_t *problem;
  uint32_t pool;
  uint64_t base;    // address of offset 0
  uint64_t granule; // power of two: every offset is a multiple of it, when base
                    //   is; the least alignment of all items
  uint64_t bound;   // bytes: no placement has a lower peak
  uint64_t goal;    // bytes: a peak that is as good as the bound, because
                    //   something else needs as much
  uint64_t limit;   // no item may end above this offset
  uint32_t count;   // items
  uint32_t first_section, section_count;
  gmem_item_t *items;
  gmem_member_t *members; // by item
  uint32_t member_count, member_capacity;
  gmem_part_t *parts;
  size_t part_count, part_capacity;
  gmem_span_t *spans;
  size_t span_count, span_capacity;
  // Of items with many parts: the sections at which their reach changes,
  // sorted, and trees over them: the reach of step k of an item of n steps is
  // reaches[2 * step + n + k], that of node i is the hull of those of 2i and
  // 2i + 1.
  uint32_t *steps;
  gmem_reach_t *reaches;
  size_t step_count, step_capacity, reach_capacity;
  // Items that may share no bytes at all, whether or not they are live
  // together: those of item i are extra[extra_starts[i] .. extra_starts[i +
  // 1]), sorted. NULL: none.
  uint32_t *extra;
  size_t *extra_starts;
  size_t extra_capacity;
  // Every item is whole (part_count 0), not fixed, aligned to the granule,
  // which divides base, and conflicts are exactly the shared sections.
  bool is_plain;
  // A buffer that no address in the pool suits, because of those it is tied to,
  // or GMEM_NO_BUFFER. Nothing is made then.
  uint32_t misfit;
  bool has_choices; // some items never exist together: see gmem_items_conflict
  // No placement of the buffers is forbidden that the problem allows. Without
  // it a proof about the packing is none about the problem.
  bool is_exact;
  bool is_view; // a part of another packing, which owns the arrays
} gmem_packing_t;

// What shall lie in which pool: by buffer; GMEM_NO_POOL leaves it out.
#define GMEM_NO_POOL UINT32_MAX

// Makes the packing of the buffers for which pool_of[buffer] == pool. Aliases
// that are optional count when chosen[alias] (NULL: none does). Buffers of size
// 0 are left out. Fails with OUT_OF_MEMORY, OUT_OF_RANGE (sums above every
// address) or INVALID_ARGUMENT (|misfit|); |packing| may be destroyed all the
// same. O(n log n).
gmem_status_t gmem_packing_create(const gmem_problem_t *problem, uint32_t pool,
                                  const uint32_t *pool_of, const bool *chosen,
                                  gmem_packing_t *packing, gmem_diag_t *diag);
void gmem_packing_destroy(gmem_packing_t *packing);

// Makes a packing that is good for its bound only: of the buffers that can go
// nowhere but to |pool|, or with GMEM_NO_POOL of all, as if addresses had no
// alignment. |only|: by buffer, the others are left out; NULL: none is. Items
// are in no order; optional aliases are chosen wherever that makes the bound
// lower. Fails as gmem_packing_create does.
gmem_status_t gmem_packing_create_for_bound(const gmem_problem_t *problem,
                                            uint32_t pool, const bool *only,
                                            gmem_packing_t *packing,
                                            gmem_diag_t *diag);

// |needed| (may be NULL): the bytes that each section needs at least, each
// GMEM_UNLIMITED when beyond every address. *out_most: the largest, and no less
// than the end of any fixed item. O(n log n). Fails with OUT_OF_MEMORY.
gmem_status_t gmem_packing_load(const gmem_packing_t *packing, uint64_t *needed,
                                uint64_t *out_most, gmem_diag_t *diag);

// The members of |item| are members[items[item].member] up to this.
static inline uint32_t gmem_members_end(const gmem_packing_t *packing,
                                        uint32_t item) {
  return packing->items[item].member + packing->items[item].member_count;
}

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

// Distances offset(item) - offset(other), none of them strictly between the two
// is possible.
typedef struct gmem_clash_s {
  int64_t low, high;
} gmem_clash_t;

// The same in more detail, for items whose bytes are not all live at the same
// times: what lies between two parts of |other| may be free for |item|. Lists
// up to |room| such intervals in |clashes|, in no order. Returns how many; 0
// when there is nothing to say but the clearances.
uint32_t gmem_list_clashes(const gmem_packing_t *packing, uint32_t other,
                           uint32_t item, gmem_clash_t *clashes, uint32_t room);

// offset + |clearance|, at most INT64_MAX: above every address.
static inline int64_t gmem_clear_of(int64_t offset, int64_t clearance) {
  int64_t sum;
  return __builtin_add_overflow(offset, clearance, &sum) ? INT64_MAX : sum;
}

// The lowest offset >= |offset| that is aligned for |item|; false when that is
// above every address.
static inline bool gmem_item_align(const gmem_packing_t *packing,
                                   const gmem_item_t *item, uint64_t offset,
                                   uint64_t *aligned) {
  return gmem_align_offset(packing->base, offset, item->alignment, aligned);
}

// Bytes that the placement needs: the largest offset + size.
uint64_t gmem_packing_peak(const gmem_packing_t *packing,
                           const uint64_t *offsets);

// The lowest index of the buffers in |item|.
uint32_t gmem_first_buffer(const gmem_packing_t *packing, uint32_t item);

// Fills |diag|: there is no address for |item|. Returns OVER_BUDGET.
gmem_status_t gmem_no_address(const gmem_packing_t *packing, uint32_t item,
                              gmem_diag_t *diag);

//===--- the engines ------------------------------------------------------===//

// Places every item of |packing|: fills |offsets| (bytes from the start of the
// pool). |limit| of the packing need not be kept: the caller compares. Stops as
// soon as the peak is <= |goal|. Fails with OUT_OF_MEMORY, OVER_BUDGET (beyond
// every address) or OVERLAP (fixed items).
typedef gmem_status_t gmem_pack_t(const gmem_packing_t *packing,
                                  gmem_search_t *search, uint64_t *offsets,
                                  gmem_diag_t *diag);

// Each is the one thing in the file of its name.
gmem_pack_t gmem_none_pack;
gmem_pack_t gmem_ref_count_pack;
gmem_pack_t gmem_first_fit_pack;
gmem_pack_t gmem_best_fit_pack;
gmem_pack_t gmem_greedy_by_size_pack;
gmem_pack_t gmem_greedy_by_conflicts_pack;
gmem_pack_t gmem_sweep_pack;     // O(n log n), for any number of items
gmem_pack_t gmem_portfolio_pack; // the two rules of fit with many orders
gmem_pack_t gmem_auto_pack;      // all of them in stages

// These improve: |offsets| holds a valid placement, and is only replaced by one
// with a lower peak.
gmem_pack_t gmem_hill_climb_pack;
gmem_pack_t gmem_fold_pack; // the other searches on fewer, larger items
// *out_proved: no placement has a lower peak than the one in |offsets| now.
gmem_status_t gmem_exact_pack(const gmem_packing_t *packing,
                              gmem_search_t *search, uint64_t *offsets,
                              bool *out_proved, gmem_diag_t *diag);

//===--- the driver -------------------------------------------------------===//

// An algorithm made of engines; |user| of its descriptor points to one.
typedef struct gmem_engine_s {
  gmem_pack_t *start;   // places
  gmem_pack_t *improve; // then makes it better; NULL: nothing does
  bool searches_pools;  // which buffer goes where is searched, too
} gmem_engine_t;

// pack_pools.c: a gmem_algorithm_fn; |engine| is a const gmem_engine_t *.
// Decides the pool of every buffer, runs the engine on every pool, compares
// with its limit and writes the plan. All buffers start in their first
// candidate; spill.c says which leave a pool that is too small.
// Fails with OVER_BUDGET, or with what the engine returns.
gmem_status_t gmem_pack_pools(const gmem_problem_t *problem,
                              gmem_search_t *search, gmem_placement_t *plan,
                              void *engine, gmem_diag_t *diag);

#endif // GMEM_PLANNER_PACKING_H_
