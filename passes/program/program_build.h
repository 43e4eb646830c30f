// program_build.h - builds the program: numbers the ops, values and functions
// of a scope.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PROGRAM_BUILD_H_
#define GMEM_PASSES_PROGRAM_BUILD_H_

#include "bump.h"
#include "gmem/passes.h"
#include "gmem/status.h"
#include "op_model_text.h"
#include "program.h"

// Numbers the functions directly in |scope|. Of |options|, only those that
// determine which values have memory, and its size, are used. Everything is
// allocated in |arena|. Fails with OUT_OF_MEMORY, OUT_OF_RANGE (the size of a
// tensor overflows) or INVALID_ARGUMENT (a malformed gmem attribute), reported
// at the op.
gmem_status_t
gmem_program_build(MlirOperation scope, const gmem_op_models_t *models,
                   const gmem_model_options_t *options, gmem_bump_t *arena,
                   gmem_program_t *out_program, gmem_diag_t *diag);

#endif // GMEM_PASSES_PROGRAM_BUILD_H_
