// arena_passing.h - how each function obtains the arenas it uses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_ARENA_PASSING_H_
#define GMEM_PASSES_ARENA_PASSING_H_

#include "analysis.h"
#include "bump.h"
#include "gmem/status.h"
#include "materialization.h"

// From arenas, parts and the |uses| of functions: how functions come by the
// arenas, the calls, the symbols. Changes nothing. What lasts is in |arena|.
// Fails with INVALID_ARGUMENT, reported where it stands, where a function
// cannot be given what it needs, or OUT_OF_MEMORY.
gmem_status_t gmem_arenas_find_ways(gmem_materialization_t *job,
                                    const gmem_analysis_t *analysis,
                                    gmem_bump_t *arena, gmem_diag_t *diag);

// Whether |function| is to be given an arena.
bool gmem_needs_arena(const gmem_materialization_t *job,
                      const gmem_arena_function_t *function);

// Makes room for ops of |width| operands or attributes, besides the arenas.
void gmem_materialization_widen(gmem_materialization_t *job, intptr_t width);

#endif // GMEM_PASSES_ARENA_PASSING_H_
