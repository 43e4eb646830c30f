// lower_bound.h - lower bounds on the pool sizes of every plan of a problem.
// C11 and C++17.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_LOWER_BOUND_H_
#define GMEM_PLANNER_LOWER_BOUND_H_

#include "gmem/planner/problem.h"

GMEM_BEGIN_C

// A lower bound on the size of |pool|, in bytes: the maximum over time of the
// total size of the live buffers that have no other candidate pool. Views of
// one storage count once, of buffers that optional aliases relate only such
// that share no bytes whichever aliases are used, and of each choice only the
// arm with the largest total. Padding counts for every alignment of these
// buffers, except that of the topmost; a buffer that an optional alias may
// place inside another has no padding for the alignment of the pool. The bound
// is at least the end of every fixed buffer. Within a limit of work, buffers
// with gaps in their live ranges of which every two are live together count as
// if all were, and few buffers with different alignments or beside fixed ones
// count as in the best order of stacking them. GMEM_UNLIMITED when the total
// exceeds GMEM_MAX_ADDRESS. O(n log n) for a few alignments. Fails with
// OUT_OF_RANGE (unknown pool), INVALID_ARGUMENT (a buffer that its aliases and
// blocks misalign at every offset) or OUT_OF_MEMORY.
GMEM_MUST_USE gmem_status_t
gmem_lower_bound_of_pool(const gmem_problem_t *problem, uint32_t pool,
                         uint64_t *out_bytes, gmem_diag_t *diag);

// A lower bound on the sum of the pool sizes, in bytes: the same maximum over
// all buffers, whichever pool they are placed in, or the sum of the bounds of
// the pools if that is larger; at most GMEM_MAX_ADDRESS. GMEM_UNLIMITED when
// the bound of a pool is. Fails with OUT_OF_MEMORY.
GMEM_MUST_USE gmem_status_t gmem_lower_bound(const gmem_problem_t *problem,
                                             uint64_t *out_bytes,
                                             gmem_diag_t *diag);

// The same, but while the bound is more than 1/1024 below |peak|, that of a
// plan, looks at which optional aliases may be in place together, with a limit
// of work that takes up to a few seconds, for problems with one pool, without
// blocks and fixed offsets.
GMEM_MUST_USE gmem_status_t
gmem_lower_bound_below(const gmem_problem_t *problem, uint64_t peak,
                       uint64_t *out_bytes, gmem_diag_t *diag);

GMEM_END_C
#endif // GMEM_PLANNER_LOWER_BOUND_H_
