// op_model_text.h - op models from the text of a file.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_OP_MODEL_TEXT_H_
#define GMEM_PASSES_OP_MODEL_TEXT_H_

#include "bump.h"
#include "gmem/status.h"
#include "op_model_read.h"

// Function arguments whose attribute |attribute|, as MLIR prints it, contains
// |contains| are weights.
typedef struct gmem_argument_model_s {
  const char *attribute; // "ttcore.argument_type"
  const char *contains;  // "constant"
} gmem_argument_model_t;

// The models of one text, which win over those of the texts around it.
typedef struct gmem_op_models_s gmem_op_models_t;

struct gmem_op_models_s {
  gmem_op_model_t *models; // sorted by op
  size_t count;
  gmem_argument_model_t *arguments; // in the order of the text
  size_t argument_count;
  const gmem_op_models_t *outer; // or NULL
};

// Reads the compiled-in model files; everything lives in |arena|. Fails with
// OUT_OF_MEMORY, or INVALID_ARGUMENT when a file is malformed or names an op
// twice.
gmem_status_t gmem_op_models_load(gmem_bump_t *arena,
                                  gmem_op_models_t *out_models,
                                  gmem_diag_t *diag);

// Reads |text|, which |name| (a path, for example) stands for in messages; it
// may have parts, with a line "// -----" between them, each of which wins over
// what is before it. |*out_models| are then the models of the last part, and
// |outer| the ones behind those of the first. Fails with OUT_OF_MEMORY or
// INVALID_ARGUMENT, with "NAME:LINE:COLUMN: " before what is wrong.
gmem_status_t gmem_op_models_parse(gmem_bump_t *arena, const char *name,
                                   MlirStringRef text,
                                   const gmem_op_models_t *outer,
                                   const gmem_op_models_t **out_models,
                                   gmem_diag_t *diag);

#endif // GMEM_PASSES_OP_MODEL_TEXT_H_
