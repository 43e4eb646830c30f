// buffer_constraint.h - constraints on the placement of one buffer, and the
// leader of buffers that share one offset.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_BUFFER_CONSTRAINT_H_
#define GMEM_PASSES_BUFFER_CONSTRAINT_H_

#include <assert.h>

#include "candidate_pools.h"

// Placement constraints of one alias set or constant.
typedef struct gmem_buffer_constraint_s {
  gmem_memory_candidates_t candidates; // the same for all with one leader
  uint64_t offset;    // if is_fixed: bytes from the start of the pool
  uint64_t alignment; // bytes, of a memref; 0: the alignment of the pool
  uint32_t tied_to;   // alias set with the same offset (gmem.same_as), or the
                      //   set itself; the chain ends at the leader
  bool is_fixed;      // has gmem.fixed
} gmem_buffer_constraint_t;

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
