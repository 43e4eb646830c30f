// explain.h - certificates: which buffers cause the peak of a plan, and why a
// problem is infeasible. C11 and C++17.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   uint32_t *buffers = ..., count = gmem_problem_buffer_count(problem);
//   gmem_peak_t peak; // |buffers| has room for |count|
//   gmem_find_peak(problem, plan, pool, buffers, &peak, &diag);
//   // buffers[0] to buffers[peak.count - 1] are live at peak.time

#ifndef GMEM_PLANNER_EXPLAIN_H_
#define GMEM_PLANNER_EXPLAIN_H_

#include "gmem/planner/solve.h"

GMEM_BEGIN_C

typedef struct gmem_peak_s {
  int64_t time;   // a time at which all of the buffers are live
  uint64_t bytes; // of the pool occupied then; shared bytes count once
  size_t count;   // buffers
} gmem_peak_t;

// Lists the buffers that determine the size of |pool| under |plan|. Of the
// times at which a buffer with the highest end is live, takes the first at
// which most bytes are occupied, and lists the buffers of the pool live then,
// by offset. |buffers| has room for all buffers of the problem. |plan| must
// have passed gmem_check. Fails with OUT_OF_RANGE (unknown pool) or
// OUT_OF_MEMORY.
GMEM_MUST_USE gmem_status_t gmem_find_peak(const gmem_problem_t *problem,
                                           const gmem_placement_t *plan,
                                           uint32_t pool, uint32_t *buffers,
                                           gmem_peak_t *out_peak,
                                           gmem_diag_t *diag);

// A set of buffers that cannot be placed together.
typedef struct gmem_infeasible_s {
  size_t count;      // buffers; 0: no infeasible set was found
  bool fits;         // every buffer that has no other candidate was placed
  bool irreducible;  // without any one of them the others were placed
  bool by_load;      // true: a lower bound of their bytes at one time exceeds
                     //   the capacity; false: an exhaustive search found no
                     //   valid offsets
  size_t pool_count; // gmem_find_shortage: the pools that are too small
} gmem_infeasible_t;

// Searches for buffers whose only candidate is |pool| and that do not fit
// there, whatever their offsets, and removes buffers from the set while it can
// still be proved infeasible. The proof is the total size live at one time or,
// in small problems, an exhaustive search within the work limit of |options|
// (NULL: the defaults; its algorithm is not used). |buffers| has room for all
// buffers of the problem and receives the set in order of index. Fails with
// OUT_OF_RANGE (unknown pool) or OUT_OF_MEMORY.
GMEM_MUST_USE gmem_status_t
gmem_find_infeasible(const gmem_problem_t *problem, uint32_t pool,
                     const gmem_solve_options_t *options, uint32_t *buffers,
                     gmem_infeasible_t *out_infeasible, gmem_diag_t *diag);

// Explains why the problem is infeasible. Tries, in this order:
//   1. gmem_find_infeasible for each pool, by index;
//   2. a buffer that is larger than each of its candidate pools;
//   3. sets of pools, smallest first, of at most 64 pools: buffers whose
//      candidates are all in the set and whose total size at one time exceeds
//      the capacity of the set (Hall's condition).
// |fits|: for every pool, the buffers that have no other candidate were placed.
// |buffers| has room for all buffers and |pools| for all pools of the problem;
// both are filled in order of index. Fails with OUT_OF_MEMORY.
GMEM_MUST_USE gmem_status_t gmem_find_shortage(
    const gmem_problem_t *problem, const gmem_solve_options_t *options,
    uint32_t *buffers, uint32_t *pools, gmem_infeasible_t *out_infeasible,
    gmem_diag_t *diag);

GMEM_END_C
#endif // GMEM_PLANNER_EXPLAIN_H_
