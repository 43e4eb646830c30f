// model_share.c - shares the weights of models through a store.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A region that holds only weights, and shared work with digests, is shared as
// a whole, which preserves planned offsets within the region. Its key is
// computed from its contents; see include/gmem/weight_store.h.

#include "model_share.h"

#include <inttypes.h>
#include <string.h>

#include "image_codec.h"
#include "model.h"
#include "model_content.h"
#include "runtime_support.h"
#include "sha256.h"
#include "weight_entry.h"

// Argument of the store's fill function.
typedef struct unit_s {
  const gmem_model_job_t *job;
  uint32_t id;   // region id or weight id
  uint64_t lead; // bytes before the region
} unit_t;

static gmem_status_t weight_info(const gmem_plan_t *plan, gmem_buffer_t id,
                                 gmem_weight_info_t *out_info,
                                 gmem_diag_t *diag) {
  if (gmem_plan_weight(plan, id, out_info) != GMEM_OK)
    return gmem_rt_fail_at(diag, GMEM_ERR_NOT_FOUND, 0, id,
                           "the plan has no digest for weight %" PRIu32
                           ", which a weight store requires",
                           id);
  // These transform ids are reserved for the functions below.
  if (out_info->transform >= GMEM_TRANSFORM_PADDED)
    return gmem_rt_fail_at(diag, GMEM_ERR_OUT_OF_RANGE, 0, id,
                           "the transform id of weight %" PRIu32 " is reserved",
                           id);
  return GMEM_OK;
}

// Loads the bytes of weight |id| to |dst| and, if it has a digest of its final
// bytes, checks them: other models will rely on the store's contents.
static gmem_status_t load_weight(const gmem_model_job_t *job, gmem_buffer_t id,
                                 uint8_t *dst, gmem_diag_t *diag) {
  const gmem_plan_t *plan = job->model->plan;
  gmem_image_buffer_t buffer = gmem_image_buffer(&plan->view, id);
  gmem_stored_content_t content;
  if (gmem_model_in_image(plan, id, buffer.region, &content))
    GMEM_TRY(
        gmem_model_read(&content, buffer.offset, buffer.payload, dst, diag));
  GMEM_TRY(gmem_model_fill(job, id, dst, diag));
  return gmem_model_check_digest(plan, id, dst, diag);
}

//===--- whole regions ----------------------------------------------------===//

// Fills the buffers of |space| in the region.
static gmem_status_t fill_space(const unit_t *unit, gmem_space_t space,
                                uint8_t *dst, gmem_diag_t *diag) {
  const gmem_region_use_t *use = &unit->job->use[unit->id];
  for (gmem_buffer_t id = use->begin; id < use->end; ++id) {
    gmem_image_buffer_t buffer =
        gmem_image_buffer(&unit->job->model->plan->view, id);
    if (buffer.region == unit->id && buffer.space == (uint32_t)space &&
        gmem_model_brings(&buffer))
      GMEM_TRY(load_weight(unit->job, id, dst + buffer.offset, diag));
  }
  return GMEM_OK;
}

static gmem_status_t fill_region(void *user, const gmem_weight_key_t *key,
                                 void *dst, gmem_diag_t *diag) {
  (void)key;
  const unit_t *unit = user;
  uint8_t *region = (uint8_t *)dst + unit->lead;
  GMEM_ASSERT(unit->job->use[unit->id].stored);
  GMEM_TRY(fill_space(unit, GMEM_SPACE_WEIGHT, region, diag));
  return fill_space(unit, GMEM_SPACE_SHARED_WORK, region, diag);
}

static void add_u64(gmem_sha256_t *sha, uint64_t value) {
  uint8_t bytes[8];
  for (int i = 0; i < 8; ++i)
    bytes[i] = (uint8_t)(value >> 8 * i);
  gmem_sha256_add(sha, bytes, sizeof bytes);
}

