// exclusive_branches.h - the memory that mutually exclusive branches need.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_EXCLUSIVE_BRANCHES_H_
#define GMEM_PLANNER_EXCLUSIVE_BRANCHES_H_

#include "items.h"

// A sum of up to 2^32 sizes.
__extension__ typedef unsigned __int128 gmem_sum_t;

// Bytes [begin, end) of an item in the sections of one span.
typedef struct gmem_run_s {
  uint64_t begin, end;
  uint64_t rounded; // bytes that it takes from others, in whole granules
  gmem_span_t span; // counted from the first section of the packing
  uint32_t item;
} gmem_run_t;

// Adds, to the sums of each section, the runs of items in branches that exist
// together when every choice takes its largest arm. Exact when choices are
// nested in each other's arms; otherwise the sum of one possible combination of
// arms, which is a lower bound. |rounded| and |raw| have one entry per section.
// Temporary arrays are in |memory|. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_add_choices(const gmem_packing_t *packing,
                               const gmem_run_t *runs, size_t run_count,
                               gmem_sum_t *rounded, gmem_sum_t *raw,
                               gmem_scratch_t *memory);

#endif // GMEM_PLANNER_EXCLUSIVE_BRANCHES_H_
