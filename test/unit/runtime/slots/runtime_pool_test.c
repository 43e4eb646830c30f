// runtime_pool_test.c - what each call of a pool does and when it fails, on one
// thread: growth, trim, reservations, budgets, failures at every point.
// RUN: %unit/runtime_pool_test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <pthread.h>

#include "failing_heap.h"
#include "pool_tools.h"

static bool is_try(gmem_pool_t *pool, gmem_reservation_t *from,
                   gmem_status_t expected) {
  gmem_lease_t *lease = (gmem_lease_t *)pool;
  gmem_status_t status = acquire_from(pool, from, 0, &lease);
  return status == expected && lease == NULL;
}

// The linker puts these in front of the real ones: the test makes them fail.
static bool no_mutexes, no_conditions, no_attributes;
int __real_pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
int __wrap_pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
int __real_pthread_cond_init(pthread_cond_t *, const pthread_condattr_t *);
int __wrap_pthread_cond_init(pthread_cond_t *, const pthread_condattr_t *);
int __real_pthread_condattr_init(pthread_condattr_t *);
int __wrap_pthread_condattr_init(pthread_condattr_t *);

int __wrap_pthread_mutex_init(pthread_mutex_t *mutex,
                              const pthread_mutexattr_t *attributes) {
  return no_mutexes ? 12 : __real_pthread_mutex_init(mutex, attributes);
}

int __wrap_pthread_cond_init(pthread_cond_t *condition,
                             const pthread_condattr_t *attributes) {
  return no_conditions ? 12 : __real_pthread_cond_init(condition, attributes);
}

int __wrap_pthread_condattr_init(pthread_condattr_t *attributes) {
  return no_attributes ? 12 : __real_pthread_condattr_init(attributes);
}

//===--- creation ---------------------------------------------------------===//

static void test_options(void) {
  setup_t it = {0};
  CHECK(gmem_pool_create(NULL, NULL, NULL, NULL, NULL, NULL) ==
        GMEM_ERR_INVALID_ARGUMENT);
  it.pool = (gmem_pool_t *)&it;
  CHECK(try_pool(&it, 2, 1, 0, NULL) == GMEM_ERR_OUT_OF_RANGE && !it.pool);
  CHECK(try_pool(&it, 0, GMEM_POOL_MAX_SLOTS + 1, 0, NULL) ==
        GMEM_ERR_OUT_OF_RANGE);
  CHECK(try_pool(&it, 2, 0, 2 * SLOT_BYTES - 1, NULL) == GMEM_ERR_OVER_BUDGET);
  CHECK(!it.pool && atomic_load(&it.device.calls) == it.calls);
  CHECK(try_pool(&it, 2, 0, 2 * SLOT_BYTES, NULL) == GMEM_OK);
  gmem_pool_stats_t stats = stats_of(it.pool);
  CHECK(stats.slots == 2 && stats.free == 2 && stats.grows == 0);
  CHECK(stats.bytes_committed == 2 * SLOT_BYTES && stats.bytes_peak == 0);
  gmem_diag_t diag;
  char expected[sizeof diag.text];
  CHECK(gmem_pool_populate(it.pool, 1, &diag) == GMEM_ERR_OVER_BUDGET);
  snprintf(expected, sizeof expected,
           "1 slots of %d bytes more: 2 of 2 slots and %d bytes of a budget of "
           "%d are in use",
           (int)SLOT_BYTES, 2 * (int)SLOT_BYTES, 2 * (int)SLOT_BYTES);
  CHECK(strcmp(diag.text, expected) == 0);
  free_pool(&it);
}

// A pool that has no slot, and can have none, says so and does not wait.
static void test_no_slot_can_ever_come(void) {
  setup_t it;
  gmem_lease_t *lease = NULL;
  for (int i = 0; i < 2; ++i) {
    make_pool(&it, 0, i ? 5 : 0, i ? SLOT_BYTES - 1 : 0);
    CHECK(is_try(it.pool, NULL, GMEM_ERR_STATE));
    CHECK(acquire_from(it.pool, NULL, GMEM_WAIT_FOREVER, &lease) ==
          GMEM_ERR_STATE);
    CHECK(gmem_pool_populate(it.pool, 1, NULL) == GMEM_ERR_OVER_BUDGET);
    free_pool(&it);
  }
}

