// same_as.h - gmem.same_as: results returned in the memory of arguments.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_SAME_AS_H_
#define GMEM_PASSES_SAME_AS_H_

#include "buffer_constraint.h"
#include "placement_inputs.h"

// Input-output aliasing: ties the alias sets that gmem.same_as places at one
// offset, so that |tied_to| of all of them leads to the same leader. Tied sets
// are never live at the same time, unless an op of known kind writes one of
// them over the other. |*out_aliases| is the aliases of the inputs with those
// in-place writes added. Fails with OUT_OF_MEMORY or, reported with the reason,
// INVALID_ARGUMENT if two sets cannot be tied.
gmem_status_t gmem_same_as_tie(const gmem_placement_inputs_t *inputs,
                               gmem_bump_t *arena, gmem_bump_t *scratch,
                               gmem_aliases_t *out_aliases,
                               gmem_buffer_constraint_t *sets,
                               gmem_diag_t *diag);

#endif // GMEM_PASSES_SAME_AS_H_
