// items.h - the items of a packing: units of placement with one offset.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_ITEMS_H_
#define GMEM_PLANNER_ITEMS_H_

#include "planner_memory.h"
#include "scratch.h"

#define GMEM_NOT_FIXED UINT64_MAX

#define GMEM_NO_ITEM UINT32_MAX

// Sections [begin, end).
typedef struct gmem_span_s {
  uint32_t begin, end;
} gmem_span_t;

// Bytes [begin, end) of an item and the spans in which they are live.
typedef struct gmem_part_s {
  uint64_t begin, end; // bytes from the start of the item
  uint32_t span;       // its first in |spans| of the packing
  uint32_t span_count; // sorted, disjoint, not touching
} gmem_part_t;

// The live bytes of an item from some section on: they are in [low, high); high
// is 0 when it has none.
typedef struct gmem_reach_s {
  uint64_t low, high; // bytes from the start of the item
} gmem_reach_t;

typedef struct gmem_item_s {
  uint64_t size;         // bytes
  uint64_t extent;       // size rounded up to the granule of the packing
  uint64_t alignment;    // of the address; a multiple of the granule
  uint64_t fixed_offset; // bytes from the start of the pool; GMEM_NOT_FIXED
  uint64_t
      duration; // units of time in which it is live: the total, without gaps
  uint32_t begin, end;   // it is live in sections of [begin, end) only
  uint32_t member;       // its first in |members| of the packing
  uint32_t member_count; // at least 1
  uint32_t part;         // its first in |parts| of the packing
  uint32_t part_count;   // 0: all of its bytes are live in all of [begin, end)
  uint32_t step;         // its first in |steps| of the packing
  uint32_t step_count : 31;  // 0: it has few parts
  uint32_t has_branches : 1; // all its members have the branches of the first
} gmem_item_t;

// The position of a buffer in its item.
typedef struct gmem_member_s {
  uint32_t buffer, item;
  uint64_t offset; // bytes from the start of the item
} gmem_member_t;

// Two members of different items; |first| is of the item that has the list.
typedef struct gmem_member_pair_s {
  uint32_t first, second;
} gmem_member_pair_t;

typedef struct gmem_packing_s {
  const gmem_allocator_t *allocator;
  const gmem_problem_t *problem;
  uint32_t pool;
  uint64_t base;    // address of offset 0
  uint64_t granule; // power of two: every offset is a multiple of it, when base
                    //   is; the least alignment of all items
  uint64_t bound;   // bytes: no placement has a lower peak
  uint64_t goal;    // bytes: a search may stop at this peak, because the total
                    // does not improve below it
  uint64_t ceiling; // bytes: an exact search finds only lower peaks; 0: any
  uint64_t limit;   // no item may end above this offset
  uint32_t count;   // items
  uint32_t first_section, section_count;
  uint64_t bound_steps;  // units of work that the bound has taken
  gmem_scratch_t memory; // of the arrays; a view, a changed copy, owns none
  gmem_item_t *items;
  gmem_member_t *members; // those of one item together
  uint32_t member_count;
  gmem_part_t *parts;
  size_t part_count, part_capacity;
  gmem_span_t *spans;
  size_t span_count, span_capacity;
  // For items with many parts: the sections at which their reach changes,
  // sorted, and trees over them. The reach of step k of an item with n steps is
  // reaches[2 * step + n + k]; that of node i is the hull of nodes 2i and 2i +
  // 1.
  uint32_t *steps;
  gmem_reach_t *reaches;
  size_t step_count, step_capacity, reach_capacity;
  // Items that must not share bytes, whether or not they are live together:
  // those of item i are extra[extra_starts[i] .. extra_starts[i + 1]), sorted.
  // NULL: none.
  uint32_t *extra;
  size_t *extra_starts;
  // The members that must not share bytes because of extra[k]:
  // extra_pairs[pair_starts[k] .. pair_starts[k + 1]).
  gmem_member_pair_t *extra_pairs;
  size_t *pair_starts;
  // All or none of the bytes of an item are live in a section, and two items
  // interfere exactly when they are live in the same one.
  bool is_whole;
  // Moreover every item is live from its begin to its end (part_count 0).
  bool is_simple;
  // Moreover no item is fixed, and all are aligned to the granule, which
  // divides base.
  bool is_plain;
  // A buffer that is misaligned at every offset its group allows, or
  // GMEM_NO_BUFFER. The packing is then empty.
  uint32_t misfit;
  bool has_choices; // some items never exist together: see gmem_items_conflict
  // The packing allows every placement of the buffers that the problem allows.
  // Otherwise a proof about the packing does not carry over to the problem.
  bool is_exact;
} gmem_packing_t;

