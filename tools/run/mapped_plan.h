// mapped_plan.h - a plan with its memory, mapped by the runtime.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_MAPPED_PLAN_H_
#define GMEM_TOOLS_MAPPED_PLAN_H_

#include "gmem/runtime.h"

// Zero-initialise. Members are NULL until created.
typedef struct gmem_mapped_plan_s {
  gmem_plan_t *plan;
  gmem_provider_t provider;
  gmem_model_t *model;
  gmem_pool_t *pool;
} gmem_mapped_plan_t;

// Maps the shared memory of |mapped->plan| with |options| (NULL: defaults), and
// fills it from |sources| (NULL: the image alone).
GMEM_MUST_USE gmem_status_t gmem_mapped_plan_model(
    gmem_mapped_plan_t *mapped, const gmem_mmap_options_t *options,
    const gmem_model_sources_t *sources, gmem_diag_t *diag);

// Creates a pool of |slots| slots, at most |max_slots| (0: no growth), with
// GMEM_POOL_* |flags|. Requires the model.
GMEM_MUST_USE gmem_status_t gmem_mapped_plan_pool(
    const gmem_mapped_plan_t *mapped, uint32_t slots, uint32_t max_slots,
    uint32_t flags, gmem_pool_t **out_pool, gmem_diag_t *diag);

// Releases everything, the plan included.
void gmem_mapped_plan_close(gmem_mapped_plan_t *mapped);

// Buffer |id| of |plan|, which must exist.
gmem_buffer_info_t gmem_plan_buffer_at(const gmem_plan_t *plan,
                                       gmem_buffer_t id);

// Finds the buffer |name| of |plan|, which is that of the file |path|. Fails
// with a message, which says which name may be meant.
GMEM_MUST_USE gmem_status_t gmem_plan_buffer_named(const gmem_plan_t *plan,
                                                   const char *path,
                                                   const char *name,
                                                   gmem_buffer_t *out_buffer);

// Whether all slots share the buffer: it is read-only, and live at all steps.
static inline bool gmem_buffer_is_shared(const gmem_buffer_info_t *buffer) {
  return buffer->space == GMEM_SPACE_WEIGHT ||
         buffer->space == GMEM_SPACE_SHARED_WORK;
}

#endif // GMEM_TOOLS_MAPPED_PLAN_H_
