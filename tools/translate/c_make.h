// c_make.h - makes the content of the C files from a plan.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_C_MAKE_H_
#define GMEM_TOOLS_C_MAKE_H_

#include "c_model.h"

// The plan without what only initialises constants (gmem_planned_drop_init), or
// NULL if that is nothing, and the digest of what computes them, or NULL.
typedef struct gmem_c_requests_s {
  const gmem_planned_t *planned;
  const uint8_t *init;
} gmem_c_requests_t;

// Computes all names and checks that the entry can be generated. |module| is
// the compiled module, or null. |requests| is not kept. Call gmem_c_model_free
// in any case. Fails with INVALID_ARGUMENT, UNSUPPORTED, NOT_FOUND or
// OUT_OF_MEMORY, and sets |message| for some errors.
GMEM_MUST_USE gmem_status_t gmem_c_model_make(const gmem_planned_t *planned,
                                              const gmem_c_requests_t *requests,
                                              const gmem_c_options_t *options,
                                              MlirModule module,
                                              gmem_c_model_t *out_model,
                                              gmem_diag_t *diag);
void gmem_c_model_free(gmem_c_model_t *model);

#endif // GMEM_TOOLS_C_MAKE_H_
