// runtime_concurrency_test.c - pools under threads that really wait, with
// random yields at each lock of the pool. An argument multiplies the rounds.
// REQUIRES: long_tests
// RUN: %unit/runtime_concurrency_test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "pool_tools.h"

static int effort = 3;

//===--- random schedules -------------------------------------------------===//

static uint32_t next_random(uint32_t *state) {
  *state = *state * 1664525 + 1013904223;
  return *state >> 8;
}

// Called by the pool around each of its critical sections, and before it wakes
// a thread: at times that takes longer than a short time-out.
void gmem_test_yield(void);
void gmem_test_yield(void) {
  static atomic_uint threads;
  static _Thread_local uint32_t state;
  if (state == 0)
    state = 0x9E3779B9 * (atomic_fetch_add(&threads, 1) + 1) | 1;
  struct timespec pause = {0, 30000};
  uint32_t random = next_random(&state) % 256;
  if (random == 0)
    nanosleep(&pause, NULL);
  else if (random < 32)
    sched_yield();
}

//===--- threads ----------------------------------------------------------===//

typedef struct worker_s {
  setup_t *it;
  gmem_reservation_t *from;
  int64_t timeout_ns;
  gmem_status_t status;
  gmem_lease_t *lease;
  int rounds;
  uint32_t seed;
  uint64_t outcomes[GMEM_ERR_PARSE + 1]; // by status
  unsigned foreign_bytes;
  pthread_t thread;
} worker_t;

static void start(worker_t *worker, void *(*body)(void *)) {
  CHECK(pthread_create(&worker->thread, NULL, body, worker) == 0);
}

static void join(worker_t *worker) { pthread_join(worker->thread, NULL); }

static void *acquire_once(void *context) {
  worker_t *worker = context;
  worker->status = acquire_from(worker->it->pool, worker->from,
                                worker->timeout_ns, &worker->lease);
  return NULL;
}

// Starts a thread that acquires, and returns when it is in the queue.
static void start_waiter(worker_t *worker, setup_t *it,
                         gmem_reservation_t *from, int64_t timeout_ns) {
  uint32_t waiting = stats_of(it->pool).waiting;
  *worker = (worker_t){.it = it,
                       .from = from,
                       .timeout_ns = timeout_ns,
                       .status = GMEM_ERR_PARSE};
  start(worker, acquire_once);
  until_waiting(it->pool, waiting + 1);
}

static bool has_ended(worker_t *worker, gmem_status_t expected) {
  join(worker);
  return worker->status == expected &&
         (worker->lease != NULL) == (expected == GMEM_OK);
}

static bool is_busy(gmem_pool_t *pool) {
  gmem_lease_t *lease = NULL;
  return acquire_from(pool, NULL, 0, &lease) == GMEM_ERR_TIMEOUT;
}

//===--- mutual exclusion -------------------------------------------------===//

static void stamp(worker_t *worker, gmem_lease_t *lease) {
  volatile uint8_t *bytes = host(lease, CONV);
  for (int i = 0; i < 256; i += 16)
    bytes[i] = (uint8_t)worker->seed;
  gmem_test_yield();
  for (int i = 0; i < 256; i += 16)
    worker->foreign_bytes += bytes[i] != (uint8_t)worker->seed;
}

static void *lease_and_stamp(void *context) {
  worker_t *worker = context;
  uint32_t state = worker->seed;
  static const int64_t timeouts[] = {0, 1, 20000, GMEM_WAIT_FOREVER,
                                     GMEM_WAIT_FOREVER};
  for (int i = 0; i < worker->rounds; ++i) {
    gmem_lease_t *lease = NULL;
    gmem_status_t status =
        acquire_from(worker->it->pool, worker->from,
                     timeouts[next_random(&state) % 5], &lease);
    ++worker->outcomes[status];
    if (!lease)
      continue;
    stamp(worker, lease);
    gmem_lease_release(lease);
  }
  return NULL;
}

enum { LEASERS = 6 };

static void start_leasers(worker_t *workers, setup_t *it, int rounds) {
  for (uint32_t i = 0; i < LEASERS; ++i) {
    workers[i] = (worker_t){.it = it, .rounds = rounds, .seed = i + 1};
    start(&workers[i], lease_and_stamp);
  }
}

