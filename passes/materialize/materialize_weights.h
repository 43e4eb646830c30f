// materialize_weights.h - constant globals that move into a weights arena.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_MATERIALIZE_WEIGHTS_H_
#define GMEM_PASSES_MATERIALIZE_WEIGHTS_H_

#include "bump.h"
#include "gmem/status.h"
#include "materialization.h"

// Lists the globals of the parts of constant arenas. Fails with
// INVALID_ARGUMENT, reported at the global, when they cannot be there, or
// OUT_OF_MEMORY.
gmem_status_t gmem_arena_globals_find(gmem_materialization_t *job,
                                      gmem_bump_t *arena, gmem_diag_t *diag);

// Fills |contents| of the constant arenas that have symbols. |arena| is for
// scratch. Fails like the above.
gmem_status_t gmem_arena_images_fill(const gmem_materialization_t *job,
                                     gmem_bump_t *arena, gmem_diag_t *diag);

// When the parts are views: erases globals that are in an arena now and that
// nothing names any more; where the arena is given as an argument they stay,
// and say which bytes of it they are.
void gmem_arena_globals_settle(const gmem_materialization_t *job);

#endif // GMEM_PASSES_MATERIALIZE_WEIGHTS_H_
