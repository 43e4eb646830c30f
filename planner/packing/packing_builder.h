// packing_builder.h - a packing under construction.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_PACKING_BUILDER_H_
#define GMEM_PLANNER_PACKING_BUILDER_H_

#include "items.h"
#include "offset_group.h"
#include "planner_internal.h"

typedef struct gmem_range_list_s {
  const gmem_live_range_t *at;
  size_t count;
} gmem_range_list_t;

// Of a buffer with optional aliases: ranges [first - 1, first - 1 + count) of a
// list; first 0: it has none of its own.
typedef struct gmem_uncovered_s {
  uint32_t first, count;
} gmem_uncovered_t;

typedef struct gmem_packing_builder_s {
  gmem_packing_t *packing;
  gmem_scratch_t memory;   // of everything below
  const uint32_t *pool_of; // by buffer; NULL: the packing is for a bound
  const bool *only;        // by buffer: leaves the others out; NULL: keeps all
  const bool *chosen;      // by alias: optional aliases that apply; NULL: none
  const gmem_offset_groups_t *groups; // NULL: none
  gmem_offset_groups_t own_groups;    // with the aliases of |chosen|
  // By buffer, or NULL: starts inside another buffer, so the alignment of the
  // pool does not apply.
  bool *is_inner;
  // By buffer, or NULL: when buffers with optional aliases count for a bound.
  gmem_uncovered_t *uncovered;
  const gmem_live_range_t *uncovered_ranges;
  bool has_branches;              // some member has branches
  size_t range_count;             // of all members
  uint64_t first_time, last_time; // of all live ranges, as keys
  // While items are sorted: key: begin, index: item; later scratch, 3 entries
  // per live range.
  gmem_order_t *order;
  gmem_span_t *sections; // of each live range of each member
  uint32_t *first_range; // by member, and one more
} gmem_packing_builder_t;

static inline const gmem_buffer_spec_t *
gmem_member_spec(const gmem_packing_t *packing, uint32_t member) {
  return gmem_problem_buffer(packing->problem, packing->members[member].buffer);
}

// The live ranges in which |buffer| counts.
gmem_range_list_t gmem_ranges_of(const gmem_packing_builder_t *builder,
                                 uint32_t buffer);

// The alignment of the address of |buffer|.
uint64_t gmem_alignment_of(const gmem_packing_builder_t *builder,
                           uint32_t buffer);

// Whether a range begins where the one before it ends: both count as one.
static inline bool gmem_touches_last(gmem_range_list_t ranges, size_t range) {
  return range > 0 && ranges.at[range - 1].end == ranges.at[range].begin;
}

// Lists the begins and, after them, the ends of the live ranges of
// the members [first, end) in |order|, sorted by time; key: time, index: of the
// range. Returns the number of ranges.
size_t gmem_list_events(const gmem_packing_builder_t *builder, uint32_t first,
                        uint32_t end);

//===--- stages, each in the file that is named ---------------------------===//

// relations.c: computes which buffers start inside others. Fails with
// OUT_OF_MEMORY.
gmem_status_t gmem_find_inner(gmem_packing_builder_t *builder);

// relations.c: lists pairs of items with an explicit conflict. |scratch|: for
// temporary arrays.
gmem_status_t gmem_list_extra(gmem_packing_t *packing, gmem_scratch_t *scratch);

// independent_ranges.c: computes when buffers with optional aliases count, in
// |uncovered|, which is zero. *out_found: false when it would take too long;
// |uncovered| is then unchanged. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_find_independent(gmem_packing_builder_t *builder,
                                    bool *out_found);

// uncovered_ranges.c: computes when no optional parent is live, in |uncovered|.
// Fails with OUT_OF_MEMORY.
gmem_status_t gmem_find_uncovered(gmem_packing_builder_t *builder);

// composite.c: makes items of offset groups. Fails with INVALID_ARGUMENT (a
// member is misaligned in the pool) or OUT_OF_RANGE.
gmem_status_t gmem_list_composite_items(gmem_packing_builder_t *builder,
                                        gmem_diag_t *diag);

// reach.c: whether live bytes of the two items, of which one has steps,
// interfere; *reach: the largest distance by which the end of such bytes of
// |left| exceeds the begin of such bytes of |right|, each relative to the start
// of its item. O(log n) per part or step of the item with fewer of them.
bool gmem_reaches_meet(const gmem_packing_t *packing, const gmem_item_t *left,
                       const gmem_item_t *right, int64_t *reach);

// reach.c: computes the reach over time of an item with many parts. Fails with
// OUT_OF_MEMORY.
gmem_status_t gmem_describe_reach(gmem_packing_t *packing, gmem_item_t *item,
                                  gmem_scratch_t *scratch);

// composite.c: computes the parts and the duration of an item with several
// members or live ranges. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_describe_parts(gmem_packing_builder_t *builder,
                                  uint32_t item);

#endif // GMEM_PLANNER_PACKING_BUILDER_H_
