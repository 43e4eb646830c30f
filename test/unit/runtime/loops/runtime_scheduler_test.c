// runtime_scheduler_test.c - loops on schedulers: on threads of their own, and
// those of a program that keep their contract or do not.
// RUN: %unit/runtime_scheduler_test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "check.h"
#include "failing_heap.h"
#include "gmem/parallel.h"

#define OK(call) CHECK((call) == GMEM_OK)

enum { STEPS = 1000, THREADS = 4 };

static gmem_diag_t diag;

// What the bodies of a loop did. No atomics: two threads at one step are a race
// that ThreadSanitizer reports.
typedef struct record_s {
  uint8_t visits[STEPS];
  pthread_t runners[THREADS]; // by thread number
  bool ran[THREADS];
  const gmem_scheduler_t *nested;
  atomic_uint wrong;
} record_t;

static gmem_status_t count_up(void *user, const gmem_window_t *part,
                              const gmem_thread_t *thread,
                              gmem_diag_t *body_diag) {
  (void)thread, (void)body_diag;
  *(uint64_t *)user += part->dimensions[0].end - part->dimensions[0].begin;
  return GMEM_OK;
}

static gmem_status_t visit(void *user, const gmem_window_t *part,
                           const gmem_thread_t *thread,
                           gmem_diag_t *body_diag) {
  record_t *it = user;
  (void)body_diag;
  if (thread->id >= thread->count || thread->count > THREADS)
    atomic_fetch_add(&it->wrong, 1);
  // A number is always on the same thread in one loop.
  if (it->ran[thread->id] &&
      !pthread_equal(it->runners[thread->id], pthread_self()))
    atomic_fetch_add(&it->wrong, 1);
  it->ran[thread->id] = true;
  it->runners[thread->id] = pthread_self();
  for (uint64_t i = part->dimensions[0].begin; i < part->dimensions[0].end; ++i)
    ++it->visits[i];
  if (it->nested) { // on this thread alone, if the scheduler is busy
    uint64_t steps = 0;
    gmem_window_t window = {1, {{0, 10, 1}}};
    gmem_parallel_t how = {.struct_size = sizeof how};
    how.scheduler = it->nested;
    if (gmem_parallel_for(&window, &how, count_up, &steps, NULL) != GMEM_OK ||
        steps != 10)
      atomic_fetch_add(&it->wrong, 1);
  }
  return GMEM_OK;
}

static gmem_status_t loop_on(const gmem_scheduler_t *scheduler,
                             uint32_t threads, gmem_schedule_t schedule,
                             record_t *it) {
  gmem_window_t window = {1, {{0, STEPS, 1}}};
  gmem_parallel_t how = {.struct_size = sizeof how,
                         .threads = threads,
                         .schedule = (uint32_t)schedule,
                         .chunk = 7,
                         .scheduler = scheduler};
  memset(it->visits, 0, sizeof it->visits);
  memset(it->ran, 0, sizeof it->ran);
  return gmem_parallel_for(&window, &how, visit, it, &diag);
}

static bool every_step_once(const record_t *it) {
  for (int i = 0; i < STEPS; ++i)
    if (it->visits[i] != 1)
      return false;
  return atomic_load(&it->wrong) == 0;
}

//===--- threads of its own -----------------------------------------------===//

static void test_pthreads(void) {
  gmem_scheduler_t scheduler;
  record_t it = {.nested = NULL};
  OK(gmem_scheduler_pthreads(THREADS, NULL, &scheduler, &diag));
  CHECK(scheduler.threads(scheduler.user) == THREADS);
  for (int round = 0; round < 200; ++round)
    for (uint32_t threads = 0; threads <= THREADS; ++threads) {
      OK(loop_on(&scheduler, threads,
                 round % 2 ? GMEM_SCHEDULE_STATIC : GMEM_SCHEDULE_DYNAMIC,
                 &it));
      CHECK(every_step_once(&it));
    }
  // Static parts are on as many threads as asked for.
  OK(loop_on(&scheduler, 3, GMEM_SCHEDULE_STATIC, &it));
  CHECK(it.ran[0] && it.ran[1] && it.ran[2] && !it.ran[3]);
  CHECK(pthread_equal(it.runners[0], pthread_self()));
  CHECK(!pthread_equal(it.runners[1], it.runners[2]));
  gmem_scheduler_destroy(&scheduler);
  CHECK(!scheduler.run && !scheduler.user);
}