// Joins all and adds up what happened to them.
static worker_t join_leasers(worker_t *workers) {
  worker_t sum = {0};
  for (int i = 0; i < LEASERS; ++i) {
    join(&workers[i]);
    sum.foreign_bytes += workers[i].foreign_bytes;
    for (int s = 0; s <= GMEM_ERR_PARSE; ++s)
      sum.outcomes[s] += workers[i].outcomes[s];
  }
  return sum;
}

// What the counters of a pool must be when all threads are gone.
static void check_quiet(gmem_pool_t *pool, const worker_t *sum) {
  gmem_pool_stats_t stats = stats_of(pool);
  CHECK(sum->foreign_bytes == 0);
  CHECK(stats.leased == 0 && stats.waiting == 0 && stats.reserved == 0);
  CHECK(stats.free == stats.slots && stats.bytes_leased == 0);
  CHECK(stats.acquires == sum->outcomes[GMEM_OK]);
  CHECK(stats.timeouts == sum->outcomes[GMEM_ERR_TIMEOUT]);
  CHECK(stats.cancels == sum->outcomes[GMEM_ERR_CANCELLED]);
}

static void test_threads_never_share_a_slot(void) {
  setup_t it;
  worker_t workers[LEASERS];
  make_pool(&it, 0, 3, 0);
  start_leasers(workers, &it, 1500 * effort);
  worker_t sum = join_leasers(workers);
  check_quiet(it.pool, &sum);
  CHECK(stats_of(it.pool).slots == 3 && stats_of(it.pool).grows == 3);
  CHECK(sum.outcomes[GMEM_OK] + sum.outcomes[GMEM_ERR_TIMEOUT] ==
        (uint64_t)LEASERS * 1500 * (uint64_t)effort);
  free_pool(&it);
}

//===--- blocked waiters --------------------------------------------------===//

static void test_interrupt_ends_the_waiting(void) {
  setup_t it;
  worker_t workers[3], late;
  make_pool(&it, 2, 0, 0);
  gmem_reservation_t *reservation = NULL;
  CHECK(gmem_pool_reserve(it.pool, 1, &reservation, NULL) == GMEM_OK);
  gmem_lease_t *one = acquire(it.pool, NULL);
  gmem_lease_t *two = acquire(it.pool, reservation);
  gmem_pool_stats_t before = stats_of(it.pool);
  start_waiter(&workers[0], &it, NULL, GMEM_WAIT_FOREVER);
  start_waiter(&workers[1], &it, reservation, GMEM_WAIT_FOREVER);
  start_waiter(&workers[2], &it, NULL, INT64_C(100000000000));
  gmem_pool_interrupt(it.pool);
  for (int i = 0; i < 3; ++i)
    CHECK(has_ended(&workers[i], GMEM_ERR_CANCELLED));
  gmem_pool_stats_t after = stats_of(it.pool);
  CHECK(after.cancels == 3 && after.waiting == 0 && after.waits == 3);
  CHECK(same_counters(before, after) && after.failures == 0);
  start_waiter(&late, &it, NULL, GMEM_WAIT_FOREVER); // later ones wait again
  gmem_lease_release(one);
  CHECK(has_ended(&late, GMEM_OK));
  gmem_lease_release(late.lease);
  gmem_lease_release(two);
  gmem_pool_unreserve(reservation);
  gmem_pool_interrupt(it.pool); // nobody waits
  free_pool(&it);
}

static void test_timeout_is_kept(void) {
  setup_t it;
  worker_t worker;
  make_pool(&it, 1, 0, 0);
  gmem_lease_t *lease = acquire(it.pool, NULL);
  int64_t began = milliseconds();
  start_waiter(&worker, &it, NULL, 30000000);
  CHECK(has_ended(&worker, GMEM_ERR_TIMEOUT));
  int64_t took = milliseconds() - began;
  CHECK(took >= 30 && took < 20000);
  CHECK(stats_of(it.pool).timeouts == 1 && stats_of(it.pool).waiting == 0);
  gmem_lease_release(lease);
  CHECK(stats_of(it.pool).free == 1);
  free_pool(&it);
}

