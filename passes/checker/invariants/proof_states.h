// proof_states.h - states: arguments whose memory is kept from one run of their
// function to the next (gmem.state).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PROOF_STATES_H_
#define GMEM_PASSES_PROOF_STATES_H_

#include "proof_program.h"

// Whether a result is returned in the memory of argument |number| of
// |function|, which the caller reads then.
bool gmem_proof_is_followed(const gmem_proof_program_t *program,
                            uint32_t function, uint32_t number);

// Whether argument |number| of |function| is a state whose contents stay as
// they are: no result is returned in its memory.
bool gmem_proof_is_kept(const gmem_proof_program_t *program, uint32_t function,
                        uint32_t number);

// Checks that nothing of a function that may run between two runs of the
// function of a state is in the bytes of the state. Fails with OVERLAP or
// CORRUPT (a state of a function that others call), reported, or OUT_OF_MEMORY.
gmem_status_t gmem_proof_states_check(const gmem_proof_program_t *program,
                                      gmem_bump_t *arena, gmem_diag_t *diag);

#endif // GMEM_PASSES_PROOF_STATES_H_
