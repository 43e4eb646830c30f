// proof_memory.h - the memory that each value denotes: its own, that of the
// value it is a view of, or allocations that a memref may point to.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PROOF_MEMORY_H_
#define GMEM_PASSES_PROOF_MEMORY_H_

#include "proof_sets.h"

// Inclusion-based, flow-insensitive points-to analysis (Andersen, "Program
// Analysis and Specialization for the C Programming Language", 1994) of memrefs
// and handles, to a fixpoint. Allocates in |arena|. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_proof_memory_find(const gmem_proof_program_t *program,
                                     gmem_bump_t *arena,
                                     gmem_proof_memory_t *out_memory,
                                     gmem_diag_t *diag);

// Whether |value|, which may be GMEM_NO_INDEX, has no contents: it is an empty
// tensor without a place.
bool gmem_proof_is_undefined(const gmem_proof_program_t *program,
                             const gmem_proof_memory_t *memory, uint32_t value);

#endif // GMEM_PASSES_PROOF_MEMORY_H_