// The digest of a region's key: a hash of everything its bytes depend on.
static gmem_status_t hash_region(const gmem_model_job_t *job,
                                 gmem_region_t region, uint64_t base,
                                 uint64_t lead, uint8_t *out_digest,
                                 gmem_diag_t *diag) {
  const gmem_plan_t *plan = job->model->plan;
  const gmem_region_use_t *use = &job->use[region];
  gmem_sha256_t sha;
  gmem_sha256_begin(&sha);
  add_u64(&sha, base);
  add_u64(&sha, lead);
  add_u64(&sha, plan->layout[region].size);
  for (gmem_buffer_t id = use->begin; id < use->end; ++id) {
    gmem_image_buffer_t buffer = gmem_image_buffer(&plan->view, id);
    if (buffer.region != region || !gmem_model_brings(&buffer))
      continue;
    gmem_weight_info_t info;
    GMEM_TRY(weight_info(plan, id, &info, diag));
    add_u64(&sha, buffer.offset);
    add_u64(&sha, buffer.size);
    add_u64(&sha, info.transform);
    gmem_sha256_add(&sha, info.digest, sizeof info.digest);
  }
  gmem_sha256_end(&sha, out_digest);
  return GMEM_OK;
}

static gmem_status_t share_region(gmem_model_job_t *job, gmem_region_t region,
                                  gmem_diag_t *diag) {
  gmem_model_t *model = job->model;
  gmem_region_layout_t layout = model->plan->layout[region];
  uint64_t base = GMEM_ANY_ADDRESS;
  if (job->sources.flags & GMEM_MODEL_FIXED_DEVICE) {
    base = gmem_image_region(&model->plan->view, region).base;
    layout = gmem_region_whole(&model->weights->provider, &layout, base);
  }
  gmem_weight_key_t key = {.transform = GMEM_TRANSFORM_REGION,
                           .size = layout.lead + layout.size,
                           .align = layout.align};
  GMEM_TRY(hash_region(job, region, base, layout.lead, key.digest, diag));
  unit_t unit = {job, region, layout.lead};
  gmem_weight_source_t source = {
      .fill = fill_region,
      .user = &unit,
      .fixed_device = base == GMEM_ANY_ADDRESS ? base : base - layout.lead};
  gmem_weight_t **held = &model->held[region];
  GMEM_TRY(gmem_weights_get(model->weights, &key, &source, held, diag));
  gmem_place_t place = (*held)->memory.place;
  model->regions[region].place = (gmem_place_t){
      place.host ? place.host + layout.lead : NULL, place.device + layout.lead};
  return GMEM_OK;
}

//===--- single weights ---------------------------------------------------===//

static gmem_status_t fill_weight(void *user, const gmem_weight_key_t *key,
                                 void *dst, gmem_diag_t *diag) {
  (void)key;
  const unit_t *unit = user;
  return load_weight(unit->job, unit->id, dst, diag);
}

// Raises the alignment of a weight to that of its aliases. Until places are
// known, the alignments are stored as device addresses.
static void align_for_aliases(gmem_model_t *model) {
  for (gmem_buffer_t id = 0; id < model->held_count; ++id) {
    gmem_image_buffer_t alias = gmem_image_buffer(&model->plan->view, id);
    if (alias.parent != GMEM_NONE &&
        model->places[alias.parent].device < alias.align)
      model->places[alias.parent].device = alias.align;
  }
}

// The alignment that a weight at any address and its aliases need.
static gmem_status_t find_alignment(const gmem_model_t *model, gmem_buffer_t id,
                                    const gmem_image_buffer_t *buffer,
                                    uint64_t *out_align, gmem_diag_t *diag) {
  uint64_t align = model->places[id].device;
  uint64_t base = gmem_image_region(&model->plan->view, buffer->region).base;
  *out_align = align > buffer->align ? align : buffer->align;
  if ((base + buffer->offset) % *out_align == 0)
    return GMEM_OK;
  return gmem_rt_fail_at(diag, GMEM_ERR_ALIGNMENT, 0, id,
                         "weight %" PRIu32
                         " cannot be scattered: one of its aliases is aligned "
                         "only at the planned address",
                         id);
}

