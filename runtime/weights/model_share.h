// model_share.h - what models have in common: weights in a store.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_MODEL_SHARE_H_
#define GMEM_RUNTIME_MODEL_SHARE_H_

#include "model.h"

// Gets from the store what the model does not have of its own: the regions that
// are |stored|, or with GMEM_MODEL_SCATTER all weights (model_share.c).
gmem_status_t gmem_model_share(gmem_model_job_t *job, gmem_diag_t *diag);

// Says where each buffer is, if weights are scattered; the rest is where it
// will stay (model_share.c).
void gmem_model_find_places(const gmem_model_job_t *job);

#endif // GMEM_RUNTIME_MODEL_SHARE_H_
