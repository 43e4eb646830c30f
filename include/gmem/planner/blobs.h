// blobs.h - a plan as a list of blobs, for runtimes that allocate memory in
// whole buffers and cannot place at an offset. C11 and C++17.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   options.algorithm = gmem_algorithm_find("blobs");
//   gmem_solve(problem, &options, plan, NULL, &diag);
//   gmem_find_blobs(problem, plan, pool, blobs, blob_of, &sums, &diag);
//   // allocate blobs[0].size bytes, blobs[1].size...; buffer i is in
//   // blobs[blob_of[i]], |plan[i].offset - blobs[blob_of[i]].offset| bytes
//   from
//   // its start: 0 unless it is a view of another buffer

#ifndef GMEM_PLANNER_BLOBS_H_
#define GMEM_PLANNER_BLOBS_H_

#include "gmem/planner/placements.h"

GMEM_BEGIN_C

// A range of the pool in which all buffers begin at its start, but for those
// that aliases and blocks tie to one that does.
typedef struct gmem_blob_s {
  uint64_t offset;    // bytes from the start of the pool
  uint64_t size;      // bytes, a multiple of the least alignment in the pool
  uint64_t alignment; // bytes: the largest of its buffers
} gmem_blob_t;

typedef struct gmem_blobs_s {
  size_t count;         // blobs
  uint64_t bytes;       // sum of their sizes
  uint64_t lower_bound; // bytes: no set of blobs for these buffers and aliases
                        //   is smaller
} gmem_blobs_t;

// Lists the blobs of |pool| under |plan|, which must have passed gmem_check, by
// offset. |blobs| and |blob_of| have room for all buffers; blob_of is
// GMEM_NO_BUFFER for a buffer of another pool or of size 0. Fails with
// OUT_OF_RANGE (unknown pool, a sum above GMEM_MAX_ADDRESS), INVALID_ARGUMENT
// (the plan is not one of blobs: |object| of the diagnostic is a buffer that
// begins within another one) or OUT_OF_MEMORY. Thread-safe.
GMEM_MUST_USE gmem_status_t gmem_find_blobs(const gmem_problem_t *problem,
                                            const gmem_placement_t *plan,
                                            uint32_t pool, gmem_blob_t *blobs,
                                            uint32_t *blob_of,
                                            gmem_blobs_t *out_blobs,
                                            gmem_diag_t *diag);

GMEM_END_C
#endif // GMEM_PLANNER_BLOBS_H_
