// materialize_views.h - turns an allocation into a view of its arena.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_MATERIALIZE_VIEWS_H_
#define GMEM_PASSES_MATERIALIZE_VIEWS_H_

#include "bump.h"
#include "gmem/status.h"
#include "materialization.h"

// Sets the bounds and the layout of |part| and checks that its op can become a
// view of an arena. |dynamic_bound| is the bound, in elements, of dynamic
// dimensions without a bound of their own; 0: none. Fails with
// INVALID_ARGUMENT, reported at the op, or OUT_OF_MEMORY.
gmem_status_t gmem_part_check(gmem_materialization_t *job,
                              gmem_arena_part_t *part, uint64_t dynamic_bound,
                              gmem_bump_t *arena, gmem_diag_t *diag);

// Replaces the op of |part| by a view of its arena.
void gmem_part_build(const gmem_materialization_t *job,
                     const gmem_arena_part_t *part);

#endif // GMEM_PASSES_MATERIALIZE_VIEWS_H_
