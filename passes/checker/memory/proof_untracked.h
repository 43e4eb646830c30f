// proof_untracked.h - memory that control flow passes on and that need not be
// followed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PROOF_UNTRACKED_H_
#define GMEM_PASSES_PROOF_UNTRACKED_H_

#include "proof_sets.h"

// Sets memory->is_untracked, by memory->is_private, as far as bytes say, and
// memory->has_deferred. Allocates it in |arena|, all else in |scratch|. Fails
// with OUT_OF_MEMORY.
gmem_status_t gmem_proof_find_untracked(const gmem_proof_program_t *program,
                                        gmem_proof_memory_t *memory,
                                        gmem_bump_t *arena,
                                        gmem_bump_t *scratch,
                                        gmem_diag_t *diag);

#endif // GMEM_PASSES_PROOF_UNTRACKED_H_
