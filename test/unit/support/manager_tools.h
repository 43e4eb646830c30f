// manager_tools.h - plans of some pages, and pools of them in one memory, for
// the tests of memory managers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TEST_UNIT_MANAGER_TOOLS_H_
#define GMEM_TEST_UNIT_MANAGER_TOOLS_H_

#include "gmem/manager.h"
#include "pool_tools.h"

enum { MOST_POOLS = 3 };

// A manager with pools of plans of their own.
typedef struct family_s {
  device_t device;
  gmem_provider_t provider;
  gmem_manager_t *manager;
  gmem_model_t *models[MOST_POOLS];
  gmem_pool_t *pools[MOST_POOLS];
} family_t;

// A model whose slot has |regions| regions of |bytes| bytes, each with one
// buffer: buffer 0 is in the first.
static inline gmem_model_t *model_of(const gmem_provider_t *provider,
                                     uint32_t regions, uint64_t bytes) {
  static const char *const names[] = {"first", "second"};
  static const gmem_op_range_t always = {0, 1};
  gmem_region_info_t region[2];
  gmem_buffer_info_t buffer[2];
  for (uint32_t i = 0; i < regions; ++i) {
    region[i] = (gmem_region_info_t){names[i], GMEM_SPACE_ACTIVATION,
                                     i * UINT64_C(1048576), bytes, 64};
    buffer[i] = (gmem_buffer_info_t){.name = names[i],
                                     .size = bytes,
                                     .payload = bytes,
                                     .align = 64,
                                     .region = i,
                                     .space = GMEM_SPACE_ACTIVATION,
                                     .ranges = &always,
                                     .range_count = 1,
                                     .parent = GMEM_NONE,
                                     .threads = 1};
  }
  gmem_plan_desc_t desc = {.regions = region,
                           .region_count = regions,
                           .buffers = buffer,
                           .buffer_count = regions,
                           .op_count = 1};
  gmem_plan_t *plan = plan_of(&desc);
  gmem_model_t *model = NULL;
  CHECK(gmem_model_create(plan, provider, NULL, NULL, &model, NULL) == GMEM_OK);
  gmem_plan_release(plan);
  return model;
}

// |pages| has the pages of a slot of each pool; 0 ends the list.
static inline void make_family(family_t *it, uint64_t budget_pages,
                               const uint32_t pages[MOST_POOLS],
                               uint32_t max_slots) {
  memset(it, 0, sizeof *it);
  it->provider = provider_of(&it->device);
  CHECK(gmem_manager_create(&it->provider, budget_pages * DEVICE_PAGE, NULL,
                            &it->manager, NULL) == GMEM_OK);
  gmem_pool_options_t options = {.struct_size = sizeof options,
                                 .max_slots = max_slots};
  for (int i = 0; i < MOST_POOLS && pages[i] > 0; ++i) {
    it->models[i] =
        model_of(&it->provider, 1, (uint64_t)pages[i] * DEVICE_PAGE);
    CHECK(gmem_manager_pool(it->manager, it->models[i], &options, &it->pools[i],
                            NULL) == GMEM_OK);
  }
}

static inline gmem_manager_stats_t manager_stats(const family_t *it) {
  gmem_manager_stats_t stats;
  gmem_manager_stats(it->manager, &stats);
  return stats;
}

static inline void free_family(family_t *it) {
  for (int i = 0; i < MOST_POOLS; ++i) {
    gmem_pool_release(it->pools[i]);
    gmem_model_release(it->models[i]);
  }
  gmem_manager_stats_t stats = manager_stats(it);
  CHECK(stats.pools == 0 && stats.bytes == 0 && stats.waiting == 0);
  gmem_manager_release(it->manager);
  CHECK(atomic_load(&it->device.live_ranges) == 0);
}

// Returns once |count| requests wait for the manager.
static inline void until_managed(const family_t *it, uint32_t count) {
  struct timespec pause = {0, 50000};
  while (manager_stats(it).waiting != count)
    nanosleep(&pause, NULL);
}

#endif // GMEM_TEST_UNIT_MANAGER_TOOLS_H_
