// conflicts.h - the interference graph of a problem, as sorted lists. C11 and
// C++17.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_CONFLICTS_H_
#define GMEM_PLANNER_CONFLICTS_H_

#include "gmem/planner/problem.h"

GMEM_BEGIN_C

// The neighbours of node i are others[starts[i]] to others[starts[i + 1] - 1],
// sorted. Every pair is listed twice, once for each of its nodes.
typedef struct gmem_conflicts_s {
  uint32_t *others;
  size_t *starts; // |count| + 1 of them
  uint32_t count; // nodes: buffers, or pieces (pieces.h)
  size_t other_count;
} gmem_conflicts_t;

// Lists the pairs of buffers that must not share bytes in any plan: pairs that
// are live at the same time, except for buffers in different branches and views
// of one storage, and pairs with an explicit conflict. An optional child and
// its parent are listed like any other pair: the algorithm decides whether to
// use the alias. O(n log n + number of pairwise overlaps in time), about 50
// bytes of memory per pair. Fails with OUT_OF_RANGE (more than |most_pairs|
// pairs) or OUT_OF_MEMORY. *out_conflicts may be destroyed even after failure.
GMEM_MUST_USE gmem_status_t
gmem_conflicts_create(const gmem_problem_t *problem, uint64_t most_pairs,
                      gmem_conflicts_t *out_conflicts, gmem_diag_t *diag);
// Frees the lists with the allocator of |problem|.
void gmem_conflicts_destroy(const gmem_problem_t *problem,
                            gmem_conflicts_t *conflicts);

GMEM_END_C
#endif // GMEM_PLANNER_CONFLICTS_H_
