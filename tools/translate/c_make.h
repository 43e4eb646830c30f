// c_make.h - makes the content of the C files from a plan.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_C_MAKE_H_
#define GMEM_TOOLS_C_MAKE_H_

#include "c_model.h"

// Computes all names and checks that the entry can be generated. |module| is
// the compiled module, or null. |requests| is the plan without what only
// initialises constants (gmem_planned_drop_init), or NULL if it is |planned|;
// it is not kept. Call gmem_c_model_free in any case. Fails with
// INVALID_ARGUMENT, UNSUPPORTED, NOT_FOUND or OUT_OF_MEMORY, and sets |message|
// for some errors.
GMEM_MUST_USE gmem_status_t gmem_c_model_make(const gmem_planned_t *planned,
                                              const gmem_planned_t *requests,
                                              const gmem_c_options_t *options,
                                              MlirModule module,
                                              gmem_c_model_t *out_model,
                                              gmem_diag_t *diag);
void gmem_c_model_free(gmem_c_model_t *model);

#endif // GMEM_TOOLS_C_MAKE_H_
