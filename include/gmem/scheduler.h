// scheduler.h - the threads of a parallel loop. C11 and C++17.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   gmem_scheduler_t scheduler;
//   gmem_scheduler_pthreads(4, NULL, &scheduler, &diag);
//   gmem_parallel_t how = {sizeof how, .scheduler = &scheduler};
//   gmem_parallel_for(&window, &how, body, user, &diag);
//   gmem_scheduler_destroy(&scheduler);
//
// This header belongs to the library gmem_parallel. A program with threads of
// its own fills in a gmem_scheduler_t.

#ifndef GMEM_SCHEDULER_H_
#define GMEM_SCHEDULER_H_

#include "gmem/status.h"

GMEM_BEGIN_C

// The share of thread |thread| of |count| in a loop.
typedef void (*gmem_workload_fn)(void *user, uint32_t thread, uint32_t count);

// A scheduler. Copied by value; the object that |user| points to must outlive
// the loops that use it. The functions are called from any thread, also from
// within workloads.
typedef struct gmem_scheduler_s {
  void *user;
  // The number of threads that a loop has by default; at least 1.
  uint32_t (*threads)(void *user);
  // Chooses |count|, 1 to |threads|, calls |work| once for each number below
  // |count|, all with the same |count|, and returns when all calls have
  // returned. Calls may be concurrent, or one after the other; what is written
  // before is visible to all of them, and what they write to the caller.
  void (*run)(void *user, uint32_t threads, gmem_workload_fn work,
              void *work_user);
} gmem_scheduler_t;

// The scheduler of loops without one: the OpenMP runtime of the compiler that
// built the library (LLVM's for clang); without OpenMP one thread. Any thread.
gmem_scheduler_t gmem_scheduler_openmp(void);

// Starts |threads| - 1 threads, 1 to 1024 with the caller, that wait for loops.
// They run one loop at a time: others at that time, and nested ones, run on
// their callers alone. |allocator| is copied (NULL: libc). Fails with
// INVALID_ARGUMENT, OUT_OF_RANGE or OUT_OF_MEMORY (also if the system has no
// more threads); *out_scheduler is then all zero. Any thread.
GMEM_MUST_USE gmem_status_t
gmem_scheduler_pthreads(uint32_t threads, const gmem_allocator_t *allocator,
                        gmem_scheduler_t *out_scheduler, gmem_diag_t *diag);

// Ends the threads of a scheduler created by this library and clears it. No
// loop may use it or a copy of it. NULL and an all-zero scheduler are allowed.
// Not thread-safe.
void gmem_scheduler_destroy(gmem_scheduler_t *scheduler);

GMEM_END_C
#endif // GMEM_SCHEDULER_H_
