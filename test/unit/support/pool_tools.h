// pool_tools.h - pools on a provider that counts, and fails on demand, for the
// tests of the runtime.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TEST_UNIT_POOL_TOOLS_H_
#define GMEM_TEST_UNIT_POOL_TOOLS_H_

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "gmem/runtime.h"
#include "image_tools.h"
#include "runtime_tools.h"

// A device of libc memory. Thread-safe, but for setting it up.
typedef struct device_s {
  atomic_uint calls;   // of acquire
  atomic_uint fail_at; // the call that fails; 0: none
  atomic_bool down;    // all calls fail
  atomic_uint live_ranges;
  atomic_uint_least64_t live_bytes;
  uint64_t extra; // bytes more than asked for
} device_t;

enum { DEVICE_PAGE = 4096 };

static inline gmem_status_t
device_acquire(void *user, uint64_t size, uint64_t align, uint64_t fixed_device,
               uint32_t flags, gmem_range_t *out_range, gmem_diag_t *diag) {
  device_t *device = (device_t *)user;
  void *memory = NULL;
  (void)fixed_device, (void)flags, (void)diag;
  unsigned call = atomic_fetch_add(&device->calls, 1) + 1;
  if (call == atomic_load(&device->fail_at) || atomic_load(&device->down))
    return GMEM_ERR_OUT_OF_MEMORY;
  size += device->extra;
  if (posix_memalign(&memory, align, size) != 0)
    return GMEM_ERR_OUT_OF_MEMORY;
  memset(memory, 0, size);
  atomic_fetch_add(&device->live_ranges, 1);
  atomic_fetch_add(&device->live_bytes, size);
  *out_range = (gmem_range_t){
      .host = memory, .device = (uint64_t)(uintptr_t)memory, .size = size};
  return GMEM_OK;
}

static inline void device_release(void *user, const gmem_range_t *range) {
  device_t *device = (device_t *)user;
  atomic_fetch_sub(&device->live_ranges, 1);
  atomic_fetch_sub(&device->live_bytes, range->size);
  free(range->host);
}

static inline gmem_provider_t provider_of(device_t *device) {
  return (gmem_provider_t){.user = device,
                           .granularity = DEVICE_PAGE,
                           .acquire = device_acquire,
                           .release = device_release};
}

// The model of the sample plan, whose slots are one range of SLOT_BYTES.
enum { SLOT_BYTES = DEVICE_PAGE, CONV = 4, STATE = 8 };

static inline gmem_model_t *sample_model(device_t *device,
                                         const gmem_allocator_t *allocator) {
  gmem_plan_desc_t desc = sample_desc();
  gmem_provider_t provider = provider_of(device);
  gmem_plan_t *plan = plan_on(&desc, allocator);
  gmem_model_t *model = NULL;
  CHECK(gmem_model_create(plan, &provider, NULL, allocator, &model, NULL) ==
        GMEM_OK);
  gmem_plan_release(plan);
  return model;
}

// A pool and all that it needs; free_pool gives everything back.
typedef struct setup_s {
  device_t device;
  gmem_model_t *model;
  gmem_pool_t *pool;
  unsigned calls; // of the provider before the pool's slots
} setup_t;

static inline gmem_status_t try_pool(setup_t *it, uint32_t initial,
                                     uint32_t max_slots, uint64_t budget,
                                     const gmem_allocator_t *allocator) {
  gmem_provider_t provider = provider_of(&it->device);
  gmem_pool_options_t options = {.struct_size = sizeof options,
                                 .initial_slots = initial,
                                 .max_slots = max_slots,
                                 .byte_budget = budget};
  if (!it->model)
    it->model = sample_model(&it->device, allocator);
  it->calls = atomic_load(&it->device.calls);
  return gmem_pool_create(it->model, &provider, &options, allocator, &it->pool,
                          NULL);
}

static inline void make_pool(setup_t *it, uint32_t initial, uint32_t max_slots,
                             uint64_t budget) {
  memset(it, 0, sizeof *it);
  CHECK(try_pool(it, initial, max_slots, budget, NULL) == GMEM_OK);
}

static inline void free_pool(setup_t *it) {
  gmem_pool_release(it->pool);
  gmem_model_release(it->model);
  CHECK(atomic_load(&it->device.live_ranges) == 0);
  CHECK(atomic_load(&it->device.live_bytes) == 0);
}

// Whether two pictures of a pool are the same, but for what failures leave.
static inline bool same_counters(gmem_pool_stats_t a, gmem_pool_stats_t b) {
  return a.bytes_committed == b.bytes_committed &&
         a.bytes_leased == b.bytes_leased && a.bytes_peak == b.bytes_peak &&
         a.slots == b.slots && a.free == b.free && a.reserved == b.reserved &&
         a.leased == b.leased && a.waiting == b.waiting &&
         a.acquires == b.acquires && a.timeouts == b.timeouts &&
         a.grows == b.grows && a.trims == b.trims &&
         a.corruptions == b.corruptions;
}

static inline gmem_status_t acquire_from(gmem_pool_t *pool,
                                         gmem_reservation_t *from,
                                         int64_t timeout_ns,
                                         gmem_lease_t **out_lease) {
  return gmem_lease_acquire(pool, GMEM_NONE, from, timeout_ns, out_lease);
}

static inline gmem_lease_t *acquire(gmem_pool_t *pool,
                                    gmem_reservation_t *from) {
  gmem_lease_t *lease = NULL;
  CHECK(acquire_from(pool, from, 0, &lease) == GMEM_OK && lease);
  return lease;
}

static inline uint8_t *host(const gmem_lease_t *lease, gmem_buffer_t id) {
  void *ptr = NULL;
  CHECK(gmem_lease_host(lease, id, &ptr) == GMEM_OK);
  return (uint8_t *)ptr;
}

#endif // GMEM_TEST_UNIT_POOL_TOOLS_H_
