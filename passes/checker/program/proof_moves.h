// proof_moves.h - ops that reorder or repeat axes by their model, but move no
// element.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PROOF_MOVES_H_
#define GMEM_PASSES_PROOF_MOVES_H_

#include "op_model_text.h"

enum { GMEM_PROOF_MAX_RANK = 16 };

// Whether |type| is a tensor of known shape, of at most GMEM_PROOF_MAX_RANK
// axes and row-major.
bool gmem_proof_has_plain_shape(MlirType type);

// Whether result 0 of |op| has the elements of operand 0 in the same order, so
// that |model| makes a view of it. Allocates in |arena|.
bool gmem_proof_moves_nothing(const gmem_op_models_t *models,
                              const gmem_op_model_t *model, MlirOperation op,
                              gmem_bump_t *arena);

#endif // GMEM_PASSES_PROOF_MOVES_H_
