// proof_coexistence.h - which names of memrefs are never current together.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PROOF_COEXISTENCE_H_
#define GMEM_PASSES_PROOF_COEXISTENCE_H_

#include "proof_sets.h"

// Whether two names may be those of their values at one point of a run. A value
// has one of its names at a time, values that are bound together, as the
// arguments of a block are, have theirs by one edge, and what an edge binds is
// what its operands were: a search goes back over these edges. Returns true if
// it does not end soon, and between functions.
bool gmem_proof_may_coexist(const gmem_proof_program_t *program,
                            const gmem_proof_memory_t *memory, uint32_t left,
                            uint32_t right);

#endif // GMEM_PASSES_PROOF_COEXISTENCE_H_
