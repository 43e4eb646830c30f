// buffer_constraint.h - constraints on the placement of one buffer, and the
// leader of buffers that share one offset.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_BUFFER_CONSTRAINT_H_
#define GMEM_PASSES_BUFFER_CONSTRAINT_H_

#include <assert.h>

#include "candidate_pools.h"

// Placement constraints of one alias set or constant.
typedef struct gmem_buffer_constraint_s {
  const uint32_t *pools; // candidates, the same for all with one leader
  uint64_t offset;       // if is_fixed: bytes from the start of the pool
  uint32_t tied_to; // alias set with the same offset (gmem.same_as), or the
                    //   set itself; the chain ends at the leader
  uint32_t pool_count : 24;
  uint32_t alignment_code : 7; // 1 + the logarithm of the alignment in bytes of
                               //   a memref; 0: it has the pool's
  uint32_t is_fixed : 1;       // has gmem.fixed
} gmem_buffer_constraint_t;

static inline gmem_memory_candidates_t
gmem_constraint_pools(const gmem_buffer_constraint_t *constraint) {
  return (gmem_memory_candidates_t){constraint->pools, constraint->pool_count};
}

static inline void
gmem_constraint_set_pools(gmem_buffer_constraint_t *constraint,
                          gmem_memory_candidates_t pools) {
  assert(pools.count < UINT32_C(1) << 24);
  constraint->pools = pools.pools;
  constraint->pool_count = pools.count & 0xFFFFFF;
}

// Bytes, of a memref; 0: the alignment of the pool.
static inline uint64_t
gmem_constraint_alignment(const gmem_buffer_constraint_t *constraint) {
  return constraint->alignment_code
             ? UINT64_C(1) << (constraint->alignment_code - 1)
             : 0;
}

static inline void
gmem_constraint_set_alignment(gmem_buffer_constraint_t *constraint,
                              uint64_t alignment) {
  assert(!(alignment & (alignment - 1)));
  constraint->alignment_code =
      alignment ? ((uint32_t)__builtin_ctzll(alignment) + 1) & 0x7F : 0;
}

// Returns the leader of all alias sets that share the offset of |set|.
static inline uint32_t gmem_offset_leader(const gmem_buffer_constraint_t *sets,
                                          uint32_t set) {
  while (sets[set].tied_to != set) {
    assert(sets[set].tied_to != GMEM_NO_INDEX);
    set = sets[set].tied_to;
  }
  return set;
}

#endif // GMEM_PASSES_BUFFER_CONSTRAINT_H_
