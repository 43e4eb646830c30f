// op_model_read.h - one op model from attributes: those of a gmem.op_model op
// in a model file, or the entries of a gmem.op_model attribute on an op.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_OP_MODEL_READ_H_
#define GMEM_PASSES_OP_MODEL_READ_H_

#include "op_models.h"

// A model that says nothing but which op it is of.
gmem_op_model_t gmem_op_model_of(const char *op);

// Reads what one attribute (all but "op") says into |model|; strings are copied
// to |arena|. Fails with OUT_OF_MEMORY, or INVALID_ARGUMENT and a text without
// a place, which the caller knows.
gmem_status_t gmem_op_model_read(MlirNamedAttribute attribute,
                                 gmem_arena_t *arena, gmem_op_model_t *model,
                                 gmem_diag_t *diag);

// Whether what the attributes said together makes sense; to be called after the
// last of them. Fails as gmem_op_model_read.
gmem_status_t gmem_op_model_check(const gmem_op_model_t *model,
                                  gmem_diag_t *diag);

// The word for |kind|, as in a model file; NULL for GMEM_OP_UNKNOWN.
const char *gmem_op_kind_name(gmem_op_kind_t kind);

#endif // GMEM_PASSES_OP_MODEL_READ_H_
