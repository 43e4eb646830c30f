// materialize_weights.h - moves constant globals into a weights arena.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_MATERIALIZE_WEIGHTS_H_
#define GMEM_PASSES_MATERIALIZE_WEIGHTS_H_

#include "bump.h"
#include "gmem/status.h"
#include "materialization.h"

// Lists the globals of the parts of constant arenas in |job|. Fails with
// INVALID_ARGUMENT, reported at the global, if one cannot be moved into an
// arena, or OUT_OF_MEMORY.
gmem_status_t gmem_arena_globals_find(gmem_materialization_t *job,
                                      gmem_bump_t *arena, gmem_diag_t *diag);

// Sets |contents| of the constant arenas that are globals. |arena| is scratch
// memory. Fails as gmem_arena_globals_find does.
gmem_status_t gmem_arena_images_fill(const gmem_materialization_t *job,
                                     gmem_bump_t *arena, gmem_diag_t *diag);

// To be called once the parts are views. Erases private globals that are in a
// global arena and have no other users. If the arena is an argument the globals
// stay and are marked with their range in it.
void gmem_arena_globals_settle(const gmem_materialization_t *job);

#endif // GMEM_PASSES_MATERIALIZE_WEIGHTS_H_
