// arena_tools.h - plans on memory for the tests of leases, and a device that
// sees addresses of its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TEST_UNIT_ARENA_TOOLS_H_
#define GMEM_TEST_UNIT_ARENA_TOOLS_H_

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "gmem/runtime.h"
#include "runtime_tools.h"

// A buffer of one live range at the start of |region|.
static inline gmem_buffer_info_t a_buffer(const char *name,
                                          gmem_region_t region,
                                          gmem_space_t space, uint64_t size,
                                          const gmem_op_range_t *range) {
  return (gmem_buffer_info_t){.name = name,
                              .size = size,
                              .payload = size,
                              .align = 64,
                              .region = region,
                              .space = space,
                              .ranges = range,
                              .range_count = range != NULL,
                              .parent = GMEM_NONE,
                              .threads = 1};
}

//===--- a device ---------------------------------------------------------===//

// Memory that the device sees at its own addresses, |shift| bytes after the
// CPU's, and the CPU perhaps not at all. For one thread at a time.
typedef struct device_s {
  uint64_t shift; // a multiple of every alignment asked for
  uint64_t at;    // not 0: every range begins here
  bool blind;     // the CPU sees nothing
  // Calls of acquire so far, and ranges that were not released yet.
  unsigned acquires, live;
  // What sync was last called with.
  gmem_range_t synced;
  uint64_t offset, size;
  bool to_device;
  unsigned syncs;
  gmem_status_t status; // what it returns
} device_t;

static inline gmem_status_t
device_acquire(void *user, uint64_t size, uint64_t align, uint64_t fixed,
               uint32_t flags, gmem_range_t *out_range, gmem_diag_t *diag) {
  device_t *device = user;
  (void)fixed;
  (void)flags;
  (void)diag;
  void *memory = NULL;
  if (align < sizeof(void *))
    align = sizeof(void *);
  if (posix_memalign(&memory, align, size) != 0)
    return GMEM_ERR_OUT_OF_MEMORY;
  memset(memory, 0, size);
  ++device->acquires;
  ++device->live;
  uint64_t address = (uint64_t)(uintptr_t)memory;
  *out_range = (gmem_range_t){device->blind ? NULL : memory,
                              device->at ? device->at : address + device->shift,
                              size, address};
  return GMEM_OK;
}

static inline void device_release(void *user, const gmem_range_t *range) {
  --((device_t *)user)->live;
  free((void *)(uintptr_t)range->token);
}

static inline gmem_status_t device_sync(void *user, const gmem_range_t *range,
                                        uint64_t offset, uint64_t size,
                                        bool to_device) {
  device_t *device = user;
  device->synced = *range;
  device->offset = offset;
  device->size = size;
  device->to_device = to_device;
  ++device->syncs;
  return device->status;
}

static inline gmem_provider_t device_provider(device_t *device) {
  return (gmem_provider_t){.user = device,
                           .granularity = 64,
                           .acquire = device_acquire,
                           .release = device_release,
                           .sync = device_sync};
}

//===--- an arena ---------------------------------------------------------===//

// A model, a pool, and the provider of both.
typedef struct arena_s {
  gmem_provider_t provider;
  gmem_model_t *model;
  gmem_pool_t *pool;
} arena_t;

static inline void must(gmem_status_t status, const gmem_diag_t *diag) {
  if (status == GMEM_OK)
    return;
  fprintf(stderr, "no arena: %s\n", diag->text);
  exit(1); // nothing can be tested
}

// |provider| NULL: memory of the operating system.
static inline arena_t make_arena(const gmem_plan_desc_t *desc,
                                 const gmem_provider_t *provider,
                                 uint32_t slots, uint32_t flags,
                                 const gmem_model_sources_t *sources) {
  arena_t arena = {.pool = NULL};
  gmem_diag_t diag = {.text = ""};
  gmem_pool_options_t options = {
      .struct_size = sizeof options, .initial_slots = slots, .flags = flags};
  gmem_plan_t *plan = plan_of(desc);
  if (provider)
    arena.provider = *provider;
  else
    must(gmem_provider_mmap(NULL, NULL, &arena.provider), &diag);
  must(gmem_model_create(plan, &arena.provider, sources, NULL, &arena.model,
                         &diag),
       &diag);
  must(gmem_pool_create(arena.model, &arena.provider, &options, NULL,
                        &arena.pool, &diag),
       &diag);
  gmem_plan_release(plan); // the model keeps it
  return arena;
}

static inline void free_arena(arena_t *arena) {
  gmem_pool_release(arena->pool);
  gmem_model_release(arena->model);
  if (arena->provider.acquire != device_acquire)
    gmem_provider_destroy(&arena->provider);
}

static inline gmem_lease_t *lease_group(const arena_t *arena,
                                        gmem_group_t group) {
  gmem_lease_t *lease = NULL;
  CHECK(gmem_lease_acquire(arena->pool, group, NULL, 0, &lease) == GMEM_OK);
  return lease;
}

static inline gmem_lease_t *lease_all(const arena_t *arena) {
  return lease_group(arena, GMEM_NONE);
}

// NULL when the buffer has no address for the CPU.
static inline uint8_t *host_of(const gmem_lease_t *lease, gmem_buffer_t id) {
  void *host = NULL;
  gmem_status_t status = gmem_lease_host(lease, id, &host);
  CHECK((status == GMEM_OK) == (host != NULL));
  return host;
}

// 0 when the buffer has no address for the device.
static inline uint64_t device_of(const gmem_lease_t *lease, gmem_buffer_t id) {
  uint64_t device = 0;
  gmem_status_t status = gmem_lease_device(lease, id, &device);
  CHECK((status == GMEM_OK) == (device != 0));
  return device;
}

#endif // GMEM_TEST_UNIT_ARENA_TOOLS_H_
