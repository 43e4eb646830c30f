// op_model_text.h - reads op models from the text of a file.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_OP_MODEL_TEXT_H_
#define GMEM_PASSES_OP_MODEL_TEXT_H_

#include "bump.h"
#include "gmem/status.h"
#include "op_model_read.h"
#include "type_size.h"

// Function arguments whose attribute |attribute|, in MLIR's textual form,
// contains |contains| are weights.
typedef struct gmem_argument_model_s {
  const char *attribute; // "ttcore.argument_type"
  const char *contains;  // "constant"
} gmem_argument_model_t;

// Types of one name, or tensors with encodings of one beginning, and how large
// they are.
typedef struct gmem_type_model_s {
  const char *type;        // "!torch.vtensor", or NULL
  const char *encoding;    // "#my.layout", or NULL: one of the two
  bool is_none;            // values of this type need no memory
  bool is_scalar;          // nor do they stand for memory or running work
  gmem_tensor_form_t form; // of the others
} gmem_type_model_t;

// Ops |op| stand for many: their attribute |attribute|, a string or a symbol,
// says for which.
typedef struct gmem_op_name_s {
  const char *op;        // "torch.operator"
  const char *attribute; // "name"
} gmem_op_name_t;

// The models of one text; they override those of |outer|.
typedef struct gmem_op_models_s gmem_op_models_t;

struct gmem_op_models_s {
  const gmem_op_model_t *models; // sorted by op
  size_t count;
  const gmem_argument_model_t *arguments; // in the order of the text
  size_t argument_count;
  const gmem_type_model_t *types; // in the order of the text
  size_t type_count;
  const gmem_op_name_t *names; // in the order of the text
  size_t name_count;
  const char *const *pure; // names of ops without effects, sorted
  size_t pure_count;
  const gmem_op_models_t *outer; // or NULL
};

// The models of the embedded files, one layer. The build makes this table of
// them: op_model_table.c.
extern const gmem_op_models_t gmem_built_in_models;

// Reads |text|; |name| (such as a path) identifies it in messages. The text may
// have several parts, separated by lines "// -----"; later parts override
// earlier ones. |*out_models| becomes the models of the last part, with |outer|
// behind those of the first. Fails with OUT_OF_MEMORY, or INVALID_ARGUMENT and
// a message that starts with "NAME:LINE:COLUMN: ".
gmem_status_t gmem_op_models_parse(gmem_bump_t *arena, const char *name,
                                   MlirStringRef text,
                                   const gmem_op_models_t *outer,
                                   const gmem_op_models_t **out_models,
                                   gmem_diag_t *diag);

#endif // GMEM_PASSES_OP_MODEL_TEXT_H_
