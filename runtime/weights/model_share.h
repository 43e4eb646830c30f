// model_share.h - shares the weights of models through a store.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_MODEL_SHARE_H_
#define GMEM_RUNTIME_MODEL_SHARE_H_

#include "model.h"

// Acquires from the store the regions that are |stored| or, with
// GMEM_MODEL_SCATTER, all weights.
gmem_status_t gmem_model_share(gmem_model_job_t *job, gmem_diag_t *diag);

// With scattered weights, computes the place of each buffer; all other memory
// must be at its final address.
void gmem_model_find_places(const gmem_model_job_t *job);

#endif // GMEM_RUNTIME_MODEL_SHARE_H_
