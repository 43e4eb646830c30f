// runtime_cache_test.c - caches of pools: who is made, kept and evicted, with
// one thread and with many.
// RUN: %unit/runtime_cache_test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check.h"
#include "failing_heap.h"
#include "gmem/runtime.h"
#include "runtime_tools.h"

enum { SLOT = 4096 }; // bytes

// CHECK is for one thread; threads count what is wrong, and main looks.
static atomic_uint wrong;

static void expect(bool is_right) { atomic_fetch_add(&wrong, !is_right); }

//===--- memory that is counted -------------------------------------------===//

typedef struct memory_s {
  atomic_uint_fast64_t bytes; // given out and not back yet
  atomic_uint acquires;
  // Asked while memory goes back, if not NULL: whoever held its lock then would
  // never end.
  gmem_cache_t *cache;
  uint64_t claim; // what each range says its size is; 0: the truth
} memory_t;

static gmem_status_t memory_acquire(void *user, uint64_t size, uint64_t align,
                                    uint64_t fixed_device, uint32_t flags,
                                    gmem_range_t *out_range,
                                    gmem_diag_t *diag) {
  memory_t *memory = user;
  (void)fixed_device;
  (void)flags;
  (void)diag;
  void *host = NULL;
  if (posix_memalign(&host, align < 64 ? 64 : align, size) != 0)
    return GMEM_ERR_OUT_OF_MEMORY;
  memset(host, 0, size);
  uint64_t claim = memory->claim ? memory->claim : size;
  *out_range = (gmem_range_t){host, (uintptr_t)host, claim, size};
  memory->bytes += size;
  ++memory->acquires;
  return GMEM_OK;
}

static void memory_release(void *user, const gmem_range_t *range) {
  memory_t *memory = user;
  gmem_cache_stats_t stats;
  if (memory->cache)
    gmem_cache_stats(memory->cache, &stats);
  memory->bytes -= range->token;
  free(range->host);
}

//===--- pools and how they are made --------------------------------------===//

typedef struct world_s {
  memory_t memory;
  gmem_provider_t provider;
  gmem_model_t *model;
  gmem_cache_t *cache;
} world_t;

static gmem_plan_t *make_plan(void) {
  static const gmem_region_info_t region = {"ddr", GMEM_SPACE_ACTIVATION, 0,
                                            SLOT, 64};
  static const gmem_op_range_t range = {0, 1};
  static const gmem_buffer_info_t buffer = {.name = "all",
                                            .size = SLOT,
                                            .payload = SLOT,
                                            .align = 64,
                                            .space = GMEM_SPACE_ACTIVATION,
                                            .parent = GMEM_NONE,
                                            .threads = 1,
                                            .ranges = &range,
                                            .range_count = 1};
  gmem_plan_desc_t desc = {.regions = &region,
                           .region_count = 1,
                           .buffers = &buffer,
                           .buffer_count = 1,
                           .op_count = 1};
  return plan_of(&desc);
}

static void set_up(world_t *world, uint32_t entries, uint64_t bytes) {
  memset(world, 0, sizeof *world);
  world->provider = (gmem_provider_t){.user = &world->memory,
                                      .granularity = 1,
                                      .acquire = memory_acquire,
                                      .release = memory_release};
  gmem_plan_t *plan = make_plan();
  CHECK(gmem_model_create(plan, &world->provider, NULL, NULL, &world->model,
                          NULL) == GMEM_OK);
  gmem_plan_release(plan);
  gmem_cache_limits_t limits = {entries, bytes};
  CHECK(gmem_cache_create(&limits, NULL, &world->cache, NULL) == GMEM_OK);
}

// Everything must be back.
static void tear_down(world_t *world) {
  world->memory.cache = NULL;
  gmem_cache_destroy(world->cache);
  CHECK(world->memory.bytes == 0);
  gmem_model_release(world->model);
}

// What a making function is to do, and how often it has.
typedef struct maker_s {
  world_t *world;
  uint32_t slots;
  gmem_status_t failure;
  gmem_pool_t *leftover;     // what it leaves when it fails
  uint32_t wait_for_hits;    // of the cache, before it makes anything
  atomic_uint *meeting;      // counted up, and waited for until it is 2
  gmem_pool_t *last;         // what it made
  atomic_uint calls, inside; // in all, at this moment
} maker_t;

static bool wait_until(bool (*is_so)(void *), void *user) {
  struct timespec pause = {0, 100000};
  for (int i = 0; i < 100000 && !is_so(user); ++i)
    nanosleep(&pause, NULL);
  return is_so(user);
}

