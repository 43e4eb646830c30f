// slot_runs.h - the places of small buffers in large ones, as buffers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_SLOT_RUNS_H_
#define GMEM_PLANNER_SLOT_RUNS_H_

#include "planner_internal.h"
#include "scratch.h"

// Small buffers are placed in parents that are placed in parents, and so on.
enum { GMEM_DEPTH_OF_SLOTS = 6 };

// A problem of the large buffers of another one, and of runs.
typedef struct gmem_slot_runs_s {
  gmem_problem_t *problem; // large buffers in their order, then the runs
  uint32_t *large;         // the buffers of the other problem
  uint32_t large_count, run_count;
  uint64_t *rounded; // by buffer of |problem|: the bytes that it takes where it
                     //   is in no parent, each member of a run aligned
} gmem_slot_runs_t;

// Makes the problem of the buffers of at least |least| bytes of |problem|,
// which can be loose (gmem_can_be_loose), in |memory|. |runs| is to be
// destroyed, even after failure. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_slot_runs_create(const gmem_problem_t *problem,
                                    uint64_t least, gmem_scratch_t *memory,
                                    gmem_slot_runs_t *runs);
static inline void gmem_slot_runs_destroy(gmem_slot_runs_t *runs) {
  gmem_problem_destroy(runs->problem);
}

#endif // GMEM_PLANNER_SLOT_RUNS_H_
