// scheduler_pthreads.c - loops on threads that wait for them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <pthread.h>

#include "gmem/scheduler.h"
#include "runtime_support.h"
#include "thread_safety.h"

enum { MAX_THREADS = 1024 };

typedef struct crew_s crew_t;

// One of the threads; number 0 is the caller of the loop.
typedef struct crew_member_s {
  crew_t *crew;
  uint32_t number;
  pthread_t thread;
} crew_member_t;

struct crew_s {
  gmem_allocator_t allocator;
  uint32_t threads;       // with the caller
  uint32_t started;       // threads that exist
  pthread_cond_t called;  // there is a loop, or |over|
  pthread_cond_t settled; // |pending| is 0
  gmem_mutex_t lock;
  uint64_t loops GMEM_GUARDED_BY(&lock); // so far
  bool busy GMEM_GUARDED_BY(&lock);
  bool over GMEM_GUARDED_BY(&lock);
  uint32_t count GMEM_GUARDED_BY(&lock);   // threads of the loop
  uint32_t pending GMEM_GUARDED_BY(&lock); // of these, still at work
  gmem_workload_fn work GMEM_GUARDED_BY(&lock);
  void *work_user GMEM_GUARDED_BY(&lock);
  crew_member_t members[]; // by number; 0 is unused
};

static void *serve(void *user) {
  crew_member_t *member = user;
  crew_t *crew = member->crew;
  uint64_t seen = 0;
  gmem_mutex_lock(&crew->lock);
  for (;;) {
    while (crew->loops == seen && !crew->over)
      gmem_mutex_wait(&crew->lock, &crew->called, NULL);
    if (crew->over)
      break;
    seen = crew->loops;
    if (member->number >= crew->count)
      continue;
    gmem_workload_fn work = crew->work;
    void *work_user = crew->work_user;
    uint32_t count = crew->count;
    gmem_mutex_unlock(&crew->lock);
    work(work_user, member->number, count);
    gmem_mutex_lock(&crew->lock);
    if (--crew->pending == 0)
      pthread_cond_signal(&crew->settled);
  }
  gmem_mutex_unlock(&crew->lock);
  return NULL;
}

static uint32_t crew_threads(void *user) { return ((crew_t *)user)->threads; }

// Takes the crew for a loop of |count| threads; false if it has one.
static bool call_crew(crew_t *crew, uint32_t count, gmem_workload_fn work,
                      void *work_user) {
  gmem_mutex_lock(&crew->lock);
  bool is_free = !crew->busy;
  if (is_free) {
    crew->busy = true;
    crew->count = count;
    crew->pending = count - 1;
    crew->work = work;
    crew->work_user = work_user;
    ++crew->loops;
    pthread_cond_broadcast(&crew->called);
  }
  gmem_mutex_unlock(&crew->lock);
  return is_free;
}

static void crew_run(void *user, uint32_t threads, gmem_workload_fn work,
                     void *work_user) {
  crew_t *crew = user;
  uint32_t count = threads < crew->threads ? threads : crew->threads;
  if (count < 2 || !call_crew(crew, count, work, work_user)) {
    work(work_user, 0, 1);
    return;
  }
  work(work_user, 0, count);
  gmem_mutex_lock(&crew->lock);
  while (crew->pending > 0)
    gmem_mutex_wait(&crew->lock, &crew->settled, NULL);
  crew->busy = false;
  gmem_mutex_unlock(&crew->lock);
}

static uint64_t crew_size(uint32_t threads) {
  return sizeof(crew_t) + threads * sizeof(crew_member_t);
}

// Ends the threads that have started.
static void dismiss(crew_t *crew) {
  gmem_mutex_lock(&crew->lock);
  crew->over = true;
  pthread_cond_broadcast(&crew->called);
  gmem_mutex_unlock(&crew->lock);
  for (uint32_t i = 1; i < crew->started; ++i)
    pthread_join(crew->members[i].thread, NULL);
  gmem_allocator_t own = crew->allocator;
  pthread_cond_destroy(&crew->called);
  pthread_cond_destroy(&crew->settled);
  gmem_mutex_destroy(&crew->lock);
  gmem_rt_free(&own, crew, crew_size(crew->threads), 1);
}

static bool make_locks(crew_t *crew) {
  if (!gmem_mutex_init(&crew->lock))
    return false;
  if (pthread_cond_init(&crew->called, NULL) == 0) {
    if (pthread_cond_init(&crew->settled, NULL) == 0)
      return true;
    pthread_cond_destroy(&crew->called);
  }
  gmem_mutex_destroy(&crew->lock);
  return false;
}

static bool start(crew_t *crew) {
  for (crew->started = 1; crew->started < crew->threads; ++crew->started) {
    crew_member_t *member = &crew->members[crew->started];
    *member = (crew_member_t){.crew = crew, .number = crew->started};
    if (pthread_create(&member->thread, NULL, serve, member) != 0)
      return false;
  }
  return true;
}

gmem_status_t gmem_scheduler_pthreads(uint32_t threads,
                                      const gmem_allocator_t *allocator,
                                      gmem_scheduler_t *out_scheduler,
                                      gmem_diag_t *diag) {
  if (!out_scheduler)
    return gmem_rt_invalid(diag, "out_scheduler is NULL");
  *out_scheduler = (gmem_scheduler_t){0};
  if (threads == 0 || threads > MAX_THREADS)
    return gmem_rt_fail(diag, GMEM_ERR_OUT_OF_RANGE,
                        "a scheduler has 1 to %d threads", MAX_THREADS);
  gmem_allocator_t own = gmem_rt_allocator(allocator);
  crew_t *crew = gmem_rt_alloc(&own, crew_size(threads), 1);
  if (!crew)
    return gmem_rt_out_of_memory(diag);
  crew->allocator = own;
  crew->threads = threads;
  if (!make_locks(crew)) {
    gmem_rt_free(&own, crew, crew_size(threads), 1);
    return gmem_rt_out_of_memory(diag);
  }
  if (!start(crew)) {
    dismiss(crew);
    return gmem_rt_fail(diag, GMEM_ERR_OUT_OF_MEMORY,
                        "the system has no more threads");
  }
  *out_scheduler = (gmem_scheduler_t){crew, crew_threads, crew_run};
  return GMEM_OK;
}

void gmem_scheduler_destroy(gmem_scheduler_t *scheduler) {
  if (!scheduler)
    return;
  if (scheduler->run == crew_run)
    dismiss(scheduler->user);
  *scheduler = (gmem_scheduler_t){0};
}
