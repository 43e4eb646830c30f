// runtime_behaviour_test.c - what docs/runtime-behaviour.md promises where
// several parts of the runtime have to work together.
// RUN: %unit/runtime_behaviour_test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "arena_tools.h"
#include "failing_heap.h"

//===--- a small network --------------------------------------------------===//

// Three steps; each operator reads its table and has scratch for two threads.
//
//   step       0      1      2
//   io         |input-------|             importable
//              .      |output------|      importable
//   tensors 0  |work0 |mid---------|
//           64 |hidden------|work2 |
//   shared     scale: a weight; table: a workbuffer of all steps
enum { INPUT, OUTPUT, WORK0, MID, HIDDEN, HEAD, WORK2, SCALE, TABLE, ALL };

static const gmem_op_range_t lives[] = {{0, 2}, {1, 3}, {0, 1}, {1, 3},
                                        {0, 2}, {0, 2}, {2, 3}};
static const gmem_workbuffer_t work[] = {
    {0, WORK0}, {0, TABLE}, {1, TABLE}, {2, WORK2}, {2, TABLE}};
static const gmem_buffer_t members[] = {INPUT, HIDDEN, TABLE};
static const gmem_group_info_t group = {"front", members, 3};
static const gmem_region_info_t regions[] = {
    {"shared", GMEM_SPACE_WEIGHT, 0x1000, 192, 64},
    {"io", GMEM_SPACE_IO, 0x2000, 256, 64},
    {"tensors", GMEM_SPACE_ACTIVATION, 0x3000, 192, 64},
};
static const gmem_reloc_t relocs[] = {{.where = 1, .buffer = INPUT},
                                      {.where = 9, .buffer = SCALE},
                                      {.where = 17, .buffer = WORK2}};

static gmem_plan_desc_t network(void) {
  static gmem_buffer_info_t b[ALL];
  static const char *const names[] = {"input", "output", "work0",
                                      "mid",   "hidden", "head",
                                      "work2", "scale",  "table"};
  for (int i = 0; i < SCALE; ++i)
    b[i] = a_buffer(names[i], i <= OUTPUT ? 1 : 2,
                    i <= OUTPUT ? GMEM_SPACE_IO : GMEM_SPACE_ACTIVATION, 64,
                    &lives[i]);
  b[INPUT].size = b[OUTPUT].size = 128; // padded
  b[INPUT].flags = b[OUTPUT].flags = GMEM_BUFFER_IMPORTABLE;
  b[OUTPUT].offset = 128;
  b[HIDDEN].size = b[HIDDEN].payload = 128;
  b[HIDDEN].offset = b[HEAD].offset = b[WORK2].offset = 64;
  b[HEAD].parent = HIDDEN;
  b[WORK2].size = b[WORK2].payload = 128;
  b[WORK2].threads = 2;
  b[SCALE] = a_buffer(names[SCALE], 0, GMEM_SPACE_WEIGHT, 64, NULL);
  b[TABLE] = a_buffer(names[TABLE], 0, GMEM_SPACE_SHARED_WORK, 64, NULL);
  b[TABLE].offset = 64;
  return (gmem_plan_desc_t){.regions = regions,
                            .region_count = 3,
                            .buffers = b,
                            .buffer_count = ALL,
                            .op_count = 3,
                            .groups = &group,
                            .group_count = 1,
                            .workbuffers = work,
                            .workbuffer_count = 5,
                            .relocs = relocs,
                            .reloc_count = 3};
}

static gmem_status_t fill_with(void *user, gmem_buffer_t id, void *dst,
                               uint64_t size, gmem_diag_t *diag) {
  (void)diag;
  memset(dst, id == SCALE ? 3 : 5, size);
  ++*(unsigned *)user;
  return GMEM_OK;
}

static gmem_model_sources_t sources_of(unsigned *fills) {
  return (gmem_model_sources_t){.struct_size = sizeof(gmem_model_sources_t),
                                .user = fills,
                                .weight = fill_with,
                                .work = fill_with};
}

//===--- the hot path -----------------------------------------------------===//

static _Alignas(64) uint8_t user_memory[256];

