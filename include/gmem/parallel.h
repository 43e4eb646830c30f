// parallel.h - windows of work, their parts, and loops over them on several
// threads. C11 and C++17.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   gmem_window_t rows = {1, {{0, height, 1}}};
//   gmem_parallel_t how = {sizeof how, .lease = lease, .scratch = scratch_id};
//   gmem_parallel_for(&rows, &how, convolve_rows, &operands, &diag);
//
// A window is a workload: an interval with a step in each of its dimensions.
// All of this is in the library gmem_parallel, whose loops run on the OpenMP of
// the compiler that built it: LLVM's with clang. Built without OpenMP, they run
// on one thread, with the same results.

#ifndef GMEM_PARALLEL_H_
#define GMEM_PARALLEL_H_

#include "gmem/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

//===--- windows (any thread) ---------------------------------------------===//

#define GMEM_WINDOW_MAX_DIMENSIONS 6

// The steps begin, begin + step, ... below |end| of one dimension. Legal when
// begin < end, step >= 1 and end - begin is a multiple of step.
typedef struct gmem_dimension_s {
  uint64_t begin, end, step;
} gmem_dimension_t;

typedef struct gmem_window_s {
  uint32_t dimension_count; // 1 to GMEM_WINDOW_MAX_DIMENSIONS
  gmem_dimension_t dimensions[GMEM_WINDOW_MAX_DIMENSIONS];
} gmem_window_t;

// Whether every dimension of |window| is legal.
bool gmem_window_is_legal(const gmem_window_t *window);

// Steps of one dimension; 0 when there is no such dimension.
uint64_t gmem_window_steps(const gmem_window_t *window, uint32_t dimension);

// Part |index| of |parts| of a window along |dimension|. The parts are
// disjoint, together they are the window, each is legal, has the step of the
// window and begins at a whole number of steps, and their steps differ by at
// most one. Fails with INVALID_ARGUMENT (NULL, an illegal window, parts 0) or
// OUT_OF_RANGE (|dimension|, or |index| is not below gmem_window_parts, so the
// part would be empty); *out_part, which may be |window|, is then untouched.
// Any thread.
GMEM_MUST_USE gmem_status_t gmem_window_split(const gmem_window_t *window,
                                              uint32_t dimension,
                                              uint32_t parts, uint32_t index,
                                              gmem_window_t *out_part);

// How many of |parts| parts have a step in them: the smaller of both.
uint32_t gmem_window_parts(const gmem_window_t *window, uint32_t dimension,
                           uint32_t parts);

//===--- loops ------------------------------------------------------------===//

typedef enum gmem_schedule_e {
  GMEM_SCHEDULE_STATIC = 0,  // one part per thread, part i on thread i
  GMEM_SCHEDULE_DYNAMIC = 1, // parts of |chunk| steps to whoever is free
} gmem_schedule_t;

// How to run a loop. Zero-initialise but for |struct_size|.
typedef struct gmem_parallel_s {
  uint32_t struct_size; // sizeof(gmem_parallel_t)
  uint32_t dimension;   // along which to split
  uint32_t threads;     // 0: as many as the scratch has, or else as OpenMP uses
  uint32_t schedule;    // GMEM_SCHEDULE_*
  uint64_t chunk;       // steps, of DYNAMIC; 0: 1
  // Where per-thread scratch comes from; NULL: there is none.
  const gmem_lease_t *lease;
  gmem_buffer_t scratch;
} gmem_parallel_t;

// What a body is told of the thread it runs on.
typedef struct gmem_thread_s {
  uint32_t id;           // 0 to count - 1; no two bodies at once have the same
  uint32_t count;        // threads of this loop
  void *scratch;         // this thread's own, or NULL
  uint64_t scratch_size; // bytes
} gmem_thread_t;

// A status other than GMEM_OK ends the loop early; |diag| is never NULL.
typedef gmem_status_t (*gmem_parallel_fn)(void *user, const gmem_window_t *part,
                                          const gmem_thread_t *thread,
                                          gmem_diag_t *diag);

// Runs |body| on parts of |window| that together are all of it. Returns when
// all are done. Never uses more threads than the window has steps along the
// dimension, nor than the scratch buffer was planned for, nor than 1024; when
// OpenMP gives fewer than that, a thread runs several parts. Allocates nothing
// itself. When a body fails, parts after the failed one may be left out, those
// before it are not: the failure that is returned is that of the first part in
// the order of the window, however the threads were scheduled. Fails with
// INVALID_ARGUMENT, OUT_OF_RANGE (the dimension; more |threads| than the
// scratch was planned for), what looking up the scratch returns, or what |body|
// returns. Any thread, also from within bodies (such a loop has one thread,
// unless OpenMP is told otherwise), but not with the same lease and scratch.
// OpenMP starts its threads in the first loop, and ends the process if the
// system refuses it one.
GMEM_MUST_USE gmem_status_t gmem_parallel_for(const gmem_window_t *window,
                                              const gmem_parallel_t *how,
                                              gmem_parallel_fn body, void *user,
                                              gmem_diag_t *diag);

#ifdef __cplusplus
}
#endif
#endif // GMEM_PARALLEL_H_
