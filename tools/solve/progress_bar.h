// progress_bar.h - one line on standard error that says how far a search is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_PROGRESS_BAR_H_
#define GMEM_TOOLS_PROGRESS_BAR_H_

#include <pthread.h>

#include "gmem/planner.h"
#include "solve_options.h"

// Any number of threads may use one bar.
typedef struct gmem_progress_bar_s {
  pthread_mutex_t mutex;
  bool is_enabled;
  bool is_drawn;        // there is something to erase
  double next_draw;     // gmem_now(): not earlier, lest it flicker
  double redraw_delay;  // seconds
  uint32_t done, count; // problems; count 0 or 1: no need to tell
} gmem_progress_bar_t;

void gmem_progress_bar_create(gmem_progress_bar_t *bar, gmem_when_t when,
                              uint32_t problem_count);

// A gmem_progress_fn; |user| is the bar. Also asks the search to stop when the
// user pressed Ctrl-C.
bool gmem_progress_bar_report(void *user, const gmem_progress_t *progress);

// One more problem is done.
void gmem_progress_bar_advance(gmem_progress_bar_t *bar);

// Erases the line: before anything else is printed.
void gmem_progress_bar_erase(gmem_progress_bar_t *bar);
void gmem_progress_bar_destroy(gmem_progress_bar_t *bar);

// Seconds since some moment in the past.
double gmem_now(void);

#endif // GMEM_TOOLS_PROGRESS_BAR_H_