static bool has_hits(void *user) {
  maker_t *maker = user;
  gmem_cache_stats_t stats;
  gmem_cache_stats(maker->world->cache, &stats);
  return stats.hits >= maker->wait_for_hits;
}

static bool have_met(void *user) {
  return atomic_load((atomic_uint *)user) >= 2;
}

static gmem_status_t make_pool(void *user, gmem_pool_t **out_pool,
                               gmem_diag_t *diag) {
  maker_t *maker = user;
  atomic_fetch_add(&maker->calls, 1);
  expect(atomic_fetch_add(&maker->inside, 1) == 0 || maker->meeting);
  if (maker->wait_for_hits)
    expect(wait_until(has_hits, maker));
  if (maker->meeting) {
    atomic_fetch_add(maker->meeting, 1);
    expect(wait_until(have_met, maker->meeting));
  }
  atomic_fetch_sub(&maker->inside, 1);
  if (maker->failure != GMEM_OK) {
    *out_pool = maker->leftover;
    if (diag)
      snprintf(diag->text, sizeof diag->text, "no pool today");
    return maker->failure;
  }
  gmem_pool_options_t options = {.struct_size = sizeof options,
                                 .initial_slots = maker->slots,
                                 .max_slots = 100};
  gmem_status_t status =
      gmem_pool_create(maker->world->model, &maker->world->provider, &options,
                       NULL, out_pool, diag);
  if (!maker->meeting)
    maker->last = *out_pool;
  return status;
}

static maker_t maker_of(world_t *world, uint32_t slots) {
  return (maker_t){.world = world, .slots = slots};
}

static gmem_pool_t *get(maker_t *maker, const char *key) {
  gmem_pool_t *pool = NULL;
  CHECK(gmem_cache_get(maker->world->cache, key, strlen(key), make_pool, maker,
                       &pool, NULL) == GMEM_OK);
  CHECK(pool != NULL);
  return pool;
}

// Gets and lets go; returns whether the pool had to be made.
static bool makes(maker_t *maker, const char *key) {
  unsigned before = maker->calls;
  gmem_pool_release(get(maker, key));
  return maker->calls != before;
}

static gmem_cache_stats_t counters_of(const world_t *world) {
  gmem_cache_stats_t stats;
  gmem_cache_stats(world->cache, &stats);
  return stats;
}

static void set_limits(const world_t *world, uint32_t entries, uint64_t bytes) {
  gmem_cache_limits_t limits = {entries, bytes};
  gmem_cache_set_limits(world->cache, &limits);
}

static gmem_lease_t *lease_of(gmem_pool_t *pool) {
  gmem_lease_t *lease = NULL;
  CHECK(gmem_lease_acquire(pool, GMEM_NONE, NULL, 0, &lease) == GMEM_OK);
  return lease;
}

//===--- hits and keys ----------------------------------------------------===//

static void test_hits(void) {
  world_t world;
  set_up(&world, 4, 0);
  maker_t maker = maker_of(&world, 1);
  gmem_pool_t *first = get(&maker, "a"), *second = get(&maker, "a");
  CHECK(first == second && maker.calls == 1);
  gmem_pool_release(first);
  gmem_pool_release(second); // the cache still has it
  CHECK(!makes(&maker, "a"));
  gmem_cache_stats_t stats = counters_of(&world);
  CHECK(stats.entries == 1 && stats.bytes == SLOT);
  CHECK(stats.hits == 2 && stats.misses == 1);
  CHECK(stats.evictions == 0 && stats.not_kept == 0);
  tear_down(&world);
}

// Keys are bytes, of which the cache has its own copy.
static void test_keys(void) {
  world_t world;
  set_up(&world, 10, 0);
  maker_t maker = maker_of(&world, 1);
  char keys[][4] = {"\0a", "\0b", "\0a\0", ""};
  size_t sizes[] = {2, 2, 3, 0};
  gmem_pool_t *pools[4], *again;
  for (int i = 0; i < 4; ++i)
    CHECK(gmem_cache_get(world.cache, keys[i], sizes[i], make_pool, &maker,
                         &pools[i], NULL) == GMEM_OK);
  CHECK(maker.calls == 4);
  keys[0][1] = 'b';
  CHECK(gmem_cache_get(world.cache, keys[0], 2, make_pool, &maker, &again,
                       NULL) == GMEM_OK);
  CHECK(again == pools[1] && maker.calls == 4);
  gmem_pool_release(again);
  for (int i = 0; i < 4; ++i)
    gmem_pool_release(pools[i]);
  tear_down(&world);
}

