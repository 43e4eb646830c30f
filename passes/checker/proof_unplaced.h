// proof_unplaced.h - memrefs that may denote memory without a place.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PROOF_UNPLACED_H_
#define GMEM_PASSES_PROOF_UNPLACED_H_

#include "proof_memory.h"

// Sets |*out_unplaced|, by value, to whether a memref may denote memory that
// the plan does not place: an allocation, or memory from outside, which
// arguments of functions with |has_unknown_callers| denote. Allocates in
// |arena|. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_proof_unplaced_find(const gmem_proof_program_t *program,
                                       const bool *has_unknown_callers,
                                       gmem_bump_t *arena, bool **out_unplaced,
                                       gmem_diag_t *diag);

#endif // GMEM_PASSES_PROOF_UNPLACED_H_
