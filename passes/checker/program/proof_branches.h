// proof_branches.h - what a branch passes to which block.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PROOF_BRANCHES_H_
#define GMEM_PASSES_PROOF_BRANCHES_H_

#include "proof_program.h"

// The operands that a branch passes to successor |number|: |*out_first| is the
// first; false if that is unknown.
bool gmem_proof_branch_operands(const gmem_proof_op_t *op, uint32_t number,
                                uint32_t *out_first);

// The block of the region of |op| that its successor |number| is.
uint32_t gmem_proof_successor(const gmem_proof_program_t *program,
                              const gmem_proof_op_t *op, uint32_t number);

#endif // GMEM_PASSES_PROOF_BRANCHES_H_
