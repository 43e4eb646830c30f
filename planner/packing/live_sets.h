// live_sets.h - the largest sets of spans that share a section, in order of
// time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   GMEM_TRY(gmem_live_sets_create(spans, weights, count, memory, &sets));
//   while (gmem_live_sets_next(&sets))
//     ... sets.live[0 .. sets.live_count) ...

#ifndef GMEM_PLANNER_LIVE_SETS_H_
#define GMEM_PLANNER_LIVE_SETS_H_

#include "items.h"
#include "planner_internal.h"

typedef struct gmem_live_sets_s {
  const uint64_t *weights;     // by span; NULL: all 0
  gmem_order_t *begins, *ends; // spans by begin and by end; and scratch
  size_t count, begun, ended;  // spans, and how many have begun and ended
  uint32_t *live, live_count;  // the set, in no particular order
  uint32_t *places;            // by span of the set: where it is in |live|
  uint64_t weight;             // of the set, modulo 2^64
} gmem_live_sets_t;

// Prepares the sets of |count| spans, which outlive them as |weights| do, in
// |memory|. O(n log n). Fails with OUT_OF_MEMORY.
gmem_status_t gmem_live_sets_create(const gmem_span_t *spans,
                                    const uint64_t *weights, size_t count,
                                    gmem_scratch_t *memory,
                                    gmem_live_sets_t *sets);

// Goes on to the next set; false after the last one. O(n) for all sets.
bool gmem_live_sets_next(gmem_live_sets_t *sets);

// Goes back to before the first set.
void gmem_live_sets_restart(gmem_live_sets_t *sets);

#endif // GMEM_PLANNER_LIVE_SETS_H_
