// workers.h - threads that run numbered requests.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_WORKERS_H_
#define GMEM_TOOLS_WORKERS_H_

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "gmem/status.h"

typedef struct gmem_workers_s gmem_workers_t;
struct gmem_workers_s {
  uint32_t threads;  // at least 1
  uint32_t requests; // numbers from 0
  // The work of one thread: takes requests with gmem_workers_next. |states| is
  // that of thread 0; those of the others follow at |state_size| bytes each.
  void (*work)(gmem_workers_t *workers, void *state);
  void *states;
  size_t state_size;
  atomic_uint next; // next request; overshoots by up to one per thread
};

// Runs |work| on all threads, on the calling thread if it is the only one.
// Returns GMEM_OK, or prints a message if threads cannot be started; those
// that were then stop early.
gmem_status_t gmem_workers_run(gmem_workers_t *workers);

// Takes the next request; false if all were taken or the user has interrupted
// the run.
bool gmem_workers_next(gmem_workers_t *workers, uint32_t *out_request);

// The number of requests taken.
uint32_t gmem_workers_begun(const gmem_workers_t *workers);

#endif // GMEM_TOOLS_WORKERS_H_
