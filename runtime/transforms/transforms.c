// transforms.c - creates models whose weights are made by named functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "gmem/transforms.h"

#include <inttypes.h>
#include <string.h>

#include "runtime_support.h"
#include "sha256.h"

// Passed to the functions of the model's sources.
typedef struct job_s {
  const gmem_plan_t *plan;
  gmem_model_sources_t sources; // the caller's
  gmem_transforms_t transforms;
  gmem_allocator_t allocator;
} job_t;

static const gmem_transform_t *find(const gmem_transforms_t *transforms,
                                    const char *name) {
  for (uint32_t i = 0; i < transforms->count; ++i)
    if (strcmp(transforms->all[i].name, name) == 0)
      return &transforms->all[i];
  return NULL;
}

//===--- checks -----------------------------------------------------------===//

static gmem_status_t check_table(const gmem_transforms_t *transforms,
                                 gmem_diag_t *diag) {
  if (transforms->struct_size != sizeof *transforms)
    return gmem_rt_invalid(diag, "the struct_size of transforms is wrong");
  if (transforms->count && !transforms->all)
    return gmem_rt_invalid(diag, "the table of transforms is NULL");
  for (uint32_t i = 0; i < transforms->count; ++i)
    if (!transforms->all[i].name || !transforms->all[i].make)
      return gmem_rt_invalid(diag, "a transform has no name or no function");
  return GMEM_OK;
}

// Checks that the table has every transform of weight |id|.
static gmem_status_t check_chain(const job_t *job, gmem_buffer_t id,
                                 bool *has_chains, gmem_diag_t *diag) {
  gmem_plan_transform_t step;
  for (uint32_t i = 0; gmem_plan_transform(job->plan, id, i, &step) == GMEM_OK;
       ++i) {
    *has_chains = true;
    if (find(&job->transforms, step.name))
      continue;
    gmem_buffer_info_t buffer;
    GMEM_TRY(gmem_plan_buffer(job->plan, id, &buffer));
    return gmem_rt_fail_at(
        diag, GMEM_ERR_NOT_FOUND, 0, id,
        "weight \"%.*s\" needs the transform \"%.*s\", which is not registered",
        gmem_rt_shown(buffer.name), buffer.name, gmem_rt_shown(step.name),
        step.name);
  }
  return GMEM_OK;
}

static gmem_status_t check_chains(const job_t *job, bool *has_chains,
                                  gmem_diag_t *diag) {
  for (uint32_t id = 0; id < gmem_plan_buffer_count(job->plan); ++id)
    GMEM_TRY(check_chain(job, id, has_chains, diag));
  if (*has_chains && !job->transforms.source)
    return gmem_rt_invalid(diag, "the plan has transforms, but there is no "
                                 "function for their sources");
  return GMEM_OK;
}

//===--- weights ----------------------------------------------------------===//

// The bytes between two transforms.
typedef struct bytes_s {
  uint8_t *at; // NULL: none
  uint64_t size;
} bytes_t;

static gmem_status_t allocate(const job_t *job, uint64_t size,
                              bytes_t *out_bytes, gmem_diag_t *diag) {
  *out_bytes = (bytes_t){gmem_rt_alloc(&job->allocator, size, 1), size};
  return out_bytes->at ? GMEM_OK : gmem_rt_out_of_memory(diag);
}

static void deallocate(const job_t *job, const bytes_t *bytes) {
  GMEM_RT_FREE(&job->allocator, bytes->at, bytes->size);
}

static gmem_status_t load_source(const job_t *job,
                                 const gmem_weight_info_t *info,
                                 bytes_t *out_bytes, gmem_diag_t *diag) {
  uint8_t digest[GMEM_PLAN_DIGEST_SIZE];
  GMEM_TRY(allocate(job, info->source_size, out_bytes, diag));
  GMEM_TRY(job->transforms.source(job->transforms.user, info->buffer,
                                  out_bytes->at, out_bytes->size, diag));
  gmem_sha256(out_bytes->at, (size_t)out_bytes->size, digest);
  if (memcmp(digest, info->digest, sizeof digest) == 0)
    return GMEM_OK;
  return gmem_rt_fail_at(diag, GMEM_ERR_CORRUPT, 0, info->buffer,
                         "the source of weight %" PRIu32
                         " does not match its digest in the plan",
                         info->buffer);
}

// Runs the chain of |id|, which has at least one step. |now| holds what the
// next one reads; the caller frees it.
static gmem_status_t run_chain(const job_t *job, gmem_buffer_t id, uint8_t *dst,
                               bytes_t *now, gmem_diag_t *diag) {
  gmem_plan_transform_t step, after = {0};
  gmem_status_t more = gmem_plan_transform(job->plan, id, 0, &step);
  for (uint32_t i = 1; more == GMEM_OK; ++i, step = after) {
    const gmem_transform_t *transform = find(&job->transforms, step.name);
    more = gmem_plan_transform(job->plan, id, i, &after);
    bytes_t result = {0};
    if (more == GMEM_OK)
      GMEM_TRY(allocate(job, step.size, &result, diag));
    gmem_status_t status =
        transform->make(transform->user, now->at, now->size,
                        result.at ? result.at : dst, step.size, diag);
    deallocate(job, now);
    *now = result;
    GMEM_TRY(status);
  }
  return GMEM_OK;
}

static gmem_status_t fill_weight(void *user, gmem_buffer_t id, void *dst,
                                 uint64_t size, gmem_diag_t *diag) {
  const job_t *job = user;
  gmem_weight_info_t info;
  gmem_plan_transform_t first;
  if (gmem_plan_transform(job->plan, id, 0, &first) != GMEM_OK)
    return job->sources.weight
               ? job->sources.weight(job->sources.user, id, dst, size, diag)
               : GMEM_OK;
  GMEM_TRY(gmem_plan_weight(job->plan, id, &info)); // cannot fail
  bytes_t now = {0};
  gmem_status_t status = load_source(job, &info, &now, diag);
  if (status == GMEM_OK)
    status = run_chain(job, id, dst, &now, diag);
  deallocate(job, &now);
  return status;
}

static gmem_status_t fill_work(void *user, gmem_buffer_t id, void *dst,
                               uint64_t size, gmem_diag_t *diag) {
  const job_t *job = user;
  return job->sources.work(job->sources.user, id, dst, size, diag);
}

gmem_status_t gmem_transforms_model(gmem_plan_t *plan,
                                    const gmem_provider_t *provider,
                                    const gmem_model_sources_t *sources,
                                    const gmem_transforms_t *transforms,
                                    const gmem_allocator_t *allocator,
                                    gmem_model_t **out_model,
                                    gmem_diag_t *diag) {
  bool has_chains = false;
  job_t job = {.plan = plan,
               .sources.struct_size = sizeof job.sources,
               .transforms.struct_size = sizeof job.transforms,
               .allocator = gmem_rt_allocator(allocator)};
  if (out_model)
    *out_model = NULL;
  if (sources)
    job.sources = *sources;
  if (transforms)
    job.transforms = *transforms;
  GMEM_TRY(check_table(&job.transforms, diag));
  if (plan)
    GMEM_TRY(check_chains(&job, &has_chains, diag));
  if (!has_chains)
    return gmem_model_create(plan, provider, sources, allocator, out_model,
                             diag);
  gmem_model_sources_t own = job.sources;
  own.user = &job;
  own.weight = fill_weight;
  own.work = job.sources.work ? fill_work : NULL;
  return gmem_model_create(plan, provider, &own, allocator, out_model, diag);
}
