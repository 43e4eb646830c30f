// parallel.h - iteration windows and parallel loops over them. C11 and C++17.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   gmem_window_t rows = {1, {{0, height, 1}}};
//   gmem_parallel_t how = {sizeof how, .lease = lease, .scratch = scratch_id};
//   gmem_parallel_for(&rows, &how, convolve_rows, &operands, &diag);
//
// A window is an iteration space: an interval with a step in each dimension.
// This header belongs to the library gmem_parallel, whose loops use the threads
// of a scheduler: without one the OpenMP runtime of the compiler that built it
// (LLVM's for clang). Built without OpenMP, they then run on one thread, with
// the same results.

#ifndef GMEM_PARALLEL_H_
#define GMEM_PARALLEL_H_

#include "gmem/runtime.h"
#include "gmem/scheduler.h"

GMEM_BEGIN_C

//===--- windows (any thread) ---------------------------------------------===//

#define GMEM_WINDOW_MAX_DIMENSIONS 6

// The iterations begin, begin + step, ... below |end| of one dimension. Legal
// if begin < end, step >= 1 and end - begin is a multiple of step.
typedef struct gmem_dimension_s {
  uint64_t begin, end, step;
} gmem_dimension_t;

typedef struct gmem_window_s {
  uint32_t dimension_count; // 1 to GMEM_WINDOW_MAX_DIMENSIONS
  gmem_dimension_t dimensions[GMEM_WINDOW_MAX_DIMENSIONS];
} gmem_window_t;

// Whether every dimension of |window| is legal.
bool gmem_window_is_legal(const gmem_window_t *window);

// Number of steps of one dimension; 0 if there is no such dimension.
uint64_t gmem_window_steps(const gmem_window_t *window, uint32_t dimension);

// Part |index| of |parts| of a window along |dimension|. The parts partition
// the window; each is legal, has the step of the window and begins at a whole
// number of steps, and their numbers of steps differ by at most one. Fails with
// INVALID_ARGUMENT (NULL, an illegal window, parts 0) or OUT_OF_RANGE
// (|dimension|, or |index| is not below gmem_window_parts, so that the part
// would be empty); *out_part, which may be |window|, is then untouched. Any
// thread.
GMEM_MUST_USE gmem_status_t gmem_window_split(const gmem_window_t *window,
                                              uint32_t dimension,
                                              uint32_t parts, uint32_t index,
                                              gmem_window_t *out_part);

// The number of non-empty parts: the smaller of |parts| and the number of
// steps.
uint32_t gmem_window_parts(const gmem_window_t *window, uint32_t dimension,
                           uint32_t parts);

//===--- loops ------------------------------------------------------------===//

typedef enum gmem_schedule_e {
  GMEM_SCHEDULE_STATIC = 0,  // one part per thread, part i on thread i
  GMEM_SCHEDULE_DYNAMIC = 1, // parts of |chunk| steps to idle threads
} gmem_schedule_t;

// Options of a loop. Zero-initialise except |struct_size|.
typedef struct gmem_parallel_s {
  uint32_t struct_size; // sizeof(gmem_parallel_t)
  uint32_t dimension;   // dimension to split
  uint32_t threads;     // 0: as many as the scratch has, or the scheduler's
  uint32_t schedule;    // GMEM_SCHEDULE_*
  uint64_t chunk;       // steps per part, for DYNAMIC; 0: 1
  // Source of per-thread scratch; NULL: no scratch.
  const gmem_lease_t *lease;
  gmem_buffer_t scratch;
  const gmem_scheduler_t *scheduler; // NULL: gmem_scheduler_openmp
} gmem_parallel_t;

// The thread that runs a body.
typedef struct gmem_thread_s {
  uint32_t id;           // 0 to count - 1; unique among concurrent bodies
  uint32_t count;        // threads of this loop
  void *scratch;         // of this thread, or NULL
  uint64_t scratch_size; // bytes
} gmem_thread_t;

// A status other than GMEM_OK aborts the loop; |diag| is never NULL.
typedef gmem_status_t (*gmem_parallel_fn)(void *user, const gmem_window_t *part,
                                          const gmem_thread_t *thread,
                                          gmem_diag_t *diag);

// Runs |body| on parts that partition |window|, and returns when all are done.
// Uses at most as many threads as the window has steps along the dimension, as
// the scratch buffer was planned for, and 1024; if the scheduler provides
// fewer, a thread runs several parts. Allocates nothing itself. When a body
// fails, later parts may be skipped, earlier ones are not: the status returned
// is that of the first failing part in window order, independent of thread
// scheduling. Fails with INVALID_ARGUMENT, OUT_OF_RANGE (the dimension; more
// |threads| than the scratch was planned for), the status of the scratch
// lookup, the status of |body|, or STATE (a scheduler of the caller did not run
// every thread of the loop once: parts may have been left out). Any thread,
// also from within bodies (nested loops have one thread, unless OpenMP is
// configured otherwise), but not concurrently with the same lease and scratch.
// OpenMP starts its threads in the first loop, and terminates the process if
// the system cannot create one.
GMEM_MUST_USE gmem_status_t gmem_parallel_for(const gmem_window_t *window,
                                              const gmem_parallel_t *how,
                                              gmem_parallel_fn body, void *user,
                                              gmem_diag_t *diag);

GMEM_END_C
#endif // GMEM_PARALLEL_H_
