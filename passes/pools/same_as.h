// same_as.h - gmem.same_as: results that are returned in the memory of
// arguments.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_SAME_AS_H_
#define GMEM_PASSES_SAME_AS_H_

#include "buffer_constraint.h"
#include "sharing_finder.h"

// Ties the classes that gmem.same_as puts at one place: |tied_to| of all of
// them leads to the same head. By what an op writes one over the other where
// they meet is added to |aliases|. None of them overwrites what is still read
// of another: they are never live together, but where an op of known kind
// writes one over the other. Fails with OUT_OF_MEMORY, or with INVALID_ARGUMENT
// where that cannot be so, with the reason.
gmem_status_t gmem_same_as_tie(const gmem_liveness_t *liveness,
                               const gmem_op_models_t *models,
                               const gmem_model_options_t *options,
                               gmem_bump_t *arena, gmem_aliases_t *aliases,
                               gmem_buffer_constraint_t *sets,
                               gmem_diag_t *diag);

#endif // GMEM_PASSES_SAME_AS_H_
