// c_init_model.h - the functions of a plan that compute constants, for
// generated C.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_C_INIT_MODEL_H_
#define GMEM_TOOLS_C_INIT_MODEL_H_

#include "c_model.h"

// Marks the function |root|, and those that it calls, directly or not. Fails
// with OUT_OF_MEMORY.
GMEM_MUST_USE gmem_status_t gmem_c_mark_called(const gmem_planned_t *planned,
                                               size_t root, bool *is_called,
                                               gmem_diag_t *diag);

// Marks the pool with the name and size of the arena as used by run, or by
// init. Fails with INVALID_ARGUMENT if there is none.
GMEM_MUST_USE gmem_status_t gmem_c_match_arena(gmem_c_model_t *model,
                                               gmem_c_argument_t *argument,
                                               bool is_init, gmem_diag_t *diag);

// Fills |model->init|, and marks the functions that it reaches and its pools:
// operators, or the functions with gmem.init of the compiled |module|. Fails
// with OUT_OF_MEMORY, and if those functions cannot be called from C.
GMEM_MUST_USE gmem_status_t gmem_c_init_find(gmem_c_model_t *model,
                                             gmem_diag_t *diag);
GMEM_MUST_USE gmem_status_t gmem_c_init_find_compiled(gmem_c_model_t *model,
                                                      MlirModule module,
                                                      gmem_diag_t *diag);
void gmem_c_init_free(gmem_c_init_t *init);

// Decides which structs init takes. Fails with UNSUPPORTED if nothing computes
// the constants that have no contents.
GMEM_MUST_USE gmem_status_t gmem_c_init_check(gmem_c_model_t *model,
                                              gmem_diag_t *diag);

#endif // GMEM_TOOLS_C_INIT_MODEL_H_
