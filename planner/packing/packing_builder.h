// packing_builder.h - a packing while it is made.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_PACKING_BUILDER_H_
#define GMEM_PLANNER_PACKING_BUILDER_H_

#include "items.h"
#include "offset_group.h"
#include "planner_internal.h"

// What becomes an item.
typedef struct gmem_unit_s {
  uint64_t begin, end; // keys of the times: first to last it is live
  uint64_t size, alignment, fixed_offset;
  uint32_t member, member_count; // in the packing
} gmem_unit_t;

typedef struct gmem_range_list_s {
  const gmem_live_range_t *at;
  size_t count;
} gmem_range_list_t;

typedef struct gmem_packing_builder_s {
  gmem_packing_t *packing;
  const uint32_t *pool_of; // by buffer; NULL: the packing is for a bound
  const bool *only;        // by buffer: the others don't count; NULL: all do
  const bool *chosen;      // by alias; NULL: no optional one is
  const gmem_offset_groups_t *groups; // NULL: none
  gmem_offset_groups_t own_groups;    // with those of the chosen aliases
  // By buffer, or NULL: it does not begin where something with an address of
  // its own begins, so the alignment of the pool does not count.
  bool *is_inner;
  // By buffer, or NULL: when optional children are not inside a parent.
  gmem_range_list_t *uncovered;
  gmem_live_range_t *uncovered_ranges;
  size_t uncovered_count; // room
  bool has_branches;      // some member has
  bool has_fixed;         // some unit is
  // Every member is a unit of its own with one live range.
  bool is_single;
  uint64_t most_alignment; // of all units
  gmem_unit_t *units;
  size_t unit_capacity;
  gmem_order_t *order; // scratch
  size_t order_capacity;
  gmem_span_t *sections; // of each live range of each member
  size_t range_count;
  size_t *first_range; // of each member, and one more
} gmem_packing_builder_t;

static inline const gmem_buffer_spec_t *
gmem_member_spec(const gmem_packing_t *packing, uint32_t member) {
  return gmem_problem_buffer(packing->problem, packing->members[member].buffer);
}

// When |buffer| counts.
gmem_range_list_t gmem_ranges_of(const gmem_packing_builder_t *builder,
                                 uint32_t buffer);

// Alignment of the address of |buffer|.
uint64_t gmem_alignment_of(const gmem_packing_builder_t *builder,
                           uint32_t buffer);

#endif // GMEM_PLANNER_PACKING_BUILDER_H_
