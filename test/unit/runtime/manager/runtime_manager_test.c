// runtime_manager_test.c - pools of several plans in one memory: unmapping,
// waiting, order, limits, every failure.
// RUN: %unit/runtime_manager_test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <errno.h>
#include <pthread.h>
#include <stdalign.h>

#include "failing_heap.h"
#include "manager_tools.h"

#define OK(call) CHECK((call) == GMEM_OK)

static gmem_diag_t diag;

static gmem_status_t lease_of(gmem_pool_t *pool, int64_t timeout_ns,
                              gmem_lease_t **out_lease) {
  return gmem_lease_acquire(pool, GMEM_NONE, NULL, timeout_ns, out_lease);
}

static void use(gmem_pool_t *pool) {
  gmem_lease_t *lease = NULL;
  OK(lease_of(pool, 0, &lease));
  gmem_lease_release(lease);
}

static uint32_t slots_of(const family_t *it, int pool) {
  return stats_of(it->pools[pool]).slots;
}

//===--- one memory -------------------------------------------------------===//

static void test_two_plans_in_one_range(void) {
  static alignas(64) uint8_t range[1920];
  gmem_provider_t host, provider;
  gmem_manager_t *manager = NULL;
  gmem_model_t *models[2];
  gmem_pool_t *pools[2];
  gmem_pool_options_t options = {.struct_size = sizeof options, .max_slots = 1};
  OK(gmem_provider_mmap(NULL, NULL, &host));
  OK(gmem_provider_static(range, (uintptr_t)range, sizeof range, NULL,
                          &provider));
  OK(gmem_manager_create(&provider, 0, NULL, &manager, &diag));
  for (int i = 0; i < 2; ++i) {
    models[i] = model_of(&host, 1, i == 0 ? 1920 : 1856);
    OK(gmem_manager_pool(manager, models[i], &options, &pools[i], &diag));
  }
  for (int i = 0; i < 100; ++i) {
    gmem_lease_t *lease = NULL, *other = NULL;
    OK(lease_of(pools[i % 2], 0, &lease));
    // The other one has no memory while this one has it.
    CHECK(lease_of(pools[1 - i % 2], 0, &other) == GMEM_ERR_TIMEOUT && !other);
    gmem_lease_release(lease);
  }
  gmem_manager_stats_t stats;
  gmem_manager_stats(manager, &stats);
  CHECK(stats.evictions == 99 && stats.timeouts == 100 && stats.pools == 2);
  CHECK(stats.peak == 1920);     // not both at once
  gmem_manager_release(manager); // the pools keep it
  for (int i = 0; i < 2; ++i) {
    gmem_pool_release(pools[i]);
    gmem_model_release(models[i]);
  }
  gmem_provider_destroy(&provider);
  gmem_provider_destroy(&host);
}

static void test_without_a_manager(void) { // what it is for
  setup_t one, two;
  make_pool(&one, 0, 1, 0);
  make_pool(&two, 0, 1, 0);
  use(one.pool);
  atomic_store(&two.device.down, true); // |one| has all memory
  gmem_lease_t *lease = NULL;
  CHECK(lease_of(two.pool, 0, &lease) == GMEM_ERR_OUT_OF_MEMORY);
  free_pool(&one);
  free_pool(&two);
}

static void test_least_recently_used(void) {
  static const uint32_t pages[MOST_POOLS] = {1, 1, 1};
  family_t it;
  make_family(&it, 2, pages, 2);
  use(it.pools[0]);
  use(it.pools[1]);
  use(it.pools[0]);
  use(it.pools[2]); // instead of 1
  CHECK(slots_of(&it, 0) == 1 && slots_of(&it, 1) == 0);
  use(it.pools[1]); // instead of 0
  CHECK(slots_of(&it, 0) == 0 && slots_of(&it, 2) == 1);
  CHECK(manager_stats(&it).evictions == 2);
  CHECK(manager_stats(&it).peak == 2 * DEVICE_PAGE);
  free_family(&it);
}