static gmem_status_t share_weight(gmem_model_job_t *job, gmem_buffer_t id,
                                  const gmem_image_buffer_t *buffer,
                                  gmem_diag_t *diag) {
  gmem_model_t *model = job->model;
  gmem_weight_info_t info;
  GMEM_TRY(weight_info(model->plan, id, &info, diag));
  gmem_weight_key_t key = {.transform = info.transform, .size = buffer->size};
  GMEM_TRY(find_alignment(model, id, buffer, &key.align, diag));
  memcpy(key.digest, info.digest, sizeof key.digest);
  if (key.transform == 0 && buffer->size != buffer->payload)
    key.transform = GMEM_TRANSFORM_PADDED;
  unit_t unit = {job, id, 0};
  gmem_weight_source_t source = {
      .fill = fill_weight, .user = &unit, .fixed_device = GMEM_ANY_ADDRESS};
  return gmem_weights_get(model->weights, &key, &source, &model->held[id],
                          diag);
}

static gmem_status_t share_all_weights(gmem_model_job_t *job,
                                       gmem_diag_t *diag) {
  gmem_model_t *model = job->model;
  GMEM_RT_ALLOC(model->places, &model->allocator, model->held_count, diag);
  align_for_aliases(model);
  for (uint32_t id = 0; id < model->held_count; ++id) {
    gmem_image_buffer_t buffer = gmem_image_buffer(&model->plan->view, id);
    if (buffer.space == GMEM_SPACE_WEIGHT && gmem_model_brings(&buffer))
      GMEM_TRY(share_weight(job, id, &buffer, diag));
  }
  return GMEM_OK;
}

gmem_status_t gmem_model_share(gmem_model_job_t *job, gmem_diag_t *diag) {
  gmem_model_t *model = job->model;
  if (!model->weights)
    return GMEM_OK;
  bool scatter = job->sources.flags & GMEM_MODEL_SCATTER;
  model->held_count = scatter ? gmem_plan_buffer_count(model->plan)
                              : gmem_plan_region_count(model->plan);
  GMEM_RT_ALLOC(model->held, &model->allocator, model->held_count, diag);
  if (scatter)
    return share_all_weights(job, diag);
  for (gmem_region_t r = 0; r < model->held_count; ++r)
    if (job->use[r].stored)
      GMEM_TRY(share_region(job, r, diag));
  return GMEM_OK;
}

//===--- places -----------------------------------------------------------===//

static gmem_place_t place_of(const gmem_model_t *model, gmem_buffer_t id) {
  const gmem_image_view_t *view = &model->plan->view;
  gmem_image_buffer_t buffer = gmem_image_buffer(view, id);
  gmem_buffer_t owner = buffer.parent == GMEM_NONE ? id : buffer.parent;
  const gmem_weight_t *weight = model->held[owner];
  gmem_place_t start =
      weight ? weight->memory.place : model->regions[buffer.region].place;
  uint64_t offset = buffer.offset;
  if (weight)
    offset -= gmem_image_buffer(view, owner).offset;
  return (gmem_place_t){start.host ? start.host + offset : NULL,
                        start.device + offset};
}

void gmem_model_find_places(const gmem_model_job_t *job) {
  gmem_model_t *model = job->model;
  if (!model->places)
    return;
  for (gmem_buffer_t id = 0; id < model->held_count; ++id)
    model->places[id] = place_of(model, id);
  for (uint32_t r = 0; r < GMEM_PLAN_MAX_REGIONS; ++r)
    if (job->use[r].scattered)
      model->regions[r].place = (gmem_place_t){0};
}
