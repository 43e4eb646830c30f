// constant_pools.h - the pools in which constants may be placed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If gmem.memories lists memories of kind "constant", these are the pools, used
// or not. A constant may be placed in the memories that every op that reads it
// can reach (memory_accesses.h); the op that defines it does not count. Unless
// gmem.pools orders the candidates, faster memories come first, and equally
// fast ones in the order of gmem.memories.
//
// If it lists none, gmem.pools names the pools of a constant, which are created
// on first use; without gmem.pools a constant is placed in "weights".

#ifndef GMEM_PASSES_CONSTANT_POOLS_H_
#define GMEM_PASSES_CONSTANT_POOLS_H_

#include "liveness.h"
#include "memory_accesses.h"
#include "workspaces.h"

typedef struct gmem_constant_pools_s {
  const gmem_program_t *program;
  gmem_bump_t *arena;
  MlirStringRef *names;           // by pool
  const gmem_memory_t **memories; // by pool: its memory, or NULL
  uint32_t count;
  uint32_t described; // the first |described| pools have a memory
  uint32_t *order;    // these pools, fastest first
  uint32_t *numbers;  // by these pools: index of the program's memory
  uint64_t all;       // these pools as a bit set
  uint64_t *reach;    // by value of a constant: bit set of these pools that
                      //   every reader can reach; NULL: all
  gmem_memory_accesses_t targets;
  const gmem_liveness_t *liveness;
  gmem_memory_candidates_t *lists; // distinct candidate lists
  uint32_t list_count;
  size_t name_room, memory_room, list_room;
} gmem_constant_pools_t;

// Returns whether |program| has memories for constants.
bool gmem_has_constant_memories(const gmem_program_t *program);

// Finds the pools of |program| and which constants can reach them. |liveness|
// may be NULL if the program has no memories for constants. The result is
// allocated in |arena|. Fails with OUT_OF_MEMORY or, reported at the op,
// INVALID_ARGUMENT (a malformed gmem.target).
gmem_status_t gmem_constant_pools_begin(const gmem_program_t *program,
                                        const gmem_liveness_t *liveness,
                                        gmem_bump_t *arena,
                                        gmem_constant_pools_t *out_pools,
                                        gmem_diag_t *diag);

// Reads gmem.pools of a constant: from the op that defines it, else from the
// global that this op gets. Null if neither has the attribute.
gmem_status_t gmem_constant_pools_asked(const gmem_constant_pools_t *pools,
                                        uint32_t value,
                                        MlirAttribute *out_names,
                                        gmem_diag_t *diag);

// Makes the candidate list of the constant |value| from the pools in |reach|
// and stores its number in *out_list; equal lists have one number. |names|: the
// value of gmem.pools, or null. Fails with OUT_OF_MEMORY or, reported at the
// constant, INVALID_ARGUMENT (a pool that the constant cannot be placed in, no
// candidate).
gmem_status_t gmem_constant_pools_list(gmem_constant_pools_t *pools,
                                       uint32_t value, uint64_t reach,
                                       MlirAttribute names, uint32_t *out_list,
                                       gmem_diag_t *diag);

// The same for an immutable workbuffer of |op|.
gmem_status_t gmem_constant_pools_list_of_op(gmem_constant_pools_t *pools,
                                             MlirOperation op,
                                             MlirAttribute names,
                                             uint32_t *out_list,
                                             gmem_diag_t *diag);

#endif // GMEM_PASSES_CONSTANT_POOLS_H_