static void test_unreserve_under_a_waiter(void) {
  setup_t it;
  worker_t worker, other;
  gmem_reservation_t *reservation = NULL;
  make_pool(&it, 1, 0, 0);
  CHECK(gmem_pool_reserve(it.pool, 1, &reservation, NULL) == GMEM_OK);
  gmem_lease_t *lease = acquire(it.pool, reservation);
  start_waiter(&worker, &it, reservation, GMEM_WAIT_FOREVER);
  start_waiter(&other, &it, NULL, GMEM_WAIT_FOREVER);
  gmem_pool_unreserve(reservation);
  CHECK(has_ended(&worker, GMEM_ERR_CANCELLED));
  memset(host(lease, STATE), 'x', 64);
  gmem_lease_release(lease); // it goes home to everyone, and to who waits
  CHECK(has_ended(&other, GMEM_OK));
  CHECK(host(other.lease, STATE)[0] == 0 && host(other.lease, STATE)[63] == 0);
  gmem_lease_release(other.lease);
  free_pool(&it);
}

// A free reserved slot that is unreserved goes to who waits.
static void test_unreserve_serves_waiters(void) {
  setup_t it;
  worker_t worker;
  gmem_reservation_t *reservation = NULL;
  make_pool(&it, 1, 0, 0);
  CHECK(gmem_pool_reserve(it.pool, 1, &reservation, NULL) == GMEM_OK);
  start_waiter(&worker, &it, NULL, GMEM_WAIT_FOREVER);
  gmem_pool_unreserve(reservation);
  CHECK(has_ended(&worker, GMEM_OK));
  gmem_lease_release(worker.lease);
  free_pool(&it);
}

// All handles go while a thread waits; the pool lives until it is served.
static void test_release_everything_under_a_waiter(void) {
  setup_t it;
  worker_t worker;
  make_pool(&it, 1, 0, 0);
  gmem_lease_t *lease = acquire(it.pool, NULL);
  start_waiter(&worker, &it, NULL, GMEM_WAIT_FOREVER);
  gmem_pool_release(it.pool);
  gmem_model_release(it.model);
  gmem_lease_release(lease);
  CHECK(has_ended(&worker, GMEM_OK));
  memset(host(worker.lease, CONV), 1, 256);
  gmem_lease_release(worker.lease);
  CHECK(atomic_load(&it.device.live_ranges) == 0);
}

//===--- order ------------------------------------------------------------===//

static void test_waiters_are_served_by_arrival(void) {
  enum { WAITERS = 6 };
  setup_t it;
  worker_t workers[WAITERS];
  make_pool(&it, 2, 0, 0);
  gmem_lease_t *leases[2] = {acquire(it.pool, NULL), acquire(it.pool, NULL)};
  for (int i = 0; i < WAITERS; ++i)
    start_waiter(&workers[i], &it, NULL, GMEM_WAIT_FOREVER);
  for (int i = 0; i < WAITERS; ++i) {
    gmem_lease_release(leases[i % 2]);
    CHECK(is_busy(it.pool)); // a late one cannot overtake
    CHECK(has_ended(&workers[i], GMEM_OK));
    CHECK(stats_of(it.pool).waiting == WAITERS - 1 - (uint32_t)i);
    leases[i % 2] = workers[i].lease;
  }
  gmem_lease_release(leases[0]);
  gmem_lease_release(leases[1]);
  CHECK(stats_of(it.pool).free == 2);
  free_pool(&it);
}

// A populate that is refused leaves those who wait alone.
static void test_refused_populate_under_a_waiter(void) {
  setup_t it;
  worker_t workers[2];
  make_pool(&it, 1, 4, SLOT_BYTES);
  gmem_lease_t *lease = acquire(it.pool, NULL);
  start_waiter(&workers[0], &it, NULL, GMEM_WAIT_FOREVER);
  CHECK(gmem_pool_populate(it.pool, 1, NULL) == GMEM_ERR_OVER_BUDGET);
  gmem_lease_release(lease);
  CHECK(has_ended(&workers[0], GMEM_OK));
  gmem_lease_release(workers[0].lease);
  free_pool(&it);
}

static void *ping(void *context) {
  worker_t *worker = context;
  for (int i = 0; i < worker->rounds; ++i) {
    gmem_lease_t *lease = NULL;
    ++worker->outcomes[acquire_from(worker->it->pool, NULL, GMEM_WAIT_FOREVER,
                                    &lease)];
    gmem_lease_release(lease);
  }
  return NULL;
}