// Every call that a request makes.
static bool serve(gmem_pool_t *pool, gmem_group_t of) {
  gmem_lease_t *lease = NULL;
  void *ptr, *ptrs[2];
  uint64_t device, size;
  uint32_t count;
  uint8_t stream[32];
  bool all = of == GMEM_NONE;
  bool ok = gmem_lease_acquire(pool, of, NULL, 0, &lease) == GMEM_OK;
  if (!ok)
    return false;
  uint64_t address = (uint64_t)(uintptr_t)user_memory;
  ok &= gmem_lease_import(lease, INPUT, user_memory, address, 128, NULL) ==
        GMEM_OK;
  for (gmem_op_t op = 0; all && op < 3; ++op) {
    gmem_lease_begin_op(lease, op);
    ok &= gmem_lease_workbuffers(lease, op, 2, ptrs, &count) == GMEM_OK;
  }
  ok &= gmem_lease_host(lease, HIDDEN, &ptr) == GMEM_OK;
  ok &= gmem_lease_host(lease, INPUT, &ptr) == GMEM_OK && ptr == user_memory;
  ok &= gmem_lease_device(lease, TABLE, &device) == GMEM_OK;
  gmem_status_t expected = all ? GMEM_OK : GMEM_ERR_OUT_OF_RANGE;
  ok &= gmem_lease_thread_scratch(lease, WORK2, 1, &ptr, &size) == expected;
  ok &= gmem_lease_relocate(lease, relocs, 3, stream, sizeof stream, NULL) ==
        expected;
  ok &= gmem_lease_sync(lease, HIDDEN, true) == GMEM_OK;
  ok &= gmem_lease_check(lease, NULL) == GMEM_OK;
  gmem_lease_retain(lease);
  gmem_lease_release(lease);
  gmem_lease_release(lease);
  return ok;
}

// No request allocates, or asks the provider for anything.
static void test_requests_allocate_nothing(void) {
  heap_t heap = {.calls = 0};
  device_t device = {.shift = 0};
  unsigned fills = 0;
  gmem_allocator_t allocator = {&heap, heap_alloc, heap_free};
  gmem_provider_t provider = device_provider(&device);
  gmem_model_sources_t sources = sources_of(&fills);
  gmem_pool_options_t options = {.struct_size = sizeof options,
                                 .initial_slots = 1};
  gmem_plan_desc_t desc = network();
  gmem_plan_t *plan = plan_of(&desc);
  gmem_model_t *model = NULL;
  gmem_pool_t *pool = NULL;
  CHECK(gmem_model_create(plan, &provider, &sources, &allocator, &model,
                          NULL) == GMEM_OK);
  CHECK(gmem_pool_create(model, &provider, &options, &allocator, &pool, NULL) ==
        GMEM_OK);
  size_t calls = heap.calls;
  unsigned acquires = device.acquires;
  for (int i = 0; i < 100; ++i)
    CHECK(serve(pool, i % 2 ? GMEM_NONE : 0));
  CHECK(heap.calls == calls && device.acquires == acquires && fills == 2);
  gmem_pool_release(pool);
  gmem_model_release(model);
  gmem_plan_release(plan);
  CHECK(heap.live_blocks == 0 && device.live == 0);
}

//===--- workbuffers in the plan ------------------------------------------===//

// A mutable workbuffer lives for its step, in bytes that others have before and
// after; each is aligned by itself. An immutable one has its bytes for itself.
static void test_workbuffers_lie_in_gaps(void) {
  unsigned fills = 0;
  gmem_plan_desc_t desc = network();
  gmem_model_sources_t sources = sources_of(&fills);
  arena_t arena = make_arena(&desc, NULL, 1, 0, &sources);
  CHECK(gmem_plan_slot_size(gmem_model_plan(arena.model)) == 256 + 192);
  gmem_lease_t *lease = lease_all(&arena);
  CHECK(host_of(lease, WORK0) == host_of(lease, MID));
  CHECK(host_of(lease, WORK2) == host_of(lease, HIDDEN));
  for (gmem_buffer_t i = 0; i < ALL; ++i) {
    CHECK((uintptr_t)host_of(lease, i) % 64 == 0);
    CHECK(i == TABLE || host_of(lease, i) != host_of(lease, TABLE));
  }
  gmem_lease_release(lease);
  free_arena(&arena);
}

// One network, whose operators keep nothing of a request, serves many at once.
typedef struct server_s {
  const arena_t *arena;
  uint8_t seed;
  bool right;
} server_t;

