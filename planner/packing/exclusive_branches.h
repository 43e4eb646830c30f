// exclusive_branches.h - the memory that mutually exclusive branches need.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_EXCLUSIVE_BRANCHES_H_
#define GMEM_PLANNER_EXCLUSIVE_BRANCHES_H_

#include "items.h"

// A sum of up to 2^32 sizes.
__extension__ typedef unsigned __int128 gmem_sum_t;

// |bytes| in whole granules.
static inline uint64_t gmem_round_up(const gmem_packing_t *packing,
                                     uint64_t bytes) {
  return (bytes + packing->granule - 1) & ~(packing->granule - 1);
}

// Adds the bytes of |live| in the sections of |span|, counted from the first of
// the packing: those that it takes from others, in whole granules, to
// |rounded|, and its own to |raw|. Both hold the differences from section to
// section, with one more at the end.
static inline void gmem_add_live(const gmem_packing_t *packing,
                                 const gmem_live_part_t *live, gmem_span_t span,
                                 gmem_sum_t *rounded, gmem_sum_t *raw) {
  uint64_t bytes =
      gmem_round_up(packing, live->end) - gmem_round_up(packing, live->begin);
  rounded[span.begin] += bytes;
  rounded[span.end] -= bytes;
  raw[span.begin] += live->end - live->begin;
  raw[span.end] -= live->end - live->begin;
}

// Adds, as gmem_add_live does, the live bytes of items in branches that exist
// together when every choice takes its largest arm. Exact when choices are
// nested in each other's arms; otherwise the sum of one possible combination of
// arms, which is a lower bound. Temporary arrays are in |memory|. Fails with
// OUT_OF_MEMORY.
gmem_status_t gmem_add_choices(const gmem_packing_t *packing,
                               gmem_sum_t *rounded, gmem_sum_t *raw,
                               gmem_scratch_t *memory);

#endif // GMEM_PLANNER_EXCLUSIVE_BRANCHES_H_
