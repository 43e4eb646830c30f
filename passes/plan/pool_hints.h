// pool_hints.h - size limits of pools, and how to relax size hints.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_POOL_HINTS_H_
#define GMEM_PASSES_POOL_HINTS_H_

#include "gmem/memories.h"
#include "pool_table.h"

typedef struct gmem_pool_hint_s {
  uint64_t capacity; // bytes: hard limit, or GMEM_UNLIMITED
  uint64_t hint;     // bytes: soft limit, exceeded only if nothing else fits;
                     //   or GMEM_UNLIMITED
  uint64_t tried;    // bytes: limit of the current attempt
} gmem_pool_hint_t;

// Returns the limits of a pool of at most |capacity| bytes with |memory|, which
// may be NULL. The first attempt uses the hint.
gmem_pool_hint_t gmem_pool_hint(uint64_t capacity, const gmem_memory_t *memory);

// Relaxes one hint after |buffer| of |problem| did not fit: of its worst
// candidate with a tried limit below its capacity, or, if |buffer| is not a
// buffer, of the last such pool. |hints| has one entry per pool. Returns false
// if there is no such pool.
bool gmem_pool_hints_raise(const gmem_problem_t *problem,
                           gmem_pool_hint_t *hints, uint64_t buffer);

// Emits a remark if |pool| exceeds its size hint.
void gmem_pool_hint_report(MlirOperation scope, const gmem_pool_entry_t *pool);

#endif // GMEM_PASSES_POOL_HINTS_H_
