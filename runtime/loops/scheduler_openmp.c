// scheduler_openmp.c - loops on OpenMP; without it on the calling thread.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifdef _OPENMP
#include <omp.h>
#endif

#include "gmem/scheduler.h"

static uint32_t default_threads(void *user) {
  (void)user;
#ifdef _OPENMP
  return (uint32_t)omp_get_max_threads();
#else
  return 1;
#endif
}

// OpenMP prints a warning for requests above its limit.
#ifdef _OPENMP
static int team_size(uint32_t threads) {
  int limit = omp_get_thread_limit();
  return limit < (int)threads ? limit : (int)threads;
}
#endif

static void run(void *user, uint32_t threads, gmem_workload_fn work,
                void *work_user) {
  (void)user;
#ifdef _OPENMP
  // By value: a variable that threads share would be a race to ThreadSanitizer,
  // which does not see the order that OpenMP makes.
#pragma omp parallel num_threads(team_size(threads))                           \
    firstprivate(work, work_user)
  work(work_user, (uint32_t)omp_get_thread_num(),
       (uint32_t)omp_get_num_threads());
#else
  (void)threads;
  work(work_user, 0, 1);
#endif
}

gmem_scheduler_t gmem_scheduler_openmp(void) {
  return (gmem_scheduler_t){.threads = default_threads, .run = run};
}
