// proof_private.h - memory whose contents nothing can lose.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PROOF_PRIVATE_H_
#define GMEM_PASSES_PROOF_PRIVATE_H_

#include "proof_sets.h"

// Sets memory->is_private for the allocations with bytes that nothing else has.
// Allocates it in |arena|, all else in |scratch|. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_proof_find_apart(const gmem_proof_program_t *program,
                                    gmem_proof_memory_t *memory,
                                    gmem_bump_t *arena, gmem_bump_t *scratch,
                                    gmem_diag_t *diag);

// Leaves of these those that are private, by memory->sites and memory->given.
void gmem_proof_find_private(const gmem_proof_program_t *program,
                             gmem_proof_memory_t *memory);

#endif // GMEM_PASSES_PROOF_PRIVATE_H_