// A model whose slots have no bytes.
static gmem_model_t *weights_alone(const gmem_provider_t *provider) {
  gmem_region_info_t region = {"weights", GMEM_SPACE_WEIGHT, 0, 64, 64};
  gmem_buffer_info_t buffer = {.name = "w",
                               .size = 64,
                               .payload = 64,
                               .align = 64,
                               .space = GMEM_SPACE_WEIGHT,
                               .parent = GMEM_NONE,
                               .threads = 1};
  gmem_plan_desc_t desc = {.regions = &region,
                           .region_count = 1,
                           .buffers = &buffer,
                           .buffer_count = 1};
  gmem_plan_t *plan = plan_of(&desc);
  gmem_model_t *model = NULL;
  OK(gmem_model_create(plan, provider, NULL, NULL, &model, &diag));
  gmem_plan_release(plan);
  return model;
}

// The free slot of a pool without bytes frees nothing: it stays.
static void test_slots_without_bytes(void) {
  static const uint32_t pages[MOST_POOLS] = {1, 1};
  gmem_pool_options_t options = {.struct_size = sizeof options, .max_slots = 1};
  gmem_pool_t *empty = NULL;
  family_t it;
  make_family(&it, 1, pages, 1);
  gmem_model_t *model = weights_alone(&it.provider);
  OK(gmem_manager_pool(it.manager, model, &options, &empty, &diag));
  use(empty); // the least recently used one
  use(it.pools[0]);
  use(it.pools[1]);
  CHECK(slots_of(&it, 0) == 0 && slots_of(&it, 1) == 1);
  CHECK(stats_of(empty).slots == 1);
  CHECK(manager_stats(&it).evictions == 1);
  gmem_pool_release(empty);
  gmem_model_release(model);
  free_family(&it);
}

// One large slot in place of several small ones.
static void test_several_slots_go(void) {
  static const uint32_t pages[MOST_POOLS] = {1, 4};
  family_t it;
  make_family(&it, 4, pages, 4);
  OK(gmem_pool_populate(it.pools[0], 4, &diag));
  use(it.pools[1]);
  CHECK(slots_of(&it, 0) == 0 && slots_of(&it, 1) == 1);
  CHECK(manager_stats(&it).evictions == 4);
  OK(gmem_pool_populate(it.pools[0], 2, &diag)); // and the reverse
  CHECK(slots_of(&it, 0) == 2 && slots_of(&it, 1) == 0);
  free_family(&it);
}

static void test_two_regions(void) {
  static const uint32_t pages[MOST_POOLS] = {1};
  family_t it;
  gmem_lease_t *lease = NULL, *other = NULL;
  gmem_pool_options_t options = {.struct_size = sizeof options, .max_slots = 1};
  make_family(&it, 2, pages, 1);
  it.models[1] = model_of(&it.provider, 2, DEVICE_PAGE);
  OK(gmem_manager_pool(it.manager, it.models[1], &options, &it.pools[1],
                       &diag));
  OK(lease_of(it.pools[0], 0, &lease));
  // The first region fits, the second does not.
  CHECK(lease_of(it.pools[1], 0, &other) == GMEM_ERR_TIMEOUT);
  CHECK(manager_stats(&it).bytes == DEVICE_PAGE);
  CHECK(lease_of(it.pools[1], 1000000, &other) == GMEM_ERR_TIMEOUT);
  gmem_lease_release(lease);
  use(it.pools[1]);
  CHECK(slots_of(&it, 0) == 0);
  free_family(&it);
}

//===--- limits -----------------------------------------------------------===//

static void test_limits(void) {
  static const uint32_t pages[MOST_POOLS] = {2};
  family_t it;
  gmem_pool_t *pool = NULL;
  gmem_pool_options_t options = {.struct_size = sizeof options, .max_slots = 1};
  make_family(&it, 2, pages, 4);
  gmem_model_t *model = model_of(&it.provider, 1, 3 * DEVICE_PAGE);
  CHECK(gmem_manager_pool(it.manager, model, &options, &pool, &diag) ==
        GMEM_ERR_OVER_BUDGET);
  CHECK(!pool && strstr(diag.text, "12288") && strstr(diag.text, "8192"));
  CHECK(gmem_pool_populate(it.pools[0], 2, &diag) == GMEM_ERR_OVER_BUDGET);
  CHECK(strstr(diag.text, "budget of the memory manager, of whose 8192 bytes "
                          "8192 are in use"));
  CHECK(slots_of(&it, 0) == 0 && manager_stats(&it).bytes == 0);
  gmem_model_release(model);
  // The provider gives more than was asked for.
  it.device.extra = DEVICE_PAGE;
  gmem_lease_t *lease = NULL;
  CHECK(lease_of(it.pools[0], 0, &lease) == GMEM_ERR_OVER_BUDGET);
  CHECK(manager_stats(&it).bytes == 0);
  it.device.extra = 0;
  use(it.pools[0]);
  // The pool can have no slot at all.
  options.max_slots = 0;
  OK(gmem_manager_pool(it.manager, it.models[0], &options, &pool, &diag));
  CHECK(lease_of(pool, GMEM_WAIT_FOREVER, &lease) == GMEM_ERR_STATE);
  gmem_pool_release(pool);
  free_family(&it);
}

