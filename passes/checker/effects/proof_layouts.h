// proof_layouts.h - that values with padding per dimension are where their
// elements have the gaps that gmem.padding states.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PROOF_LAYOUTS_H_
#define GMEM_PASSES_PROOF_LAYOUTS_H_

#include "proof_program.h"

// Control flow, calls and views copy bytes or pass them on, and know nothing of
// gaps: none of their operands and results, and no argument of a function that
// others call, has padding per dimension or strides. Ops that make or read a
// value with strides take them. Fails with OUT_OF_MEMORY or, reported, CORRUPT.
gmem_status_t gmem_proof_layouts_check(const gmem_proof_program_t *program,
                                       gmem_bump_t *arena, gmem_diag_t *diag);

#endif // GMEM_PASSES_PROOF_LAYOUTS_H_
