// constant_candidates.h - the pools in which each constant may be placed, best
// first.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If gmem.memories lists memories of kind "constant", these are the pools, used
// or not. A constant may be placed in the memories that every op that reads it
// can reach (memory_accesses.h). Unless gmem.pools orders the candidates,
// faster memories come first, and equally fast ones in the order of
// gmem.memories.
//
// If it lists none, gmem.pools names the pools of a constant, which are created
// on first use; without gmem.pools a constant is placed in "weights", or in
// "init.weights" if only functions with gmem.init read it.

#ifndef GMEM_PASSES_CONSTANT_CANDIDATES_H_
#define GMEM_PASSES_CONSTANT_CANDIDATES_H_

#include "memory_accesses.h"

typedef struct gmem_constant_finder_s {
  // Set by the caller:
  const gmem_program_t *program;
  const gmem_liveness_t *liveness; // or NULL: no memories for constants
  const uint32_t *sources; // by value, the first constant with the same memory,
                           //   or GMEM_NO_INDEX: no constant
  const bool *needed; // by value of a source: not only functions with gmem.init
                      //   read it
  gmem_candidate_pools_t *pools; // found so far
  gmem_bump_t *arena;
  gmem_diag_t *diag;
  // Found at the begin:
  gmem_memory_accesses_t accesses;
  uint64_t *reach; // by value of a constant: pools with a memory that every
                   //   reader of the constants with the same memory can reach
} gmem_constant_finder_t;

// Adds the memories for constants, or else the pool "weights", to the empty
// |pools| and finds which of them the readers can reach. Fails with
// OUT_OF_MEMORY or as gmem_memory_accesses_narrow.
gmem_status_t gmem_constant_finder_begin(gmem_constant_finder_t *finder);

// Reads gmem.pools of a constant: from the op that defines it, else from the
// global that this op gets. Null if neither has the attribute.
gmem_status_t gmem_constant_pools_asked(const gmem_program_t *program,
                                        uint32_t value,
                                        MlirAttribute *out_names,
                                        gmem_diag_t *diag);

// Finds the candidates of the constant |value|. |names|: the value of
// gmem.pools, or null. Fails with OUT_OF_MEMORY or, reported at the constant,
// INVALID_ARGUMENT (a pool that the constant cannot be placed in, no
// candidate).
gmem_status_t
gmem_constant_candidates_of(const gmem_constant_finder_t *finder,
                            uint32_t value, MlirAttribute names,
                            gmem_memory_candidates_t *out_candidates);

// The same for an immutable workbuffer of |op|.
gmem_status_t
gmem_constant_candidates_of_op(const gmem_constant_finder_t *finder,
                               MlirOperation op, MlirAttribute names,
                               gmem_memory_candidates_t *out_candidates);

// Returns the op that defines a constant; null for an argument.
MlirOperation gmem_constant_op(const gmem_program_t *program, uint32_t value);

// Returns the constant global that this op gets; null if there is none.
MlirOperation gmem_constant_global(const gmem_program_t *program,
                                   uint32_t value);

#endif // GMEM_PASSES_CONSTANT_CANDIDATES_H_