static void test_nested_loops(void) {
  gmem_scheduler_t scheduler;
  OK(gmem_scheduler_pthreads(THREADS, NULL, &scheduler, &diag));
  record_t it = {.nested = &scheduler};
  OK(loop_on(&scheduler, 0, GMEM_SCHEDULE_DYNAMIC, &it));
  CHECK(every_step_once(&it));
  gmem_scheduler_destroy(&scheduler);
}

typedef struct caller_s {
  const gmem_scheduler_t *scheduler;
  bool good;
} caller_t;

static void *call(void *user) {
  caller_t *it = user;
  static _Thread_local record_t record;
  it->good = true;
  for (int i = 0; i < 200; ++i)
    it->good =
        loop_on(it->scheduler, 0, GMEM_SCHEDULE_STATIC, &record) == GMEM_OK &&
        every_step_once(&record) && it->good;
  return NULL;
}

// Several threads use one scheduler: no loop waits for another one.
static void test_concurrent_loops(void) {
  gmem_scheduler_t scheduler;
  pthread_t threads[3];
  caller_t callers[3];
  OK(gmem_scheduler_pthreads(THREADS, NULL, &scheduler, &diag));
  for (int i = 0; i < 3; ++i) {
    callers[i] = (caller_t){&scheduler, false};
    CHECK(pthread_create(&threads[i], NULL, call, &callers[i]) == 0);
  }
  for (int i = 0; i < 3; ++i) {
    pthread_join(threads[i], NULL);
    CHECK(callers[i].good);
  }
  gmem_scheduler_destroy(&scheduler);
}

//===--- schedulers of a program ------------------------------------------===//

typedef enum trick_e {
  NONE,
  TOO_MANY,
  LEFT_OUT,
  NOBODY,
  WRONG_ID,
  OTHER_COUNT, // each thread is told another number of threads
} trick_t;

static uint32_t two_threads(void *user) {
  (void)user;
  return 2;
}

static uint32_t no_threads(void *user) {
  (void)user;
  return 0;
}

// One after the other.
static void run_in_turn(void *user, uint32_t threads, gmem_workload_fn work,
                        void *work_user) {
  trick_t trick = *(trick_t *)user;
  uint32_t count = trick == TOO_MANY ? threads + 1 : threads;
  uint32_t first = trick == LEFT_OUT || trick == NOBODY;
  for (uint32_t i = first; i < (trick == NOBODY ? 1 : count); ++i)
    work(work_user, trick == WRONG_ID ? i + 1 : i,
         trick == OTHER_COUNT ? i + 1 : count);
}

static void test_contract(void) {
  for (trick_t trick = NONE; trick <= OTHER_COUNT; ++trick) {
    gmem_scheduler_t scheduler = {&trick, two_threads, run_in_turn};
    record_t it = {.nested = NULL};
    gmem_status_t status = loop_on(&scheduler, 0, GMEM_SCHEDULE_STATIC, &it);
    CHECK(status == (trick == NONE ? GMEM_OK : GMEM_ERR_STATE));
    CHECK(trick != NONE || (every_step_once(&it) && it.ran[1]));
    CHECK(trick == NONE || strstr(diag.text, "scheduler"));
  }
  trick_t trick = NONE;
  gmem_scheduler_t none = {&trick, no_threads, run_in_turn};
  record_t it = {.nested = NULL};
  OK(loop_on(&none, 0, GMEM_SCHEDULE_STATIC, &it)); // has one nevertheless
  CHECK(every_step_once(&it));
  none.threads = NULL;
  CHECK(loop_on(&none, 0, GMEM_SCHEDULE_STATIC, &it) ==
        GMEM_ERR_INVALID_ARGUMENT);
  none = (gmem_scheduler_t){&trick, two_threads, NULL};
  CHECK(loop_on(&none, 0, GMEM_SCHEDULE_STATIC, &it) ==
        GMEM_ERR_INVALID_ARGUMENT);
}