static uint8_t run_request(gmem_lease_t *lease, uint8_t value) {
  void *ptrs[2], *part;
  uint64_t size;
  uint32_t count;
  uint8_t *hidden = host_of(lease, HIDDEN), *mid = host_of(lease, MID),
          *output = host_of(lease, OUTPUT), *scale = host_of(lease, SCALE);
  memset(host_of(lease, INPUT), value, 64);
  gmem_lease_begin_op(lease, 0);
  CHECK(gmem_lease_workbuffers(lease, 0, 2, ptrs, &count) == GMEM_OK);
  memcpy(ptrs[0], host_of(lease, INPUT), 64);
  for (int i = 0; i < 128; ++i)
    hidden[i] = ((uint8_t *)ptrs[0])[i % 64] * scale[i % 64];
  gmem_lease_begin_op(lease, 1);
  for (int i = 0; i < 64; ++i)
    mid[i] = hidden[i] + hidden[64 + i];
  gmem_lease_begin_op(lease, 2);
  CHECK(gmem_lease_workbuffers(lease, 2, 2, ptrs, &count) == GMEM_OK);
  for (uint32_t thread = 0; thread < 2; ++thread) {
    CHECK(gmem_lease_thread_scratch(lease, WORK2, thread, &part, &size) ==
          GMEM_OK);
    memset(part, ((uint8_t *)ptrs[1])[thread], size);
  }
  for (int i = 0; i < 64; ++i)
    output[i] = mid[i] + ((uint8_t *)ptrs[0])[i] + ((uint8_t *)ptrs[0])[64 + i];
  return output[value % 64];
}

static void *serve_many(void *context) {
  server_t *server = context;
  server->right = true;
  for (int i = 0; i < 200; ++i) {
    gmem_lease_t *lease = NULL;
    uint8_t value = (uint8_t)(server->seed + i);
    CHECK(gmem_lease_acquire(server->arena->pool, GMEM_NONE, NULL,
                             GMEM_WAIT_FOREVER, &lease) == GMEM_OK);
    server->right &=
        run_request(lease, value) == (uint8_t)(value * 3 * 2 + 5 + 5);
    gmem_lease_release(lease);
  }
  return NULL;
}

static void test_one_network_in_many_threads(uint32_t flags) {
  enum { THREADS = 4 };
  unsigned fills = 0;
  gmem_plan_desc_t desc = network();
  gmem_model_sources_t sources = sources_of(&fills);
  arena_t arena = make_arena(&desc, NULL, 2, flags, &sources);
  pthread_t threads[THREADS];
  server_t servers[THREADS];
  for (int i = 0; i < THREADS; ++i) {
    servers[i] = (server_t){&arena, (uint8_t)(i * 50), false};
    CHECK(pthread_create(&threads[i], NULL, serve_many, &servers[i]) == 0);
  }
  for (int i = 0; i < THREADS; ++i) {
    pthread_join(threads[i], NULL);
    CHECK(servers[i].right);
  }
  CHECK(fills == 2); // once, before the first of 800 requests
  free_arena(&arena);
}

//===--- memory that outlives its users -----------------------------------===//

typedef struct maker_s {
  gmem_model_t *model;
  gmem_provider_t provider;
  unsigned made;
} maker_t;

static gmem_status_t make_pool(void *user, gmem_pool_t **out_pool,
                               gmem_diag_t *diag) {
  maker_t *maker = user;
  gmem_pool_options_t options = {.struct_size = sizeof options, .max_slots = 4};
  ++maker->made;
  return gmem_pool_create(maker->model, &maker->provider, &options, NULL,
                          out_pool, diag);
}

// An object that is made and destroyed for every use takes its memory from the
// cache and gives it back: nothing is mapped after the first time.
static void use_once(gmem_cache_t *cache, maker_t *maker, const char *key) {
  gmem_pool_t *pool = NULL;
  gmem_reservation_t *reserved = NULL;
  gmem_lease_t *lease = NULL;
  CHECK(gmem_cache_get(cache, key, strlen(key), make_pool, maker, &pool,
                       NULL) == GMEM_OK);
  CHECK(gmem_pool_reserve(pool, 2, &reserved, NULL) == GMEM_OK);
  CHECK(gmem_lease_acquire(pool, GMEM_NONE, reserved, 0, &lease) == GMEM_OK);
  memset(host_of(lease, HIDDEN), 1, 128);
  gmem_lease_release(lease);
  gmem_pool_unreserve(reserved);
  gmem_pool_release(pool);
}

