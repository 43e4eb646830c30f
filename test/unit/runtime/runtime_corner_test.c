// runtime_corner_test.c - corners of the runtime that two features share, or
// that only a strange provider or allocator leads to.
// RUN: %unit/runtime_corner_test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <pthread.h>
#include <sched.h>
#include <time.h>

#include "arena_tools.h"
#include "hash/sha256.h"
#include "model.h"
#include "model_content.h"

static const gmem_op_range_t step = {0, 1};

static gmem_buffer_info_t at(gmem_buffer_info_t buffer, uint64_t offset) {
  buffer.offset = offset;
  return buffer;
}

static void digest_of(uint8_t byte, size_t size, uint8_t *out_digest) {
  uint8_t bytes[4096];
  memset(bytes, byte, size);
  gmem_sha256(bytes, size, out_digest);
}

// Every byte of weight |id| is 'a' + |id|.
static gmem_status_t fill_letters(void *user, gmem_buffer_t id, void *dst,
                                  uint64_t size, gmem_diag_t *diag) {
  (void)user, (void)diag;
  memset(dst, 'a' + (int)id, (size_t)size);
  return GMEM_OK;
}

static gmem_status_t fill_key(void *user, const gmem_weight_key_t *key,
                              void *dst, gmem_diag_t *diag) {
  (void)user, (void)diag;
  memset(dst, 'k', (size_t)key->size);
  return GMEM_OK;
}

static gmem_weight_key_t key_number(uint64_t number) {
  gmem_weight_key_t key = {.transform = 1 + number, .size = 64, .align = 64};
  return key;
}

//===--- what is refused --------------------------------------------------===//

static void test_nulls(void) {
  const gmem_region_info_t region = {"r", GMEM_SPACE_WEIGHT, 0, 64, 64};
  gmem_buffer_info_t buffer = a_buffer("w", 0, GMEM_SPACE_WEIGHT, 64, NULL);
  gmem_plan_desc_t desc = {.regions = &region,
                           .region_count = 1,
                           .buffers = &buffer,
                           .buffer_count = 1,
                           .op_count = 1};
  device_t device = {0};
  gmem_provider_t provider = device_provider(&device), half = provider;
  arena_t arena = make_arena(&desc, &provider, 1, 0, NULL);
  gmem_pool_options_t options = {.struct_size = sizeof options};
  gmem_lease_t *lease = lease_all(&arena);
  gmem_buffer_t bad = 0;
  uint64_t count = 0;
  size_t size = 0;
  void *data = NULL;
  gmem_weights_t *weights = NULL;
  gmem_weight_t *weight = NULL;
  gmem_weight_key_t key = key_number(0);
  gmem_plan_transform_t transform;
  CHECK(gmem_lease_device(lease, 0, NULL) == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_lease_sync(NULL, 0, true) == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_plan_transform(NULL, 0, 0, &transform) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_pool_create(arena.model, &provider, &options, NULL, NULL, NULL) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_model_verify(NULL, &bad, NULL) == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_plan_write(&desc, NULL, &data, NULL, NULL) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_plan_write(&desc, NULL, NULL, &size, NULL) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_weights_verify(NULL, &count, NULL) == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_weights_import(NULL, &key, 0, &weight, NULL) ==
        GMEM_ERR_INVALID_ARGUMENT);
  half.acquire = NULL;
  CHECK(gmem_weights_create(&half, 0, NULL, &weights, NULL) ==
        GMEM_ERR_INVALID_ARGUMENT);
  half = provider;
  half.release = NULL;
  CHECK(gmem_weights_create(&half, 0, NULL, &weights, NULL) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_weights_create(&provider, 0, NULL, &weights, NULL) == GMEM_OK);
  CHECK(gmem_weights_import(weights, &key, 0, NULL, NULL) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_weights_acquire(weights, &key, fill_key, NULL, &weight, NULL) ==
        GMEM_OK);
  CHECK(gmem_weights_transform(weights, weight, 0, 64, 64, NULL, NULL, NULL,
                               NULL) == GMEM_ERR_INVALID_ARGUMENT);
  gmem_weight_release(weight);
  gmem_weights_release(weights);
  gmem_lease_release(lease);
  free_arena(&arena);
}

static gmem_status_t write_status(const gmem_plan_desc_t *desc) {
  void *data = NULL;
  size_t size = 0;
  gmem_status_t status = gmem_plan_write(desc, NULL, &data, &size, NULL);
  CHECK((status == GMEM_OK) == (data != NULL));
  gmem_plan_data_free(NULL, data, size);
  return status;
}

