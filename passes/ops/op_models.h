// op_models.h - what ops of known dialects mean to memory planning. The
// knowledge itself is data: dialect/models/*.mlir.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_OP_MODELS_H_
#define GMEM_PASSES_OP_MODELS_H_

#include <stdbool.h>

#include "bump.h"
#include "gmem/passes.h"
#include "op_model_read.h"
#include "op_model_text.h"

// What the gmem.op_models attributes of |scope| and the ops around it say, on
// top of |outer|. Errors are reported at the op that carries the attribute.
gmem_status_t gmem_op_models_of_scope(MlirOperation scope,
                                      const gmem_op_models_t *outer,
                                      gmem_bump_t *arena,
                                      const gmem_op_models_t **out_models,
                                      gmem_diag_t *diag);

// The model of the name of |op|; never NULL: an op without one has the model of
// an unknown op.
const gmem_op_model_t *gmem_op_models_find(const gmem_op_models_t *models,
                                           MlirOperation op);

// The model of |op| itself: what its gmem.op_model attribute says, if it has
// one, made in |arena|; else that of its name. Errors are reported at |op|.
gmem_status_t gmem_op_models_of_op(const gmem_op_models_t *models,
                                   MlirOperation op, gmem_bump_t *arena,
                                   const gmem_op_model_t **out_model,
                                   gmem_diag_t *diag);

// Whether |op| makes a result in the memory of operand |number|, if it can.
bool gmem_op_model_is_destination(const gmem_op_model_t *model,
                                  MlirOperation op, intptr_t number);

// Whether |op| changes the contents of operand |number|, for all who read that
// afterwards. One that is the destination of a result is not changed: there the
// result is what is new.
bool gmem_op_model_writes(const gmem_op_model_t *model, MlirOperation op,
                          intptr_t number);

// Whether a function argument with these attributes (a dictionary) is a weight.
bool gmem_op_models_is_weight(const gmem_op_models_t *models,
                              MlirAttribute argument_attributes);

#endif // GMEM_PASSES_OP_MODELS_H_
