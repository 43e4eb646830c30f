// live_sets.h - the largest sets of spans that share a section, in order of
// time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   GMEM_TRY(gmem_live_sets_create(spans, count, memory, &sets));
//   while (gmem_live_sets_next(&sets))
//     ... sets.live[0 .. sets.live_count) ...

#ifndef GMEM_PLANNER_LIVE_SETS_H_
#define GMEM_PLANNER_LIVE_SETS_H_

#include "items.h"
#include "planner_internal.h"

typedef struct gmem_live_sets_s {
  const gmem_span_t *spans;
  gmem_order_t *order; // spans by begin; and scratch
  size_t count, next;  // spans, and how many have begun
  uint32_t *live;      // of these the ones of the set
  size_t live_count;
  uint32_t first_end; // the least end of these
} gmem_live_sets_t;

// Prepares the sets of |count| spans, which outlive them, in |memory|. Fails
// with OUT_OF_MEMORY.
gmem_status_t gmem_live_sets_create(const gmem_span_t *spans, size_t count,
                                    gmem_scratch_t *memory,
                                    gmem_live_sets_t *sets);

// Goes on to the next set; false after the last one. O(spans of both sets).
bool gmem_live_sets_next(gmem_live_sets_t *sets);

// Goes back to before the first set.
void gmem_live_sets_restart(gmem_live_sets_t *sets);

#endif // GMEM_PLANNER_LIVE_SETS_H_