static void test_descriptions(void) {
  static const uint8_t zeros[64];
  gmem_region_info_t regions[] = {{"full", GMEM_SPACE_WEIGHT, 0, 64, 64},
                                  {"empty", GMEM_SPACE_WEIGHT, 64, 0, 64}};
  gmem_plan_desc_t desc = {
      .regions = regions, .region_count = 2, .op_count = 1};
  CHECK(write_status(&desc) == GMEM_OK);
  regions[1].align = UINT64_C(1) << 31;
  CHECK(write_status(&desc) == GMEM_ERR_ALIGNMENT);
  regions[1].align = UINT64_C(1) << 32; // what is left of it in 32 bits is 0
  CHECK(write_status(&desc) == GMEM_ERR_ALIGNMENT);
  regions[1].align = 64;
  regions[1].name = NULL;
  CHECK(write_status(&desc) == GMEM_ERR_INVALID_ARGUMENT);
  regions[1].name = "empty";
  char name[GMEM_PLAN_MAX_NAME + 2];
  const char *names[] = {name};
  memset(name, 'n', sizeof name);
  name[GMEM_PLAN_MAX_NAME + 1] = '\0';
  desc.op_names = names;
  CHECK(write_status(&desc) == GMEM_ERR_INVALID_ARGUMENT);
  name[GMEM_PLAN_MAX_NAME] = '\0';
  CHECK(write_status(&desc) == GMEM_OK);
  gmem_content_t content = {.region = 0, .bytes = zeros};
  desc.contents = &content;
  desc.content_count = 1;
  CHECK(write_status(&desc) == GMEM_OK);
  content.region = 1; // which has none
  CHECK(write_status(&desc) == GMEM_ERR_OUT_OF_RANGE);
}

// Digests are needed where there is content, and nowhere else.
static void test_weights_without_digest(void) {
  static const uint8_t zeros[64];
  const gmem_region_info_t regions[] = {
      {"stored", GMEM_SPACE_WEIGHT, 0, 64, 64},
      {"filled", GMEM_SPACE_WEIGHT, 64, 64, 64}};
  gmem_buffer_info_t buffers[] = {
      a_buffer("w", 0, GMEM_SPACE_WEIGHT, 64, NULL),
      a_buffer("alias", 0, GMEM_SPACE_WEIGHT, 64, NULL),
      a_buffer("v", 1, GMEM_SPACE_WEIGHT, 64, NULL)};
  buffers[1].parent = 0;
  gmem_content_t content = {.region = 0, .bytes = zeros};
  gmem_weight_info_t info = {.buffer = 0, .source_size = 64};
  digest_of(0, 64, info.digest);
  gmem_plan_desc_t desc = {.regions = regions,
                           .region_count = 2,
                           .buffers = buffers,
                           .buffer_count = 3,
                           .op_count = 1,
                           .contents = &content,
                           .content_count = 1};
  CHECK(write_status(&desc) == GMEM_ERR_OUT_OF_RANGE);
  desc.weights = &info;
  desc.weight_count = 1;
  CHECK(write_status(&desc) == GMEM_OK);
  device_t device = {0};
  gmem_provider_t provider = device_provider(&device);
  arena_t arena = make_arena(&desc, &provider, 0, 0, NULL);
  gmem_buffer_t bad = 0;
  gmem_stored_content_t stored;
  CHECK(gmem_model_verify(arena.model, &bad, NULL) == GMEM_OK);
  CHECK(bad == GMEM_NONE);
  const gmem_plan_t *plan = gmem_model_plan(arena.model);
  CHECK(gmem_model_in_image(plan, 0, 0, &stored));
  CHECK(!gmem_model_in_image(plan, 1, 0, &stored)); // it has no digest
  free_arena(&arena);
}

//===--- addresses --------------------------------------------------------===//

// A weight, something importable, and something else.
enum { WEIGHT, IMPORTED, PLAIN };

static gmem_plan_desc_t three_buffers(gmem_buffer_info_t buffers[3]) {
  static const gmem_region_info_t regions[] = {
      {"weights", GMEM_SPACE_WEIGHT, 0, 64, 64},
      {"ddr", GMEM_SPACE_ACTIVATION, 0, 256, 64}};
  buffers[WEIGHT] = a_buffer("w", 0, GMEM_SPACE_WEIGHT, 64, NULL);
  buffers[IMPORTED] = a_buffer("x", 1, GMEM_SPACE_IO, 64, &step);
  buffers[IMPORTED].flags = GMEM_BUFFER_IMPORTABLE;
  buffers[PLAIN] = at(a_buffer("y", 1, GMEM_SPACE_ACTIVATION, 128, &step), 128);
  return (gmem_plan_desc_t){.regions = regions,
                            .region_count = 2,
                            .buffers = buffers,
                            .buffer_count = 3,
                            .op_count = 1};
}

// An import makes the lease look everywhere; weights stay where they are.
static void test_weight_beside_an_import(void) {
  static _Alignas(64) uint8_t memory[64];
  gmem_buffer_info_t buffers[3];
  gmem_plan_desc_t desc = three_buffers(buffers);
  for (uint32_t flags = 0; flags <= GMEM_POOL_UNSHARED;
       flags += GMEM_POOL_UNSHARED) {
    arena_t arena = make_arena(&desc, NULL, 1, flags, NULL);
    gmem_lease_t *lease = lease_all(&arena);
    uint8_t *weight = host_of(lease, WEIGHT), *plain = host_of(lease, PLAIN);
    CHECK(gmem_lease_import(lease, IMPORTED, memory, 0, 64, NULL) == GMEM_OK);
    CHECK(host_of(lease, IMPORTED) == memory);
    CHECK(weight && host_of(lease, WEIGHT) == weight);
    CHECK(plain && host_of(lease, PLAIN) == plain);
    gmem_lease_release(lease);
    free_arena(&arena);
  }
}