// A wake-up that is lost hangs, and the watchdog ends it.
static void test_ping_pong(void) {
  setup_t it;
  worker_t workers[LEASERS] = {0};
  make_pool(&it, 1, 0, 0);
  for (int i = 0; i < LEASERS; ++i) {
    workers[i] = (worker_t){.it = &it, .rounds = i < 2 ? 10000 * effort : 0};
    start(&workers[i], ping);
  }
  worker_t sum = join_leasers(workers);
  check_quiet(it.pool, &sum);
  CHECK(sum.outcomes[GMEM_OK] == 20000 * (uint64_t)effort);
  free_pool(&it);
}

//===--- everything at once -----------------------------------------------===//

enum { STORM_SLOTS = 6 };

static void check_picture(setup_t *it) {
  gmem_pool_stats_t s = stats_of(it->pool);
  CHECK(s.slots == s.free + s.reserved + s.leased && s.slots <= STORM_SLOTS);
  CHECK(s.bytes_committed == (uint64_t)SLOT_BYTES * s.slots);
  CHECK(s.bytes_leased == (uint64_t)SLOT_BYTES * s.leased);
  CHECK(s.waiting == 0 || s.free == 0);
  // What is mapped, now or on its way, is never over the limit.
  CHECK(atomic_load(&it->device.live_bytes) <=
        (uint64_t)SLOT_BYTES * (STORM_SLOTS + 1)); // and the weights
}

static void use_reservation(worker_t *worker, gmem_reservation_t *reservation,
                            uint32_t slots) {
  gmem_lease_t *leases[3] = {0};
  for (uint32_t i = 0; i < slots; ++i) { // never waits, whatever others do
    gmem_status_t status =
        acquire_from(worker->it->pool, reservation, 0, &leases[i]);
    CHECK(status == GMEM_OK);
    ++worker->outcomes[status];
  }
  for (uint32_t i = 0; i < slots; ++i)
    if (leases[i])
      stamp(worker, leases[i]);
  gmem_lease_release(leases[0]);
  gmem_pool_unreserve(reservation);
  gmem_lease_release(leases[1]);
  gmem_lease_release(leases[2]);
}

static void *manage(void *context) {
  worker_t *worker = context;
  setup_t *it = worker->it;
  uint32_t state = worker->seed;
  for (int i = 0; i < worker->rounds; ++i) {
    uint32_t slots = 1 + next_random(&state) % 3;
    gmem_reservation_t *reservation = NULL;
    switch (next_random(&state) % 6) {
    case 0:
      (void)!gmem_pool_populate(it->pool, slots, NULL);
      break;
    case 1:
      (void)gmem_pool_trim(it->pool, next_random(&state) % (4 * SLOT_BYTES));
      break;
    case 2:
      gmem_pool_interrupt(it->pool);
      break;
    case 3:
      atomic_store(&it->device.fail_at, atomic_load(&it->device.calls) + 1);
      break;
    default:
      if (gmem_pool_reserve(it->pool, slots, &reservation, NULL) == GMEM_OK)
        use_reservation(worker, reservation, slots);
    }
    check_picture(it);
  }
  return NULL;
}

// Six lease, two grow, shrink, reserve, interrupt and let the provider fail.
static void test_storm(void) {
  setup_t it;
  worker_t leasers[LEASERS], managers[2];
  make_pool(&it, 1, STORM_SLOTS, (uint64_t)STORM_SLOTS * SLOT_BYTES);
  start_leasers(leasers, &it, 1000 * effort);
  for (uint32_t i = 0; i < 2; ++i) {
    managers[i] = (worker_t){.it = &it, .rounds = 500 * effort, .seed = 99 + i};
    start(&managers[i], manage);
  }
  worker_t sum = join_leasers(leasers);
  for (int i = 0; i < 2; ++i) {
    join(&managers[i]);
    sum.outcomes[GMEM_OK] += managers[i].outcomes[GMEM_OK];
    sum.foreign_bytes += managers[i].foreign_bytes;
  }
  check_quiet(it.pool, &sum);
  gmem_pool_stats_t s = stats_of(it.pool);
  printf("storm: %llu leases, %llu waits, %llu time-outs, %llu cancels, "
         "%llu grows, %llu trims, %llu failures\n",
         (unsigned long long)s.acquires, (unsigned long long)s.waits,
         (unsigned long long)s.timeouts, (unsigned long long)s.cancels,
         (unsigned long long)s.grows, (unsigned long long)s.trims,
         (unsigned long long)s.failures);
  CHECK(s.slots == 1 + s.grows - s.trims);
  CHECK(sum.outcomes[GMEM_ERR_STATE] == 0);
  free_pool(&it);
}

