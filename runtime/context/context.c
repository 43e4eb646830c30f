// context.c - the services of one user of the runtime.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <string.h>

#include "gmem/context.h"
#include "runtime_support.h"

struct gmem_context_s {
  gmem_allocator_t allocator;
  gmem_provider_t provider;
  bool owns_provider;
  gmem_scheduler_t scheduler;
  gmem_manager_t *manager;
  gmem_weights_t *weights; // NULL: none
  gmem_cache_t *cache;
  gmem_transforms_t transforms;
};

//===--- life -------------------------------------------------------------===//

void gmem_context_destroy(gmem_context_t *context) {
  if (!context)
    return;
  gmem_allocator_t own = context->allocator;
  gmem_cache_destroy(context->cache); // its pools are of the manager
  gmem_manager_release(context->manager);
  gmem_weights_release(context->weights);
  if (context->owns_provider)
    gmem_provider_destroy(&context->provider);
  GMEM_RT_FREE(&own, context, 1);
}

// Creates the services; the caller destroys the context on failure.
static gmem_status_t set_up(gmem_context_t *context,
                            const gmem_context_options_t *options,
                            gmem_diag_t *diag) {
  const gmem_allocator_t *own = &context->allocator;
  if (options->provider) {
    context->provider = *options->provider;
  } else {
    gmem_status_t status = gmem_provider_mmap(NULL, own, &context->provider);
    if (status != GMEM_OK)
      return gmem_rt_fail(diag, status, "no memory of the operating system");
    context->owns_provider = true;
  }
  if (options->transforms)
    context->transforms = *options->transforms;
  else
    context->transforms.struct_size = sizeof context->transforms;
  context->scheduler =
      options->scheduler ? *options->scheduler : gmem_scheduler_openmp();
  GMEM_TRY(gmem_manager_create(&context->provider, options->byte_budget, own,
                               &context->manager, diag));
  if (options->flags & GMEM_CONTEXT_SHARE_WEIGHTS)
    GMEM_TRY(gmem_weights_create(&context->provider, options->weight_budget,
                                 own, &context->weights, diag));
  return gmem_cache_create(options->cache_limits, own, &context->cache, diag);
}

gmem_status_t gmem_context_create(const gmem_context_options_t *options,
                                  gmem_context_t **out_context,
                                  gmem_diag_t *diag) {
  static const gmem_context_options_t defaults = {.struct_size =
                                                      sizeof defaults};
  if (!out_context)
    return gmem_rt_invalid(diag, "out_context is NULL");
  *out_context = NULL;
  if (!options)
    options = &defaults;
  if (options->struct_size != sizeof *options ||
      options->flags & ~(uint32_t)GMEM_CONTEXT_SHARE_WEIGHTS)
    return gmem_rt_invalid(diag, "the struct_size of the options is wrong, or "
                                 "they have an unknown flag");
  gmem_allocator_t own = gmem_rt_allocator(options->allocator);
  gmem_context_t *context;
  GMEM_RT_ALLOC(context, &own, 1, diag);
  context->allocator = own;
  gmem_status_t status = set_up(context, options, diag);
  if (status != GMEM_OK) {
    gmem_context_destroy(context);
    return status;
  }
  *out_context = context;
  return GMEM_OK;
}

//===--- services ---------------------------------------------------------===//

const gmem_allocator_t *gmem_context_allocator(const gmem_context_t *context) {
  return &context->allocator;
}

const gmem_provider_t *gmem_context_provider(const gmem_context_t *context) {
  return &context->provider;
}

const gmem_scheduler_t *gmem_context_scheduler(const gmem_context_t *context) {
  return &context->scheduler;
}

gmem_manager_t *gmem_context_manager(const gmem_context_t *context) {
  return context->manager;
}

gmem_weights_t *gmem_context_weights(const gmem_context_t *context) {
  return context->weights;
}