static void test_bad_arguments(void) {
  setup_t it, other;
  gmem_reservation_t *reservation = (gmem_reservation_t *)&it;
  gmem_lease_t *lease = NULL;
  make_pool(&it, 1, 2, 0);
  make_pool(&other, 1, 0, 0);
  CHECK(gmem_pool_populate(NULL, 1, NULL) == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_pool_populate(it.pool, 0, NULL) == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_pool_reserve(NULL, 1, &reservation, NULL) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(!reservation);
  CHECK(gmem_pool_reserve(it.pool, 0, &reservation, NULL) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_pool_reserve(it.pool, 1, NULL, NULL) == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_pool_reserve(other.pool, 1, &reservation, NULL) == GMEM_OK);
  CHECK(is_try(it.pool, reservation, GMEM_ERR_INVALID_ARGUMENT));
  CHECK(gmem_lease_acquire(it.pool, 0, NULL, 0, &lease) ==
        GMEM_ERR_OUT_OF_RANGE);
  CHECK(gmem_lease_acquire(it.pool, GMEM_NONE, NULL, 0, NULL) ==
        GMEM_ERR_INVALID_ARGUMENT);
  gmem_pool_unreserve(reservation);
  gmem_pool_unreserve(NULL);
  gmem_pool_release(NULL);
  free_pool(&other);
  free_pool(&it);
}

//===--- growing ----------------------------------------------------------===//

static void test_populate(void) {
  setup_t it;
  make_pool(&it, 0, 5, 0);
  CHECK(gmem_pool_populate(it.pool, 2, NULL) == GMEM_OK);
  gmem_lease_t *lease = acquire(it.pool, NULL);
  CHECK(gmem_pool_populate(it.pool, 3, NULL) == GMEM_OK); // during a request
  gmem_pool_stats_t stats = stats_of(it.pool);
  CHECK(stats.slots == 5 && stats.free == 4 && stats.grows == 5);
  CHECK(gmem_pool_populate(it.pool, 1, NULL) == GMEM_ERR_OVER_BUDGET);
  CHECK(same_counters(stats, stats_of(it.pool)));
  gmem_lease_release(lease);
  free_pool(&it);
}

static void test_acquire_grows(void) {
  setup_t it;
  gmem_lease_t *leases[3];
  make_pool(&it, 0, 3, 0);
  for (int i = 0; i < 3; ++i)
    leases[i] = acquire(it.pool, NULL); // even when it may not wait
  CHECK(is_try(it.pool, NULL, GMEM_ERR_TIMEOUT));
  gmem_pool_stats_t stats = stats_of(it.pool);
  CHECK(stats.slots == 3 && stats.grows == 3 && stats.waits == 3);
  for (int i = 0; i < 3; ++i)
    gmem_lease_release(leases[i]);
  for (int i = 0; i < 9; ++i)
    gmem_lease_release(acquire(it.pool, NULL));
  CHECK(stats_of(it.pool).grows == 3); // what there is is used first
  free_pool(&it);
}

// The budget is in bytes mapped, and what is over it is no failure of acquire.
static void test_byte_budget(void) {
  setup_t it;
  make_pool(&it, 0, 9, 2 * SLOT_BYTES + SLOT_BYTES / 2);
  gmem_lease_t *a = acquire(it.pool, NULL), *b = acquire(it.pool, NULL);
  CHECK(is_try(it.pool, NULL, GMEM_ERR_TIMEOUT));
  CHECK(gmem_pool_populate(it.pool, 1, NULL) == GMEM_ERR_OVER_BUDGET);
  CHECK(stats_of(it.pool).bytes_committed == 2 * SLOT_BYTES);
  CHECK(stats_of(it.pool).failures == 0);
  gmem_lease_release(a);
  gmem_lease_release(b);
  free_pool(&it);
}

// A provider that gives more than it was asked for: that is what counts.
static void test_larger_slots_than_planned(void) {
  setup_t it = {.device.extra = SLOT_BYTES};
  CHECK(try_pool(&it, 0, 9, 3 * SLOT_BYTES, NULL) == GMEM_OK);
  gmem_lease_t *lease = acquire(it.pool, NULL);
  CHECK(stats_of(it.pool).bytes_committed == 2 * SLOT_BYTES);
  CHECK(is_try(it.pool, NULL, GMEM_ERR_TIMEOUT));
  CHECK(gmem_pool_populate(it.pool, 1, NULL) == GMEM_ERR_OVER_BUDGET);
  gmem_lease_release(lease);
  free_pool(&it);
  it = (setup_t){.device.extra = SLOT_BYTES};
  CHECK(try_pool(&it, 0, 9, SLOT_BYTES, NULL) == GMEM_OK);
  CHECK(gmem_pool_populate(it.pool, 1, NULL) == GMEM_ERR_OVER_BUDGET);
  CHECK(stats_of(it.pool).failures == 1);
  CHECK(is_try(it.pool, NULL, GMEM_ERR_STATE)); // now it is known
  free_pool(&it);
  it = (setup_t){.device.extra = SLOT_BYTES};
  CHECK(try_pool(&it, 1, 9, SLOT_BYTES, NULL) == GMEM_ERR_OVER_BUDGET);
  CHECK(try_pool(&it, 0, 9, SLOT_BYTES, NULL) == GMEM_OK);
  CHECK(is_try(it.pool, NULL, GMEM_ERR_STATE)); // found out by growing
  free_pool(&it);
}

//===--- trim -------------------------------------------------------------===//

// What a provider says it gave; it has nothing.
static gmem_status_t give_nonsense(void *user, uint64_t size, uint64_t align,
                                   uint64_t fixed_device, uint32_t flags,
                                   gmem_range_t *out_range, gmem_diag_t *diag) {
  (void)size, (void)align, (void)fixed_device, (void)flags, (void)diag;
  *out_range = *(const gmem_range_t *)user;
  ++((gmem_range_t *)user)->token; // of live ranges
  return GMEM_OK;
}

static void take_nonsense(void *user, const gmem_range_t *range) {
  (void)range;
  --((gmem_range_t *)user)->token;
}

// Ranges that go beyond the last address were taken, and those of a slot summed
// up to less than each of them.
static void test_ranges_that_cannot_be(void) {
  setup_t it = {0};
  it.model = sample_model(&it.device, NULL);
  void *last = (void *)(UINTPTR_MAX & ~(uintptr_t)4095);
  gmem_range_t ranges[] = {{NULL, 1 << 20, UINT64_MAX, 0},
                           {NULL, UINT64_MAX - 4095, 4097, 0},
                           {last, 1 << 20, 4097, 0},
                           {NULL, 1 << 20, 0, 0}};
  for (int i = 0; i < 4; ++i) {
    gmem_provider_t provider = {.user = &ranges[i],
                                .granularity = 1,
                                .acquire = give_nonsense,
                                .release = take_nonsense};
    gmem_pool_options_t options = {.struct_size = sizeof options,
                                   .initial_slots = 1};
    CHECK(gmem_pool_create(it.model, &provider, &options, NULL, &it.pool,
                           NULL) == GMEM_ERR_TOO_SMALL);
    CHECK(!it.pool && ranges[i].token == 0);
  }
  free_pool(&it);
}

static void test_trim_takes_the_oldest(void) {
  setup_t it;
  gmem_lease_t *leases[4];
  make_pool(&it, 4, 0, 0);
  for (int i = 0; i < 4; ++i)
    leases[i] = acquire(it.pool, NULL);
  CHECK(gmem_pool_trim(it.pool, 0) == 0); // all are leased
  for (int i = 0; i < 4; ++i)
    gmem_lease_release(leases[i]);
  CHECK(gmem_pool_trim(it.pool, UINT64_MAX) == 0);
  CHECK(gmem_pool_trim(it.pool, 3 * SLOT_BYTES - 1) == 2 * SLOT_BYTES);
  gmem_pool_stats_t stats = stats_of(it.pool);
  CHECK(stats.slots == 2 && stats.free == 2 && stats.trims == 2);
  CHECK(stats.bytes_committed == 2 * SLOT_BYTES);
  CHECK(atomic_load(&it.device.live_bytes) >= 2 * SLOT_BYTES);
  CHECK(acquire(it.pool, NULL) == leases[3]); // the last used ones are left
  CHECK(acquire(it.pool, NULL) == leases[2]);
  CHECK(gmem_pool_trim(it.pool, 0) == 0);
  gmem_lease_release(leases[2]);
  CHECK(gmem_pool_trim(it.pool, 0) == SLOT_BYTES);
  CHECK(leases[3] && host(leases[3], CONV)); // a leased slot survives
  CHECK(gmem_pool_populate(it.pool, 3, NULL) == GMEM_OK); // there is room again
  gmem_lease_release(leases[3]);
  CHECK(gmem_pool_trim(it.pool, 0) == 4 * SLOT_BYTES);
  CHECK(atomic_load(&it.device.live_ranges) == 1); // the weights
  gmem_lease_release(acquire(it.pool, NULL));      // it grows from nothing
  free_pool(&it);
}

//===--- reservations -----------------------------------------------------===//

static gmem_reservation_t *reserve(gmem_pool_t *pool, uint32_t slots) {
  gmem_reservation_t *reservation = NULL;
  CHECK(gmem_pool_reserve(pool, slots, &reservation, NULL) == GMEM_OK);
  return reservation;
}

// All of them, not one: nobody else can have any, and the owner all.
static void test_all_slots_are_reserved(void) {
  setup_t it;
  gmem_lease_t *leases[3];
  make_pool(&it, 3, 0, 0);
  gmem_reservation_t *reservation = reserve(it.pool, 3);
  CHECK(is_try(it.pool, NULL, GMEM_ERR_TIMEOUT));
  gmem_pool_stats_t stats = stats_of(it.pool);
  CHECK(stats.reserved == 3 && stats.free == 0 && stats.slots == 3);
  for (int i = 0; i < 3; ++i)
    leases[i] = acquire(it.pool, reservation);
  CHECK(is_try(it.pool, reservation, GMEM_ERR_TIMEOUT));
  CHECK(stats_of(it.pool).leased == 3 && stats_of(it.pool).reserved == 0);
  for (int i = 0; i < 3; ++i)
    gmem_lease_release(leases[i]);
  CHECK(is_try(it.pool, NULL, GMEM_ERR_TIMEOUT)); // they went home
  CHECK(gmem_pool_trim(it.pool, 0) == 0);         // and are never trimmed
  gmem_pool_unreserve(reservation);
  CHECK(stats_of(it.pool).free == 3);
  free_pool(&it);
}

static void test_reserve_takes_free_ones_first(void) {
  setup_t it;
  gmem_reservation_t *none = NULL;
  make_pool(&it, 2, 4, 0);
  gmem_lease_t *lease = acquire(it.pool, NULL);
  gmem_reservation_t *a = reserve(it.pool, 2); // one is free, one is new
  CHECK(stats_of(it.pool).slots == 3 && stats_of(it.pool).grows == 1);
  CHECK(gmem_pool_reserve(it.pool, 2, &none, NULL) == GMEM_ERR_OVER_BUDGET);
  CHECK(!none && stats_of(it.pool).reserved == 2);
  gmem_reservation_t *b = reserve(it.pool, 1);
  CHECK(stats_of(it.pool).slots == 4 && stats_of(it.pool).reserved == 3);
  gmem_lease_t *from_b = acquire(it.pool, b);
  CHECK(from_b != lease);
  gmem_lease_release(lease);
  CHECK(gmem_pool_reserve(it.pool, 5, &none, NULL) == GMEM_ERR_OVER_BUDGET);
  CHECK(stats_of(it.pool).free == 1);
  gmem_pool_unreserve(a);
  gmem_pool_unreserve(b);
  CHECK(stats_of(it.pool).free == 3 && stats_of(it.pool).leased == 1);
  gmem_lease_release(from_b);
  free_pool(&it);
}

// The failed second reservation of A leaves A's first one as it was.
static void test_failed_reserve_takes_nothing(void) {
  setup_t it;
  gmem_reservation_t *none = NULL;
  make_pool(&it, 3, 5, 0);
  gmem_lease_t *one = acquire(it.pool, NULL);
  gmem_lease_t *two = acquire(it.pool, NULL);
  gmem_lease_release(one);
  gmem_lease_release(two);
  gmem_reservation_t *a = reserve(it.pool, 1); // two is the warmest
  gmem_pool_stats_t before = stats_of(it.pool);
  atomic_store(&it.device.fail_at, atomic_load(&it.device.calls) + 2);
  CHECK(gmem_pool_reserve(it.pool, 4, &none, NULL) == GMEM_ERR_OUT_OF_MEMORY);
  CHECK(!none && same_counters(before, stats_of(it.pool)));
  CHECK(acquire(it.pool, a) == two && acquire(it.pool, NULL) == one);
  CHECK(is_try(it.pool, a, GMEM_ERR_TIMEOUT));
  gmem_lease_release(one);
  gmem_lease_release(two);
  gmem_pool_unreserve(a);
  free_pool(&it);
}

// STATE lives as long as the reservation; secrets end with each lease.
static void test_state_lives_in_a_reservation(void) {
  setup_t it;
  make_pool(&it, 1, 0, 0);
  gmem_reservation_t *reservation = reserve(it.pool, 1);
  for (int round = 0; round < 3; ++round) {
    gmem_lease_t *lease = acquire(it.pool, reservation);
    CHECK(all_are(host(lease, STATE), 64, (uint8_t)round));
    CHECK(all_are(host(lease, CONV), 256, 0));
    memset(host(lease, STATE), round + 1, 64);
    memset(host(lease, CONV), 's', 256);
    gmem_lease_release(lease);
  }
  gmem_pool_unreserve(reservation);
  gmem_lease_t *lease = acquire(it.pool, NULL);
  CHECK(all_are(host(lease, STATE), 64, 0));
  memset(host(lease, STATE), 'x', 64);
  gmem_lease_release(lease);
  lease = acquire(it.pool, NULL);
  CHECK(all_are(host(lease, STATE), 64, 0)); // nothing without a reservation
  gmem_lease_release(lease);
  free_pool(&it);
}

// A slot that is leased when its reservation ends goes to everyone, clean.
static void test_unreserve_under_a_lease(void) {
  setup_t it;
  make_pool(&it, 2, 0, 0);
  gmem_reservation_t *reservation = reserve(it.pool, 2);
  gmem_lease_t *one = acquire(it.pool, reservation);
  gmem_lease_t *two = acquire(it.pool, reservation);
  memset(host(one, STATE), 'x', 64);
  gmem_pool_unreserve(reservation);
  CHECK(stats_of(it.pool).leased == 2 && stats_of(it.pool).reserved == 0);
  CHECK(all_are(host(one, STATE), 64, 'x')); // the lease goes on
  gmem_lease_release(one);
  CHECK(acquire(it.pool, NULL) == one);
  CHECK(all_are(host(one, STATE), 64, 0));
  gmem_lease_release(two);
  gmem_lease_release(one);
  CHECK(stats_of(it.pool).free == 2);
  free_pool(&it);
}

// Making, using and ending a reservation again and again maps memory once, and
// the memory stays while nothing is reserved.
static void test_reserve_loop_maps_once(void) {
  setup_t it;
  make_pool(&it, 0, 3, 0);
  for (int round = 0; round < 100; ++round) {
    gmem_reservation_t *reservation = reserve(it.pool, 3);
    gmem_lease_t *lease = acquire(it.pool, reservation);
    memset(host(lease, CONV), round, 256);
    gmem_lease_release(lease);
    gmem_pool_unreserve(reservation);
    CHECK(atomic_load(&it.device.calls) == it.calls + 3);
    CHECK(atomic_load(&it.device.live_ranges) == 4); // slots and weights
    CHECK(stats_of(it.pool).bytes_committed == 3 * SLOT_BYTES);
  }
  CHECK(stats_of(it.pool).grows == 3 && stats_of(it.pool).trims == 0);
  free_pool(&it);
}

// The last of handles, reservations and leases frees the pool, in any order.
static void test_last_reference(void) {
  for (int order = 0; order < 6; ++order) {
    setup_t it;
    make_pool(&it, 2, 0, 0);
    gmem_reservation_t *reservation = reserve(it.pool, 1);
    gmem_lease_t *lease = acquire(it.pool, order % 2 ? reservation : NULL);
    gmem_model_release(it.model);
    for (int i = 0; i < 3; ++i)
      switch ((order + (order < 3 ? i : 3 - i)) % 3) {
      case 0:
        gmem_pool_release(it.pool);
        break;
      case 1:
        gmem_pool_unreserve(reservation);
        break;
      default:
        memset(host(lease, CONV), 1, 256);
        gmem_lease_release(lease);
      }
    CHECK(atomic_load(&it.device.live_ranges) == 0);
  }
}

//===--- failures ---------------------------------------------------------===//

typedef enum call_e { POPULATE, RESERVE, GROW, CALLS } call_t;

static gmem_status_t do_call(setup_t *it, call_t call, gmem_lease_t **lease,
                             gmem_reservation_t **reservation) {
  gmem_status_t status = GMEM_OK;
  if (call == POPULATE)
    return gmem_pool_populate(it->pool, 3, NULL);
  if (call == RESERVE) {
    status = gmem_pool_reserve(it->pool, 4, reservation, NULL);
    CHECK((status == GMEM_OK) == (*reservation != NULL));
    return status;
  }
  status = acquire_from(it->pool, NULL, GMEM_WAIT_FOREVER, lease);
  CHECK((status == GMEM_OK) == (*lease != NULL));
  return status;
}

// Fails the k-th allocation of host memory, or call of the provider, of |call|.
// Returns whether there was one.
static bool fail_once(call_t call, bool of_heap, unsigned k) {
  setup_t it = {0};
  heap_t heap = {0};
  gmem_allocator_t allocator = {&heap, heap_alloc, heap_free};
  gmem_lease_t *lease = NULL, *first = NULL;
  gmem_reservation_t *reservation = NULL;
  CHECK(try_pool(&it, 1, 4, 0, &allocator) == GMEM_OK);
  if (call == GROW)
    first = acquire(it.pool, NULL);
  gmem_pool_stats_t before = stats_of(it.pool);
  size_t blocks = heap.live_blocks;
  unsigned ranges = atomic_load(&it.device.live_ranges);
  if (of_heap)
    heap.fail_at = heap.calls + k;
  else
    atomic_store(&it.device.fail_at, atomic_load(&it.device.calls) + k);
  gmem_status_t status = do_call(&it, call, &lease, &reservation);
  bool failed = status != GMEM_OK;
  if (failed) {
    gmem_pool_stats_t after = stats_of(it.pool);
    CHECK(status == GMEM_ERR_OUT_OF_MEMORY);
    CHECK(same_counters(before, after) && after.cancels == 0);
    CHECK(heap.live_blocks == blocks);
    CHECK(atomic_load(&it.device.live_ranges) == ranges);
    CHECK(do_call(&it, call, &lease, &reservation) == GMEM_OK);
  }
  gmem_pool_unreserve(reservation);
  gmem_lease_release(lease);
  gmem_lease_release(first);
  free_pool(&it);
  CHECK(heap.live_blocks == 0 && heap.live_bytes == 0);
  return failed;
}

static void test_every_failure(void) {
  static const unsigned slots[CALLS] = {3, 3, 1}; // that the call adds
  for (int call = 0; call < CALLS; ++call)
    for (int of_heap = 0; of_heap < 2; ++of_heap) {
      unsigned k = 1;
      while (fail_once((call_t)call, of_heap != 0, k))
        ++k;
      // Each slot is one range of the provider, and some blocks of the host.
      CHECK(of_heap ? k > slots[call] : k == slots[call] + 1);
    }
}

// A system without mutexes or condition variables left is out of memory.
static void test_no_locks(void) {
  setup_t it = {0};
  gmem_lease_t *lease = NULL;
  it.model = sample_model(&it.device, NULL);
  no_mutexes = true;
  CHECK(try_pool(&it, 1, 0, 0, NULL) == GMEM_ERR_OUT_OF_MEMORY && !it.pool);
  no_mutexes = false;
  CHECK(try_pool(&it, 0, 1, 0, NULL) == GMEM_OK);
  gmem_pool_stats_t before = stats_of(it.pool);
  for (int i = 0; i < 2; ++i) {
    *(i ? &no_conditions : &no_attributes) = true;
    CHECK(acquire_from(it.pool, NULL, GMEM_WAIT_FOREVER, &lease) ==
          GMEM_ERR_OUT_OF_MEMORY);
    gmem_pool_stats_t after = stats_of(it.pool);
    CHECK(!lease && same_counters(before, after) && after.failures == 0);
    no_conditions = no_attributes = false;
  }
  gmem_lease_release(acquire(it.pool, NULL));
  free_pool(&it);
}

// Nothing of host memory or the provider's on the way of a request.
static void test_leasing_allocates_nothing(void) {
  setup_t it = {0};
  heap_t heap = {0};
  gmem_allocator_t allocator = {&heap, heap_alloc, heap_free};
  CHECK(try_pool(&it, 2, 0, 0, &allocator) == GMEM_OK);
  gmem_reservation_t *reservation = reserve(it.pool, 1);
  size_t calls = heap.calls;
  unsigned device_calls = atomic_load(&it.device.calls);
  for (int i = 0; i < 1000; ++i) {
    gmem_lease_t *lease = acquire(it.pool, i % 2 ? reservation : NULL);
    gmem_lease_retain(lease);
    CHECK(host(lease, CONV) != NULL);
    gmem_lease_release(lease);
    gmem_lease_release(lease);
  }
  CHECK(heap.calls == calls && atomic_load(&it.device.calls) == device_calls);
  gmem_pool_unreserve(reservation);
  free_pool(&it);
}

//===--- random operations against a reference ----------------------------===//

// The pool as one would write it down: sets of slots as arrays, newest last.
enum { REF_SLOTS = 6, REF_SETS = 3 };
typedef struct reference_s {
  gmem_lease_t *slots[REF_SETS][REF_SLOTS]; // free ones; set 0 is everyone's
  uint32_t free[REF_SETS];
  bool exists[REF_SETS];
  gmem_reservation_t *reservations[REF_SETS];
  gmem_lease_t *leased[REF_SLOTS];
  int home[REF_SLOTS];
  uint32_t leased_count, total;
  uint64_t acquires, timeouts, grows, trims, failures, waits, peak;
} reference_t;

static void ref_compare(const reference_t *ref, gmem_pool_t *pool) {
  gmem_pool_stats_t s = stats_of(pool);
  uint32_t reserved = ref->free[1] + ref->free[2];
  CHECK(s.slots == ref->total && s.free == ref->free[0]);
  CHECK(s.reserved == reserved && s.leased == ref->leased_count);
  CHECK(s.slots == s.free + s.reserved + s.leased && s.waiting == 0);
  CHECK(s.bytes_committed == (uint64_t)SLOT_BYTES * ref->total);
  CHECK(s.bytes_leased == (uint64_t)SLOT_BYTES * ref->leased_count);
  CHECK(s.bytes_peak == ref->peak && s.acquires == ref->acquires);
  CHECK(s.timeouts == ref->timeouts && s.cancels == 0 && s.waits == ref->waits);
  CHECK(s.grows == ref->grows && s.trims == ref->trims);
  CHECK(s.failures == ref->failures);
}

static void ref_lease(reference_t *ref, gmem_lease_t *lease, int home) {
  ref->leased[ref->leased_count] = lease;
  ref->home[ref->leased_count++] = home;
  ++ref->acquires;
  if (ref->peak < (uint64_t)SLOT_BYTES * ref->leased_count)
    ref->peak = (uint64_t)SLOT_BYTES * ref->leased_count;
}

static void ref_acquire(reference_t *ref, setup_t *it, int set, bool fail) {
  gmem_lease_t *lease = NULL;
  uint32_t *count = &ref->free[set];
  bool grows = *count == 0 && set == 0 && ref->total < REF_SLOTS;
  gmem_status_t expected = GMEM_OK;
  if (grows) {
    ++ref->waits;
    expected = fail ? GMEM_ERR_OUT_OF_MEMORY : GMEM_OK;
    ++*(fail ? &ref->failures : &ref->grows);
    ref->total += !fail;
  } else if (*count == 0) {
    expected = GMEM_ERR_TIMEOUT;
    ++ref->timeouts;
  }
  CHECK(acquire_from(it->pool, ref->reservations[set], 0, &lease) == expected);
  if (!lease)
    return;
  if (!grows)
    CHECK(lease == ref->slots[set][--*count]); // the one used last
  ref_lease(ref, lease, set);
}

static void ref_release(reference_t *ref, uint32_t index) {
  gmem_lease_t *lease = ref->leased[index];
  int home = ref->home[index];
  gmem_lease_release(lease);
  ref->leased[index] = ref->leased[--ref->leased_count];
  ref->home[index] = ref->home[ref->leased_count];
  ref->slots[home][ref->free[home]++] = lease;
}

// Slots that are new are only known by number; they come up with leases.
static void ref_learn(reference_t *ref, setup_t *it, int set) {
  uint32_t count = ref->free[set];
  gmem_lease_t *leases[REF_SLOTS];
  for (uint32_t i = 0; i < count; ++i) {
    leases[i] = acquire(it->pool, ref->reservations[set]);
    ++ref->acquires;
  }
  uint64_t bytes = (uint64_t)SLOT_BYTES * (ref->leased_count + count);
  if (ref->peak < bytes)
    ref->peak = bytes;
  for (uint32_t i = count; i-- > 0;) {
    gmem_lease_release(leases[i]);
    ref->slots[set][count - 1 - i] = leases[i];
  }
}

static void ref_populate(reference_t *ref, setup_t *it, uint32_t slots,
                         bool fail) {
  bool fits = ref->total + slots <= REF_SLOTS;
  gmem_status_t status = gmem_pool_populate(it->pool, slots, NULL);
  CHECK(status == (!fits  ? GMEM_ERR_OVER_BUDGET
                   : fail ? GMEM_ERR_OUT_OF_MEMORY
                          : GMEM_OK));
  if (fits && fail)
    ref->failures += slots;
  if (status != GMEM_OK)
    return;
  ref->total += slots;
  ref->grows += slots;
  ref->free[0] += slots;
  ref_learn(ref, it, 0);
}

static void ref_reserve(reference_t *ref, setup_t *it, int set, uint32_t slots,
                        bool fail) {
  uint32_t taken = ref->free[0] < slots ? ref->free[0] : slots;
  uint32_t missing = slots - taken;
  bool fits = ref->total + missing <= REF_SLOTS;
  gmem_status_t status =
      gmem_pool_reserve(it->pool, slots, &ref->reservations[set], NULL);
  CHECK(status == (!fits             ? GMEM_ERR_OVER_BUDGET
                   : fail && missing ? GMEM_ERR_OUT_OF_MEMORY
                                     : GMEM_OK));
  if (fits && fail)
    ref->failures += missing;
  if (status != GMEM_OK)
    return;
  ref->exists[set] = true;
  ref->free[0] -= taken;
  ref->free[set] = slots;
  ref->total += missing;
  ref->grows += missing;
  ref_learn(ref, it, set);
}

static void ref_unreserve(reference_t *ref, int set) {
  if (!ref->exists[set])
    return;
  gmem_pool_unreserve(ref->reservations[set]);
  ref->reservations[set] = NULL;
  ref->exists[set] = false;
  for (uint32_t i = 0; i < ref->free[set]; ++i)
    ref->slots[0][ref->free[0]++] = ref->slots[set][i];
  ref->free[set] = 0;
  for (uint32_t i = 0; i < ref->leased_count; ++i)
    if (ref->home[i] == set)
      ref->home[i] = 0;
}

static void ref_trim(reference_t *ref, setup_t *it, uint32_t keep) {
  uint32_t gone = ref->total > keep ? ref->total - keep : 0;
  gone = gone < ref->free[0] ? gone : ref->free[0];
  CHECK(gmem_pool_trim(it->pool, (uint64_t)SLOT_BYTES * keep) ==
        (uint64_t)SLOT_BYTES * gone);
  ref->free[0] -= gone;
  memmove(ref->slots[0], ref->slots[0] + gone,
          ref->free[0] * sizeof *ref->slots[0]);
  ref->total -= gone;
  ref->trims += gone;
}

static void random_operation(reference_t *ref, setup_t *it) {
  int set = 1 + rand() % (REF_SETS - 1);
  bool fail = rand() % 4 == 0;
  uint32_t slots = 1 + (uint32_t)rand() % 4;
  atomic_store(&it->device.down, fail);
  switch (rand() % 10) {
  case 0:
    ref_populate(ref, it, slots, fail);
    break;
  case 1:
    if (!ref->exists[set])
      ref_reserve(ref, it, set, slots, fail);
    break;
  case 2:
    ref_unreserve(ref, set);
    break;
  case 3:
    ref_trim(ref, it, (uint32_t)rand() % REF_SLOTS);
    break;
  case 4:
  case 5:
    if (ref->exists[set])
      ref_acquire(ref, it, set, fail);
    break;
  case 6:
  case 7:
    ref_acquire(ref, it, 0, fail);
    break;
  default:
    if (ref->leased_count > 0)
      ref_release(ref, (uint32_t)rand() % ref->leased_count);
  }
  ref_compare(ref, it->pool);
}

static void test_random_operations(void) {
  setup_t it;
  reference_t ref = {0};
  make_pool(&it, 0, REF_SLOTS, 0);
  srand(7);
  for (int i = 0; i < 50000 && !check_failures; ++i)
    random_operation(&ref, &it);
  printf("%llu leases, %llu slots added\n", (unsigned long long)ref.acquires,
         (unsigned long long)ref.grows);
  CHECK(ref.timeouts > 100 && ref.trims > 100 && ref.failures > 100);
  for (int set = 1; set < REF_SETS; ++set)
    ref_unreserve(&ref, set);
  while (ref.leased_count > 0)
    ref_release(&ref, 0);
  ref_compare(&ref, it.pool);
  free_pool(&it);
}

int main(void) {
  test_options();
  test_no_slot_can_ever_come();
  test_bad_arguments();
  test_populate();
  test_acquire_grows();
  test_byte_budget();
  test_larger_slots_than_planned();
  test_ranges_that_cannot_be();
  test_trim_takes_the_oldest();
  test_all_slots_are_reserved();
  test_reserve_takes_free_ones_first();
  test_failed_reserve_takes_nothing();
  test_state_lives_in_a_reservation();
  test_unreserve_under_a_lease();
  test_reserve_loop_maps_once();
  test_last_reference();
  test_every_failure();
  test_no_locks();
  test_leasing_allocates_nothing();
  test_random_operations();
  return CHECK_RESULT();
}