static gmem_status_t make_nothing(void *user, gmem_pool_t **out_pool,
                                  gmem_diag_t *diag) {
  (void)user;
  (void)out_pool;
  (void)diag;
  return GMEM_OK;
}

static void test_refusals(void) {
  world_t world;
  set_up(&world, 4, 0);
  maker_t maker = maker_of(&world, 1);
  gmem_pool_t *pool = (gmem_pool_t *)&maker;
  gmem_diag_t diag = {0};
  CHECK(gmem_cache_get(world.cache, "a", 1, make_pool, &maker, NULL, NULL) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_cache_get(NULL, "a", 1, make_pool, &maker, &pool, &diag) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(!pool && diag.text[0]);
  CHECK(gmem_cache_get(world.cache, NULL, 1, make_pool, &maker, &pool, NULL) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_cache_get(world.cache, "a", 1, NULL, &maker, &pool, NULL) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_cache_get(world.cache, "a", SIZE_MAX, make_pool, &maker, &pool,
                       NULL) == GMEM_ERR_OUT_OF_MEMORY);
  diag.text[0] = 0;
  CHECK(gmem_cache_get(world.cache, "a", 1, make_nothing, NULL, &pool, &diag) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(!pool && diag.text[0]);
  CHECK(maker.calls == 0 && counters_of(&world).entries == 0);
  CHECK(gmem_cache_create(NULL, NULL, NULL, &diag) ==
        GMEM_ERR_INVALID_ARGUMENT);
  gmem_cache_destroy(NULL);
  tear_down(&world);
}

// A failure is handed on and not remembered.
static void test_failing_make(void) {
  world_t world;
  set_up(&world, 4, 0);
  maker_t maker = maker_of(&world, 1);
  gmem_pool_t *pool = (gmem_pool_t *)&maker;
  gmem_diag_t diag = {0};
  maker.failure = GMEM_ERR_IO;
  CHECK(gmem_cache_get(world.cache, "a", 1, make_pool, &maker, &pool, &diag) ==
        GMEM_ERR_IO);
  CHECK(!pool && strcmp(diag.text, "no pool today") == 0);
  CHECK(gmem_cache_get(world.cache, "a", 1, make_pool, &maker, &pool, NULL) ==
        GMEM_ERR_IO);
  CHECK(maker.calls == 2 && counters_of(&world).entries == 0);
  // A pool that it has released already was released again.
  gmem_pool_t *own = NULL;
  maker.failure = GMEM_OK;
  CHECK(make_pool(&maker, &own, NULL) == GMEM_OK);
  maker.failure = GMEM_ERR_IO;
  maker.leftover = own;
  CHECK(gmem_cache_get(world.cache, "a", 1, make_pool, &maker, &pool, NULL) ==
        GMEM_ERR_IO);
  CHECK(world.memory.bytes != 0);
  gmem_pool_release(own);
  CHECK(world.memory.bytes == 0);
  maker.failure = GMEM_OK;
  CHECK(makes(&maker, "a"));
  CHECK(!makes(&maker, "a"));
  tear_down(&world);
}

//===--- limits -----------------------------------------------------------===//

static void test_least_recently_used(void) {
  world_t world;
  set_up(&world, 3, 0);
  maker_t maker = maker_of(&world, 1);
  CHECK(makes(&maker, "a") && makes(&maker, "b") && makes(&maker, "c"));
  CHECK(!makes(&maker, "a"));
  CHECK(makes(&maker, "d")); // instead of b
  CHECK(!makes(&maker, "a") && !makes(&maker, "c") && !makes(&maker, "d"));
  CHECK(makes(&maker, "b")); // instead of a
  CHECK(!makes(&maker, "c") && !makes(&maker, "d") && !makes(&maker, "b"));
  CHECK(makes(&maker, "a"));
  gmem_cache_stats_t stats = counters_of(&world);
  CHECK(stats.entries == 3 && stats.evictions == 3 && stats.not_kept == 0);
  tear_down(&world);
}

// The victim's memory goes back at once, even while somebody has it in hand;
// there it goes on working.
static void test_eviction_frees(void) {
  world_t world;
  set_up(&world, 1, 0);
  world.memory.cache = world.cache;
  maker_t maker = maker_of(&world, 3);
  gmem_pool_t *held = get(&maker, "a");
  CHECK(world.memory.bytes == 3 * SLOT);
  CHECK(makes(&maker, "b"));
  CHECK(world.memory.bytes == 3 * SLOT); // b's alone
  gmem_lease_release(lease_of(held));    // grows again
  CHECK(world.memory.bytes == 4 * SLOT);
  gmem_pool_release(held);
  CHECK(world.memory.bytes == 3 * SLOT);
  tear_down(&world);
}

static void test_cache_that_is_off(void) {
  world_t world;
  set_up(&world, 0, 0);
  maker_t maker = maker_of(&world, 1);
  gmem_pool_t *first = get(&maker, "a"), *second = get(&maker, "a");
  CHECK(first != second && maker.calls == 2);
  gmem_pool_release(first);
  gmem_pool_release(second);
  CHECK(world.memory.bytes == 0);
  gmem_cache_stats_t stats = counters_of(&world);
  CHECK(stats.entries == 0 && stats.bytes == 0 && stats.hits == 0);
  CHECK(stats.misses == 2 && stats.not_kept == 2 && stats.evictions == 0);
  tear_down(&world);
}

static void test_bytes(void) {
  world_t world;
  set_up(&world, 100, 10 * SLOT);
  maker_t four = maker_of(&world, 4), three = maker_of(&world, 3),
          eleven = maker_of(&world, 11), six = maker_of(&world, 6);
  CHECK(makes(&four, "a") && makes(&three, "b") && makes(&three, "c"));
  CHECK(counters_of(&world).bytes == 10 * SLOT); // all of the limit
  // What could not be kept anyway drives nobody out.
  CHECK(makes(&eleven, "big"));
  CHECK(!makes(&four, "a") && !makes(&three, "b") && !makes(&three, "c"));
  CHECK(counters_of(&world).not_kept == 1 &&
        counters_of(&world).evictions == 0);
  CHECK(world.memory.bytes == 10 * SLOT);
  // Two have to go for this one.
  CHECK(makes(&six, "d"));
  CHECK(!makes(&three, "c") && !makes(&six, "d"));
  CHECK(counters_of(&world).evictions == 2);
  CHECK(world.memory.bytes == 9 * SLOT);
  tear_down(&world);
}

// Pools that say they are so large that the sum of two wraps.
static void test_sums_that_wrap(void) {
#if SIZE_MAX < UINT64_MAX
  return; // no pool can be that large
#endif
  world_t world;
  set_up(&world, 100, UINT64_MAX - 1);
  world.memory.claim = UINT64_C(1) << 63;
  maker_t maker = maker_of(&world, 1);
  CHECK(makes(&maker, "a") && makes(&maker, "b"));
  CHECK(counters_of(&world).entries == 1 && counters_of(&world).evictions == 1);
  tear_down(&world);
}

// The small one goes first, since it is the oldest, although that is not
// enough.
static void test_age_before_size(void) {
  world_t world;
  set_up(&world, 100, 10 * SLOT);
  maker_t one = maker_of(&world, 1), eight = maker_of(&world, 8),
          three = maker_of(&world, 3);
  CHECK(makes(&one, "a") && makes(&eight, "b") && makes(&three, "c"));
  CHECK(counters_of(&world).entries == 1 && world.memory.bytes == 3 * SLOT);
  tear_down(&world);
}

// Bytes are what pools have now, not what they had.
static void test_pools_that_grow(void) {
  world_t world;
  set_up(&world, 100, 6 * SLOT);
  maker_t maker = maker_of(&world, 2);
  CHECK(makes(&maker, "a") && makes(&maker, "b"));
  gmem_pool_t *pool = get(&maker, "c");
  CHECK(gmem_pool_populate(pool, 2, NULL) == GMEM_OK);
  CHECK(counters_of(&world).bytes == 8 * SLOT);
  gmem_pool_release(pool);
  CHECK(!makes(&maker, "c")); // notices: a has to go
  CHECK(counters_of(&world).bytes == 6 * SLOT &&
        counters_of(&world).evictions == 1);
  pool = get(&maker, "c");
  CHECK(gmem_pool_trim(pool, 0) == 4 * SLOT);
  gmem_pool_release(pool);
  CHECK(makes(&maker, "a"));
  CHECK(counters_of(&world).entries == 3 && counters_of(&world).evictions == 1);
  tear_down(&world);
}

// Pools that are in use stay; what would be too much beside them is not kept.
static void check_use_protects(gmem_lease_t *(*begin)(gmem_pool_t *,
                                                      gmem_reservation_t **),
                               bool by_bytes) {
  world_t world;
  set_up(&world, by_bytes ? 100 : 1, by_bytes ? SLOT : 0);
  maker_t maker = maker_of(&world, 1);
  gmem_pool_t *used = get(&maker, "a");
  gmem_reservation_t *reservation = NULL;
  gmem_lease_t *lease = begin(used, &reservation);
  gmem_pool_release(used);
  CHECK(makes(&maker, "b") && makes(&maker, "b"));
  CHECK(!makes(&maker, "a"));
  CHECK(counters_of(&world).not_kept == 2 &&
        counters_of(&world).evictions == 0);
  set_limits(&world, 0, 0); // not even now
  CHECK(counters_of(&world).entries == 1 && world.memory.bytes == SLOT);
  gmem_lease_release(lease);
  gmem_pool_unreserve(reservation);
  set_limits(&world, 0, 0);
  CHECK(counters_of(&world).entries == 0 && world.memory.bytes == 0);
  tear_down(&world);
}

static gmem_lease_t *begin_lease(gmem_pool_t *pool,
                                 gmem_reservation_t **out_reservation) {
  (void)out_reservation;
  return lease_of(pool);
}

static gmem_lease_t *begin_reservation(gmem_pool_t *pool,
                                       gmem_reservation_t **out_reservation) {
  CHECK(gmem_pool_reserve(pool, 1, out_reservation, NULL) == GMEM_OK);
  return NULL;
}

static void test_use_protects(void) {
  for (int by_bytes = 0; by_bytes < 2; ++by_bytes) {
    check_use_protects(begin_lease, by_bytes);
    check_use_protects(begin_reservation, by_bytes);
  }
}

static void test_set_limits(void) {
  world_t world;
  set_up(&world, 4, 0);
  world.memory.cache = world.cache;
  maker_t maker = maker_of(&world, 1);
  CHECK(makes(&maker, "a") && makes(&maker, "b") && makes(&maker, "c") &&
        makes(&maker, "d"));
  set_limits(&world, 3, 0); // at once
  CHECK(world.memory.bytes == 3 * SLOT && counters_of(&world).entries == 3);
  set_limits(&world, 3, 2 * SLOT + 1);
  CHECK(world.memory.bytes == 2 * SLOT && counters_of(&world).entries == 2);
  CHECK(!makes(&maker, "d") && !makes(&maker, "c"));
  set_limits(&world, 0, 0);
  CHECK(world.memory.bytes == 0 && counters_of(&world).entries == 0);
  CHECK(counters_of(&world).evictions == 4);
  set_limits(&world, 2, 0);
  CHECK(makes(&maker, "a") && !makes(&maker, "a"));
  tear_down(&world);
}

//===--- the environment --------------------------------------------------===//

static uint32_t entries_kept(const gmem_cache_limits_t *limits) {
  world_t world;
  set_up(&world, 0, 0);
  gmem_cache_destroy(world.cache);
  CHECK(gmem_cache_create(limits, NULL, &world.cache, NULL) == GMEM_OK);
  unsetenv("GMEM_CACHE_ENTRIES"); // read once, when the cache is made
  maker_t maker = maker_of(&world, 1);
  for (int i = 0; i < 100; ++i)
    CHECK(makes(&maker, (char[]){(char)(1 + i), 0}));
  uint32_t entries = counters_of(&world).entries;
  tear_down(&world);
  return entries;
}

static void check_bad_limit(const char *name, const char *value) {
  gmem_cache_t *cache = (gmem_cache_t *)&value;
  gmem_diag_t diag = {0};
  setenv(name, value, 1);
  CHECK(gmem_cache_create(NULL, NULL, &cache, &diag) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(!cache && strstr(diag.text, name));
  unsetenv(name);
}

static void test_environment(void) {
  unsetenv("GMEM_CACHE_ENTRIES");
  unsetenv("GMEM_CACHE_BYTES");
  CHECK(entries_kept(NULL) == 64);
  setenv("GMEM_CACHE_ENTRIES", "7", 1);
  CHECK(entries_kept(NULL) == 7);
  setenv("GMEM_CACHE_ENTRIES", "7", 1);
  CHECK(entries_kept(&(gmem_cache_limits_t){9, 0}) == 9); // the call wins
  setenv("GMEM_CACHE_BYTES", "20480", 1);
  CHECK(entries_kept(NULL) == 5);
  setenv("GMEM_CACHE_ENTRIES", "0", 1);
  CHECK(entries_kept(NULL) == 0);
  setenv("GMEM_CACHE_ENTRIES", "rubbish", 1); // nobody asks for it
  CHECK(entries_kept(&(gmem_cache_limits_t){9, 0}) == 9);
  setenv("GMEM_CACHE_BYTES", "18446744073709551615", 1);
  setenv("GMEM_CACHE_ENTRIES", "4294967295", 1);
  CHECK(entries_kept(NULL) == 100);
  unsetenv("GMEM_CACHE_BYTES");
  static const char *const bad[] = {
      "",    " 1", "1 ",  "-1",  "+1",
      "0x1", "1k", "1.0", "abc", "18446744073709551616"};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
    check_bad_limit("GMEM_CACHE_ENTRIES", bad[i]);
    check_bad_limit("GMEM_CACHE_BYTES", bad[i]);
  }
  check_bad_limit("GMEM_CACHE_ENTRIES", "4294967296");
}

//===--- what it is for ---------------------------------------------------===//

// A primitive is made, reserves its pool, runs, and goes; the next one with the
// same key asks the provider for nothing.
static void test_reuse(void) {
  world_t world;
  set_up(&world, 4, 0);
  maker_t maker = maker_of(&world, 0);
  for (int round = 0; round < 100; ++round) {
    gmem_pool_t *pool = get(&maker, "gemm 64x64");
    gmem_reservation_t *reservation = NULL;
    gmem_lease_t *lease = NULL;
    CHECK(gmem_pool_reserve(pool, 2, &reservation, NULL) == GMEM_OK);
    CHECK(gmem_lease_acquire(pool, GMEM_NONE, reservation, 0, &lease) ==
          GMEM_OK);
    gmem_lease_release(lease);
    gmem_pool_unreserve(reservation);
    gmem_pool_release(pool);
  }
  CHECK(maker.calls == 1 && world.memory.acquires == 2);
  tear_down(&world);
}

static void test_destroy_with_pools_in_use(void) {
  world_t world;
  set_up(&world, 4, 0);
  maker_t maker = maker_of(&world, 2);
  gmem_pool_t *held = get(&maker, "a");
  gmem_lease_t *lease = lease_of(held);
  CHECK(makes(&maker, "b"));
  gmem_cache_destroy(world.cache);
  world.cache = NULL;
  CHECK(world.memory.bytes == 2 * SLOT);
  gmem_pool_release(held);
  gmem_lease_release(lease); // the last of all
  tear_down(&world);
}

// The linker puts these in the place of the system's.
static int locks_until_failure; // 0: none fails
int __real_pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
int __wrap_pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
int __real_pthread_cond_init(pthread_cond_t *, const pthread_condattr_t *);
int __wrap_pthread_cond_init(pthread_cond_t *, const pthread_condattr_t *);

static bool lock_fails(void) {
  return locks_until_failure > 0 && --locks_until_failure == 0;
}

int __wrap_pthread_mutex_init(pthread_mutex_t *mutex,
                              const pthread_mutexattr_t *attributes) {
  return lock_fails() ? EAGAIN : __real_pthread_mutex_init(mutex, attributes);
}

int __wrap_pthread_cond_init(pthread_cond_t *condition,
                             const pthread_condattr_t *attributes) {
  return lock_fails() ? EAGAIN
                      : __real_pthread_cond_init(condition, attributes);
}

static void test_failing_locks(void) {
  heap_t heap = {0};
  gmem_allocator_t allocator = {&heap, heap_alloc, heap_free};
  for (int fail_at = 1; fail_at <= 3; ++fail_at) {
    gmem_cache_t *cache = (gmem_cache_t *)&heap;
    locks_until_failure = fail_at;
    gmem_status_t status = gmem_cache_create(&(gmem_cache_limits_t){4, 0},
                                             &allocator, &cache, NULL);
    locks_until_failure = 0;
    CHECK(status == (fail_at < 3 ? GMEM_ERR_OUT_OF_MEMORY : GMEM_OK));
    CHECK((cache == NULL) == (fail_at < 3));
    gmem_cache_destroy(cache);
    CHECK(heap.live_blocks == 0 && heap.live_bytes == 0);
  }
}

static void test_failing_allocations(void) {
  world_t world;
  set_up(&world, 0, 0);
  maker_t maker = maker_of(&world, 1);
  bool is_done = false;
  for (size_t fail_at = 1; !is_done; ++fail_at) {
    heap_t heap = {.fail_at = fail_at};
    gmem_allocator_t allocator = {&heap, heap_alloc, heap_free};
    gmem_cache_limits_t limits = {4, 0};
    gmem_cache_t *cache = (gmem_cache_t *)&heap;
    gmem_pool_t *pool = (gmem_pool_t *)&heap;
    gmem_status_t status = gmem_cache_create(&limits, &allocator, &cache, NULL);
    if (status != GMEM_OK) {
      CHECK(status == GMEM_ERR_OUT_OF_MEMORY && !cache);
    } else if (gmem_cache_get(cache, "a", 1, make_pool, &maker, &pool, NULL) !=
               GMEM_OK) {
      gmem_cache_stats_t stats;
      gmem_cache_stats(cache, &stats);
      CHECK(!pool && stats.entries == 0 && stats.misses == 0);
      CHECK(gmem_cache_get(cache, "a", 1, make_pool, &maker, &pool, NULL) ==
            GMEM_OK);
    } else {
      is_done = true;
      CHECK(fail_at == 3);
    }
    gmem_cache_destroy(cache);
    if (status == GMEM_OK)
      gmem_pool_release(pool);
    CHECK(heap.live_blocks == 0 && heap.live_bytes == 0);
    CHECK(world.memory.bytes == 0);
  }
  tear_down(&world);
}

//===--- many threads -----------------------------------------------------===//

typedef struct asker_s {
  maker_t *maker;
  const char *key;
  gmem_pool_t *pool;
  gmem_status_t status;
  gmem_diag_t diag;
} asker_t;

static void *ask(void *user) {
  asker_t *asker = user;
  asker->status =
      gmem_cache_get(asker->maker->world->cache, asker->key, strlen(asker->key),
                     make_pool, asker->maker, &asker->pool, &asker->diag);
  return NULL;
}

enum { ASKERS = 32 };

// All ask for one key; the first makes its pool when all others wait for it.
static void ask_at_once(maker_t *maker, asker_t *askers) {
  pthread_t threads[ASKERS];
  maker->wait_for_hits = ASKERS - 1;
  for (int i = 0; i < ASKERS; ++i) {
    askers[i] = (asker_t){.maker = maker, .key = "a"};
    CHECK(pthread_create(&threads[i], NULL, ask, &askers[i]) == 0);
  }
  for (int i = 0; i < ASKERS; ++i)
    pthread_join(threads[i], NULL);
  maker->wait_for_hits = 0;
  CHECK(maker->calls == 1 && wrong == 0);
}

// Kept or not, all get the one pool.
static void test_made_once(uint32_t entries) {
  static asker_t askers[ASKERS];
  world_t world;
  set_up(&world, entries, 0);
  maker_t maker = maker_of(&world, 1);
  ask_at_once(&maker, askers);
  for (int i = 0; i < ASKERS; ++i)
    CHECK(askers[i].status == GMEM_OK && askers[i].pool == maker.last);
  CHECK(counters_of(&world).misses == 1 &&
        counters_of(&world).entries == entries);
  for (int i = 0; i < ASKERS; ++i)
    gmem_pool_release(askers[i].pool);
  CHECK(world.memory.bytes == entries * SLOT);
  tear_down(&world);
}

static void test_fails_once_for_all(void) {
  static asker_t askers[ASKERS];
  world_t world;
  set_up(&world, 4, 0);
  maker_t maker = maker_of(&world, 1);
  maker.failure = GMEM_ERR_CORRUPT;
  ask_at_once(&maker, askers);
  for (int i = 0; i < ASKERS; ++i)
    CHECK(askers[i].status == GMEM_ERR_CORRUPT && !askers[i].pool &&
          strcmp(askers[i].diag.text, "no pool today") == 0);
  maker.failure = GMEM_OK;
  CHECK(makes(&maker, "a"));
  tear_down(&world);
}

// Two keys are made at the same time: each waits for the other to begin.
static void test_keys_in_parallel(void) {
  world_t world;
  set_up(&world, 4, 0);
  atomic_uint meeting = 0;
  maker_t makers[2] = {maker_of(&world, 1), maker_of(&world, 1)};
  asker_t askers[2];
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) {
    makers[i].meeting = &meeting;
    askers[i] = (asker_t){.maker = &makers[i], .key = i ? "b" : "a"};
    CHECK(pthread_create(&threads[i], NULL, ask, &askers[i]) == 0);
  }
  for (int i = 0; i < 2; ++i)
    pthread_join(threads[i], NULL);
  CHECK(wrong == 0 && meeting == 2);
  CHECK(counters_of(&world).misses == 2 && askers[0].pool != askers[1].pool);
  gmem_pool_release(askers[0].pool);
  gmem_pool_release(askers[1].pool);
  tear_down(&world);
}

// An allocator that asks the cache: the lock is not held when it runs.
static void *asking_alloc(void *user, size_t size, size_t align) {
  gmem_cache_t **cache = user;
  gmem_cache_stats_t stats;
  (void)align;
  if (*cache)
    gmem_cache_stats(*cache, &stats);
  return malloc(size);
}

static void asking_free(void *user, void *memory, size_t size, size_t align) {
  (void)user;
  (void)size;
  (void)align;
  free(memory);
}

static void test_allocator_without_lock(void) {
  world_t world;
  set_up(&world, 0, 0);
  gmem_cache_destroy(world.cache);
  world.cache = NULL;
  gmem_allocator_t allocator = {&world.cache, asking_alloc, asking_free};
  gmem_cache_limits_t limits = {2, 0};
  CHECK(gmem_cache_create(&limits, &allocator, &world.cache, NULL) == GMEM_OK);
  maker_t maker = maker_of(&world, 1);
  CHECK(makes(&maker, "a") && makes(&maker, "b") && makes(&maker, "c"));
  tear_down(&world);
}

//===--- evictions and requests at the same time --------------------------===//

typedef struct racer_s {
  world_t *world;
  uint32_t seed, rounds;
  atomic_uint *running;
} racer_t;

static uint32_t next_random(uint32_t *state) {
  *state = *state * 1664525 + 1013904223;
  return *state >> 16;
}

// Gets, leases, stamps, looks whether the stamp is still there, and lets go.
static void run_request(maker_t *maker, uint32_t random) {
  char key[] = {(char)('a' + random % 7), 0};
  gmem_pool_t *pool = NULL;
  gmem_lease_t *lease = NULL;
  void *host = NULL;
  bool is_got = gmem_cache_get(maker->world->cache, key, 1, make_pool, maker,
                               &pool, NULL) == GMEM_OK;
  expect(is_got);
  expect(is_got && gmem_lease_acquire(pool, GMEM_NONE, NULL, GMEM_WAIT_FOREVER,
                                      &lease) == GMEM_OK);
  if (lease && gmem_lease_host(lease, 0, &host) == GMEM_OK) {
    memset(host, (int)random, SLOT);
    sched_yield();
    for (size_t i = 0; i < SLOT; i += 512)
      expect(((uint8_t *)host)[i] == (uint8_t)random);
  }
  gmem_lease_release(lease);
  gmem_pool_release(pool);
}

static void *race(void *user) {
  racer_t *racer = user;
  maker_t maker = maker_of(racer->world, racer->seed % 3);
  for (uint32_t i = 0; i < racer->rounds; ++i)
    run_request(&maker, next_random(&racer->seed));
  atomic_fetch_sub(racer->running, 1);
  return NULL;
}

static void test_eviction_race(uint32_t rounds) {
  enum { RACERS = 6 };
  world_t world;
  set_up(&world, 4, 0);
  world.memory.cache = world.cache;
  pthread_t threads[RACERS];
  racer_t racers[RACERS];
  atomic_uint running = RACERS;
  for (uint32_t i = 0; i < RACERS; ++i) {
    racers[i] = (racer_t){&world, i, rounds, &running};
    CHECK(pthread_create(&threads[i], NULL, race, &racers[i]) == 0);
  }
  for (uint32_t random = 1; atomic_load(&running) > 0; sched_yield()) {
    uint32_t entries = next_random(&random) % 5;
    set_limits(&world, entries, next_random(&random) % 8 * SLOT);
  }
  for (int i = 0; i < RACERS; ++i)
    pthread_join(threads[i], NULL);
  CHECK(wrong == 0);
  set_limits(&world, 3, 5 * SLOT);
  gmem_cache_stats_t stats = counters_of(&world);
  CHECK(stats.entries <= 3 && stats.bytes <= 5 * SLOT);
  CHECK(stats.hits + stats.misses == (uint64_t)RACERS * rounds);
  CHECK(world.memory.bytes == stats.bytes); // and nothing else is mapped
  set_limits(&world, 0, 0);
  CHECK(world.memory.bytes == 0);
  tear_down(&world);
}

int main(int argc, char **argv) {
  uint32_t rounds = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 3000;
  test_hits();
  test_keys();
  test_refusals();
  test_failing_make();
  test_least_recently_used();
  test_eviction_frees();
  test_cache_that_is_off();
  test_bytes();
  test_age_before_size();
  test_sums_that_wrap();
  test_pools_that_grow();
  test_use_protects();
  test_set_limits();
  test_environment();
  test_reuse();
  test_destroy_with_pools_in_use();
  test_failing_allocations();
  test_failing_locks();
  test_made_once(1);
  test_made_once(0);
  test_fails_once_for_all();
  test_keys_in_parallel();
  test_allocator_without_lock();
  test_eviction_race(rounds);
  return CHECK_RESULT();
}
