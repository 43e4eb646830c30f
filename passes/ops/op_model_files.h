// op_model_files.h - adds op models from files to the IR.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_OP_MODEL_FILES_H_
#define GMEM_PASSES_OP_MODEL_FILES_H_

#include "gmem/passes.h"
#include "gmem/status.h"

// Adds the models of the files named by |options| to every scope in |top|, as
// gmem_op_models_add. All files are validated before the IR is modified. Errors
// are reported at |top|.
gmem_status_t gmem_op_models_add_files(MlirOperation top,
                                       const gmem_plan_options_t *options,
                                       const gmem_allocator_t *allocator,
                                       gmem_diag_t *diag);

#endif // GMEM_PASSES_OP_MODEL_FILES_H_
