// runtime_manager_threads_test.c - many threads, three pools, memory for two
// small slots or one large one, with random yields at each lock.
// RUN: %unit/runtime_manager_threads_test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include "manager_tools.h"

enum { THREADS = 6, ROUNDS = 400, MOST_SECONDS = 600 };

// Called by manager and pools around each of their critical sections.
void gmem_test_yield(void);
void gmem_test_yield(void) {
  static atomic_uint threads;
  static _Thread_local uint32_t state;
  if (state == 0)
    state = 0x9E3779B9 * (atomic_fetch_add(&threads, 1) + 1) | 1;
  state = state * 1664525 + 1013904223;
  if (state >> 29 == 0)
    sched_yield();
}

typedef struct worker_s {
  family_t *it;
  uint32_t number;
  unsigned leases, timeouts, wrong; // wrong: other failures, foreign bytes
  pthread_t thread;
} worker_t;

static bool is_mine(uint8_t *bytes, uint8_t value) {
  memset(bytes, value, DEVICE_PAGE);
  sched_yield();
  return all_are(bytes, DEVICE_PAGE, value);
}

// One request; the large pool's ones wait for ever: they must not starve.
static void request(worker_t *worker, uint32_t round) {
  uint32_t which = (worker->number + round) % MOST_POOLS;
  int64_t timeout = which == 0 || round % 4 ? GMEM_WAIT_FOREVER : 20000;
  gmem_lease_t *lease = NULL;
  void *bytes = NULL;
  gmem_status_t status = gmem_lease_acquire(worker->it->pools[which], GMEM_NONE,
                                            NULL, timeout, &lease);
  if (status == GMEM_ERR_TIMEOUT && timeout != GMEM_WAIT_FOREVER) {
    ++worker->timeouts;
    return;
  }
  ++worker->leases;
  if (status != GMEM_OK || gmem_lease_host(lease, 0, &bytes) != GMEM_OK ||
      !is_mine(bytes, (uint8_t)(worker->number + 1)))
    ++worker->wrong;
  gmem_lease_release(lease);
}

static void *work(void *user) {
  worker_t *worker = user;
  for (uint32_t i = 0; i < ROUNDS; ++i)
    request(worker, i);
  return NULL;
}

// Trims, reserves and looks meanwhile.
static void *disturb(void *user) {
  worker_t *worker = user;
  family_t *it = worker->it;
  for (int i = 0; i < ROUNDS; ++i) {
    gmem_reservation_t *reservation = NULL;
    gmem_manager_stats_t stats = manager_stats(it);
    worker->wrong += stats.bytes > 2 * DEVICE_PAGE;
    if (i % 8 == 0)
      gmem_manager_trim(it->manager, DEVICE_PAGE);
    if (i % 4 == 0 &&
        gmem_pool_reserve(it->pools[1], 1, &reservation, NULL) == GMEM_OK)
      ++worker->leases;
    sched_yield();
    gmem_pool_unreserve(reservation);
  }
  return NULL;
}

static void test_threads(uint32_t max_slots) {
  static const uint32_t pages[MOST_POOLS] = {2, 1, 1};
  family_t it;
  worker_t workers[THREADS + 1];
  unsigned leases = 0;
  make_family(&it, 2, pages, max_slots);
  for (uint32_t i = 0; i <= THREADS; ++i) {
    workers[i] = (worker_t){.it = &it, .number = i};
    CHECK(pthread_create(&workers[i].thread, NULL, i < THREADS ? work : disturb,
                         &workers[i]) == 0);
  }
  for (uint32_t i = 0; i <= THREADS; ++i) {
    pthread_join(workers[i].thread, NULL);
    CHECK(workers[i].wrong == 0);
    if (i < THREADS) {
      CHECK(workers[i].leases + workers[i].timeouts == ROUNDS);
      leases += workers[i].leases;
    }
  }
  gmem_manager_stats_t stats = manager_stats(&it);
  CHECK(leases > ROUNDS && stats.peak == 2 * DEVICE_PAGE);
  CHECK(stats.waits > 0 && stats.evictions > 0 && stats.waiting == 0);
  free_family(&it);
}

typedef struct hammer_s {
  family_t *it;
  atomic_bool *done;
  pthread_t thread;
} hammer_t;

static void *hammer(void *user) {
  hammer_t *it = user;
  while (!atomic_load(it->done)) {
    gmem_lease_t *lease = NULL;
    CHECK(gmem_lease_acquire(it->it->pools[1], GMEM_NONE, NULL,
                             GMEM_WAIT_FOREVER, &lease) == GMEM_OK);
    gmem_lease_release(lease);
  }
  return NULL;
}

// Requests for small slots never stop, and a large one is served nevertheless.
static void test_large_requests_do_not_starve(void) {
  static const uint32_t pages[MOST_POOLS] = {2, 1};
  family_t it;
  hammer_t hammers[3];
  atomic_bool done = false;
  make_family(&it, 2, pages, 2);
  for (int i = 0; i < 3; ++i) {
    hammers[i] = (hammer_t){.it = &it, .done = &done};
    CHECK(pthread_create(&hammers[i].thread, NULL, hammer, &hammers[i]) == 0);
  }
  for (int i = 0; i < 50; ++i) {
    gmem_lease_t *lease = NULL;
    CHECK(gmem_lease_acquire(it.pools[0], GMEM_NONE, NULL, GMEM_WAIT_FOREVER,
                             &lease) == GMEM_OK);
    gmem_lease_release(lease);
  }
  atomic_store(&done, true);
  for (int i = 0; i < 3; ++i)
    pthread_join(hammers[i].thread, NULL);
  free_family(&it);
}

int main(void) {
  alarm(MOST_SECONDS); // a deadlock ends the test
  test_threads(2);
  test_threads(1);
  test_large_requests_do_not_starve();
  return CHECK_RESULT();
}
