// scope_loop.h - runs a pass's work on each planning scope.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_SCOPE_LOOP_H_
#define GMEM_PASSES_SCOPE_LOOP_H_

#include "bump.h"
#include "gmem/status.h"
#include "op_model_text.h"

// A pass's work on one scope. |user| belongs to the pass.
typedef gmem_status_t (*gmem_scope_work_fn)(MlirOperation scope,
                                            const gmem_op_models_t *models,
                                            gmem_bump_t *arena, void *user,
                                            gmem_diag_t *diag);

// Calls |work| for every scope in |top|, each with its own bump allocator,
// which is destroyed afterwards. |diag| passed to |work| is never NULL; |work|
// reports its own errors, except OUT_OF_MEMORY.
gmem_status_t gmem_for_each_scope_in(MlirOperation top,
                                     const gmem_allocator_t *allocator,
                                     gmem_scope_work_fn work, void *user,
                                     gmem_diag_t *diag);

#endif // GMEM_PASSES_SCOPE_LOOP_H_