//===--- reservations -----------------------------------------------------===//

typedef struct rival_s {
  worker_t worker; // first
  gmem_lease_t *const *reserved;
  atomic_bool *stop;
  unsigned stolen;
} rival_t;

static void *take_what_there_is(void *context) {
  rival_t *rival = context;
  while (!atomic_load(rival->stop)) {
    gmem_lease_t *lease = NULL;
    if (acquire_from(rival->worker.it->pool, NULL, 20000, &lease) == GMEM_OK) {
      rival->stolen +=
          lease == rival->reserved[0] || lease == rival->reserved[1];
      gmem_lease_release(lease);
    }
  }
  return NULL;
}

// What A has reserved is never B's, also when A's next reserve fails.
static void test_reservations_are_isolated(void) {
  setup_t it;
  rival_t rivals[3];
  gmem_lease_t *reserved[2];
  gmem_reservation_t *mine = NULL, *more = NULL;
  atomic_bool stop = false;
  make_pool(&it, 4, 5, 0);
  CHECK(gmem_pool_reserve(it.pool, 2, &mine, NULL) == GMEM_OK);
  for (int i = 0; i < 2; ++i)
    reserved[i] = acquire(it.pool, mine);
  for (int i = 0; i < 2; ++i)
    gmem_lease_release(reserved[i]);
  for (int i = 0; i < 3; ++i) {
    rivals[i] = (rival_t){{.it = &it}, reserved, &stop, 0};
    start(&rivals[i].worker, take_what_there_is);
  }
  for (int i = 0; i < 300 * effort; ++i) {
    atomic_store(&it.device.fail_at, atomic_load(&it.device.calls) + 1);
    gmem_status_t status = gmem_pool_reserve(it.pool, 4, &more, NULL);
    CHECK(status == GMEM_ERR_OVER_BUDGET || status == GMEM_ERR_OUT_OF_MEMORY);
    gmem_lease_t *a = acquire(it.pool, mine), *b = acquire(it.pool, mine);
    CHECK(a != b && (a == reserved[0] || a == reserved[1]) &&
          (b == reserved[0] || b == reserved[1]));
    gmem_lease_release(a);
    gmem_lease_release(b);
  }
  atomic_store(&stop, true);
  for (int i = 0; i < 3; ++i) {
    join(&rivals[i].worker);
    CHECK(rivals[i].stolen == 0);
  }
  gmem_pool_unreserve(mine);
  CHECK(stats_of(it.pool).free == stats_of(it.pool).slots);
  free_pool(&it);
}

//===--- references -------------------------------------------------------===//

static void *release_it(void *context) {
  worker_t *worker = context;
  gmem_test_yield();
  gmem_lease_release(worker->lease);
  return NULL;
}

// One reference per operation in flight: the slot comes back once, at the last.
static void test_last_release_on_any_thread(void) {
  setup_t it;
  worker_t workers[4];
  make_pool(&it, 1, 0, 0);
  for (int round = 0; round < 100 * effort; ++round) {
    gmem_lease_t *lease = acquire(it.pool, NULL);
    for (int i = 0; i < 4; ++i) {
      gmem_lease_retain(lease);
      workers[i] = (worker_t){.lease = lease};
    }
    CHECK(is_busy(it.pool));
    for (int i = 0; i < 4; ++i)
      start(&workers[i], release_it);
    if (round % 2)
      gmem_lease_release(lease);
    for (int i = 0; i < 4; ++i)
      join(&workers[i]);
    if (round % 2 == 0) {
      CHECK(stats_of(it.pool).leased == 1);
      gmem_lease_release(lease);
    }
    CHECK(stats_of(it.pool).leased == 0 && stats_of(it.pool).free == 1);
  }
  free_pool(&it);
}

static void *release_pool(void *context) {
  gmem_pool_release(((worker_t *)context)->it->pool);
  return NULL;
}

static void *release_model(void *context) {
  gmem_model_release(((worker_t *)context)->it->model);
  return NULL;
}

