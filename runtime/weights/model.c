// model.c - models: a plan with its shared memory (weights and shared work).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model.h"

#include "image_codec.h"
#include "model_content.h"
#include "model_share.h"
#include "runtime_support.h"

static void destroy(gmem_model_t *model) {
  gmem_allocator_t allocator = model->allocator;
  for (uint32_t i = 0; model->held && i < model->held_count; ++i)
    gmem_weight_release(model->held[i]);
  GMEM_RT_FREE(&allocator, model->held, model->held_count);
  GMEM_RT_FREE(&allocator, model->places, model->held_count);
  gmem_weights_release(model->weights);
  for (uint32_t i = 0; i < GMEM_PLAN_MAX_REGIONS; ++i)
    gmem_region_unmap(&model->provider, &model->regions[i]);
  gmem_plan_release(model->plan);
  GMEM_RT_FREE(&allocator, model, 1);
}

//===--- creation ---------------------------------------------------------===//

// Records the contents of each shared region.
static void classify_buffers(gmem_model_job_t *job) {
  const gmem_plan_t *plan = job->model->plan;
  gmem_stored_content_t content;
  gmem_weight_info_t info;
  for (uint32_t id = 0; id < gmem_plan_buffer_count(plan); ++id) {
    gmem_image_buffer_t buffer = gmem_image_buffer(&plan->view, id);
    gmem_region_use_t *use = &job->use[buffer.region];
    if (!gmem_image_shared(buffer.space) || buffer.parent != GMEM_NONE)
      continue;
    if (use->end == 0)
      use->begin = id;
    use->end = id + 1;
    use->empty |= buffer.size == 0;
    if (buffer.size == 0)
      continue;
    if (buffer.space == GMEM_SPACE_SHARED_WORK) {
      use->work = true;
      use->unknown_work |= gmem_plan_weight(plan, id, &info) != GMEM_OK;
    } else {
      use->weight = true;
    }
    use->missing |= buffer.space == GMEM_SPACE_WEIGHT &&
                    !gmem_model_in_image(plan, id, buffer.region, &content);
  }
}

// Whether a region that is not scattered comes from the store: its bytes are
// the same for all models that have its digests, and a source or function for
// them exists.
static bool is_common(const gmem_model_job_t *job,
                      const gmem_region_use_t *use) {
  if (use->work)
    return !use->unknown_work && job->sources.work;
  return use->weight;
}

// Decides which regions come from the store. Regions with shared work that has
// no digest do not, because it belongs to the model. Scattered weights always
// do; their region then holds only the rest.
static void classify_regions(gmem_model_job_t *job) {
  bool scatters = job->sources.flags & GMEM_MODEL_SCATTER;
  classify_buffers(job);
  for (uint32_t r = 0; job->model->weights && r < GMEM_PLAN_MAX_REGIONS; ++r) {
    gmem_region_use_t *use = &job->use[r];
    use->scattered = use->weight && scatters;
    use->stored = scatters ? use->weight && !use->work && !use->empty
                           : is_common(job, use);
  }
}

static gmem_status_t map_own(gmem_model_job_t *job, gmem_diag_t *diag) {
  const gmem_plan_t *plan = job->model->plan;
  for (uint32_t r = 0; r < gmem_plan_region_count(plan); ++r)
    if (plan->layout[r].shared && !job->use[r].stored)
      GMEM_TRY(gmem_model_map(job, r, diag));
  return GMEM_OK;
}

// Fills the buffers of |space| in regions that the model owns.
static gmem_status_t fill_own(gmem_model_job_t *job, gmem_space_t space,
                              gmem_diag_t *diag) {
  const gmem_model_t *model = job->model;
  for (uint32_t id = 0; id < gmem_plan_buffer_count(model->plan); ++id) {
    gmem_image_buffer_t buffer = gmem_image_buffer(&model->plan->view, id);
    const gmem_region_use_t *use = &job->use[buffer.region];
    if (buffer.space != (uint32_t)space || !gmem_model_brings(&buffer) ||
        use->stored || (use->scattered && space == GMEM_SPACE_WEIGHT))
      continue;
    uint8_t *host = model->regions[buffer.region].place.host;
    GMEM_TRY(
        gmem_model_fill(job, id, host ? host + buffer.offset : NULL, diag));
  }
  return GMEM_OK;
}