// What is synchronised is where the buffer is, not where it was planned.
static void test_sync_of_unshared_buffers(void) {
  gmem_buffer_info_t buffers[3];
  gmem_plan_desc_t desc = three_buffers(buffers);
  device_t device = {.shift = 0x10000};
  gmem_provider_t provider = device_provider(&device);
  arena_t arena = make_arena(&desc, &provider, 1, GMEM_POOL_UNSHARED, NULL);
  gmem_lease_t *lease = lease_all(&arena);
  for (gmem_buffer_t id = IMPORTED; id <= PLAIN; ++id) {
    device.syncs = 0;
    CHECK(gmem_lease_sync(lease, id, true) == GMEM_OK);
    CHECK(device.syncs == 1 && device.size == buffers[id].size);
    CHECK((uint8_t *)device.synced.host + device.offset == host_of(lease, id));
  }
  gmem_lease_release(lease);
  free_arena(&arena);
}

// An empty region has an address and no bytes: nothing can overlap it.
static void test_import_over_an_empty_region(void) {
  static _Alignas(64) uint8_t memory[4096];
  const gmem_region_info_t regions[] = {
      {"empty", GMEM_SPACE_WEIGHT, 0, 0, 64},
      {"ddr", GMEM_SPACE_ACTIVATION, 0, 64, 64}};
  gmem_buffer_info_t buffer = a_buffer("x", 1, GMEM_SPACE_IO, 64, &step);
  buffer.flags = GMEM_BUFFER_IMPORTABLE;
  gmem_plan_desc_t desc = {.regions = regions,
                           .region_count = 2,
                           .buffers = &buffer,
                           .buffer_count = 1,
                           .op_count = 1};
  gmem_provider_t provider;
  CHECK(gmem_provider_static(memory, 0x10000, sizeof memory, NULL, &provider) ==
        GMEM_OK);
  arena_t arena = make_arena(&desc, &provider, 1, 0, NULL);
  gmem_lease_t *lease = lease_all(&arena);
  CHECK(host_of(lease, 0) == memory + 64); // behind the byte of the model's
  CHECK(gmem_lease_import(lease, 0, memory + 64, 0, 64, NULL) ==
        GMEM_ERR_OVERLAP);
  CHECK(gmem_lease_import(lease, 0, memory, 0, 64, NULL) == GMEM_OK);
  CHECK(host_of(lease, 0) == memory);
  gmem_lease_release(lease);
  free_arena(&arena);
}

// An alias may have to be aligned better than the buffer that it is in.
static void test_alignment_of_unshared_aliases(void) {
  const gmem_region_info_t region = {"ddr", GMEM_SPACE_ACTIVATION, 0, 576, 64};
  gmem_buffer_info_t buffers[] = {
      a_buffer("parent", 0, GMEM_SPACE_ACTIVATION, 576, &step),
      at(a_buffer("alias", 0, GMEM_SPACE_ACTIVATION, 64, &step), 256)};
  buffers[1].parent = 0;
  buffers[1].align = 256;
  gmem_plan_desc_t desc = {.regions = &region,
                           .region_count = 1,
                           .buffers = buffers,
                           .buffer_count = 2,
                           .op_count = 1};
  arena_t arena = make_arena(&desc, NULL, 1, GMEM_POOL_UNSHARED, NULL);
  gmem_lease_t *lease = lease_all(&arena);
  CHECK((uintptr_t)host_of(lease, 1) % 256 == 0);
  CHECK(host_of(lease, 1) == host_of(lease, 0) + 256);
  gmem_lease_release(lease);
  free_arena(&arena);
}

//===--- pools ------------------------------------------------------------===//

// STATE is kept by a reservation; what lies directly behind it is not.
static void test_zeroing_beside_state(void) {
  const gmem_region_info_t region = {"ddr", GMEM_SPACE_ACTIVATION, 0, 256, 64};
  gmem_buffer_info_t buffers[] = {
      at(a_buffer("before", 0, GMEM_SPACE_ACTIVATION, 64, &step), 0),
      at(a_buffer("state", 0, GMEM_SPACE_STATE, 64, NULL), 64),
      at(a_buffer("behind", 0, GMEM_SPACE_ACTIVATION, 64, &step), 128)};
  gmem_plan_desc_t desc = {.regions = &region,
                           .region_count = 1,
                           .buffers = buffers,
                           .buffer_count = 3,
                           .op_count = 1};
  device_t device = {0};
  gmem_provider_t provider = device_provider(&device);
  arena_t arena =
      make_arena(&desc, &provider, 1, GMEM_POOL_ZERO_ON_RELEASE, NULL);
  gmem_reservation_t *reservation = NULL;
  gmem_lease_t *lease = NULL;
  CHECK(gmem_pool_reserve(arena.pool, 1, &reservation, NULL) == GMEM_OK);
  for (int round = 0; round < 2; ++round) {
    CHECK(gmem_lease_acquire(arena.pool, GMEM_NONE, reservation, 0, &lease) ==
          GMEM_OK);
    for (gmem_buffer_t id = 0; id < 3; ++id) {
      uint8_t *bytes = host_of(lease, id), last = bytes[63];
      CHECK(bytes[0] == last && last == (round == 1 && id == 1 ? 's' : 0));
      memset(bytes, 's', 64);
    }
    gmem_lease_release(lease);
  }
  gmem_pool_unreserve(reservation);
  free_arena(&arena);
}

