// proof_memory.h - the memory that each value denotes: its own, that of the
// value it is a view of, or allocations that a memref may point to.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A memory has a number: that of the value which owns it, a placed tensor or an
// allocation. An allocation in a loop owns a second one, |values| higher: its
// instance of the previous iteration, to which memrefs that the loop carries
// point. What an argument of a function points to depends on the call: it is
// GMEM_PROOF_ARGUMENT plus its number.

#ifndef GMEM_PASSES_PROOF_MEMORY_H_
#define GMEM_PASSES_PROOF_MEMORY_H_

#include "proof_program.h"

#define GMEM_PROOF_ARGUMENT (UINT32_C(1) << 31)

typedef struct gmem_proof_set_s {
  const uint32_t *at; // ascending
  uint32_t count;
} gmem_proof_set_t;

typedef struct gmem_proof_memory_s {
  gmem_proof_set_t *of; // by value
  bool *is_aged;        // by op, of a loop: it carries old instances
} gmem_proof_memory_t;

// Inclusion-based, flow-insensitive points-to analysis (Andersen, "Program
// Analysis and Specialization for the C Programming Language", 1994) of memrefs
// and handles, to a fixpoint. Allocates in |arena|. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_proof_memory_find(const gmem_proof_program_t *program,
                                     gmem_bump_t *arena,
                                     gmem_proof_memory_t *out_memory,
                                     gmem_diag_t *diag);

// The operands that a branch passes to successor |number|: |*out_first| is the
// first; false if that is unknown.
bool gmem_proof_branch_operands(const gmem_proof_op_t *op, uint32_t number,
                                uint32_t *out_first);

// The block of the region of |op| that its successor |number| is.
uint32_t gmem_proof_successor(const gmem_proof_program_t *program,
                              const gmem_proof_op_t *op, uint32_t number);

#endif // GMEM_PASSES_PROOF_MEMORY_H_
