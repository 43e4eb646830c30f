// arena_tools.h - a plan with a model and a pool, for the tests of the runtime.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TEST_UNIT_ARENA_TOOLS_H_
#define GMEM_TEST_UNIT_ARENA_TOOLS_H_

#include "check.h"
#include "gmem/runtime.h"

#ifndef __has_feature
#define __has_feature(feature) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define HAS_ASAN true
#else
#define HAS_ASAN false
#endif

static inline gmem_plan_t *make_plan(const gmem_plan_desc_t *desc) {
  void *data = NULL;
  size_t size = 0;
  gmem_plan_t *plan = NULL;
  gmem_diag_t diag = {0};
  gmem_status_t status = gmem_plan_write(desc, NULL, &data, &size, &diag);
  CHECK(status == GMEM_OK);
  if (status != GMEM_OK)
    fprintf(stderr, "%s\n", diag.text);
  CHECK(gmem_plan_load_memory(data, size, 0, NULL, &plan, NULL) == GMEM_OK);
  gmem_plan_data_free(NULL, data, size);
  return plan;
}

typedef struct arena_s {
  gmem_provider_t own; // all zero when it is another's
  gmem_model_t *model;
  gmem_pool_t *pool;
} arena_t;

// |flags| are the pool's; |provider| may be NULL: guarded pages.
static inline arena_t make_arena(const gmem_plan_desc_t *desc, uint32_t slots,
                                 uint32_t flags,
                                 const gmem_provider_t *provider) {
  arena_t arena = {0};
  gmem_pool_options_t options = {
      .struct_size = sizeof options, .initial_slots = slots, .flags = flags};
  gmem_mmap_options_t guarded = GMEM_MMAP_OPTIONS_INIT;
  gmem_plan_t *plan = make_plan(desc);
  guarded.guard_pages = true;
  if (!provider) {
    CHECK(gmem_provider_mmap(&guarded, NULL, &arena.own) == GMEM_OK);
    provider = &arena.own;
  }
  CHECK(gmem_model_create(plan, provider, NULL, NULL, &arena.model, NULL) ==
        GMEM_OK);
  CHECK(gmem_pool_create(arena.model, provider, &options, NULL, &arena.pool,
                         NULL) == GMEM_OK);
  gmem_plan_release(plan); // the model keeps it
  return arena;
}

static inline void free_arena(arena_t *arena) {
  gmem_pool_release(arena->pool);
  gmem_model_release(arena->model);
  gmem_provider_destroy(&arena->own);
}

static inline gmem_pool_stats_t stats_of(gmem_pool_t *pool) {
  gmem_pool_stats_t stats;
  gmem_pool_stats(pool, &stats);
  return stats;
}

static inline gmem_lease_t *acquire(gmem_pool_t *pool) {
  gmem_lease_t *lease = NULL;
  CHECK(gmem_lease_acquire(pool, GMEM_NONE, NULL, 0, &lease) == GMEM_OK);
  return lease;
}

static inline uint8_t *host(const gmem_lease_t *lease, gmem_buffer_t id) {
  void *ptr = NULL;
  CHECK(gmem_lease_host(lease, id, &ptr) == GMEM_OK);
  return ptr;
}

// Reads a byte that the sanitizer guards.
__attribute__((no_sanitize("address"))) static inline uint8_t
peek(const uint8_t *at) {
  return *(const volatile uint8_t *)at;
}

#endif // GMEM_TEST_UNIT_ARENA_TOOLS_H_