// Without memory, and without a lease that could end, waiting is no use.
static void test_hopeless(void) {
  static const uint32_t pages[MOST_POOLS] = {1, 1};
  family_t it;
  gmem_lease_t *lease = NULL;
  make_family(&it, 0, pages, 2);
  atomic_store(&it.device.down, true);
  CHECK(lease_of(it.pools[0], GMEM_WAIT_FOREVER, &lease) ==
        GMEM_ERR_OUT_OF_MEMORY);
  CHECK(!lease && manager_stats(&it).waiting == 0);
  atomic_store(&it.device.down, false);
  use(it.pools[0]);
  // A slot of another pool does not help either, once it is unmapped.
  atomic_store(&it.device.down, true);
  CHECK(lease_of(it.pools[1], GMEM_WAIT_FOREVER, &lease) ==
        GMEM_ERR_OUT_OF_MEMORY);
  CHECK(slots_of(&it, 0) == 0);
  free_family(&it);
}

static void test_reservations(void) {
  static const uint32_t pages[MOST_POOLS] = {1, 1};
  family_t it;
  gmem_reservation_t *mine = NULL, *more = NULL;
  gmem_lease_t *lease = NULL;
  make_family(&it, 2, pages, 2);
  use(it.pools[1]);
  OK(gmem_pool_reserve(it.pools[0], 2, &mine, &diag)); // unmaps that of 1
  CHECK(slots_of(&it, 1) == 0);
  CHECK(gmem_pool_reserve(it.pools[1], 1, &more, &diag) ==
        GMEM_ERR_OVER_BUDGET);
  CHECK(lease_of(it.pools[1], 0, &lease) == GMEM_ERR_TIMEOUT);
  OK(gmem_lease_acquire(it.pools[0], GMEM_NONE, mine, 0, &lease));
  gmem_lease_release(lease);
  gmem_pool_unreserve(mine);
  use(it.pools[1]); // what was reserved is free
  CHECK(slots_of(&it, 0) == 1);
  free_family(&it);
}

static void test_trim(void) {
  static const uint32_t pages[MOST_POOLS] = {1, 1, 1};
  family_t it;
  gmem_lease_t *lease = NULL;
  make_family(&it, 0, pages, 1);
  for (int i = 0; i < 3; ++i)
    use(it.pools[i]);
  OK(lease_of(it.pools[0], 0, &lease));
  CHECK(gmem_manager_trim(it.manager, UINT64_MAX) == 0);
  CHECK(gmem_manager_trim(it.manager, 2 * DEVICE_PAGE) == DEVICE_PAGE);
  CHECK(slots_of(&it, 1) == 0); // used before 2 and 0
  CHECK(gmem_manager_trim(it.manager, 0) == DEVICE_PAGE);
  CHECK(manager_stats(&it).bytes == DEVICE_PAGE); // leased
  gmem_lease_release(lease);
  CHECK(gmem_manager_trim(it.manager, 0) == DEVICE_PAGE);
  free_family(&it);
}

//===--- waiting ----------------------------------------------------------===//

typedef struct waiter_s {
  gmem_pool_t *pool;
  int64_t timeout_ns;
  gmem_status_t status;
  gmem_lease_t *lease;
  atomic_uint *turns; // counted when it has its lease
  unsigned turn;
  pthread_t thread;
} waiter_t;

static void *wait_for_lease(void *user) {
  waiter_t *it = user;
  it->status = lease_of(it->pool, it->timeout_ns, &it->lease);
  if (it->turns)
    it->turn = atomic_fetch_add(it->turns, 1);
  gmem_lease_release(it->lease);
  return NULL;
}

static void start(waiter_t *it) {
  CHECK(pthread_create(&it->thread, NULL, wait_for_lease, it) == 0);
}

static gmem_status_t finish(waiter_t *it) {
  pthread_join(it->thread, NULL);
  return it->status;
}

