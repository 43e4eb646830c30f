// live_ranges.h - lists of half-open ranges of steps.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_LIVE_RANGES_H_
#define GMEM_PASSES_LIVE_RANGES_H_

#include <stdbool.h>

#include "bump.h"
#include "gmem/planner.h"

// Whether the ranges are sorted, disjoint, not empty and do not touch.
bool gmem_ranges_check(const gmem_live_range_t *ranges, size_t count);

// A growing list of ranges, allocated in |arena|; all other fields start as
// zero.
typedef struct gmem_ranges_s {
  gmem_bump_t *arena;
  gmem_live_range_t *data;
  size_t count, room;
} gmem_ranges_t;

// Adds [begin, end), in any order; an empty range is ignored. Nothing is added
// when memory is out, to be seen by gmem_bump_status.
void gmem_ranges_add(gmem_ranges_t *ranges, int64_t begin, int64_t end);

// Adds |count| ranges.
void gmem_ranges_add_all(gmem_ranges_t *ranges, const gmem_live_range_t *added,
                         size_t count);

// Sorts the ranges and merges those that overlap or touch.
void gmem_ranges_normalise(gmem_ranges_t *ranges);

// Adds |ranges| minus |taken| to |out|; both must be normalised.
void gmem_ranges_add_difference(gmem_ranges_t *out, const gmem_ranges_t *ranges,
                                const gmem_ranges_t *taken);

// Returns a copy of the list, which must be normalised, or NULL when out of
// memory now or earlier.
gmem_live_range_t *gmem_ranges_copy(const gmem_ranges_t *ranges);

// Whether two lists of sorted, disjoint ranges have a time in common. Iterates
// over the shorter one.
bool gmem_ranges_meet(const gmem_live_range_t *few, size_t few_count,
                      const gmem_live_range_t *many, size_t many_count);

// Whether one of |count| sorted, disjoint ranges contains |time|.
bool gmem_ranges_contain(const gmem_live_range_t *ranges, size_t count,
                         int64_t time);

// Returns the index of the first of |count| sorted, disjoint ranges that ends
// after |time|, or |count|.
size_t gmem_first_range_after(const gmem_live_range_t *ranges, size_t count,
                              int64_t time);

#endif // GMEM_PASSES_LIVE_RANGES_H_