static gmem_status_t finish_own(gmem_model_job_t *job, gmem_diag_t *diag) {
  gmem_model_t *model = job->model;
  for (uint32_t r = 0; r < GMEM_PLAN_MAX_REGIONS; ++r)
    if (model->regions[r].range.size > 0)
      GMEM_TRY(
          gmem_region_finish(&model->provider, model->plan->layout[r].align,
                             &model->regions[r], job->use[r].writable, diag));
  return GMEM_OK;
}

static gmem_status_t set_up(gmem_model_job_t *job, gmem_diag_t *diag) {
  gmem_buffer_t bad;
  classify_regions(job);
  GMEM_TRY(gmem_model_share(job, diag));
  GMEM_TRY(map_own(job, diag));
  GMEM_TRY(fill_own(job, GMEM_SPACE_WEIGHT, diag));
  GMEM_TRY(fill_own(job, GMEM_SPACE_SHARED_WORK, diag));
  GMEM_TRY(finish_own(job, diag));
  gmem_model_find_places(job);
  return job->sources.flags & GMEM_MODEL_VERIFY
             ? gmem_model_verify(job->model, &bad, diag)
             : GMEM_OK;
}

static gmem_status_t check_sources(const gmem_model_sources_t *sources,
                                   gmem_diag_t *diag) {
  const uint32_t known = GMEM_MODEL_VERIFY | GMEM_MODEL_COPY |
                         GMEM_MODEL_SCATTER | GMEM_MODEL_FIXED_DEVICE;
  const uint32_t contrary = GMEM_MODEL_SCATTER | GMEM_MODEL_FIXED_DEVICE;
  if (sources->struct_size != sizeof *sources)
    return gmem_rt_invalid(diag, "the struct_size of sources is wrong");
  if ((sources->flags & ~known) || (sources->flags & contrary) == contrary)
    return gmem_rt_invalid(
        diag, "the flags of sources are unknown or mutually exclusive");
  return GMEM_OK;
}

gmem_status_t gmem_model_create(gmem_plan_t *plan,
                                const gmem_provider_t *provider,
                                const gmem_model_sources_t *sources,
                                const gmem_allocator_t *allocator,
                                gmem_model_t **out_model, gmem_diag_t *diag) {
  if (!out_model)
    return gmem_rt_invalid(diag, "out_model is NULL");
  *out_model = NULL;
  if (!plan || !gmem_provider_is_complete(provider))
    return gmem_rt_invalid(
        diag, "plan is NULL, or the provider lacks a function or its "
              "granularity is not a power of two");
  gmem_model_job_t job = {0};
  if (sources) {
    GMEM_TRY(check_sources(sources, diag));
    job.sources = *sources;
  }
  gmem_allocator_t own = gmem_rt_allocator(allocator);
  gmem_model_t *model = job.model = gmem_rt_alloc(&own, 1, sizeof *model);
  if (!model)
    return gmem_rt_out_of_memory(diag);
  atomic_init(&model->references, 1);
  model->allocator = own;
  model->provider = *provider;
  model->plan = plan;
  gmem_plan_retain(plan);
  model->weights = job.sources.weights;
  if (model->weights)
    gmem_weights_retain(model->weights);
  gmem_status_t status = set_up(&job, diag);
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

//===--- queries ----------------------------------------------------------===//

const gmem_plan_t *gmem_model_plan(const gmem_model_t *model) {
  return model->plan;
}

gmem_place_t gmem_model_place(const gmem_model_t *model, gmem_buffer_t id) {
  GMEM_ASSERT(id < gmem_plan_buffer_count(model->plan));
  if (model->places)
    return model->places[id];
  gmem_image_buffer_t buffer = gmem_image_buffer(&model->plan->view, id);
  gmem_place_t region = model->regions[buffer.region].place;
  return (gmem_place_t){region.host ? region.host + buffer.offset : NULL,
                        region.device + buffer.offset};
}

gmem_status_t gmem_model_verify(const gmem_model_t *model,
                                gmem_buffer_t *out_bad, gmem_diag_t *diag) {
  if (!model || !out_bad)
    return gmem_rt_invalid(diag, "model or out_bad is NULL");
  for (uint32_t id = 0; id < gmem_plan_buffer_count(model->plan); ++id) {
    gmem_image_buffer_t buffer = gmem_image_buffer(&model->plan->view, id);
    if (buffer.space != GMEM_SPACE_WEIGHT || !gmem_model_brings(&buffer))
      continue;
    *out_bad = id;
    const uint8_t *host = gmem_model_place(model, id).host;
    GMEM_TRY(gmem_model_check_digest(model->plan, id, host, diag));
  }
  *out_bad = GMEM_NONE;
  return GMEM_OK;
}