static void *unreserve(void *context) {
  gmem_pool_unreserve(((worker_t *)context)->from);
  return NULL;
}

// Handle, model, lease and reservation are given up by four threads at once.
static void test_teardown_at_once(void) {
  for (int round = 0; round < 100 * effort; ++round) {
    setup_t it;
    make_pool(&it, 2, 0, 0);
    worker_t worker = {.it = &it}, workers[4];
    CHECK(gmem_pool_reserve(it.pool, 1, &worker.from, NULL) == GMEM_OK);
    worker.lease = acquire(it.pool, round % 2 ? worker.from : NULL);
    void *(*const bodies[4])(void *) = {release_pool, release_model, release_it,
                                        unreserve};
    for (int i = 0; i < 4; ++i)
      workers[i] = worker;
    for (int i = 0; i < 4; ++i)
      start(&workers[i], bodies[(i + round) % 4]);
    for (int i = 0; i < 4; ++i)
      join(&workers[i]);
    CHECK(atomic_load(&it.device.live_ranges) == 0);
  }
}

// The child of a process with leases has copies, and may give them up.
static void test_fork(void) {
  setup_t it;
  make_pool(&it, 1, 0, 0);
  gmem_lease_t *lease = acquire(it.pool, NULL);
  memset(host(lease, STATE), 'p', 64);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    bool same = host(lease, STATE)[63] == 'p';
    memset(host(lease, STATE), 'c', 64);
    gmem_lease_release(lease);
    gmem_pool_release(it.pool);
    gmem_model_release(it.model);
    _exit(same && atomic_load(&it.device.live_ranges) == 0 ? 0 : 1);
  }
  int status = -1;
  CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
  CHECK(host(lease, STATE)[0] == 'p' && stats_of(it.pool).leased == 1);
  gmem_lease_release(lease);
  free_pool(&it);
}

//===--- a slow provider --------------------------------------------------===//

// Stops each call of the provider until it is let go.
typedef struct gate_s {
  setup_t it; // first
  sem_t arrived, go;
} gate_t;

static gmem_status_t gated_acquire(void *user, uint64_t size, uint64_t align,
                                   uint64_t fixed_device, uint32_t flags,
                                   gmem_range_t *out_range, gmem_diag_t *diag) {
  gate_t *gate = user;
  sem_post(&gate->arrived);
  while (sem_wait(&gate->go) != 0)
    ;
  return device_acquire(&gate->it.device, size, align, fixed_device, flags,
                        out_range, diag);
}

static void gated_release(void *user, const gmem_range_t *range) {
  gate_t *gate = user;
  sem_post(&gate->arrived);
  while (sem_wait(&gate->go) != 0)
    ;
  device_release(&gate->it.device, range);
}

static void make_gate(gate_t *gate, uint32_t max_slots) {
  gmem_provider_t provider = {.user = gate,
                              .granularity = DEVICE_PAGE,
                              .acquire = gated_acquire,
                              .release = gated_release};
  gmem_pool_options_t options = {.struct_size = sizeof options,
                                 .max_slots = max_slots};
  memset(gate, 0, sizeof *gate);
  CHECK(sem_init(&gate->arrived, 0, 0) == 0 && sem_init(&gate->go, 0, 0) == 0);
  gate->it.model = sample_model(&gate->it.device, NULL);
  CHECK(gmem_pool_create(gate->it.model, &provider, &options, NULL,
                         &gate->it.pool, NULL) == GMEM_OK);
}

static void until_arrived(gate_t *gate) {
  while (sem_wait(&gate->arrived) != 0)
    ;
}

static void free_gate(gate_t *gate) {
  for (int i = 0; i < 16; ++i)
    sem_post(&gate->go);
  free_pool(&gate->it);
  sem_destroy(&gate->arrived);
  sem_destroy(&gate->go);
}

