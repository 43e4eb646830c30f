// model.c - a plan with its shared memory: weights and shared work.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <inttypes.h>

#include "model.h"
#include "runtime_support.h"

static void destroy(gmem_model_t *model) {
  gmem_allocator_t allocator = model->allocator;
  for (uint32_t i = 0; i < GMEM_PLAN_MAX_REGIONS; ++i)
    gmem_region_unmap(&model->provider, &model->regions[i]);
  gmem_plan_release(model->plan);
  gmem_rt_free(&allocator, model, 1, sizeof *model);
}

static gmem_status_t map_shared(gmem_model_t *model, gmem_diag_t *diag) {
  for (uint32_t i = 0; i < gmem_plan_region_count(model->plan); ++i)
    if (model->plan->layout[i].shared)
      GMEM_RT_TRY(gmem_region_map(&model->provider, &model->plan->layout[i],
                                  GMEM_RANGE_SEALABLE, &model->regions[i],
                                  diag));
  return GMEM_OK;
}

// The function that fills buffers of |space|, or NULL.
static gmem_buffer_fill_fn source_of(const gmem_model_sources_t *sources,
                                     uint32_t space) {
  if (space == GMEM_SPACE_WEIGHT)
    return sources->weight;
  if (space == GMEM_SPACE_SHARED_WORK)
    return sources->work;
  return NULL;
}

static gmem_status_t fill_buffer(gmem_model_t *model, gmem_buffer_t id,
                                 const gmem_model_sources_t *sources,
                                 gmem_diag_t *diag) {
  gmem_image_buffer_t buffer = gmem_image_buffer(&model->plan->view, id);
  gmem_buffer_fill_fn fill = source_of(sources, buffer.space);
  if (!fill || buffer.parent != GMEM_NONE || buffer.size == 0)
    return GMEM_OK;
  uint8_t *host = model->regions[buffer.region].place.host;
  if (!host)
    return gmem_rt_fail_at(diag, GMEM_ERR_UNSUPPORTED, 0, id,
                           "buffer %" PRIu32
                           " cannot be filled: its memory has no host address",
                           id);
  return fill(sources->user, id, host + buffer.offset, buffer.size, diag);
}

static gmem_status_t fill_all(gmem_model_t *model,
                              const gmem_model_sources_t *sources,
                              gmem_diag_t *diag) {
  for (uint32_t i = 0; i < gmem_plan_buffer_count(model->plan); ++i)
    GMEM_RT_TRY(fill_buffer(model, i, sources, diag));
  return GMEM_OK;
}

static gmem_status_t seal_all(gmem_model_t *model, gmem_diag_t *diag) {
  if (!model->provider.seal)
    return GMEM_OK;
  for (uint32_t i = 0; i < gmem_plan_region_count(model->plan); ++i)
    if (model->plan->layout[i].shared)
      GMEM_RT_TRY(model->provider.seal(model->provider.user,
                                       &model->regions[i].range, diag));
  return GMEM_OK;
}

static gmem_status_t set_up(gmem_model_t *model,
                            const gmem_model_sources_t *sources,
                            gmem_diag_t *diag) {
  GMEM_RT_TRY(map_shared(model, diag));
  if (sources)
    GMEM_RT_TRY(fill_all(model, sources, diag));
  return seal_all(model, diag);
}

gmem_status_t gmem_model_create(gmem_plan_t *plan,
                                const gmem_provider_t *provider,
                                const gmem_model_sources_t *sources,
                                const gmem_allocator_t *allocator,
                                gmem_model_t **out_model, gmem_diag_t *diag) {
  if (!out_model)
    return gmem_rt_fail(diag, GMEM_ERR_INVALID_ARGUMENT, "out_model is NULL");
  *out_model = NULL;
  if (!plan || !gmem_provider_is_complete(provider))
    return gmem_rt_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                        "plan is NULL, or the provider is incomplete or its "
                        "granularity no power of two");
  if (sources && sources->struct_size != sizeof *sources)
    return gmem_rt_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                        "struct_size of the sources is wrong");
  gmem_allocator_t own = gmem_rt_allocator(allocator);
  gmem_model_t *model = gmem_rt_alloc(&own, 1, sizeof *model);
  if (!model)
    return gmem_rt_out_of_memory(diag);
  atomic_init(&model->references, 1);
  model->allocator = own;
  model->provider = *provider;
  model->plan = plan;
  gmem_plan_retain(plan);
  gmem_status_t status = set_up(model, sources, diag);
  if (status != GMEM_OK) {
    destroy(model);
    return status;
  }
  *out_model = model;
  return GMEM_OK;
}

void gmem_model_retain(gmem_model_t *model) {
  atomic_fetch_add_explicit(&model->references, 1, memory_order_relaxed);
}

void gmem_model_release(gmem_model_t *model) {
  if (!model)
    return;
  if (gmem_rt_drop_reference(&model->references))
    destroy(model);
}

const gmem_plan_t *gmem_model_plan(const gmem_model_t *model) {
  return model->plan;
}

bool gmem_model_place(const gmem_model_t *model, gmem_buffer_t id,
                      gmem_place_t *out_place) {
  gmem_image_buffer_t buffer = gmem_image_buffer(&model->plan->view, id);
  gmem_place_t region = model->regions[buffer.region].place;
  out_place->host = region.host ? region.host + buffer.offset : NULL;
  out_place->device = region.device + buffer.offset;
  return model->plan->layout[buffer.region].shared;
}
