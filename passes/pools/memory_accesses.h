// memory_accesses.h - which ops access a buffer, and which pools these ops can
// reach.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An op runs on the target that gmem.target on it names, or else on the target
// of the nearest enclosing op with the attribute. A target reaches the memories
// that list it and those that list no targets. An op without a target reaches
// all memories.
//
// A value is accessed by the op that defines it, by every op with it as an
// operand, also in bodies that are not planned, and by the function of which it
// is an input or output. A constant is not accessed by the op that defines it.
// Views and deallocations do not access it. Nor do direct calls to functions of
// this module: unless the call copies the value, the ops of the callee count
// instead. A copy on a control flow edge is an access by the op that transfers
// control.

#ifndef GMEM_PASSES_MEMORY_ACCESSES_H_
#define GMEM_PASSES_MEMORY_ACCESSES_H_

#include "candidate_pools.h"
#include "liveness.h"

// Sets of pools are bit sets of those with a memory.
typedef struct gmem_memory_accesses_s {
  const gmem_liveness_t *liveness;
  const gmem_candidate_pools_t *pools;
  bool of_constants;
  const uint32_t *owners; // by value: the buffer that it is a part of, or
                          //   GMEM_NO_INDEX: of no interest
  bool matter;            // some memory lists targets
  gmem_pointer_map_t plain_calls; // ops of direct calls
} gmem_memory_accesses_t;

// Prepares the queries below: sets |matter| and |plain_calls|, given the other
// members. Allocates in |arena|. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_memory_accesses_begin(gmem_memory_accesses_t *accesses,
                                         gmem_bump_t *arena, gmem_diag_t *diag);

// Finds the pools that |op| can reach. Fails with INVALID_ARGUMENT, reported at
// the op with a malformed gmem.target.
gmem_status_t gmem_reachable_pools(const gmem_candidate_pools_t *pools,
                                   MlirOperation op, uint64_t *out_pools,
                                   gmem_diag_t *diag);

// Removes from |pools|, by buffer, those that some op that accesses the buffer
// cannot reach. Fails with OUT_OF_MEMORY and like gmem_reachable_pools.
gmem_status_t
gmem_memory_accesses_narrow(const gmem_memory_accesses_t *accesses,
                            gmem_bump_t *arena, uint64_t *pools,
                            gmem_diag_t *diag);

enum { GMEM_MAX_BLOCKING_OPS = 4 };

// Ops that access a buffer and whose targets do not reach all of |required|,
// one per target.
typedef struct gmem_blocking_ops_s {
  const gmem_candidate_pools_t *pools;
  uint64_t required;
  MlirStringRef targets[GMEM_MAX_BLOCKING_OPS];
  gmem_note_t notes[GMEM_MAX_BLOCKING_OPS];
  size_t count;
} gmem_blocking_ops_t;

// Finds the first of these ops, after gmem_memory_accesses_narrow.
void gmem_blocking_ops_find(const gmem_memory_accesses_t *accesses,
                            uint32_t owner, uint64_t required,
                            gmem_blocking_ops_t *out_ops);

#endif // GMEM_PASSES_MEMORY_ACCESSES_H_