// The one that grows fails; the one that relied on it grows itself. It hung.
static void test_growth_fails_under_a_waiter(void) {
  gate_t gate;
  worker_t first, second;
  make_gate(&gate, 1);
  start_waiter(&first, &gate.it, NULL, GMEM_WAIT_FOREVER);
  until_arrived(&gate);
  start_waiter(&second, &gate.it, NULL, GMEM_WAIT_FOREVER);
  CHECK(is_busy(gate.it.pool)); // no lock is held, and no room left
  CHECK(stats_of(gate.it.pool).waiting == 2);
  atomic_store(&gate.it.device.fail_at, atomic_load(&gate.it.device.calls) + 1);
  sem_post(&gate.go);
  CHECK(has_ended(&first, GMEM_ERR_OUT_OF_MEMORY));
  until_arrived(&gate);
  sem_post(&gate.go);
  CHECK(has_ended(&second, GMEM_OK));
  CHECK(stats_of(gate.it.pool).failures == 1);
  gmem_lease_release(second.lease);
  free_gate(&gate);
}

// Two that wait map a slot each, at the same time.
static void test_two_grow_for_two(void) {
  gate_t gate;
  worker_t first, second;
  make_gate(&gate, 2);
  start_waiter(&first, &gate.it, NULL, GMEM_WAIT_FOREVER);
  until_arrived(&gate);
  start_waiter(&second, &gate.it, NULL, GMEM_WAIT_FOREVER);
  until_arrived(&gate);
  sem_post(&gate.go); // either of them
  until_waiting(gate.it.pool, 1);
  sem_post(&gate.go);
  CHECK(has_ended(&first, GMEM_OK) && has_ended(&second, GMEM_OK));
  CHECK(stats_of(gate.it.pool).slots == 2);
  gmem_lease_release(first.lease);
  gmem_lease_release(second.lease);
  free_gate(&gate);
}

// A thread that maps is interrupted: the slot is there for others.
static void test_interrupt_while_growing(void) {
  gate_t gate;
  worker_t worker;
  make_gate(&gate, 1);
  start_waiter(&worker, &gate.it, NULL, GMEM_WAIT_FOREVER);
  until_arrived(&gate);
  gmem_pool_interrupt(gate.it.pool);
  CHECK(stats_of(gate.it.pool).waiting == 0);
  sem_post(&gate.go);
  CHECK(has_ended(&worker, GMEM_ERR_CANCELLED));
  CHECK(stats_of(gate.it.pool).free == 1);
  free_gate(&gate);
}

static void *trim_all(void *context) {
  worker_t *worker = context;
  worker->seed = (uint32_t)gmem_pool_trim(worker->it->pool, 0);
  return NULL;
}

// While a slot goes back to the provider it still counts, and who comes then
// maps the next one when it is gone.
static void test_acquire_while_trimming(void) {
  gate_t gate;
  make_gate(&gate, 1);
  worker_t trimmer = {.it = &gate.it}, worker;
  sem_post(&gate.go);
  CHECK(gmem_pool_populate(gate.it.pool, 1, NULL) == GMEM_OK);
  until_arrived(&gate);
  start(&trimmer, trim_all);
  until_arrived(&gate);
  gmem_pool_stats_t stats = stats_of(gate.it.pool);
  CHECK(stats.slots == 0 && stats.trims == 1);
  CHECK(gmem_pool_populate(gate.it.pool, 1, NULL) == GMEM_ERR_OVER_BUDGET);
  start_waiter(&worker, &gate.it, NULL, GMEM_WAIT_FOREVER);
  sem_post(&gate.go);
  join(&trimmer);
  CHECK(trimmer.seed == SLOT_BYTES);
  until_arrived(&gate);
  sem_post(&gate.go);
  CHECK(has_ended(&worker, GMEM_OK));
  gmem_lease_release(worker.lease);
  free_gate(&gate);
}

int main(int argc, char **argv) {
  effort = argc > 1 ? atoi(argv[1]) : effort;
  alarm(120 * (unsigned)effort); // a lost wake-up fails, and does not hang
  test_threads_never_share_a_slot();
  test_interrupt_ends_the_waiting();
  test_timeout_is_kept();
  test_unreserve_under_a_waiter();
  test_unreserve_serves_waiters();
  test_release_everything_under_a_waiter();
  test_waiters_are_served_by_arrival();
  test_refused_populate_under_a_waiter();
  test_ping_pong();
  test_storm();
  test_reservations_are_isolated();
  test_last_release_on_any_thread();
  test_teardown_at_once();
  test_fork();
  test_growth_fails_under_a_waiter();
  test_two_grow_for_two();
  test_interrupt_while_growing();
  test_acquire_while_trimming();
  return CHECK_RESULT();
}
