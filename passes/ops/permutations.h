// permutations.h - ops that reorder or repeat elements by their model, but move
// none for the given shapes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PERMUTATIONS_H_
#define GMEM_PASSES_PERMUTATIONS_H_

#include "op_model_text.h"

// The model of a view of operand 0.
extern const gmem_op_model_t gmem_view_model;

enum { GMEM_PERMUTATION_MAX_RANK = 32 };

// Sets |out_axes|, of GMEM_PERMUTATION_MAX_RANK entries, to the axis of operand
// 0 that each axis of result 0 is, of an op that permutes or swaps the axes of
// a static tensor by its |model|. False if it does not, if its lists are not
// constant, and when memory is out.
bool gmem_op_permutation(const gmem_op_model_t *model, MlirOperation op,
                         const gmem_op_models_t *models, gmem_bump_t *arena,
                         int64_t *out_axes);

// Whether result 0 of |op| has the elements of operand 0 in the same order: the
// op permutes, swaps or broadcasts axes by its |model|, but only axes of size 1
// change places or are added. Allocates in |arena|; false when memory is out.
bool gmem_op_moves_nothing(const gmem_op_model_t *model, MlirOperation op,
                           const gmem_op_models_t *models, gmem_bump_t *arena);

#endif // GMEM_PASSES_PERMUTATIONS_H_
