// planned_image.h - converts the plan of a module to a plan image.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_PLANNED_IMAGE_H_
#define GMEM_TOOLS_PLANNED_IMAGE_H_

#include "gmem/passes.h"
#include "gmem/plan.h"
#include "image_weights.h"

// Creates the image of |planned|: one region per pool and one buffer per
// buffer, with the same indices, and the constants in |weights| (NULL: none).
// Inputs and outputs whose bytes are shared only with their must-alias set are
// importable. Free *out_data with gmem_plan_data_free and no allocator. Fails
// like gmem_plan_write; *out_data is then NULL. |diag| must not be NULL.
GMEM_MUST_USE gmem_status_t gmem_planned_image(
    const gmem_planned_t *planned, const gmem_image_weights_t *weights,
    void **out_data, size_t *out_size, gmem_diag_t *diag);

// The same, streamed to |sink| like gmem_plan_write_to.
GMEM_MUST_USE gmem_status_t gmem_planned_image_write(
    const gmem_planned_t *planned, const gmem_image_weights_t *weights,
    gmem_plan_sink_fn sink, void *user, gmem_diag_t *diag);

#endif // GMEM_TOOLS_PLANNED_IMAGE_H_
