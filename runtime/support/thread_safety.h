// thread_safety.h - a mutex checked by clang's thread-safety analysis:
// GUARDED_BY members are accessed only while it is held, and REQUIRES functions
// are called only while it is held.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   struct thing_s {
//     gmem_mutex_t lock; // before what it guards
//     int count GMEM_GUARDED_BY(&lock);
//   };
//   static void add(thing_t *it) GMEM_REQUIRES(&it->lock) { ++it->count; }

#ifndef GMEM_RUNTIME_THREAD_SAFETY_H_
#define GMEM_RUNTIME_THREAD_SAFETY_H_

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

// Older versions do not accept members of C structs in these attributes.
#if defined(__clang__) && __clang_major__ >= 22
#define GMEM_THREAD_SAFETY(attribute) __attribute__((attribute))
#else
#define GMEM_THREAD_SAFETY(attribute)
#endif
#define GMEM_GUARDED_BY(lock) GMEM_THREAD_SAFETY(guarded_by(lock))
#define GMEM_REQUIRES(lock) GMEM_THREAD_SAFETY(requires_capability(lock))
#define GMEM_ACQUIRES(lock) GMEM_THREAD_SAFETY(acquire_capability(lock))
#define GMEM_RELEASES(lock) GMEM_THREAD_SAFETY(release_capability(lock))
#define GMEM_UNCHECKED GMEM_THREAD_SAFETY(no_thread_safety_analysis)

// Test builds define gmem_test_yield, which yields to other threads at random.
#ifdef GMEM_TEST_YIELD
void gmem_test_yield(void);
#define GMEM_YIELD_POINT() gmem_test_yield()
#else
#define GMEM_YIELD_POINT() ((void)0)
#endif

typedef struct GMEM_THREAD_SAFETY(capability("mutex")) gmem_mutex_s {
  pthread_mutex_t mutex;
} gmem_mutex_t;

static inline bool gmem_mutex_init(gmem_mutex_t *lock) {
  return pthread_mutex_init(&lock->mutex, NULL) == 0;
}

static inline void gmem_mutex_destroy(gmem_mutex_t *lock) {
  pthread_mutex_destroy(&lock->mutex);
}

static inline void gmem_mutex_lock(gmem_mutex_t *lock)
    GMEM_ACQUIRES(lock) GMEM_UNCHECKED {
  GMEM_YIELD_POINT();
  pthread_mutex_lock(&lock->mutex);
}

static inline void gmem_mutex_unlock(gmem_mutex_t *lock)
    GMEM_RELEASES(lock) GMEM_UNCHECKED {
  pthread_mutex_unlock(&lock->mutex);
  GMEM_YIELD_POINT();
}

// Waits until |condition| is signalled, |deadline| (CLOCK_MONOTONIC; NULL:
// none) passes, or a spurious wake-up. Returns false if the deadline has
// passed.
static inline bool gmem_mutex_wait(gmem_mutex_t *lock,
                                   pthread_cond_t *condition,
                                   const struct timespec *deadline)
    GMEM_REQUIRES(lock) {
  if (deadline)
    return pthread_cond_timedwait(condition, &lock->mutex, deadline) == 0;
  pthread_cond_wait(condition, &lock->mutex);
  return true;
}

#endif // GMEM_RUNTIME_THREAD_SAFETY_H_
