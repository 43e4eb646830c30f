// items.h - the items of a packing: what has one offset.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_ITEMS_H_
#define GMEM_PLANNER_ITEMS_H_

#include "gmem/planner.h"

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

// Distances offset(item) - offset(other), none of them strictly between the two
// is possible.
typedef struct gmem_clash_s {
  int64_t low, high;
} gmem_clash_t;

// The members of |item| are members[items[item].member] up to this.
static inline uint32_t gmem_members_end(const gmem_packing_t *packing,
                                        uint32_t item) {
  return packing->items[item].member + packing->items[item].member_count;
}

// offset + |clearance|, at most INT64_MAX: above every address.
static inline int64_t gmem_clear_of(int64_t offset, int64_t clearance) {
  int64_t sum;
  return __builtin_add_overflow(offset, clearance, &sum) ? INT64_MAX : sum;
}

void gmem_packing_destroy(gmem_packing_t *packing);

bool gmem_same_branches(const gmem_buffer_spec_t *a,
                        const gmem_buffer_spec_t *b);

#endif // GMEM_PLANNER_ITEMS_H_