typedef struct waiter_s {
  gmem_pool_t *pool;
  int64_t timeout_ns;
  gmem_status_t status;
  gmem_lease_t *lease;
  double seconds; // that it took
} waiter_t;

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void *wait_for_slot(void *user) {
  waiter_t *waiter = user;
  double start = seconds_now();
  waiter->status = gmem_lease_acquire(waiter->pool, GMEM_NONE, NULL,
                                      waiter->timeout_ns, &waiter->lease);
  waiter->seconds = seconds_now() - start;
  return NULL;
}

// A deadline is a point in time: now and almost a second has a carry, and now
// and almost for ever is in some decades.
static void test_deadline(int64_t timeout_ns) {
  gmem_buffer_info_t buffers[3];
  gmem_plan_desc_t desc = three_buffers(buffers);
  arena_t arena = make_arena(&desc, NULL, 1, 0, NULL);
  gmem_lease_t *lease = lease_all(&arena);
  waiter_t waiter = {.pool = arena.pool, .timeout_ns = timeout_ns};
  gmem_pool_stats_t stats = {0};
  pthread_t thread;
  if (pthread_create(&thread, NULL, wait_for_slot, &waiter) != 0)
    exit(1); // nothing can be tested
  while (stats.waiting == 0 && stats.timeouts == 0) {
    sched_yield();
    gmem_pool_stats(arena.pool, &stats);
  }
  const struct timespec moment = {.tv_nsec = 20000000};
  nanosleep(&moment, NULL);
  gmem_lease_release(lease);
  CHECK(pthread_join(thread, NULL) == 0);
  // A busy machine may have kept us from releasing it in time.
  bool is_late = waiter.status == GMEM_ERR_TIMEOUT &&
                 waiter.seconds >= (double)timeout_ns * 1e-9 - 1e-6;
  CHECK(waiter.lease == (waiter.status == GMEM_OK ? lease : NULL));
  CHECK(waiter.status == GMEM_OK || is_late);
  gmem_lease_release(waiter.lease);
  free_arena(&arena);
}

// Slots without bytes are as many as one likes, within any budget.
static void test_slots_without_bytes(void) {
  const gmem_region_info_t region = {"weights", GMEM_SPACE_WEIGHT, 0, 64, 64};
  gmem_buffer_info_t buffer = a_buffer("w", 0, GMEM_SPACE_WEIGHT, 64, NULL);
  gmem_plan_desc_t desc = {.regions = &region,
                           .region_count = 1,
                           .buffers = &buffer,
                           .buffer_count = 1,
                           .op_count = 1};
  device_t device = {0};
  gmem_provider_t provider = device_provider(&device);
  arena_t arena = make_arena(&desc, &provider, 0, 0, NULL);
  gmem_pool_options_t options = {.struct_size = sizeof options,
                                 .initial_slots = 1,
                                 .max_slots = 3,
                                 .byte_budget = 1};
  gmem_pool_t *pool = NULL;
  gmem_lease_t *leases[3] = {NULL}, *more = NULL;
  CHECK(gmem_pool_create(arena.model, &provider, &options, NULL, &pool, NULL) ==
        GMEM_OK);
  for (int i = 0; i < 3; ++i)
    CHECK(gmem_lease_acquire(pool, GMEM_NONE, NULL, 0, &leases[i]) == GMEM_OK);
  CHECK(gmem_lease_acquire(pool, GMEM_NONE, NULL, 0, &more) ==
        GMEM_ERR_TIMEOUT);
  for (int i = 0; i < 3; ++i)
    gmem_lease_release(leases[i]);
  gmem_pool_release(pool);
  free_arena(&arena);
}

//===--- strange providers ------------------------------------------------===//

static gmem_status_t crooked_acquire(void *user, uint64_t size, uint64_t align,
                                     uint64_t fixed, uint32_t flags,
                                     gmem_range_t *out_range,
                                     gmem_diag_t *diag) {
  gmem_status_t status =
      device_acquire(user, size, align, fixed, flags, out_range, diag);
  out_range->host = (uint8_t *)out_range->host + 8;
  return status;
}

