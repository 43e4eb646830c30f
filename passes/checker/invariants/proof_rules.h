// proof_rules.h - what a plan must keep to at every point of the program, so
// that no walk is needed to check it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PROOF_RULES_H_
#define GMEM_PASSES_PROOF_RULES_H_

#include "proof_memory.h"

// Checks that
//  * constants and immutable workbuffers share bytes only if they are equal
//    constants at one place, and that only constants are in constant pools;
//  * functions return in the memory of an argument what gmem.same_as says;
//  * functions that may run at any time share no bytes with other functions;
//  * memory has a place only if one instance of it exists at a time, and, if it
//    is a memref, no code outside of the scope can reach it.
// Temporary data is allocated in |arena|. Fails with OVERLAP or CORRUPT,
// reported, or OUT_OF_MEMORY. O(n log n) in values, operands and workbuffers.
gmem_status_t gmem_proof_rules_check(const gmem_proof_program_t *program,
                                     const gmem_proof_memory_t *memory,
                                     gmem_bump_t *arena, gmem_diag_t *diag);

#endif // GMEM_PASSES_PROOF_RULES_H_
