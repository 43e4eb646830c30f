// arena_passing.h - how each function obtains the arenas it uses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_ARENA_PASSING_H_
#define GMEM_PASSES_ARENA_PASSING_H_

#include "analysis.h"
#include "bump.h"
#include "gmem/status.h"
#include "materialization.h"

// Determines, from the arenas, parts and |uses| of |job|, how each function
// obtains its arenas, which calls pass them, and the symbols. Does not change
// the IR. Results are allocated in |arena|. Fails with INVALID_ARGUMENT,
// reported at the function, if an arena cannot be passed to a function that
// needs it, or OUT_OF_MEMORY.
gmem_status_t gmem_arena_passing_find(gmem_materialization_t *job,
                                      const gmem_analysis_t *analysis,
                                      gmem_bump_t *arena, gmem_diag_t *diag);

// Whether |function| needs any arena that is not a global.
bool gmem_needs_arena(const gmem_materialization_t *job,
                      const gmem_arena_function_t *function);

// Reserves scratch space for ops with |width| operands or attributes, not
// counting arenas.
void gmem_materialization_widen(gmem_materialization_t *job, intptr_t width);

#endif // GMEM_PASSES_ARENA_PASSING_H_