// The device's address is as it was asked for, and the CPU's is not.
static void test_crooked_host_address(void) {
  device_t device = {0};
  gmem_provider_t provider = device_provider(&device);
  provider.acquire = crooked_acquire;
  gmem_weights_t *weights = NULL;
  gmem_weight_t *weight = NULL;
  gmem_weight_key_t key = key_number(0);
  CHECK(gmem_weights_create(&provider, 0, NULL, &weights, NULL) == GMEM_OK);
  CHECK(gmem_weights_acquire(weights, &key, fill_key, NULL, &weight, NULL) ==
        GMEM_ERR_ALIGNMENT);
  CHECK(!weight && device.acquires == 1 && device.live == 0);
  gmem_weights_release(weights);
}

static gmem_status_t hide(void *user, gmem_range_t *range, gmem_diag_t *diag) {
  (void)user, (void)diag;
  range->host = NULL;
  return GMEM_OK;
}

// Sealed memory that the CPU does not see any more is used by the device.
static void test_weights_that_vanish(void) {
  gmem_buffer_info_t buffers[3];
  gmem_plan_desc_t desc = three_buffers(buffers);
  gmem_weight_info_t info = {.buffer = WEIGHT, .source_size = 64};
  digest_of('a', 64, info.digest);
  desc.weights = &info;
  desc.weight_count = 1;
  device_t device = {.shift = 0x10000};
  gmem_provider_t provider = device_provider(&device);
  provider.seal = hide;
  gmem_model_sources_t sources = {.struct_size = sizeof sources,
                                  .weight = fill_letters};
  CHECK(gmem_weights_create(&provider, 0, NULL, &sources.weights, NULL) ==
        GMEM_OK);
  for (int scatter = 0; scatter <= 1; ++scatter) {
    sources.flags = scatter ? GMEM_MODEL_SCATTER : 0;
    arena_t arena = make_arena(&desc, &provider, 1, 0, &sources);
    gmem_lease_t *lease = lease_all(&arena);
    uint64_t bad = 1;
    gmem_buffer_t which = 0;
    CHECK(host_of(lease, WEIGHT) == NULL);
    CHECK(device_of(lease, WEIGHT) % 64 == 0);
    CHECK(gmem_weights_verify(sources.weights, &bad, NULL) ==
          GMEM_ERR_UNSUPPORTED);
    CHECK(bad == 0);
    CHECK(gmem_model_verify(arena.model, &which, NULL) == GMEM_ERR_UNSUPPORTED);
    CHECK(which == WEIGHT);
    gmem_lease_release(lease);
    free_arena(&arena);
  }
  gmem_weights_release(sources.weights);
  CHECK(device.live == 0);
}

static uint64_t largest_align; // that was asked for
static unsigned asked;

static gmem_status_t noting_acquire(void *user, uint64_t size, uint64_t align,
                                    uint64_t fixed, uint32_t flags,
                                    gmem_range_t *out_range,
                                    gmem_diag_t *diag) {
  ++asked;
  if (largest_align < align)
    largest_align = align;
  if (size > 4096)
    return GMEM_ERR_UNSUPPORTED;
  return device_acquire(user, size, align, fixed, flags, out_range, diag);
}

// A provider that could not share anyhow is not asked a second time.
static void test_unsupported_once(void) {
  device_t device = {0};
  gmem_provider_t provider = device_provider(&device);
  provider.acquire = noting_acquire;
  gmem_weights_t *weights = NULL;
  gmem_weight_t *weight = NULL;
  gmem_weight_key_t key = {.transform = 1, .size = 8192, .align = 64};
  CHECK(gmem_weights_create(&provider, 0, NULL, &weights, NULL) == GMEM_OK);
  asked = 0;
  CHECK(gmem_weights_acquire(weights, &key, fill_key, NULL, &weight, NULL) ==
        GMEM_ERR_UNSUPPORTED);
  CHECK(asked == 1 && !weight);
  gmem_weights_release(weights);
}

// Of several aliases of a scattered weight the best aligned one counts.
static void test_aliases_of_scattered_weights(void) {
  const gmem_region_info_t region = {"w", GMEM_SPACE_WEIGHT, 0, 64, 64};
  gmem_buffer_info_t buffers[] = {
      a_buffer("weight", 0, GMEM_SPACE_WEIGHT, 64, NULL),
      a_buffer("better", 0, GMEM_SPACE_WEIGHT, 64, NULL),
      a_buffer("worse", 0, GMEM_SPACE_WEIGHT, 64, NULL)};
  buffers[1].parent = buffers[2].parent = 0;
  buffers[1].align = 256;
  gmem_weight_info_t info = {.buffer = 0, .source_size = 64};
  digest_of('a', 64, info.digest);
  gmem_plan_desc_t desc = {.regions = &region,
                           .region_count = 1,
                           .buffers = buffers,
                           .buffer_count = 3,
                           .op_count = 1,
                           .weights = &info,
                           .weight_count = 1};
  device_t device = {0}, own = {0};
  gmem_provider_t noting = device_provider(&device);
  gmem_provider_t provider = device_provider(&own);
  noting.acquire = noting_acquire;
  gmem_model_sources_t sources = {.struct_size = sizeof sources,
                                  .flags = GMEM_MODEL_SCATTER,
                                  .weight = fill_letters};
  CHECK(gmem_weights_create(&noting, 0, NULL, &sources.weights, NULL) ==
        GMEM_OK);
  largest_align = 0;
  arena_t arena = make_arena(&desc, &provider, 1, 0, &sources);
  CHECK(largest_align == 256);
  free_arena(&arena);
  gmem_weights_release(sources.weights);
  CHECK(device.live == 0 && own.live == 0);
}

