// op_models.h - what ops of known dialects mean to memory planning. The
// knowledge itself is data: dialect/models/*.mlir.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_OP_MODELS_H_
#define GMEM_PASSES_OP_MODELS_H_

#include "arena.h"
#include "mlir-c/IR.h"

// See dialect/gmem.irdl.mlir for what each means.
typedef enum gmem_op_kind_e {
  GMEM_OP_UNKNOWN, // no model: reads all operands, writes fresh results
  GMEM_OP_WEIGHT,
  GMEM_OP_LAYER_GROUP,
  GMEM_OP_SCALAR_BODY,
  GMEM_OP_PARALLEL,
  GMEM_OP_RESHAPE,
  GMEM_OP_INPUT,
  GMEM_OP_NONE,
} gmem_op_kind_t;

typedef struct gmem_op_model_s {
  const char *op; // "tosa.reshape"
  gmem_op_kind_t kind;
} gmem_op_model_t;

typedef struct gmem_op_models_s {
  gmem_op_model_t *models; // sorted by op
  size_t count;
} gmem_op_models_t;

// Reads the compiled-in model files; everything lives in |arena|. Fails with
// OUT_OF_MEMORY, or INVALID_ARGUMENT when a file is malformed or names an op
// twice.
gmem_status_t gmem_op_models_load(gmem_arena_t *arena,
                                  gmem_op_models_t *out_models,
                                  gmem_diag_t *diag);

gmem_op_kind_t gmem_op_models_find(const gmem_op_models_t *models,
                                   MlirOperation op);

#endif // GMEM_PASSES_OP_MODELS_H_
