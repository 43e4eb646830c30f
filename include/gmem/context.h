// context.h - the services of one user of the runtime, in one object. C11 and
// C++17.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   gmem_context_options_t options = {sizeof options};
//   gmem_context_create(&options, &context, &diag);
//   gmem_context_load_file(context, "net.gmem", &plan, &diag);
//   gmem_context_get_pool(context, plan, NULL, &pool_options, &pool, &diag);
//   ... leases of |pool| ...
//   gmem_context_parallel_for(context, &window, &how, body, user, &diag);
//
// A *context* has an allocator, a provider, a scheduler, a memory manager, a
// store of weights and a cache of pools, and gives them to what is created from
// it. It is optional: every function of the other headers works without one.
// Nothing is global, so several contexts in one process share nothing.
//
// A context is immutable and may be used by any thread; its services
// synchronise internally. This header belongs to the library gmem_context.

#ifndef GMEM_CONTEXT_H_
#define GMEM_CONTEXT_H_

#include "gmem/manager.h"
#include "gmem/parallel.h"
#include "gmem/transforms.h"

GMEM_BEGIN_C

typedef struct gmem_context_s gmem_context_t; // immutable

enum {
  // Models share weights in the store of the context. The plans must contain
  // the digests of their weights.
  GMEM_CONTEXT_SHARE_WEIGHTS = 1u << 0,
};

// Zero-initialise except |struct_size|. What pointers point to is copied.
typedef struct gmem_context_options_s {
  uint32_t struct_size;              // sizeof(gmem_context_options_t)
  uint32_t flags;                    // GMEM_CONTEXT_*
  const gmem_allocator_t *allocator; // NULL: libc
  const gmem_provider_t *provider;   // NULL: gmem_provider_mmap's, owned by the
                                     //   context
  const gmem_scheduler_t *scheduler; // NULL: gmem_scheduler_openmp
  uint64_t byte_budget;              // of the memory manager; 0: none
  uint64_t weight_budget;            // of the store of weights; 0: none
  const gmem_cache_limits_t *cache_limits; // as in gmem_cache_create
  const gmem_transforms_t *transforms; // of weights; NULL: none. The table must
                                       //   outlive the context
} gmem_context_options_t;

// Creates a context; |options| NULL: the defaults. Fails with INVALID_ARGUMENT,
// UNSUPPORTED or OUT_OF_MEMORY; *out_context is then NULL. Any thread.
GMEM_MUST_USE gmem_status_t
gmem_context_create(const gmem_context_options_t *options,
                    gmem_context_t **out_context, gmem_diag_t *diag);

// Releases the pools in the cache and all services. Everything that was created
// from the context, or with its provider, must have been released; its plans
// may remain if the object of its allocator does. NULL is allowed. No other
// thread may use the context.
void gmem_context_destroy(gmem_context_t *context);

// The services, for the functions of the other headers; valid as long as the
// context. There is no store of weights (NULL) without SHARE_WEIGHTS. Any
// thread.
const gmem_allocator_t *gmem_context_allocator(const gmem_context_t *context);
const gmem_provider_t *gmem_context_provider(const gmem_context_t *context);
const gmem_scheduler_t *gmem_context_scheduler(const gmem_context_t *context);
gmem_manager_t *gmem_context_manager(const gmem_context_t *context);
gmem_weights_t *gmem_context_weights(const gmem_context_t *context);
gmem_cache_t *gmem_context_cache(const gmem_context_t *context);

//===--- constructors (any thread) ----------------------------------------===//

// As gmem_plan_load_file, gmem_transforms_model and gmem_manager_pool, with the
// services of |context|. A store of weights in |sources| (may be NULL) takes
// precedence over that of the context. Fail as these do, also with
// INVALID_ARGUMENT if |context| is NULL.
GMEM_MUST_USE gmem_status_t gmem_context_load_file(gmem_context_t *context,
                                                   const char *path,
                                                   gmem_plan_t **out_plan,
                                                   gmem_diag_t *diag);
GMEM_MUST_USE gmem_status_t
gmem_context_model(gmem_context_t *context, gmem_plan_t *plan,
                   const gmem_model_sources_t *sources,
                   gmem_model_t **out_model, gmem_diag_t *diag);
GMEM_MUST_USE gmem_status_t
gmem_context_pool(gmem_context_t *context, gmem_model_t *model,
                  const gmem_pool_options_t *options, gmem_pool_t **out_pool,
                  gmem_diag_t *diag);

// The pool of |plan| with |options| in the cache, with a reference for the
// caller; a missing one is created, with a model of |sources|. Plans with equal
// digests are one plan. Fails as gmem_context_model, gmem_context_pool and
// gmem_cache_get do.
GMEM_MUST_USE gmem_status_t gmem_context_get_pool(
    gmem_context_t *context, gmem_plan_t *plan,
    const gmem_model_sources_t *sources, const gmem_pool_options_t *options,
    gmem_pool_t **out_pool, gmem_diag_t *diag);

// As gmem_parallel_for, on the context's scheduler unless |how| has one.
GMEM_MUST_USE gmem_status_t
gmem_context_parallel_for(gmem_context_t *context, const gmem_window_t *window,
                          const gmem_parallel_t *how, gmem_parallel_fn body,
                          void *user, gmem_diag_t *diag);

GMEM_END_C
#endif // GMEM_CONTEXT_H_
