// canonical.h - the form of a problem in which it is planned.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_CANONICAL_H_
#define GMEM_PLANNER_CANONICAL_H_

#include "planner_internal.h"
#include "scratch.h"

// A problem with the same plans, whatever the order of the buffers, aliases,
// blocks and conflicts, their names, the scale and the direction of time.
typedef struct gmem_canonical_s {
  gmem_problem_t *problem; // without buffers of size 0; borrows from the given
  uint32_t *original;      // by buffer of |problem|: its index in the given one
} gmem_canonical_t;

// Whether a search may give another peak for another form of |problem|: not
// where each buffer is live once and may be anywhere. The packings of these
// have an order of their own, and are searched in several forms.
bool gmem_canonical_helps(const gmem_problem_t *problem);

// Makes the canonical form of |problem|, which must outlive it unchanged. Its
// arrays are of |memory|; the caller destroys |out->problem| first. Constraints
// are left out. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_canonical_create(const gmem_problem_t *problem,
                                    gmem_scratch_t *memory,
                                    gmem_canonical_t *out);

#endif // GMEM_PLANNER_CANONICAL_H_