static void test_export_without_sharing(void) {
  device_t device = {0};
  gmem_provider_t provider = device_provider(&device);
  gmem_weights_t *weights = NULL;
  gmem_weight_t *weight = NULL;
  gmem_weight_key_t key = key_number(0);
  int fd = 0;
  CHECK(gmem_weights_create(&provider, 0, NULL, &weights, NULL) == GMEM_OK);
  CHECK(gmem_weights_acquire(weights, &key, fill_key, NULL, &weight, NULL) ==
        GMEM_OK);
  CHECK(gmem_weight_export(weight, &fd, NULL) == GMEM_ERR_UNSUPPORTED);
  CHECK(fd == -1);
  gmem_weight_release(weight);
  gmem_weights_release(weights);
}

// What the static provider has not given out is not taken back.
static void test_foreign_range(void) {
  static _Alignas(64) uint8_t memory[128];
  gmem_provider_t provider;
  gmem_range_t first, second, foreign = {.device = 0x10020, .size = 32};
  CHECK(gmem_provider_static(memory, 0x10000, sizeof memory, NULL, &provider) ==
        GMEM_OK);
  CHECK(provider.acquire(provider.user, 64, 64, GMEM_ANY_ADDRESS, 0, &first,
                         NULL) == GMEM_OK);
  CHECK(provider.acquire(provider.user, 64, 64, GMEM_ANY_ADDRESS, 0, &second,
                         NULL) == GMEM_OK);
  provider.release(provider.user, &foreign);
  CHECK(provider.acquire(provider.user, 1, 1, GMEM_ANY_ADDRESS, 0, &foreign,
                         NULL) == GMEM_ERR_OUT_OF_MEMORY);
  provider.release(provider.user, &first);
  provider.release(provider.user, &second);
  CHECK(provider.acquire(provider.user, 128, 64, GMEM_ANY_ADDRESS, 0, &first,
                         NULL) == GMEM_OK);
  provider.release(provider.user, &first);
  gmem_provider_destroy(&provider);
}

//===--- models -----------------------------------------------------------===//

// Two regions of weights whose buffers take turns, and one digest per weight.
enum { TURNS = 4 };

// Each region of the store has its own buffers, and those only.
static void test_regions_that_take_turns(void) {
  const gmem_region_info_t regions[] = {
      {"even", GMEM_SPACE_WEIGHT, 0, 128, 64},
      {"odd", GMEM_SPACE_WEIGHT, 0x1000, 512, 64}};
  gmem_buffer_info_t buffers[TURNS];
  gmem_weight_info_t infos[TURNS];
  static const char *const names[] = {"w0", "w1", "w2", "w3"};
  for (uint32_t id = 0; id < TURNS; ++id) {
    // Those of the second region are beyond the end of the first.
    buffers[id] = at(a_buffer(names[id], id % 2, GMEM_SPACE_WEIGHT, 64, NULL),
                     id % 2 * 256 + id / 2 * 64);
    infos[id] = (gmem_weight_info_t){.buffer = id, .source_size = 64};
    digest_of((uint8_t)('a' + id), 64, infos[id].digest);
  }
  gmem_plan_desc_t desc = {.regions = regions,
                           .region_count = 2,
                           .buffers = buffers,
                           .buffer_count = TURNS,
                           .op_count = 1,
                           .weights = infos,
                           .weight_count = TURNS};
  device_t device = {0};
  gmem_provider_t provider = device_provider(&device);
  gmem_model_sources_t sources = {.struct_size = sizeof sources,
                                  .weight = fill_letters};
  CHECK(gmem_weights_create(&provider, 0, NULL, &sources.weights, NULL) ==
        GMEM_OK);
  arena_t arena = make_arena(&desc, &provider, 1, 0, &sources);
  gmem_lease_t *lease = lease_all(&arena);
  for (uint32_t id = 0; id < TURNS; ++id) {
    uint8_t *bytes = host_of(lease, id);
    CHECK(bytes[0] == 'a' + id && bytes[63] == 'a' + id);
  }
  // Only the even ones are the same: they alone are found.
  digest_of('x', 64, infos[1].digest);
  infos[1].transform = 1; // so that nobody proves its bytes
  unsigned before = device.acquires;
  arena_t other = make_arena(&desc, &provider, 0, 0, &sources);
  CHECK(device.acquires == before + 1);
  free_arena(&other);
  gmem_lease_release(lease);
  free_arena(&arena);
  gmem_weights_release(sources.weights);
  CHECK(device.live == 0);
}

// The mmap provider, as if the system had pages of 16 KiB.
enum { COARSE = 16 << 10 };

static gmem_provider_t inner;
static unsigned maps; // calls of map_fd

