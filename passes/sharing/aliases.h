// aliases.h - which values may lie in the memory of others, and where.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that are always the same bytes are one class already (alias_sets.h).
// Here are those that can share memory, each a choice that the planner makes by
// what becomes of the peak:
//
//   slice        the result is a part of the operand, and the op does nothing
//   concat       the operand is made inside of the result (insert, tuple too)
//   inplace      the result is written over a dying operand, element by element
//   destination  the result is written into the operand that the op is given
//   transfer     what control flow hands on stays where it is
//
// Slices and concatenations have the same contents as their part of the parent
// until one of the two is written again; the lives of what writes there say
// when, so nothing more is asked of them. The others end the life of one value
// by the other: they are listed only when the two are live together at such ops
// alone.

#ifndef GMEM_PASSES_ALIASES_H_
#define GMEM_PASSES_ALIASES_H_

#include "gmem/passes.h"
#include "liveness.h"
#include "sharing_finder.h"

// Lists what |options| permit; |models| say which operands are constants.
// Everything lives in |arena|. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_aliases_find(const gmem_liveness_t *liveness,
                                const gmem_op_models_t *models,
                                const gmem_model_options_t *options,
                                gmem_bump_t *arena, gmem_aliases_t *out_aliases,
                                gmem_diag_t *diag);

#endif // GMEM_PASSES_ALIASES_H_