static void test_waits_for_another_pool(void) {
  static const uint32_t pages[MOST_POOLS] = {2, 1};
  family_t it;
  gmem_lease_t *small[2];
  make_family(&it, 2, pages, 2);
  for (int i = 0; i < 2; ++i)
    OK(lease_of(it.pools[1], 0, &small[i]));
  waiter_t big = {.pool = it.pools[0], .timeout_ns = GMEM_WAIT_FOREVER};
  start(&big);
  until_managed(&it, 1);
  gmem_lease_release(small[0]); // half of what it needs
  // It is kept for the one that waits, and not leased again.
  gmem_lease_t *lease = NULL;
  CHECK(lease_of(it.pools[1], 0, &lease) == GMEM_ERR_TIMEOUT);
  CHECK(manager_stats(&it).waiting == 1);
  gmem_lease_release(small[1]);
  OK(finish(&big));
  CHECK(slots_of(&it, 1) == 0);
  free_family(&it);
}

// In order of arrival, whatever the pool.
static void test_order(void) {
  static const uint32_t pages[MOST_POOLS] = {1, 1, 1};
  enum { WAITERS = 6 };
  family_t it;
  waiter_t waiters[WAITERS];
  atomic_uint turns = 0;
  gmem_lease_t *lease = NULL;
  make_family(&it, 1, pages, 1);
  OK(lease_of(it.pools[0], 0, &lease));
  for (unsigned i = 0; i < WAITERS; ++i) {
    waiters[i] = (waiter_t){.pool = it.pools[(i + 1) % 3],
                            .timeout_ns = GMEM_WAIT_FOREVER,
                            .turns = &turns};
    start(&waiters[i]);
    until_managed(&it, i + 1);
  }
  gmem_lease_release(lease);
  for (unsigned i = 0; i < WAITERS; ++i) {
    OK(finish(&waiters[i]));
    CHECK(waiters[i].turn == i);
  }
  free_family(&it);
}

// Who waits for a slot of a pool that may not grow does not hold up others.
static void test_full_pools_block_no_other(void) {
  static const uint32_t pages[MOST_POOLS] = {1, 1};
  family_t it;
  gmem_lease_t *lease = NULL;
  make_family(&it, 4, pages, 1);
  OK(lease_of(it.pools[0], 0, &lease));
  waiter_t waiter = {.pool = it.pools[0], .timeout_ns = GMEM_WAIT_FOREVER};
  start(&waiter);
  until_managed(&it, 1);
  use(it.pools[1]);
  use(it.pools[1]);
  CHECK(manager_stats(&it).waiting == 1);
  gmem_lease_release(lease);
  OK(finish(&waiter));
  free_family(&it);
}

static void test_timeout_and_interrupt(void) {
  static const uint32_t pages[MOST_POOLS] = {1, 1};
  family_t it;
  gmem_lease_t *lease = NULL;
  make_family(&it, 1, pages, 1);
  OK(lease_of(it.pools[0], 0, &lease));
  waiter_t late = {.pool = it.pools[1], .timeout_ns = 2000000};
  start(&late);
  CHECK(finish(&late) == GMEM_ERR_TIMEOUT);
  waiter_t one = {.pool = it.pools[1], .timeout_ns = GMEM_WAIT_FOREVER};
  waiter_t two = {.pool = it.pools[0], .timeout_ns = GMEM_WAIT_FOREVER};
  start(&one);
  until_managed(&it, 1);
  start(&two);
  until_managed(&it, 2);
  gmem_pool_interrupt(it.pools[1]); // not those of the other pool
  CHECK(finish(&one) == GMEM_ERR_CANCELLED);
  CHECK(manager_stats(&it).waiting == 1);
  gmem_lease_release(lease);
  OK(finish(&two));
  CHECK(manager_stats(&it).timeouts == 1 && manager_stats(&it).cancels == 1);
  free_family(&it);
}

// A pool that nobody holds any more lives as long as its lease and its waiter.
static void test_release_under_a_waiter(void) {
  static const uint32_t pages[MOST_POOLS] = {1};
  family_t it;
  gmem_lease_t *lease = NULL;
  make_family(&it, 1, pages, 1);
  OK(lease_of(it.pools[0], 0, &lease));
  waiter_t waiter = {.pool = it.pools[0], .timeout_ns = GMEM_WAIT_FOREVER};
  start(&waiter);
  until_managed(&it, 1);
  gmem_pool_release(it.pools[0]);
  it.pools[0] = NULL;
  gmem_lease_release(lease);
  OK(finish(&waiter));
  free_family(&it);
}

