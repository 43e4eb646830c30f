// parallel.c - parallel loops over a window, on the threads of a scheduler.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A window is split into numbered pieces. Each thread runs pieces in ascending
// order, and a piece is skipped only after an earlier one has failed. So the
// first failing piece always runs, and its failure is returned independent of
// thread scheduling.

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "gmem/parallel.h"
#include "image_codec.h"
#include "runtime_support.h"
#include "slot_pool.h"

// The limit of scratch in a plan. OpenMP, for one, terminates the process if
// the system cannot create a thread, so larger numbers are never passed to it.
enum { MAX_THREADS = 1024 };

// One loop, on the stack of its caller.
typedef struct loop_s {
  const gmem_window_t *window;
  const gmem_parallel_t *how;
  gmem_parallel_fn body;
  void *user;
  gmem_scheduler_t scheduler;
  uint64_t pieces;
  uint32_t threads; // limit of threads

  atomic_uint_fast64_t next_piece;   // DYNAMIC: next piece to run
  atomic_uint_fast64_t first_failed; // piece, or UINT64_MAX
  pthread_mutex_t lock;              // guards the failure
  gmem_status_t status;              // of |first_failed|
  gmem_diag_t diag;
  // Order the caller before the bodies, and the bodies before the return.
  // OpenMP does so too, but ThreadSanitizer does not instrument its library.
  atomic_uint begun, ended; // |ended|: threads that have returned
  atomic_uint team;         // threads that the scheduler chose
  atomic_bool broken;       // the scheduler violates its contract
} loop_t;

static gmem_status_t fail(gmem_diag_t *diag, gmem_status_t status,
                          const char *text) {
  if (diag) {
    *diag = (gmem_diag_t){.status = status};
    snprintf(diag->text, sizeof diag->text, "%s", text);
  }
  return status;
}

//===--- pieces -----------------------------------------------------------===//

static uint64_t chunk_of(const loop_t *loop) {
  return loop->how->chunk ? loop->how->chunk : 1;
}

static uint64_t piece_count(const loop_t *loop) {
  uint64_t steps = gmem_window_steps(loop->window, loop->how->dimension);
  if (loop->how->schedule == GMEM_SCHEDULE_STATIC)
    return gmem_window_parts(loop->window, loop->how->dimension, loop->threads);
  uint64_t chunk = chunk_of(loop);
  return steps / chunk + (steps % chunk != 0);
}

static gmem_window_t static_piece(const loop_t *loop, uint64_t piece) {
  gmem_window_t part = *loop->window;
  gmem_status_t status =
      gmem_window_split(loop->window, loop->how->dimension,
                        (uint32_t)loop->pieces, (uint32_t)piece, &part);
  (void)status; // the window is legal, and it has |pieces| parts
  return part;
}

static gmem_window_t dynamic_piece(const loop_t *loop, uint64_t piece) {
  gmem_window_t part = *loop->window;
  gmem_dimension_t *of = &part.dimensions[loop->how->dimension];
  uint64_t first = piece * chunk_of(loop);
  uint64_t left = (of->end - of->begin) / of->step - first;
  uint64_t steps = left < chunk_of(loop) ? left : chunk_of(loop);
  of->begin += first * of->step;
  of->end = of->begin + steps * of->step;
  return part;
}

//===--- one thread -------------------------------------------------------===//

static void record_failure(loop_t *loop, uint64_t piece, gmem_status_t status,
                           const gmem_diag_t *diag) {
  pthread_mutex_lock(&loop->lock);
  if (piece < atomic_load(&loop->first_failed)) {
    atomic_store(&loop->first_failed, piece);
    loop->status = status;
    loop->diag = *diag;
  }
  pthread_mutex_unlock(&loop->lock);
}

// Runs a piece. Returns false if later pieces need not run.
static bool run_piece(loop_t *loop, uint64_t piece,
                      const gmem_thread_t *thread) {
  GMEM_ASSERT(thread->id < thread->count);
  if (piece >= loop->pieces || piece > atomic_load(&loop->first_failed))
    return false;
  gmem_window_t part = loop->how->schedule == GMEM_SCHEDULE_STATIC
                           ? static_piece(loop, piece)
                           : dynamic_piece(loop, piece);
  gmem_diag_t diag = {0};
  gmem_status_t status = loop->body(loop->user, &part, thread, &diag);
  if (status == GMEM_OK)
    return true;
  record_failure(loop, piece, status, &diag);
  return false;
}

