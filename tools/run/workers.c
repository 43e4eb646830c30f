// workers.c - threads that run numbered requests.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "workers.h"

#include <assert.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>

#include "interrupt.h"
#include "messages.h"

typedef struct thread_s {
  pthread_t thread;
  gmem_workers_t *workers;
  void *state;
} thread_t;

static void *enter(void *user) {
  thread_t *thread = user;
  thread->workers->work(thread->workers, thread->state);
  return NULL;
}

bool gmem_workers_next(gmem_workers_t *workers, uint32_t *out_request) {
  if (gmem_interrupted())
    return false;
  *out_request = atomic_fetch_add(&workers->next, 1);
  return *out_request < workers->requests;
}

uint32_t gmem_workers_begun(const gmem_workers_t *workers) {
  uint32_t next = atomic_load(&workers->next);
  return next < workers->requests ? next : workers->requests;
}

gmem_status_t gmem_workers_run(gmem_workers_t *workers) {
  uint32_t count = workers->threads, started = 0;
  assert(count > 0);
  if (count == 1) {
    workers->work(workers, workers->states);
    return GMEM_OK;
  }
  thread_t *threads = calloc(count, sizeof *threads);
  if (!threads)
    return gmem_tool_error("out of memory");
  for (; started < count; ++started) {
    thread_t *thread = &threads[started];
    thread->workers = workers;
    thread->state = (char *)workers->states + started * workers->state_size;
    if (pthread_create(&thread->thread, NULL, enter, thread) != 0)
      break;
  }
  if (started < count)
    atomic_store(&workers->next, workers->requests);
  for (uint32_t i = 0; i < started; ++i)
    pthread_join(threads[i].thread, NULL);
  free(threads);
  return started == count
             ? GMEM_OK
             : gmem_tool_error("cannot start %" PRIu32 " threads", count);
}
