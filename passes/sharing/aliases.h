// aliases.h - optional sharing: values that may be placed in the memory of
// other values, and at which offset.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that always occupy the same memory already form one alias set
// (alias_sets.h). The aliases here are optional: the planner takes one if that
// lowers the peak.
//
//   slice        the result is a part of the operand; the op does nothing
//   concat       the operand is a part of the result (insert and tuple, too)
//   inplace      the result is written over a dying operand, element by element
//   destination  the result is written into the destination operand
//   transfer     source and target of a control-flow transfer share one place
//
// In a slice or concat, the child has the same contents as its part of the
// parent until one of the two is overwritten. The live range of the overwriting
// value begins there and is checked by itself, so overlap of child and parent
// is always correct. In the other kinds one value overwrites the other: they
// are listed only if both are live together at such ops alone (interference.h).

#ifndef GMEM_PASSES_ALIASES_H_
#define GMEM_PASSES_ALIASES_H_

#include "sharing_finder.h"

// Lists the aliases of the kinds that |options| permit. Results are allocated
// in |arena|. Returns OUT_OF_MEMORY on allocation failure.
gmem_status_t gmem_aliases_find(const gmem_liveness_t *liveness,
                                const gmem_model_options_t *options,
                                gmem_bump_t *arena, gmem_aliases_t *out_aliases,
                                gmem_diag_t *diag);

// The same with those of the kinds "inplace", "destination" and "transfer" that
// live ranges forbid: in another order of the ops they may be possible.
gmem_status_t gmem_aliases_list(const gmem_liveness_t *liveness,
                                const gmem_model_options_t *options,
                                gmem_bump_t *arena, gmem_aliases_t *out_aliases,
                                gmem_diag_t *diag);

#endif // GMEM_PASSES_ALIASES_H_
