// memory_candidates.h - the pools in which each buffer may be placed, best
// first, where gmem.memories describes the machine.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// requires: liveness with alias sets. A pool with a memory is a candidate of a
// buffer if every op that accesses it can reach the memory (memory_accesses.h),
// and if the memory accepts the memory space of its memrefs. Unless gmem.pools
// orders the candidates, faster memories come first, and equally fast ones in
// the order of gmem.memories.

#ifndef GMEM_PASSES_MEMORY_CANDIDATES_H_
#define GMEM_PASSES_MEMORY_CANDIDATES_H_

#include "buffer_constraint.h"
#include "memory_spaces.h"

typedef struct gmem_candidate_options_s {
  const gmem_liveness_t *liveness;
  const gmem_candidate_pools_t *pools;
  const gmem_buffer_constraint_t *sets; // by alias set: tied to its leader
  const gmem_memory_spaces_t *spaces;
  const uint32_t *pool_of; // by alias set: its only candidate, the same for all
                           //   with one leader; GMEM_NO_INDEX: not decided
} gmem_candidate_options_t;

// Fills |*out_candidates|, an array in |arena| indexed by alias set, for all
// leaders that are not decided. Fails with OUT_OF_MEMORY or, reported at the
// op, INVALID_ARGUMENT: a malformed gmem.target or gmem.pools, no candidate.
gmem_status_t gmem_memory_candidates_find(
    const gmem_candidate_options_t *options, gmem_bump_t *arena,
    gmem_memory_candidates_t **out_candidates, gmem_diag_t *diag);

// Finds the candidates of a mutable workbuffer of |op|. |asked|: an array of
// names that restricts and orders them, or null. Fails like
// gmem_memory_candidates_find.
gmem_status_t gmem_memory_candidates_of_op(
    const gmem_candidate_pools_t *pools, MlirOperation op, MlirAttribute asked,
    gmem_bump_t *arena, gmem_memory_candidates_t *out_candidates,
    gmem_diag_t *diag);

// Lists the pools of |set| in the order of their speed.
gmem_status_t gmem_memory_candidates_by_speed(
    const gmem_candidate_pools_t *pools, uint64_t set, gmem_bump_t *arena,
    gmem_memory_candidates_t *out_candidates, gmem_diag_t *diag);

#endif // GMEM_PASSES_MEMORY_CANDIDATES_H_
