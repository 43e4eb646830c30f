// model_content.c - initialises the memory of a model from the image or from
// callbacks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _DEFAULT_SOURCE // pread

#include "model_content.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "image_codec.h"
#include "model.h"
#include "plan_query.h"
#include "runtime_support.h"
#include "sha256.h"

enum { FILE_PAGE = 4096 }; // unit to which contents of an image are padded

//===--- from the image ---------------------------------------------------===//

static gmem_status_t cut_short(gmem_diag_t *diag) {
  return gmem_rt_fail(diag, GMEM_ERR_CORRUPT,
                      "the image file was truncated after loading");
}

static gmem_status_t read_error(gmem_diag_t *diag) {
  return gmem_rt_fail_os(diag, GMEM_ERR_IO, "cannot read the image file");
}

static gmem_status_t read_file(int file, uint64_t offset, uint64_t size,
                               uint8_t *dst, gmem_diag_t *diag) {
  while (size > 0) { // memory for |size| bytes exists
    ssize_t got = pread(file, dst, (size_t)size, (off_t)offset);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return read_error(diag);
    if (got == 0)
      return cut_short(diag);
    dst += got;
    offset += (uint64_t)got;
    size -= (uint64_t)got;
  }
  return GMEM_OK;
}

gmem_status_t gmem_model_read(const gmem_stored_content_t *content,
                              uint64_t offset, uint64_t size, uint8_t *dst,
                              gmem_diag_t *diag) {
  if (!content->bytes)
    return read_file(content->file, content->offset + offset, size, dst, diag);
  memcpy(dst, content->bytes + offset, (size_t)size);
  return GMEM_OK;
}

// Whether |content| can be mapped from its file without a copy: whole units of
// the provider, and no lead before the region.
static bool can_be_mapped(const gmem_model_job_t *job,
                          const gmem_region_layout_t *layout,
                          const gmem_stored_content_t *content) {
  const gmem_provider_t *provider = &job->model->provider;
  const uint32_t never = GMEM_MODEL_COPY | GMEM_MODEL_FIXED_DEVICE;
  return provider->map_fd && !content->bytes && !(job->sources.flags & never) &&
         layout->lead == 0 && content->offset % provider->granularity == 0 &&
         gmem_rt_round_up(layout->size, provider->granularity) <=
             gmem_rt_round_up(content->size, FILE_PAGE);
}

static gmem_status_t map_file(gmem_model_job_t *job, gmem_region_t region,
                              const gmem_stored_content_t *content,
                              gmem_diag_t *diag) {
  gmem_model_t *model = job->model;
  const gmem_region_layout_t *layout = &model->plan->layout[region];
  struct stat file;
  if (fstat(content->file, &file) != 0)
    return read_error(diag);
  // Reading a mapping past the end of a file raises SIGBUS.
  if ((uint64_t)file.st_size < content->offset + layout->size)
    return cut_short(diag);
  const gmem_region_use_t *use = &job->use[region];
  bool writable =
      (use->work && job->sources.work) || (use->missing && job->sources.weight);
  const gmem_file_part_t part = {content->file, content->offset, writable};
  job->use[region].writable = writable;
  return gmem_region_map_file(&model->provider, layout, &part,
                              &model->regions[region], diag);
}

gmem_status_t gmem_model_map(gmem_model_job_t *job, gmem_region_t region,
                             gmem_diag_t *diag) {
  gmem_model_t *model = job->model;
  const gmem_region_layout_t *layout = &model->plan->layout[region];
  gmem_stored_content_t content;
  // The weights of a scattered region are in the store; the rest is zero at
  // first.
  bool stored = !job->use[region].scattered &&
                gmem_plan_stored_content(model->plan, region, &content);
  if (stored && can_be_mapped(job, layout, &content)) {
    gmem_status_t status = map_file(job, region, &content, diag);
    if (status != GMEM_ERR_UNSUPPORTED) // this file cannot be mapped: read it
      return status;
  }
  uint64_t base = GMEM_ANY_ADDRESS;
  if (job->sources.flags & GMEM_MODEL_FIXED_DEVICE)
    base = gmem_image_region(&model->plan->view, region).base;
  job->use[region].writable = true;
  uint32_t flags = model->provider.seal ? (uint32_t)GMEM_RANGE_SEALABLE : 0;
  gmem_diag_t cause = {.text = ""};
  gmem_status_t status = gmem_region_map_at(
      &model->provider, layout, base, flags, &model->regions[region], &cause);
  if (status != GMEM_OK)
    return gmem_region_failed(model->plan, region, status, &cause, diag);
  uint8_t *host = model->regions[region].place.host;
  if (!stored)
    return GMEM_OK;
  if (!host)
    return gmem_rt_unsupported(
        diag, "weights cannot be loaded: their memory has no host "
              "address");
  return gmem_model_read(&content, 0, layout->size, host, diag);
}

//===--- from callbacks ---------------------------------------------------===//

bool gmem_model_in_image(const gmem_plan_t *plan, gmem_buffer_t id,
                         gmem_region_t region,
                         gmem_stored_content_t *out_content) {
  gmem_weight_info_t info;
  return gmem_plan_stored_content(plan, region, out_content) &&
         gmem_plan_weight(plan, id, &info) == GMEM_OK && info.transform == 0;
}

gmem_status_t gmem_model_fill(const gmem_model_job_t *job, gmem_buffer_t id,
                              uint8_t *dst, gmem_diag_t *diag) {
  const gmem_plan_t *plan = job->model->plan;
  gmem_image_buffer_t buffer = gmem_image_buffer(&plan->view, id);
  gmem_stored_content_t content;
  bool is_weight = buffer.space == GMEM_SPACE_WEIGHT;
  gmem_buffer_fill_fn fill =
      is_weight ? job->sources.weight : job->sources.work;
  if (!fill ||
      (is_weight && gmem_model_in_image(plan, id, buffer.region, &content)))
    return GMEM_OK;
  if (!dst)
    return gmem_rt_fail_at(diag, GMEM_ERR_UNSUPPORTED, 0, id,
                           "buffer %" PRIu32
                           " cannot be filled: its memory has no host address",
                           id);
  return fill(job->sources.user, id, dst, buffer.size, diag);
}

gmem_status_t gmem_model_check_digest(const gmem_plan_t *plan, gmem_buffer_t id,
                                      const uint8_t *bytes, gmem_diag_t *diag) {
  gmem_weight_info_t info;
  if (gmem_plan_weight(plan, id, &info) != GMEM_OK || info.transform != 0)
    return GMEM_OK;
  gmem_image_buffer_t buffer = gmem_image_buffer(&plan->view, id);
  const char *name = gmem_image_name(&plan->view, buffer.name_offset);
  if (!bytes)
    return gmem_rt_fail_at(diag, GMEM_ERR_UNSUPPORTED, 0, id,
                           "weight \"%.*s\" cannot be verified: its memory has "
                           "no host address",
                           gmem_rt_shown(name), name);
  uint8_t digest[GMEM_PLAN_DIGEST_SIZE];
  gmem_sha256(bytes, (size_t)buffer.payload, digest);
  if (memcmp(digest, info.digest, sizeof digest) == 0)
    return GMEM_OK;
  return gmem_rt_fail_at(
      diag, GMEM_ERR_CORRUPT, buffer.offset, id,
      "the bytes of weight \"%.*s\" do not match its digest in the plan",
      gmem_rt_shown(name), name);
}