gmem_cache_t *gmem_context_cache(const gmem_context_t *context) {
  return context->cache;
}

//===--- constructors -----------------------------------------------------===//

static gmem_status_t no_context(gmem_diag_t *diag) {
  return gmem_rt_invalid(diag, "context is NULL");
}

gmem_status_t gmem_context_load_file(gmem_context_t *context, const char *path,
                                     gmem_plan_t **out_plan,
                                     gmem_diag_t *diag) {
  if (!context)
    return no_context(diag);
  return gmem_plan_load_file(path, 0, &context->allocator, out_plan, diag);
}

gmem_status_t gmem_context_model(gmem_context_t *context, gmem_plan_t *plan,
                                 const gmem_model_sources_t *sources,
                                 gmem_model_t **out_model, gmem_diag_t *diag) {
  if (!context)
    return no_context(diag);
  gmem_model_sources_t own = {.struct_size = sizeof own};
  if (sources)
    own = *sources;
  if (!own.weights)
    own.weights = context->weights;
  return gmem_transforms_model(plan, &context->provider, &own,
                               &context->transforms, &context->allocator,
                               out_model, diag);
}

gmem_status_t gmem_context_pool(gmem_context_t *context, gmem_model_t *model,
                                const gmem_pool_options_t *options,
                                gmem_pool_t **out_pool, gmem_diag_t *diag) {
  if (!context)
    return no_context(diag);
  return gmem_manager_pool(context->manager, model, options, out_pool, diag);
}

// Identifies a pool in the cache; without padding.
typedef struct pool_key_s {
  uint8_t digest[GMEM_PLAN_DIGEST_SIZE];
  uint64_t byte_budget;
  uint32_t initial_slots, max_slots, flags, zero;
} pool_key_t;

typedef struct make_job_s {
  gmem_context_t *context;
  gmem_plan_t *plan;
  const gmem_model_sources_t *sources;
  const gmem_pool_options_t *options;
} make_job_t;

static gmem_status_t make_pool(void *user, gmem_pool_t **out_pool,
                               gmem_diag_t *diag) {
  make_job_t *job = user;
  gmem_model_t *model = NULL;
  GMEM_TRY(
      gmem_context_model(job->context, job->plan, job->sources, &model, diag));
  gmem_status_t status =
      gmem_context_pool(job->context, model, job->options, out_pool, diag);
  gmem_model_release(model); // the pool retains it
  return status;
}

gmem_status_t gmem_context_get_pool(gmem_context_t *context, gmem_plan_t *plan,
                                    const gmem_model_sources_t *sources,
                                    const gmem_pool_options_t *options,
                                    gmem_pool_t **out_pool, gmem_diag_t *diag) {
  if (out_pool)
    *out_pool = NULL;
  if (!context || !plan || !options || options->struct_size != sizeof *options)
    return gmem_rt_invalid(diag, "context, plan or options are NULL, or their "
                                 "struct_size is wrong");
  pool_key_t key = {.byte_budget = options->byte_budget,
                    .initial_slots = options->initial_slots,
                    .max_slots = options->max_slots,
                    .flags = options->flags};
  memcpy(key.digest, gmem_plan_digest(plan), sizeof key.digest);
  make_job_t job = {context, plan, sources, options};
  return gmem_cache_get(context->cache, &key, sizeof key, make_pool, &job,
                        out_pool, diag);
}

gmem_status_t gmem_context_parallel_for(gmem_context_t *context,
                                        const gmem_window_t *window,
                                        const gmem_parallel_t *how,
                                        gmem_parallel_fn body, void *user,
                                        gmem_diag_t *diag) {
  if (!context)
    return no_context(diag);
  if (!how || how->struct_size != sizeof *how || how->scheduler)
    return gmem_parallel_for(window, how, body, user, diag);
  gmem_parallel_t own = *how;
  own.scheduler = &context->scheduler;
  return gmem_parallel_for(window, &own, body, user, diag);
}