static gmem_status_t coarse_acquire(void *user, uint64_t size, uint64_t align,
                                    uint64_t fixed, uint32_t flags,
                                    gmem_range_t *out_range,
                                    gmem_diag_t *diag) {
  CHECK(size % COARSE == 0 && align % COARSE == 0);
  return inner.acquire(user, size, align, fixed, flags, out_range, diag);
}

static gmem_status_t coarse_map_fd(void *user, int fd, uint64_t offset,
                                   uint64_t size, uint64_t align, bool writable,
                                   gmem_range_t *out_range, gmem_diag_t *diag) {
  ++maps;
  CHECK(offset % COARSE == 0 && size % COARSE == 0);
  return inner.map_fd(user, fd, offset, size, align, writable, out_range, diag);
}

static gmem_status_t put(void *user, const void *bytes, size_t size,
                         gmem_diag_t *diag) {
  (void)diag;
  return fwrite(bytes, 1, size, user) == size ? GMEM_OK : GMEM_ERR_IO;
}

// Content is mapped from its file where the pieces that the provider maps do
// not reach beyond it, and read where they do.
static void test_content_and_coarse_pages(void) {
  static uint8_t bytes[3][COARSE];
  const gmem_region_info_t regions[] = {
      {"lead", GMEM_SPACE_WEIGHT, 0, COARSE - 4096, 4096},
      {"whole", GMEM_SPACE_WEIGHT, 0x10000, COARSE, 4096},
      {"part", GMEM_SPACE_WEIGHT, 0x20000, 4096, 4096}};
  gmem_buffer_info_t buffers[3];
  gmem_weight_info_t infos[3];
  gmem_content_t contents[3];
  static const char *const names[] = {"a", "b", "c"};
  for (uint32_t i = 0; i < 3; ++i) {
    size_t size = (size_t)regions[i].size;
    memset(bytes[i], 'a' + (int)i, size);
    buffers[i] = a_buffer(names[i], i, GMEM_SPACE_WEIGHT, size, NULL);
    infos[i] = (gmem_weight_info_t){.buffer = i, .source_size = size};
    gmem_sha256(bytes[i], size, infos[i].digest);
    contents[i] = (gmem_content_t){.region = i, .bytes = bytes[i]};
  }
  gmem_plan_desc_t desc = {.regions = regions,
                           .region_count = 3,
                           .buffers = buffers,
                           .buffer_count = 3,
                           .op_count = 1,
                           .weights = infos,
                           .weight_count = 3,
                           .contents = contents,
                           .content_count = 3};
  char path[] = "/tmp/runtime_corner_test.XXXXXX";
  int fd = mkstemp(path);
  FILE *file = fdopen(fd, "wb");
  CHECK(gmem_plan_write_to(&desc, NULL, put, file, NULL) == GMEM_OK);
  CHECK(fclose(file) == 0);
  CHECK(gmem_provider_mmap(NULL, NULL, &inner) == GMEM_OK);
  gmem_provider_t provider = inner;
  provider.granularity = COARSE;
  provider.acquire = coarse_acquire;
  provider.map_fd = coarse_map_fd;
  gmem_plan_t *plan = NULL;
  gmem_model_t *model = NULL;
  gmem_model_sources_t sources = {.struct_size = sizeof sources,
                                  .flags = GMEM_MODEL_VERIFY};
  CHECK(gmem_plan_load_file(path, 0, NULL, &plan, NULL) == GMEM_OK);
  CHECK(remove(path) == 0);
  CHECK(gmem_model_create(plan, &provider, &sources, NULL, &model, NULL) ==
        GMEM_OK);
  CHECK(maps == 1); // of the second, which begins after 16 KiB of the file
  gmem_model_release(model);
  gmem_plan_release(plan);
  gmem_provider_destroy(&inner);
}

//===--- allocators that ask, too -----------------------------------------===//

// The allocator is called without a lock, so meanwhile another may ask for the
// same. Here it is the allocator itself that does, and each race has one end.
typedef struct asker_s {
  unsigned calls, ask_at; // allocations, and the one that asks; 0: none
  void (*ask)(struct asker_s *self);
  size_t live; // bytes
  gmem_weights_t *weights;
  gmem_weight_key_t key;
  gmem_weight_t *weight;
  gmem_cache_t *cache;
  gmem_pool_t *source, *pool;
} asker_t;

static void *asker_alloc(void *user, size_t size, size_t align) {
  asker_t *asker = user;
  (void)align;
  if (++asker->calls == asker->ask_at)
    asker->ask(asker);
  asker->live += size;
  return malloc(size);
}

static void asker_free(void *user, void *memory, size_t size, size_t align) {
  asker_t *asker = user;
  (void)align;
  asker->live -= size;
  free(memory);
}

static gmem_allocator_t allocator_of(asker_t *asker) {
  return (gmem_allocator_t){asker, asker_alloc, asker_free};
}

static void ask_for_weight(asker_t *asker) {
  CHECK(gmem_weights_acquire(asker->weights, &asker->key, fill_key, NULL,
                             &asker->weight, NULL) == GMEM_OK);
}

