// proof_claims.h - that what gmem.alias says of each op is so.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PROOF_CLAIMS_H_
#define GMEM_PASSES_PROOF_CLAIMS_H_

#include "proof_program.h"

// Checks each entry of gmem.alias: the model of the op permits it, and the
// places of operand and result are as it says. An executor of the plan leaves
// out the copies of such an op. Entries that are missing do no harm. Temporary
// data is allocated in |arena|. Fails with CORRUPT, reported, or OUT_OF_MEMORY.
// O(n) in entries and their operands.
gmem_status_t gmem_proof_claims_check(const gmem_proof_program_t *program,
                                      gmem_bump_t *arena, gmem_diag_t *diag);

#endif // GMEM_PASSES_PROOF_CLAIMS_H_
