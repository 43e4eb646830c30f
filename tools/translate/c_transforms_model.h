// c_transforms_model.h - the functions that make constants, for generated C.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_C_TRANSFORMS_MODEL_H_
#define GMEM_TOOLS_C_TRANSFORMS_MODEL_H_

#include "c_model.h"

// Reads the chains of the plan and their sources. Fails with OUT_OF_MEMORY, or
// when the plan does not have the bytes of a source.
GMEM_MUST_USE gmem_status_t
gmem_c_transforms_read(const gmem_planned_t *planned,
                       gmem_c_transforms_t *out_transforms, gmem_diag_t *diag);
void gmem_c_transforms_free(gmem_c_transforms_t *transforms);

// Marks the pools that the chains use as used by init. Fails with UNSUPPORTED
// if the model has no init function that could write a constant.
GMEM_MUST_USE gmem_status_t gmem_c_transforms_mark(gmem_c_model_t *model,
                                                   gmem_diag_t *diag);

#endif // GMEM_TOOLS_C_TRANSFORMS_MODEL_H_