static void test_weight_that_another_adds(void) {
  asker_t asker = {.ask = ask_for_weight, .key = key_number(0)};
  gmem_allocator_t allocator = allocator_of(&asker);
  device_t device = {0};
  gmem_provider_t provider = device_provider(&device);
  gmem_weight_t *weight = NULL;
  gmem_weights_stats_t stats;
  CHECK(gmem_weights_create(&provider, 0, &allocator, &asker.weights, NULL) ==
        GMEM_OK);
  asker.ask_at = asker.calls + 1;
  CHECK(gmem_weights_acquire(asker.weights, &asker.key, fill_key, NULL, &weight,
                             NULL) == GMEM_OK);
  gmem_weights_stats(asker.weights, &stats);
  CHECK(weight && weight == asker.weight);
  CHECK(stats.count == 1 && stats.filled == 1 && stats.asked == 2);
  gmem_weight_release(weight);
  gmem_weight_release(asker.weight);
  gmem_weights_release(asker.weights);
  CHECK(asker.live == 0 && device.live == 0);
}

// Two that find the table too full make it larger only once.
static void test_table_that_another_grows(void) {
  enum { FULL = 65, MANY = 160 };
  asker_t asker = {.ask = ask_for_weight};
  gmem_allocator_t allocator = allocator_of(&asker);
  device_t device = {0};
  gmem_provider_t provider = device_provider(&device);
  gmem_weight_t *held[MANY] = {NULL}, *again = NULL;
  CHECK(gmem_weights_create(&provider, 0, &allocator, &asker.weights, NULL) ==
        GMEM_OK);
  for (unsigned i = 0; i < MANY; ++i) {
    gmem_weight_key_t key = key_number(i);
    if (i == FULL - 1) { // the weight itself, and then the table
      asker.ask_at = asker.calls + 2;
      asker.key = key_number(MANY);
    }
    CHECK(gmem_weights_acquire(asker.weights, &key, fill_key, NULL, &held[i],
                               NULL) == GMEM_OK);
  }
  CHECK(asker.weight);
  for (unsigned i = 0; i < MANY; ++i) {
    gmem_weight_key_t key = key_number(i);
    CHECK(gmem_weights_acquire(asker.weights, &key, fill_key, NULL, &again,
                               NULL) == GMEM_OK);
    CHECK(again == held[i]);
    gmem_weight_release(again);
  }
  for (unsigned i = 0; i < MANY; ++i)
    gmem_weight_release(held[i]);
  gmem_weight_release(asker.weight);
  gmem_weights_release(asker.weights);
  CHECK(asker.live == 0 && device.live == 0);
}

static gmem_status_t make_pool(void *user, gmem_pool_t **out_pool,
                               gmem_diag_t *diag) {
  asker_t *asker = user;
  (void)diag;
  gmem_pool_retain(asker->source);
  *out_pool = asker->source;
  return GMEM_OK;
}

static void ask_for_pool(asker_t *asker) {
  CHECK(gmem_cache_get(asker->cache, "key", 3, make_pool, asker, &asker->pool,
                       NULL) == GMEM_OK);
}

static void test_pool_that_another_makes(void) {
  gmem_buffer_info_t buffers[3];
  gmem_plan_desc_t desc = three_buffers(buffers);
  arena_t arena = make_arena(&desc, NULL, 1, 0, NULL);
  asker_t asker = {.ask = ask_for_pool, .source = arena.pool};
  gmem_allocator_t allocator = allocator_of(&asker);
  gmem_pool_t *pool = NULL;
  gmem_cache_stats_t stats;
  CHECK(gmem_cache_create(NULL, &allocator, &asker.cache, NULL) == GMEM_OK);
  asker.ask_at = asker.calls + 1;
  CHECK(gmem_cache_get(asker.cache, "key", 3, make_pool, &asker, &pool, NULL) ==
        GMEM_OK);
  gmem_cache_stats(asker.cache, &stats);
  CHECK(pool == arena.pool && asker.pool == arena.pool);
  CHECK(stats.entries == 1 && stats.misses == 1 && stats.hits == 1);
  gmem_pool_release(pool);
  gmem_pool_release(asker.pool);
  gmem_cache_destroy(asker.cache);
  CHECK(asker.live == 0);
  free_arena(&arena);
}

int main(void) {
  test_nulls();
  test_descriptions();
  test_weights_without_digest();
  test_weight_beside_an_import();
  test_sync_of_unshared_buffers();
  test_import_over_an_empty_region();
  test_alignment_of_unshared_aliases();
  test_zeroing_beside_state();
  test_deadline(999999999);
  test_deadline(INT64_MAX - 1);
  test_slots_without_bytes();
  test_crooked_host_address();
  test_weights_that_vanish();
  test_unsupported_once();
  test_aliases_of_scattered_weights();
  test_export_without_sharing();
  test_foreign_range();
  test_regions_that_take_turns();
  test_content_and_coarse_pages();
  test_weight_that_another_adds();
  test_table_that_another_grows();
  test_pool_that_another_makes();
  return CHECK_RESULT();
}
