// constant_pools.h - the pools that constants may go to, best first.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where gmem.memories describes memories of kind "constant", these are the
// pools, whether they are used or not. A constant may go to those that all ops
// reach which read it (memory_accesses.h); the op that makes it runs nowhere.
// The faster ones are better, of equals the one that is described first, unless
// gmem.pools says something else.
//
// Where it describes none, a constant goes to the pools that gmem.pools names,
// which are made, or else to "weights".

#ifndef GMEM_PASSES_CONSTANT_POOLS_H_
#define GMEM_PASSES_CONSTANT_POOLS_H_

#include "liveness.h"
#include "memory_accesses.h"
#include "workspaces.h"

typedef struct gmem_constant_pools_s {
  const gmem_program_t *program;
  gmem_bump_t *arena;
  MlirStringRef *names;           // by pool
  const gmem_memory_t **memories; // by pool: what describes it, or NULL
  uint32_t count;
  uint32_t described; // the first of them are described
  uint32_t *order;    // of these: faster ones first
  uint32_t *numbers;  // of these: of the schedule's memories
  uint64_t all;       // these, a bit for each
  uint64_t *reach;    // by value of a constant: which of these all ops reach
                      //   that read it; NULL: all
  gmem_memory_accesses_t targets;
  const gmem_liveness_t *liveness;
  gmem_memory_candidates_t *lists; // that there are, each once
  uint32_t list_count;
  size_t name_room, memory_room, list_room;
} gmem_constant_pools_t;

// Whether |program| has memories for constants.
bool gmem_has_constant_memories(const gmem_program_t *program);

// |liveness| may be NULL when it has none. Everything lives in |arena|. Fails
// with OUT_OF_MEMORY or, reported where it stands, INVALID_ARGUMENT (a
// malformed gmem.target).
gmem_status_t gmem_constant_pools_begin(const gmem_program_t *program,
                                        const gmem_liveness_t *liveness,
                                        gmem_bump_t *arena,
                                        gmem_constant_pools_t *out_pools,
                                        gmem_diag_t *diag);

// What gmem.pools asks for a constant, on the op that makes it or, if it says
// nothing, on the global that this gets; null when neither does.
gmem_status_t gmem_constant_pools_asked(const gmem_constant_pools_t *pools,
                                        uint32_t value,
                                        MlirAttribute *out_names,
                                        gmem_diag_t *diag);

// A list of pools for the constant |value|, of those in |reach|: *out_list is
// its number; equal lists have one. |names|: what gmem.pools asks for, or null.
// Fails with OUT_OF_MEMORY or, reported at the constant, INVALID_ARGUMENT (a
// name that cannot be a pool of it, no pool at all).
gmem_status_t gmem_constant_pools_list(gmem_constant_pools_t *pools,
                                       uint32_t value, uint64_t reach,
                                       MlirAttribute names, uint32_t *out_list,
                                       gmem_diag_t *diag);

// The same for memory that |op| wants for itself.
gmem_status_t gmem_constant_pools_list_of_op(gmem_constant_pools_t *pools,
                                             MlirOperation op,
                                             MlirAttribute names,
                                             uint32_t *out_list,
                                             gmem_diag_t *diag);

#endif // GMEM_PASSES_CONSTANT_POOLS_H_
