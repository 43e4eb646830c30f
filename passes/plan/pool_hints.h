// pool_hints.h - how large pools may become, and what gives way where a hint is
// too small.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_POOL_HINTS_H_
#define GMEM_PASSES_POOL_HINTS_H_

#include "gmem/memories.h"
#include "pool_table.h"

typedef struct gmem_pool_hint_s {
  uint64_t capacity; // bytes: more is an error; or GMEM_UNLIMITED
  uint64_t hint;     // bytes: more only where nothing else has room; the same
  uint64_t tried;    // bytes that the planner is given
} gmem_pool_hint_t;

// Those of a pool of at most |capacity| bytes, whose memory is described or
// not (NULL). First the hint is tried.
gmem_pool_hint_t gmem_pool_hint(uint64_t capacity, const gmem_memory_t *memory);

// A buffer of |problem| did not fit, and hints may be why: raises what is tried
// for its worst candidate that has more, or, when it is not about its own, for
// the last pool that has. |hints| has one for each pool. False when there is
// none.
bool gmem_pool_hints_raise(const gmem_problem_t *problem,
                           gmem_pool_hint_t *hints, uint64_t buffer);

// A remark when |pool| has become larger than it was to be.
void gmem_pool_hint_report(MlirOperation scope, const gmem_pool_entry_t *pool);

#endif // GMEM_PASSES_POOL_HINTS_H_