// The pool of each buffer; GMEM_NO_POOL leaves a buffer out.
#define GMEM_NO_POOL UINT32_MAX

// Distances offset(item) - offset(other) strictly between these two are
// infeasible.
typedef struct gmem_clash_s {
  int64_t low, high;
} gmem_clash_t;

// The end of the members of |item|, which start at items[item].member.
static inline uint32_t gmem_members_end(const gmem_packing_t *packing,
                                        uint32_t item) {
  return packing->items[item].member + packing->items[item].member_count;
}

// Bytes [begin, end) of an item, and sections in which they are live.
typedef struct gmem_live_part_s {
  uint64_t begin, end;
  gmem_span_t span;
  uint32_t part, next; // the part, and its span after this one
} gmem_live_part_t;

// Advances *live, at first {0}, over the parts of |item| and their spans. False
// after the last one.
static inline bool gmem_next_live(const gmem_packing_t *packing,
                                  const gmem_item_t *item,
                                  gmem_live_part_t *live) {
  if (item->part_count == 0) {
    live->end = item->size;
    live->span = (gmem_span_t){item->begin, item->end};
    return live->next++ == 0;
  }
  const gmem_part_t *part = &packing->parts[item->part + live->part];
  if (live->next == part->span_count) {
    if (++live->part == item->part_count)
      return false;
    ++part;
    live->next = 0;
  }
  live->begin = part->begin;
  live->end = part->end;
  live->span = packing->spans[part->span + live->next++];
  return true;
}

// The first of |count| spans from |from| on that ends behind |section|.
static inline uint32_t gmem_span_behind(const gmem_span_t *spans, uint32_t from,
                                        uint32_t count, uint32_t section) {
  while (from < count) {
    uint32_t middle = from + (count - from) / 2;
    if (spans[middle].end <= section)
      from = middle + 1;
    else
      count = middle;
  }
  return from;
}

// Whether two lists of spans share a section.
static inline bool gmem_spans_meet(const gmem_span_t *a, uint32_t a_count,
                                   const gmem_span_t *b, uint32_t b_count) {
  enum { MANY = 16 }; // times as many: they are searched, not passed
  if (a_count > b_count)
    return gmem_spans_meet(b, b_count, a, a_count);
  bool is_searched = b_count / MANY > a_count;
  for (uint32_t i = 0, k = 0; i < a_count && k < b_count;) {
    if (is_searched)
      k = gmem_span_behind(b, k, b_count, a[i].begin);
    if (k == b_count)
      return false;
    if (a[i].end <= b[k].begin)
      ++i;
    else if (b[k].end <= a[i].begin)
      ++k;
    else
      return true;
  }
  return false;
}

// offset + |clearance|, at most INT64_MAX, which exceeds every address.
static inline int64_t gmem_clear_of(int64_t offset, int64_t clearance) {
  int64_t sum;
  return __builtin_add_overflow(offset, clearance, &sum) ? INT64_MAX : sum;
}

static inline bool gmem_is_fixed(const gmem_item_t *item) {
  return item->fixed_offset != GMEM_NOT_FIXED;
}

static inline void gmem_packing_destroy(gmem_packing_t *packing) {
  gmem_scratch_free(&packing->memory);
}

// pressure.c: the memory pressure, that is the most bytes live at one time.
// |needed| (may be NULL): a lower bound in bytes for each section,
// GMEM_UNLIMITED when it exceeds GMEM_MAX_ADDRESS. *out_most: the maximum, at
// least the end of every fixed item. O(n log n). Fails with OUT_OF_MEMORY.
gmem_status_t gmem_packing_pressure(const gmem_packing_t *packing,
                                    uint64_t *needed, uint64_t *out_most,
                                    gmem_diag_t *diag);

#endif // GMEM_PLANNER_ITEMS_H_
