// materialize_views.h - turns an allocation into a view of its arena.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_MATERIALIZE_VIEWS_H_
#define GMEM_PASSES_MATERIALIZE_VIEWS_H_

#include "bump.h"
#include "gmem/status.h"
#include "materialization.h"

// Fills all but the first four of |part|, and makes sure that its op can become
// a part of an arena. Dynamic dimensions that nothing else bounds have at most
// |dynamic_bound| elements. Fails like gmem_arenas_find_ways.
gmem_status_t gmem_part_check(gmem_materialization_t *job,
                              gmem_arena_part_t *part, uint64_t dynamic_bound,
                              gmem_bump_t *arena, gmem_diag_t *diag);

// Makes the op of |part| a view of its arena.
void gmem_part_build(const gmem_materialization_t *job,
                     const gmem_arena_part_t *part);

#endif // GMEM_PASSES_MATERIALIZE_VIEWS_H_
