// model_content.h - the bytes of a model: out of the image, or of functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_RUNTIME_MODEL_CONTENT_H_
#define GMEM_RUNTIME_MODEL_CONTENT_H_

#include "model.h"

// Whether the image holds the bytes of weight |id| as they are used, in the
// content of its region (model_content.c).
bool gmem_model_in_image(const gmem_plan_t *plan, gmem_buffer_t id,
                         gmem_region_t region,
                         gmem_stored_content_t *out_content);

// Maps a region of the model's own and brings what the image holds of it; maps
// the file itself where that does (model_content.c).
gmem_status_t gmem_model_map(gmem_model_job_t *job, gmem_region_t region,
                             gmem_diag_t *diag);

// Copies |size| bytes at |offset| of |content| to |dst| (model_content.c).
gmem_status_t gmem_model_read(const gmem_stored_content_t *content,
                              uint64_t offset, uint64_t size, uint8_t *dst,
                              gmem_diag_t *diag);

// Has a function of the sources fill buffer |id| at |dst|, if there is one and
// the image does not hold its bytes (model_content.c). |dst| may be NULL.
gmem_status_t gmem_model_fill(const gmem_model_job_t *job, gmem_buffer_t id,
                              uint8_t *dst, gmem_diag_t *diag);

// Whether the bytes of buffer |id| at |bytes| have the digest that the plan has
// of them: CORRUPT. Nothing when it has none, or none of the bytes as they are
// (model_content.c).
gmem_status_t gmem_model_check_digest(const gmem_plan_t *plan, gmem_buffer_t id,
                                      const uint8_t *bytes, gmem_diag_t *diag);

#endif // GMEM_RUNTIME_MODEL_CONTENT_H_