static void test_users_come_and_go(void) {
  device_t device = {.shift = 0};
  gmem_plan_desc_t desc = network();
  gmem_plan_t *plan = plan_of(&desc);
  gmem_cache_limits_t limits = {.entries = 2};
  gmem_cache_t *cache = NULL;
  maker_t maker = {.provider = device_provider(&device)};
  CHECK(gmem_model_create(plan, &maker.provider, NULL, NULL, &maker.model,
                          NULL) == GMEM_OK);
  CHECK(gmem_cache_create(&limits, NULL, &cache, NULL) == GMEM_OK);
  use_once(cache, &maker, "convolution");
  unsigned acquires = device.acquires, live = device.live;
  for (int i = 0; i < 100; ++i)
    use_once(cache, &maker, "convolution");
  CHECK(device.acquires == acquires && device.live == live && maker.made == 1);
  // The one used longest ago goes, with all of its memory.
  use_once(cache, &maker, "pooling");
  CHECK(device.live > live);
  unsigned both = device.live;
  use_once(cache, &maker, "softmax");
  CHECK(device.live == both && maker.made == 3);
  use_once(cache, &maker, "convolution");
  CHECK(maker.made == 4);
  gmem_cache_destroy(cache);
  gmem_model_release(maker.model);
  gmem_plan_release(plan);
  CHECK(device.live == 0);
}

// Clearing gives back what nobody uses; afterwards there can be as many again.
static void test_clear_and_populate(void) {
  device_t device = {.shift = 0};
  gmem_plan_desc_t desc = network();
  gmem_plan_t *plan = plan_of(&desc);
  maker_t maker = {.provider = device_provider(&device)};
  gmem_pool_t *pool = NULL;
  gmem_lease_t *lease = NULL;
  gmem_pool_stats_t stats;
  CHECK(gmem_model_create(plan, &maker.provider, NULL, NULL, &maker.model,
                          NULL) == GMEM_OK);
  unsigned shared = device.live;
  CHECK(make_pool(&maker, &pool, NULL) == GMEM_OK);
  CHECK(gmem_pool_populate(pool, 2, NULL) == GMEM_OK);
  CHECK(gmem_pool_populate(pool, 2, NULL) == GMEM_OK);
  CHECK(gmem_pool_populate(pool, 1, NULL) == GMEM_ERR_OVER_BUDGET);
  CHECK(gmem_lease_acquire(pool, GMEM_NONE, NULL, 0, &lease) == GMEM_OK);
  uint8_t *hidden = host_of(lease, HIDDEN);
  memset(hidden, 9, 128);
  CHECK(gmem_pool_trim(pool, 0) > 0);
  gmem_pool_stats(pool, &stats);
  CHECK(stats.slots == 1 && stats.leased == 1 && stats.trims == 3);
  CHECK(host_of(lease, HIDDEN) == hidden && hidden[127] == 9);
  gmem_lease_release(lease);
  CHECK(gmem_pool_trim(pool, 0) > 0);
  CHECK(device.live == shared);
  CHECK(gmem_pool_populate(pool, 4, NULL) == GMEM_OK);
  gmem_pool_stats(pool, &stats);
  CHECK(stats.free == 4);
  gmem_pool_release(pool);
  gmem_model_release(maker.model);
  gmem_plan_release(plan);
  CHECK(device.live == 0);
}

// Slots of a plan whose memory is all shared have no bytes: they were never
// given back, as there seemed to be nothing to give back.
static void test_slots_without_bytes(void) {
  gmem_region_info_t region = {"weights", GMEM_SPACE_WEIGHT, 0, 64, 64};
  gmem_buffer_info_t buffer = a_buffer("w", 0, GMEM_SPACE_WEIGHT, 64, NULL);
  gmem_plan_desc_t desc = {.regions = &region,
                           .region_count = 1,
                           .buffers = &buffer,
                           .buffer_count = 1};
  arena_t arena = make_arena(&desc, NULL, 3, 0, NULL);
  gmem_lease_t *lease = lease_all(&arena);
  gmem_pool_stats_t stats;
  CHECK(gmem_pool_trim(arena.pool, 0) == 0);
  gmem_pool_stats(arena.pool, &stats);
  CHECK(stats.slots == 1 && stats.leased == 1 && stats.trims == 2);
  gmem_lease_release(lease);
  free_arena(&arena);
}

//===--- weights of several models ----------------------------------------===//

enum { PACKED, PLAIN, PART, WEIGHTS };