static gmem_status_t look_up_scratch(const gmem_parallel_t *how,
                                     gmem_thread_t *thread) {
  if (!how->lease)
    return GMEM_OK;
  return gmem_lease_thread_scratch(how->lease, how->scratch, thread->id,
                                   &thread->scratch, &thread->scratch_size);
}

// A workload of the scheduler.
static void run_thread(void *user, uint32_t id, uint32_t count) {
  loop_t *loop = user;
  (void)atomic_load_explicit(&loop->begun, memory_order_acquire);
  unsigned none = 0;
  if (id >= count || count > loop->threads ||
      (!atomic_compare_exchange_strong(&loop->team, &none, count) &&
       none != count)) {
    atomic_store(&loop->broken, true);
    return;
  }
  gmem_thread_t thread = {.id = id, .count = count};
  gmem_status_t status = look_up_scratch(loop->how, &thread);
  GMEM_ASSERT(status == GMEM_OK); // set_up has checked the scratch
  (void)status;
  if (loop->how->schedule == GMEM_SCHEDULE_STATIC)
    // The scheduler may provide fewer threads than there are pieces.
    for (uint64_t i = id; run_piece(loop, i, &thread); i += count)
      ;
  else
    while (run_piece(loop, atomic_fetch_add(&loop->next_piece, 1), &thread))
      ;
  atomic_fetch_add_explicit(&loop->ended, 1, memory_order_release);
}

//===--- all threads ------------------------------------------------------===//

// Returns false if the scheduler did not run every thread of its team once.
static bool run_threads(loop_t *loop) {
  atomic_store_explicit(&loop->begun, 1, memory_order_release);
  loop->scheduler.run(loop->scheduler.user, loop->threads, run_thread, loop);
  unsigned ended = atomic_load_explicit(&loop->ended, memory_order_acquire);
  return !atomic_load(&loop->broken) && ended > 0 &&
         ended == atomic_load(&loop->team);
}

// The limit of threads: the number that the scratch buffer was planned for, or
// MAX_THREADS.
static uint32_t most_threads(const gmem_parallel_t *how) {
  if (!how->lease)
    return MAX_THREADS;
  // The buffer exists: it was looked up before.
  return gmem_image_buffer(&how->lease->pool->model->plan->view, how->scratch)
      .threads;
}

// Checks all arguments before a body runs; sets |loop->threads|.
static gmem_status_t set_up(loop_t *loop, gmem_diag_t *diag) {
  const gmem_parallel_t *how = loop->how;
  if (!how || how->struct_size != sizeof *how ||
      how->schedule > GMEM_SCHEDULE_DYNAMIC || !loop->body ||
      (how->scheduler && (!how->scheduler->run || !how->scheduler->threads)) ||
      !gmem_window_is_legal(loop->window))
    return fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                "the window is illegal, body or how is NULL, or the "
                "struct_size, schedule or scheduler of how is wrong");
  loop->scheduler = how->scheduler ? *how->scheduler : gmem_scheduler_openmp();
  if (how->dimension >= loop->window->dimension_count)
    return fail(diag, GMEM_ERR_OUT_OF_RANGE,
                "the window does not have the dimension to split");
  gmem_thread_t first = {0};
  gmem_status_t status = look_up_scratch(how, &first);
  if (status != GMEM_OK)
    return fail(diag, status, "the scratch buffer is not available");
  uint32_t most = most_threads(how);
  if (how->lease && how->threads > most)
    return fail(diag, GMEM_ERR_OUT_OF_RANGE,
                "the scratch buffer was planned for fewer threads");
  uint32_t asked = how->threads ? how->threads
                   : how->lease ? most
                                : loop->scheduler.threads(loop->scheduler.user);
  asked = asked < most ? asked : most;
  loop->threads =
      gmem_window_parts(loop->window, how->dimension, asked ? asked : 1);
  return GMEM_OK;
}

gmem_status_t gmem_parallel_for(const gmem_window_t *window,
                                const gmem_parallel_t *how,
                                gmem_parallel_fn body, void *user,
                                gmem_diag_t *diag) {
  loop_t loop = {.window = window,
                 .how = how,
                 .body = body,
                 .user = user,
                 .first_failed = UINT64_MAX,
                 .lock = PTHREAD_MUTEX_INITIALIZER};
  GMEM_TRY(set_up(&loop, diag));
  loop.pieces = piece_count(&loop);
  bool complete = run_threads(&loop);
  pthread_mutex_destroy(&loop.lock);
  if (!complete)
    return fail(diag, GMEM_ERR_STATE,
                "the scheduler did not run every thread of the loop once");
  if (loop.status != GMEM_OK && diag)
    *diag = loop.diag;
  return loop.status;
}
