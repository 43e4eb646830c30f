// proof_places.h - where the plan puts values and workbuffers: gmem.pool,
// gmem.offset and the attributes beside them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PROOF_PLACES_H_
#define GMEM_PASSES_PROOF_PLACES_H_

#include "proof_program.h"

// Reads the places and copies of |program|, which was planned with |options|.
// Allocates in |arena|. Fails with CORRUPT, reported, if a placement is
// malformed or outside of its pool, or OUT_OF_MEMORY.
gmem_status_t gmem_proof_places_read(gmem_proof_program_t *program,
                                     const gmem_model_options_t *options,
                                     gmem_bump_t *arena, gmem_diag_t *diag);

#endif // GMEM_PASSES_PROOF_PLACES_H_