// Two networks with the same two weights at different places; one of them is
// packed for the device, which transform 7 stands for.
static gmem_plan_desc_t weights_desc(bool other) {
  static gmem_region_info_t region = {"weights", GMEM_SPACE_WEIGHT, 0x10000,
                                      512, 64};
  static gmem_buffer_info_t b[WEIGHTS];
  static gmem_weight_info_t known[2];
  b[PACKED] = a_buffer("packed", 0, GMEM_SPACE_WEIGHT, 128, NULL);
  b[PLAIN] = a_buffer("plain", 0, GMEM_SPACE_WEIGHT, 64, NULL);
  b[PART] = a_buffer("part", 0, GMEM_SPACE_WEIGHT, 32, NULL);
  b[PACKED].offset = other ? 256 : 0;
  b[PLAIN].offset = other ? 0 : 128;
  b[PART].offset = b[PACKED].offset + 64;
  b[PART].parent = PACKED;
  for (int i = 0; i < 2; ++i)
    known[i] = (gmem_weight_info_t){
        .buffer = i, .source_size = i == PACKED ? 100 : 64, .transform = 7};
  known[PACKED].digest[0] = 1;
  known[PLAIN].digest[0] = 2;
  return (gmem_plan_desc_t){.regions = &region,
                            .region_count = 1,
                            .buffers = b,
                            .buffer_count = WEIGHTS,
                            .op_count = 1,
                            .weights = known,
                            .weight_count = 2};
}

static gmem_status_t pack(void *user, gmem_buffer_t id, void *dst,
                          uint64_t size, gmem_diag_t *diag) {
  (void)diag;
  memset(dst, 'p' + (int)id, size);
  ++*(unsigned *)user;
  return GMEM_OK;
}

// Each weight is transformed once for all models, wherever their plans put it;
// every lease finds it; the last model frees it.
static void test_models_share_transformed_weights(void) {
  device_t device = {.shift = UINT64_C(1) << 40};
  gmem_provider_t provider = device_provider(&device);
  gmem_weights_t *store = NULL;
  unsigned packs = 0;
  CHECK(gmem_weights_create(&provider, 0, NULL, &store, NULL) == GMEM_OK);
  gmem_model_sources_t sources = {.struct_size = sizeof sources,
                                  .flags = GMEM_MODEL_SCATTER,
                                  .user = &packs,
                                  .weight = pack,
                                  .weights = store};
  arena_t arenas[2];
  gmem_lease_t *leases[2];
  for (int i = 0; i < 2; ++i) {
    gmem_plan_desc_t desc = weights_desc(i == 1);
    arenas[i] = make_arena(&desc, &provider, 1, 0, &sources);
    leases[i] = lease_all(&arenas[i]);
  }
  CHECK(packs == 2);
  for (gmem_buffer_t id = 0; id < WEIGHTS; ++id) {
    CHECK(host_of(leases[0], id) == host_of(leases[1], id));
    CHECK(device_of(leases[0], id) == device_of(leases[1], id));
    CHECK(host_of(leases[0], id)[31] == 'p' + (id == PLAIN));
  }
  CHECK(host_of(leases[0], PART) == host_of(leases[0], PACKED) + 64);
  void *region = NULL;
  CHECK(gmem_lease_region(leases[0], 0, &region) == GMEM_ERR_UNSUPPORTED);
  gmem_reloc_t reloc = {.buffer = PART, .addend = 5};
  uint8_t stream[8], expected[8];
  uint64_t address = device_of(leases[1], PACKED) + 64 + 5;
  for (int i = 0; i < 8; ++i)
    expected[i] = (uint8_t)(address >> 8 * i);
  CHECK(gmem_lease_relocate(leases[1], &reloc, 1, stream, 8, NULL) == GMEM_OK);
  CHECK(memcmp(stream, expected, 8) == 0);
  gmem_weights_release(store);
  gmem_lease_release(leases[0]);
  free_arena(&arenas[0]);
  CHECK(host_of(leases[1], PACKED)[0] == 'p'); // the other one still has it
  gmem_lease_release(leases[1]);
  free_arena(&arenas[1]);
  CHECK(device.live == 0);
}

int main(void) {
  alarm(120);
  test_requests_allocate_nothing();
  test_workbuffers_lie_in_gaps();
  test_one_network_in_many_threads(0);
  test_one_network_in_many_threads(GMEM_POOL_UNSHARED);
  test_one_network_in_many_threads(GMEM_POOL_CHECK);
  test_users_come_and_go();
  test_clear_and_populate();
  test_slots_without_bytes();
  test_models_share_transformed_weights();
  return CHECK_RESULT();
}
