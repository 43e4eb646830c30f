// mapped_plan.c - a plan with its memory, mapped by the runtime.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mapped_plan.h"

#include <assert.h>
#include <string.h>

#include "edit_distance.h"
#include "messages.h"

gmem_status_t gmem_mapped_plan_model(gmem_mapped_plan_t *mapped,
                                     const gmem_mmap_options_t *options,
                                     const gmem_model_sources_t *sources,
                                     gmem_diag_t *diag) {
  GMEM_TRY(gmem_provider_mmap(options, NULL, &mapped->provider));
  return gmem_model_create(mapped->plan, &mapped->provider, sources, NULL,
                           &mapped->model, diag);
}

gmem_status_t gmem_mapped_plan_pool(const gmem_mapped_plan_t *mapped,
                                    uint32_t slots, uint32_t max_slots,
                                    uint32_t flags, gmem_pool_t **out_pool,
                                    gmem_diag_t *diag) {
  gmem_pool_options_t options = {.struct_size = sizeof options,
                                 .initial_slots = slots,
                                 .max_slots = max_slots,
                                 .flags = flags};
  assert(mapped->model);
  return gmem_pool_create(mapped->model, &mapped->provider, &options, NULL,
                          out_pool, diag);
}

void gmem_mapped_plan_close(gmem_mapped_plan_t *mapped) {
  gmem_pool_release(mapped->pool);
  gmem_model_release(mapped->model);
  gmem_provider_destroy(&mapped->provider);
  gmem_plan_release(mapped->plan);
  *mapped = (gmem_mapped_plan_t){0};
}

gmem_buffer_info_t gmem_plan_buffer_at(const gmem_plan_t *plan,
                                       gmem_buffer_t id) {
  gmem_buffer_info_t buffer = {0};
  gmem_status_t status = gmem_plan_buffer(plan, id, &buffer);
  assert(status == GMEM_OK);
  (void)status;
  return buffer;
}

gmem_status_t gmem_plan_buffer_named(const gmem_plan_t *plan, const char *path,
                                     const char *name,
                                     gmem_buffer_t *out_buffer) {
  size_t length = strlen(name);
  gmem_nearest_t nearest = {.least = gmem_slip_limit(length)};
  *out_buffer = gmem_plan_find(plan, name);
  if (*out_buffer != GMEM_NONE)
    return GMEM_OK;
  for (gmem_buffer_t i = 0; i < gmem_plan_buffer_count(plan); ++i)
    gmem_nearest_try(&nearest, name, length, gmem_plan_buffer_at(plan, i).name);
  return nearest.found
             ? gmem_tool_error("%s: unknown buffer '%s': did you mean '%s'?",
                               path, name, nearest.found)
             : gmem_tool_error("%s: unknown buffer '%s'", path, name);
}