static void test_default(void) {
  gmem_scheduler_t openmp = gmem_scheduler_openmp();
  CHECK(openmp.threads(openmp.user) >= 1);
  gmem_scheduler_t copy = openmp;
  gmem_scheduler_destroy(&copy);
  gmem_scheduler_destroy(NULL);
  CHECK(!copy.run);
}

//===--- failures ---------------------------------------------------------===//

// The linker puts these in the place of the system's.
static int calls_until_failure; // 0: none fails
int __real_pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
int __wrap_pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
int __real_pthread_cond_init(pthread_cond_t *, const pthread_condattr_t *);
int __wrap_pthread_cond_init(pthread_cond_t *, const pthread_condattr_t *);
int __real_pthread_create(pthread_t *, const pthread_attr_t *,
                          void *(*)(void *), void *);
int __wrap_pthread_create(pthread_t *, const pthread_attr_t *,
                          void *(*)(void *), void *);

static bool call_fails(void) {
  return calls_until_failure > 0 && --calls_until_failure == 0;
}

int __wrap_pthread_mutex_init(pthread_mutex_t *mutex,
                              const pthread_mutexattr_t *attributes) {
  return call_fails() ? EAGAIN : __real_pthread_mutex_init(mutex, attributes);
}

int __wrap_pthread_cond_init(pthread_cond_t *condition,
                             const pthread_condattr_t *attributes) {
  return call_fails() ? EAGAIN
                      : __real_pthread_cond_init(condition, attributes);
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*body)(void *), void *user) {
  return call_fails() ? EAGAIN
                      : __real_pthread_create(thread, attributes, body, user);
}

static void test_every_failure(void) {
  heap_t heap = {0};
  gmem_allocator_t allocator = {&heap, heap_alloc, heap_free};
  gmem_status_t status = GMEM_ERR_OUT_OF_MEMORY;
  gmem_scheduler_t scheduler;
  heap.fail_at = 1;
  CHECK(gmem_scheduler_pthreads(2, &allocator, &scheduler, &diag) ==
        GMEM_ERR_OUT_OF_MEMORY);
  heap.fail_at = 0;
  int k = 1;
  for (; status != GMEM_OK; ++k) {
    calls_until_failure = k;
    status = gmem_scheduler_pthreads(THREADS, &allocator, &scheduler, &diag);
    calls_until_failure = 0;
    CHECK(status == GMEM_OK || status == GMEM_ERR_OUT_OF_MEMORY);
    CHECK(status == GMEM_OK || (heap.live_blocks == 0 && !scheduler.run));
  }
  CHECK(k == 3 + (THREADS - 1) + 2); // locks, threads, and none
  gmem_scheduler_destroy(&scheduler);
  CHECK(heap.live_blocks == 0 && heap.live_bytes == 0);
  CHECK(gmem_scheduler_pthreads(0, NULL, &scheduler, &diag) ==
        GMEM_ERR_OUT_OF_RANGE);
  CHECK(gmem_scheduler_pthreads(1025, NULL, &scheduler, &diag) ==
        GMEM_ERR_OUT_OF_RANGE);
  CHECK(gmem_scheduler_pthreads(1, NULL, NULL, &diag) ==
        GMEM_ERR_INVALID_ARGUMENT);
}

int main(void) {
  test_pthreads();
  test_nested_loops();
  test_concurrent_loops();
  test_contract();
  test_default();
  test_every_failure();
  return CHECK_RESULT();
}
