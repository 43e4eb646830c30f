// recorder.c - recorders: the thread that configures, the plan, the pool.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "recorder_object.h"

#include <string.h>

#include "runtime_support.h"

gmem_status_t gmem_recorder_create(const gmem_allocator_t *allocator,
                                   gmem_recorder_t **out_recorder,
                                   gmem_diag_t *diag) {
  if (!out_recorder)
    return gmem_rt_invalid(diag, "out_recorder is NULL");
  *out_recorder = NULL;
  gmem_allocator_t own = gmem_rt_allocator(allocator);
  gmem_recorder_t *recorder;
  GMEM_RT_ALLOC(recorder, &own, 1, diag);
  if (!gmem_mutex_init(&recorder->lock)) {
    GMEM_RT_FREE(&own, recorder, 1);
    return gmem_rt_out_of_memory(diag);
  }
  recorder->allocator = own;
  atomic_init(&recorder->references, 1);
  *out_recorder = recorder;
  return GMEM_OK;
}

void gmem_recorder_drop(gmem_recorder_t *recorder) {
  if (!gmem_rt_drop_reference(&recorder->references))
    return;
  gmem_allocator_t own = recorder->allocator;
  gmem_pool_release(atomic_load(&recorder->pool));
  gmem_plan_release(atomic_load(&recorder->plan));
  gmem_mutex_destroy(&recorder->lock);
  GMEM_RT_FREE(&own, recorder, 1);
}

void gmem_recorder_release(gmem_recorder_t *recorder) {
  if (recorder)
    gmem_recorder_drop(recorder);
}

gmem_pool_t *gmem_recorder_pool(const gmem_recorder_t *recorder) {
  return recorder ? atomic_load(&recorder->pool) : NULL;
}

//===--- planning ---------------------------------------------------------===//

// Makes the caller the configuring thread, if it may be; returns the groups,
// which no other thread changes then.
static gmem_status_t claim(gmem_recorder_t *recorder,
                           gmem_memory_group_t **out_groups,
                           gmem_diag_t *diag) {
  pthread_t self = pthread_self();
  gmem_mutex_lock(&recorder->lock);
  bool may = !recorder->has_owner || pthread_equal(recorder->owner, self);
  if (may) {
    recorder->has_owner = true;
    recorder->owner = self;
    *out_groups = recorder->first;
  }
  gmem_mutex_unlock(&recorder->lock);
  if (may)
    return GMEM_OK;
  return gmem_rt_fail(diag, GMEM_ERR_STATE,
                      "another thread configures this recorder");
}

// Every object must have ended.
static gmem_status_t check_ended(const gmem_memory_group_t *groups,
                                 gmem_diag_t *diag) {
  for (; groups; groups = groups->next)
    for (uint32_t i = 0; i < groups->count; ++i)
      if (groups->objects[i].end == 0) {
        const char *name = groups->objects[i].name;
        return gmem_rt_fail(diag, GMEM_ERR_STATE,
                            "object '%.*s' has not ended: call "
                            "gmem_memory_group_end before planning",
                            gmem_rt_shown(name), name);
      }
  return GMEM_OK;
}

static gmem_status_t make_plan(gmem_recorder_t *recorder,
                               const gmem_solve_options_t *options,
                               gmem_diag_t *diag) {
  gmem_memory_group_t *groups = NULL;
  gmem_plan_t *plan = NULL;
  GMEM_TRY(claim(recorder, &groups, diag));
  if (atomic_load(&recorder->plan))
    return GMEM_OK;
  GMEM_TRY(check_ended(groups, diag));
  GMEM_TRY(
      gmem_recorder_solve(groups, &recorder->allocator, options, &plan, diag));
  atomic_store(&recorder->plan, plan);
  return GMEM_OK;
}

gmem_status_t gmem_recorder_plan(gmem_recorder_t *recorder,
                                 const gmem_solve_options_t *options,
                                 gmem_plan_t **out_plan, gmem_diag_t *diag) {
  if (out_plan)
    *out_plan = NULL;
  if (!recorder || !out_plan)
    return gmem_rt_invalid(diag, "recorder or out_plan is NULL");
  GMEM_TRY(make_plan(recorder, options, diag));
  *out_plan = atomic_load(&recorder->plan);
  gmem_plan_retain(*out_plan);
  return GMEM_OK;
}

//===--- the pool ---------------------------------------------------------===//

gmem_status_t gmem_recorder_use_pool(gmem_recorder_t *recorder,
                                     gmem_pool_t *pool, gmem_diag_t *diag) {
  const gmem_plan_t *plan = recorder ? atomic_load(&recorder->plan) : NULL;
  if (!plan || !pool ||
      memcmp(gmem_plan_digest(plan),
             gmem_plan_digest(gmem_model_plan(gmem_pool_model(pool))),
             GMEM_PLAN_DIGEST_SIZE) != 0)
    return gmem_rt_invalid(diag, "recorder or pool is NULL, or the pool is not "
                                 "one of the recorder's plan");
  gmem_pool_t *none = NULL;
  gmem_pool_retain(pool);
  if (atomic_compare_exchange_strong(&recorder->pool, &none, pool))
    return GMEM_OK;
  gmem_pool_release(pool);
  return gmem_rt_fail(diag, GMEM_ERR_STATE, "the recorder has a pool");
}

static gmem_status_t make_pool(gmem_recorder_t *recorder, gmem_plan_t *plan,
                               const gmem_provider_t *provider,
                               const gmem_pool_options_t *options,
                               gmem_diag_t *diag) {
  gmem_model_t *model = NULL;
  gmem_pool_t *pool = NULL;
  GMEM_TRY(gmem_model_create(plan, provider, NULL, &recorder->allocator, &model,
                             diag));
  gmem_status_t status = gmem_pool_create(model, provider, options,
                                          &recorder->allocator, &pool, diag);
  gmem_model_release(model); // the pool retains it
  GMEM_TRY(status);
  status = gmem_recorder_use_pool(recorder, pool, diag);
  gmem_pool_release(pool); // the recorder retains it
  return status;
}

gmem_status_t gmem_recorder_populate(gmem_recorder_t *recorder,
                                     const gmem_provider_t *provider,
                                     const gmem_pool_options_t *options,
                                     gmem_diag_t *diag) {
  if (!options || options->struct_size != sizeof *options)
    return gmem_rt_invalid(diag,
                           "options are NULL, or their struct_size is wrong");
  gmem_pool_t *pool = gmem_recorder_pool(recorder);
  if (pool)
    return gmem_pool_populate(pool, options->initial_slots, diag);
  gmem_plan_t *plan = NULL;
  GMEM_TRY(gmem_recorder_plan(recorder, NULL, &plan, diag));
  gmem_status_t status = make_pool(recorder, plan, provider, options, diag);
  gmem_plan_release(plan);
  return status;
}
