// planned_image.h - the plan of a module as a plan image.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_PLANNED_IMAGE_H_
#define GMEM_TOOLS_PLANNED_IMAGE_H_

#include "gmem/passes.h"
#include "gmem/plan.h"
#include "image_weights.h"

// Makes the image of |planned|: one region per pool, one buffer per buffer,
// with the same indices, and of constants what |weights| has (NULL: nothing).
// Inputs and outputs that share their bytes with nothing but what is always the
// same memory are importable. *out_data is freed with gmem_plan_data_free and
// no allocator. Fails as gmem_plan_write does; *out_data is then NULL. |diag|
// must not be NULL.
GMEM_MUST_USE gmem_status_t gmem_planned_image(
    const gmem_planned_t *planned, const gmem_image_weights_t *weights,
    void **out_data, size_t *out_size, gmem_diag_t *diag);

// The same, handed to |sink| piece by piece as by gmem_plan_write_to.
GMEM_MUST_USE gmem_status_t gmem_planned_image_write(
    const gmem_planned_t *planned, const gmem_image_weights_t *weights,
    gmem_plan_sink_fn sink, void *user, gmem_diag_t *diag);

#endif // GMEM_TOOLS_PLANNED_IMAGE_H_
