// proof_instances.h - of each memory that the plan places, one instance at a
// time is in use.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PROOF_INSTANCES_H_
#define GMEM_PASSES_PROOF_INSTANCES_H_

#include "proof_memory.h"

// Checks that no memref or handle is used, or passed on, when the memory that
// it denotes may have been made anew since it was bound: all instances are in
// the same bytes. Temporary data is allocated in |arena|. Fails with OVERLAP,
// reported, or OUT_OF_MEMORY. O(n log n) in the uses, the blocks between each
// memref and its uses, and the functions whose memory each memref may denote.
gmem_status_t gmem_proof_instances_check(const gmem_proof_program_t *program,
                                         const gmem_proof_memory_t *memory,
                                         gmem_bump_t *arena, gmem_diag_t *diag);

#endif // GMEM_PASSES_PROOF_INSTANCES_H_
