// plan_check.h - an independent checker: proves a plan valid or reports its
// first violation. C11 and C++17.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   gmem_check_result_t result;
//   if (gmem_check(problem, plan, &result, &diag) != GMEM_OK)
//     fprintf(stderr, "%s\n", diag.text);
//
// The checker shares no code with the planning algorithms.

#ifndef GMEM_PLANNER_PLAN_CHECK_H_
#define GMEM_PLANNER_PLAN_CHECK_H_

#include "gmem/planner/placements.h"

GMEM_BEGIN_C

typedef enum gmem_violation_e {
  GMEM_VIOLATION_NONE = 0,
  GMEM_VIOLATION_POOL = 1,      // |pool| is not a candidate pool of |first|
  GMEM_VIOLATION_FIXED = 2,     // |first| is not at its fixed offset
  GMEM_VIOLATION_ALIGNMENT = 3, // the address of |first| is misaligned
  GMEM_VIOLATION_CAPACITY = 4,  // |first| ends past the end of its pool
  GMEM_VIOLATION_OVERLAP = 5,   // |first| and |second| share bytes at |time|
  GMEM_VIOLATION_CONFLICT = 6,  // they share bytes despite a conflict
  GMEM_VIOLATION_ALIAS = 7,     // |first| is not at its offset in |second|
  GMEM_VIOLATION_BLOCK = 8,     // |first| does not follow |second|
  // Hard constraints (constraints.h):
  GMEM_VIOLATION_BANKS = 9,     // |first| and |second| have bytes in one bank
  GMEM_VIOLATION_BOUNDARY = 10, // |first| lies across a boundary
  GMEM_VIOLATION_NEAR = 11,     // |first| is too far from |second|
  GMEM_VIOLATION_AT = 12,       // |first| is not where it must be
} gmem_violation_t;

// The kind and location of a violation.
typedef struct gmem_check_result_s {
  gmem_violation_t violation;
  uint32_t first;  // buffer
  uint32_t second; // buffer, or GMEM_NO_BUFFER
  uint32_t pool;
  int64_t time;        // OVERLAP: the first time at which both are live;
                       //   otherwise the first time at which |first| is live
  uint64_t begin, end; // OVERLAP, CONFLICT: the shared bytes [begin, end)
} gmem_check_result_t;

// Proves |plan| (one placement per buffer) valid or reports its first
// violation.
//
// Violations are ordered by time, then by buffer index (of two overlapping
// buffers |first| has the lower index), then by kind. The time of an alias is
// the first time at which its child is live; that of a block, its later buffer;
// that of a conflict, |first|. A buffer whose own placement is invalid is
// reported at the first time it is live and is not compared with others. Hard
// constraints come last, in their order; soft ones are not violations
// (gmem_plan_penalty).
//
// Returns GMEM_OK when the plan is valid. Otherwise fills *out_result (which
// may be NULL) and returns OVERLAP (overlaps and conflicts), ALIGNMENT,
// OVER_BUDGET (capacity) or INVALID_ARGUMENT (pool, fixed offset, alias,
// block, constraint). OUT_OF_MEMORY: the plan was not checked. O(n log n) in
// the number of live ranges and of pairs that aliases and branches allow to
// overlap.
GMEM_MUST_USE gmem_status_t gmem_check(const gmem_problem_t *problem,
                                       const gmem_placement_t *plan,
                                       gmem_check_result_t *out_result,
                                       gmem_diag_t *diag);

GMEM_END_C
#endif // GMEM_PLANNER_PLAN_CHECK_H_
