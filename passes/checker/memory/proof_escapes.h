// proof_escapes.h - memrefs that code outside of the scope may keep or free.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PROOF_ESCAPES_H_
#define GMEM_PASSES_PROOF_ESCAPES_H_

#include "proof_memory.h"

// Checks that no allocation which escapes is placed. |symbols|, of the scope,
// may be null. Fails with CORRUPT, reported at the op by which it escapes, or
// OUT_OF_MEMORY.
gmem_status_t gmem_proof_escapes_check(const gmem_proof_program_t *program,
                                       const gmem_proof_memory_t *memory,
                                       MlirSymbolTable symbols,
                                       gmem_bump_t *arena, gmem_diag_t *diag);

// Whether |op| frees memory that is placed, and none that is not: without it no
// memory is lost, and with it a part of an arena would be freed.
bool gmem_proof_frees_placed(const gmem_proof_memory_t *memory,
                             const gmem_proof_op_t *op);

#endif // GMEM_PASSES_PROOF_ESCAPES_H_
