// model_content.h - initialises the memory of a model from the image or from
// callbacks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_MODEL_CONTENT_H_
#define GMEM_RUNTIME_MODEL_CONTENT_H_

#include "model.h"

// Whether the image holds the final bytes of weight |id| in the content of its
// region.
bool gmem_model_in_image(const gmem_plan_t *plan, gmem_buffer_t id,
                         gmem_region_t region,
                         gmem_stored_content_t *out_content);

// Maps a region that the model owns and loads its content from the image; maps
// the file itself if possible.
gmem_status_t gmem_model_map(gmem_model_job_t *job, gmem_region_t region,
                             gmem_diag_t *diag);

// Copies |size| bytes at |offset| of |content| to |dst|.
gmem_status_t gmem_model_read(const gmem_stored_content_t *content,
                              uint64_t offset, uint64_t size, uint8_t *dst,
                              gmem_diag_t *diag);

// Calls the function of the sources that fills buffer |id| at |dst|, if there
// is one and the image does not hold the bytes. |dst| may be NULL.
gmem_status_t gmem_model_fill(const gmem_model_job_t *job, gmem_buffer_t id,
                              uint8_t *dst, gmem_diag_t *diag);

// Checks the bytes of buffer |id| at |bytes| against the digest in the plan.
// Fails with CORRUPT; GMEM_OK if the buffer has no digest or is transformed.
gmem_status_t gmem_model_check_digest(const gmem_plan_t *plan, gmem_buffer_t id,
                                      const uint8_t *bytes, gmem_diag_t *diag);

#endif // GMEM_RUNTIME_MODEL_CONTENT_H_