// A pool that is freed makes room for a request that waits.
static void test_freed_pools_make_room(void) {
  static const uint32_t pages[MOST_POOLS] = {1, 1};
  family_t it;
  gmem_reservation_t *mine = NULL;
  make_family(&it, 1, pages, 1);
  OK(gmem_pool_reserve(it.pools[0], 1, &mine, &diag));
  waiter_t waiter = {.pool = it.pools[1], .timeout_ns = GMEM_WAIT_FOREVER};
  start(&waiter);
  until_managed(&it, 1);
  gmem_pool_release(it.pools[0]);
  it.pools[0] = NULL;
  gmem_pool_unreserve(mine);
  OK(finish(&waiter));
  free_family(&it);
}

//===--- failures ---------------------------------------------------------===//

static void test_refusals(void) {
  static const uint32_t pages[MOST_POOLS] = {1};
  family_t it;
  gmem_manager_t *manager = NULL;
  gmem_pool_t *pool = NULL;
  gmem_pool_options_t wrong = {.struct_size = 1};
  make_family(&it, 1, pages, 1);
  gmem_provider_t broken = it.provider;
  broken.granularity = 3;
  CHECK(gmem_manager_create(&broken, 0, NULL, &manager, &diag) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_manager_create(NULL, 0, NULL, &manager, &diag) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_manager_create(&it.provider, 0, NULL, NULL, &diag) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_manager_pool(NULL, it.models[0], &wrong, &pool, &diag) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_manager_pool(it.manager, it.models[0], &wrong, NULL, &diag) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_manager_pool(it.manager, it.models[0], &wrong, &pool, &diag) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_manager_pool(it.manager, NULL, &wrong, &pool, &diag) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(manager_stats(&it).pools == 1);
  gmem_manager_release(NULL);
  free_family(&it);
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

static gmem_status_t do_all(gmem_manager_t **manager, gmem_pool_t **pool,
                            gmem_lease_t **lease, gmem_model_t *model,
                            const gmem_allocator_t *allocator,
                            const gmem_provider_t *provider) {
  gmem_pool_options_t options = {
      .struct_size = sizeof options, .initial_slots = 1, .max_slots = 2};
  GMEM_TRY(gmem_manager_create(provider, 0, allocator, manager, &diag));
  GMEM_TRY(gmem_manager_pool(*manager, model, &options, pool, &diag));
  GMEM_TRY(lease_of(*pool, 0, &lease[0]));
  return lease_of(*pool, 0, &lease[1]);
}

typedef enum failing_e { HEAP, LOCKS, DEVICE } failing_t;

// Makes call |k| fail. Returns whether all went well.
static bool fail_once(failing_t what, unsigned k) {
  device_t device = {0};
  heap_t heap = {.fail_at = what == HEAP ? k : 0};
  gmem_allocator_t allocator = {&heap, heap_alloc, heap_free};
  gmem_provider_t provider = provider_of(&device);
  gmem_model_t *model = model_of(&provider, 1, DEVICE_PAGE);
  gmem_manager_t *manager = NULL;
  gmem_pool_t *pool = NULL;
  gmem_lease_t *lease[2] = {NULL, NULL};
  atomic_store(&device.fail_at, what == DEVICE ? k : 0);
  locks_until_failure = what == LOCKS ? (int)k : 0;
  gmem_status_t status =
      do_all(&manager, &pool, lease, model, &allocator, &provider);
  locks_until_failure = 0;
  // The second lease waits, though not for long, where the first has memory.
  CHECK(status == GMEM_OK || status == GMEM_ERR_OUT_OF_MEMORY ||
        (status == GMEM_ERR_TIMEOUT && lease[0]));
  if (manager) { // nothing is lost: the same works now
    gmem_manager_stats_t stats;
    gmem_manager_stats(manager, &stats);
    CHECK(stats.pools == (pool != NULL) && stats.waiting == 0);
    CHECK(stats.bytes == atomic_load(&device.live_bytes));
  }
  if (pool && !lease[1])
    OK(lease_of(pool, 0, &lease[1]));
  for (int i = 0; i < 2; ++i)
    gmem_lease_release(lease[i]);
  gmem_pool_release(pool);
  gmem_manager_release(manager);
  gmem_model_release(model);
  CHECK(heap.live_blocks == 0 && atomic_load(&device.live_ranges) == 0);
  return status == GMEM_OK;
}

static void test_every_failure(void) {
  for (failing_t what = HEAP; what <= DEVICE; ++what) {
    unsigned k = 1;
    while (!fail_once(what, k))
      ++k;
    CHECK(k > 2);
  }
}

// A request that finds a free slot allocates nothing.
static void test_no_allocation(void) {
  device_t device = {0};
  heap_t heap = {0};
  gmem_allocator_t allocator = {&heap, heap_alloc, heap_free};
  gmem_provider_t provider = provider_of(&device);
  gmem_model_t *model = model_of(&provider, 1, DEVICE_PAGE);
  gmem_manager_t *manager = NULL;
  gmem_pool_t *pool = NULL;
  gmem_lease_t *lease[2] = {NULL, NULL};
  OK(do_all(&manager, &pool, lease, model, &allocator, &provider));
  gmem_lease_release(lease[0]);
  gmem_lease_release(lease[1]);
  size_t calls = heap.calls;
  unsigned ranges = atomic_load(&device.calls);
  for (int i = 0; i < 1000; ++i)
    use(pool);
  CHECK(heap.calls == calls && atomic_load(&device.calls) == ranges);
  gmem_pool_release(pool);
  gmem_manager_release(manager);
  gmem_model_release(model);
}

// Slots are synchronised by the manager's provider.
static unsigned syncs;

static gmem_status_t count_sync(void *user, const gmem_range_t *range,
                                uint64_t offset, uint64_t size,
                                bool to_device) {
  (void)user, (void)offset, (void)to_device;
  CHECK(size == DEVICE_PAGE && range->size == DEVICE_PAGE);
  ++syncs;
  return GMEM_OK;
}

static void test_sync(void) {
  device_t device = {0};
  gmem_provider_t provider = provider_of(&device);
  provider.sync = count_sync;
  gmem_model_t *model = model_of(&provider, 1, DEVICE_PAGE);
  gmem_manager_t *manager = NULL;
  gmem_pool_t *pool = NULL;
  gmem_lease_t *lease[2] = {NULL, NULL};
  OK(do_all(&manager, &pool, lease, model, NULL, &provider));
  syncs = 0;
  OK(gmem_lease_sync(lease[0], 0, true));
  CHECK(syncs == 1);
  gmem_lease_release(lease[0]);
  gmem_lease_release(lease[1]);
  gmem_pool_release(pool);
  gmem_manager_release(manager);
  gmem_model_release(model);
}

//===--- what happens while the provider is called
//-------------------------===//

// A provider in whose calls something else happens once, as by other threads.
typedef struct meddler_s {
  gmem_provider_t base;
  gmem_manager_t *manager; // is trimmed; or NULL
  gmem_lease_t *lease;     // is released; or NULL
  waiter_t *waiter;        // begins to wait for |waited|; or NULL
  gmem_manager_t *waited;
  gmem_status_t status; // of the acquire that follows
} meddler_t;

static void meddle(meddler_t *it) {
  gmem_manager_t *manager = it->manager;
  gmem_lease_t *lease = it->lease;
  waiter_t *waiter = it->waiter;
  it->manager = NULL;
  it->lease = NULL;
  it->waiter = NULL;
  if (waiter) {
    start(waiter);
    until_managed(&(family_t){.manager = it->waited}, 1);
  }
  if (manager)
    gmem_manager_trim(manager, 0);
  if (lease)
    gmem_lease_release(lease);
}

static gmem_status_t meddling_acquire(void *user, uint64_t size, uint64_t align,
                                      uint64_t fixed_device, uint32_t flags,
                                      gmem_range_t *out_range,
                                      gmem_diag_t *to) {
  meddler_t *it = user;
  gmem_status_t status = it->status;
  meddle(it);
  it->status = GMEM_OK;
  if (status == GMEM_OK)
    return it->base.acquire(it->base.user, size, align, fixed_device, flags,
                            out_range, to);
  *out_range = (gmem_range_t){.size = 0};
  return status;
}

static void meddling_release(void *user, const gmem_range_t *range) {
  meddler_t *it = user;
  meddle(it);
  it->base.release(it->base.user, range);
}

static gmem_provider_t meddling_provider(meddler_t *it) {
  gmem_provider_t provider = it->base;
  provider.user = it;
  provider.acquire = meddling_acquire;
  provider.release = meddling_release;
  return provider;
}

// The manager is trimmed while a pool is made and while one is freed: neither
// has slots to unmap then, and the slot of the other pool is in use.
static void test_unfinished_pools(void) {
  device_t device = {0};
  meddler_t it = {.base = provider_of(&device)};
  gmem_provider_t provider = meddling_provider(&it);
  gmem_pool_options_t options = {.struct_size = sizeof options,
                                 .initial_slots = 1};
  gmem_model_t *model = model_of(&it.base, 1, DEVICE_PAGE);
  gmem_manager_t *manager = NULL;
  gmem_pool_t *used = NULL, *pool = NULL;
  gmem_lease_t *lease = NULL;
  OK(gmem_manager_create(&provider, 0, NULL, &manager, &diag));
  OK(gmem_manager_pool(manager, model, &options, &used, &diag));
  OK(lease_of(used, 0, &lease));
  it.manager = manager;
  OK(gmem_manager_pool(manager, model, &options, &pool, &diag));
  CHECK(!it.manager && stats_of(pool).slots == 1);
  it.manager = manager;
  gmem_pool_release(pool);
  CHECK(!it.manager && stats_of(used).slots == 1);
  gmem_lease_release(lease);
  gmem_pool_release(used);
  gmem_manager_release(manager);
  gmem_model_release(model);
}

// A slot becomes free while another one is mapped, which fails: the request
// has the free one.
static void test_slot_freed_in_vain_growth(void) {
  device_t device = {0};
  meddler_t it = {.base = provider_of(&device)};
  gmem_provider_t provider = meddling_provider(&it);
  gmem_pool_options_t options = {.struct_size = sizeof options, .max_slots = 2};
  gmem_model_t *model = model_of(&it.base, 1, DEVICE_PAGE);
  gmem_manager_t *manager = NULL;
  gmem_pool_t *pool = NULL;
  gmem_lease_t *lease = NULL;
  OK(gmem_manager_create(&provider, 0, NULL, &manager, &diag));
  OK(gmem_manager_pool(manager, model, &options, &pool, &diag));
  OK(lease_of(pool, 0, &lease));
  it.lease = lease;
  it.status = GMEM_ERR_IO;
  OK(lease_of(pool, 0, &lease));
  CHECK(stats_of(pool).slots == 1);
  it.status = GMEM_ERR_IO; // nothing becomes free
  gmem_lease_t *other = NULL;
  CHECK(lease_of(pool, 0, &other) == GMEM_ERR_IO && !other);
  gmem_lease_release(lease);
  gmem_pool_release(pool);
  gmem_manager_release(manager);
  gmem_model_release(model);
}

// A request comes while the only slot of its pool is unmapped: it is served
// when that is done.
static void test_waits_for_unmapping(void) {
  device_t device = {0};
  meddler_t it = {.base = provider_of(&device)};
  gmem_provider_t provider = meddling_provider(&it);
  gmem_pool_options_t options = {
      .struct_size = sizeof options, .initial_slots = 1, .max_slots = 1};
  gmem_model_t *model = model_of(&it.base, 1, DEVICE_PAGE);
  gmem_pool_t *pool = NULL;
  OK(gmem_manager_create(&provider, 0, NULL, &it.waited, &diag));
  OK(gmem_manager_pool(it.waited, model, &options, &pool, &diag));
  waiter_t waiter = {.pool = pool, .timeout_ns = INT64_C(20000000000)};
  it.waiter = &waiter;
  CHECK(gmem_pool_trim(pool, 0) == DEVICE_PAGE);
  OK(finish(&waiter));
  CHECK(!it.waiter && stats_of(pool).slots == 1);
  gmem_pool_release(pool);
  gmem_manager_release(it.waited);
  gmem_model_release(model);
}

int main(void) {
  test_two_plans_in_one_range();
  test_without_a_manager();
  test_least_recently_used();
  test_slots_without_bytes();
  test_several_slots_go();
  test_two_regions();
  test_limits();
  test_hopeless();
  test_reservations();
  test_trim();
  test_waits_for_another_pool();
  test_order();
  test_full_pools_block_no_other();
  test_timeout_and_interrupt();
  test_release_under_a_waiter();
  test_freed_pools_make_room();
  test_refusals();
  test_every_failure();
  test_no_allocation();
  test_sync();
  test_unfinished_pools();
  test_slot_freed_in_vain_growth();
  test_waits_for_unmapping();
  return CHECK_RESULT();
}
