// progress_bar.h - shows the progress of a search on standard error.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_PROGRESS_BAR_H_
#define GMEM_TOOLS_PROGRESS_BAR_H_

#include <pthread.h>

#include "gmem/planner.h"
#include "solve_options.h"

// Thread-safe after gmem_progress_bar_create.
typedef struct gmem_progress_bar_s {
  pthread_mutex_t mutex;
  bool is_enabled;
  bool is_drawn;        // a line must be erased
  double next_draw;     // gmem_seconds() of the earliest redraw
  double redraw_delay;  // seconds
  uint32_t done, count; // problems; shown if count > 1
} gmem_progress_bar_t;

void gmem_progress_bar_create(gmem_progress_bar_t *bar, gmem_when_t when,
                              uint32_t problem_count);

// A gmem_progress_fn; |user| is the bar. Returns false, which stops the search,
// after Ctrl-C.
bool gmem_progress_bar_report(void *user, const gmem_progress_t *progress);

// Counts one finished problem.
void gmem_progress_bar_advance(gmem_progress_bar_t *bar);

// Erases the line; call before printing anything else.
void gmem_progress_bar_erase(gmem_progress_bar_t *bar);
void gmem_progress_bar_destroy(gmem_progress_bar_t *bar);

#endif // GMEM_TOOLS_PROGRESS_BAR_H_
