// progress_bar.c - shows the progress of a search on standard error.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "progress_bar.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "clock.h"
#include "interrupt.h"

enum { BAR_CELLS = 24, MAX_LINE = 128 };

// Short searches show no bar.
static const double FIRST_DELAY = 0.25, REDRAW_DELAY = 0.1; // seconds

void gmem_progress_bar_create(gmem_progress_bar_t *bar, gmem_when_t when,
                              uint32_t problem_count) {
  *bar = (gmem_progress_bar_t){.count = problem_count};
  pthread_mutex_init(&bar->mutex, NULL);
  bar->is_enabled = when == GMEM_WHEN_ALWAYS ||
                    (when == GMEM_WHEN_AUTO && isatty(STDERR_FILENO) == 1);
  // --progress=always redraws at every report.
  bool is_throttled = when != GMEM_WHEN_ALWAYS;
  bar->redraw_delay = is_throttled ? REDRAW_DELAY : 0;
  bar->next_draw = gmem_seconds() + (is_throttled ? FIRST_DELAY : 0);
}

// Upper estimate of the finished part of the stage, in percent.
static unsigned percent_of(const gmem_progress_t *progress) {
  if (progress->step_limit == 0)
    return 0;
  double part = (double)progress->steps / (double)progress->step_limit;
  return part < 1 ? (unsigned)(part * 100) : 100;
}

static void describe_peak(const gmem_progress_t *progress, char *text,
                          size_t size) {
  if (progress->peak == GMEM_UNLIMITED)
    snprintf(text, size, "no plan yet");
  else if (progress->lower_bound == 0)
    snprintf(text, size, "peak %" PRIu64, progress->peak);
  else
    snprintf(text, size, "peak %" PRIu64 ", %.4f of the bound", progress->peak,
             (double)progress->peak / (double)progress->lower_bound);
}

// A wrapped line could not be erased.
static size_t max_line_length(void) {
  struct winsize window = {0};
  bool is_known = ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0;
  size_t columns = is_known && window.ws_col ? window.ws_col : MAX_LINE;
  return columns < MAX_LINE ? columns : MAX_LINE;
}

static void draw(gmem_progress_bar_t *bar, const gmem_progress_t *progress) {
  char problems[32] = "", peak[64], cells[BAR_CELLS + 1];
  unsigned percent = percent_of(progress);
  if (bar->count > 1)
    snprintf(problems, sizeof problems, "%" PRIu32 "/%" PRIu32 " ", bar->done,
             bar->count);
  describe_peak(progress, peak, sizeof peak);
  for (unsigned i = 0; i < BAR_CELLS; ++i)
    cells[i] = i * 100 < percent * BAR_CELLS ? '#' : '.';
  cells[BAR_CELLS] = '\0';
  char line[MAX_LINE];
  assert(percent <= 100);
  snprintf(line, max_line_length(), "%s%.20s [%s] %u%% %s", problems,
           progress->stage ? progress->stage : "", cells, percent, peak);
  // Return to column 1 and erase the rest of the line.
  fprintf(stderr, "\r%s\033[K", line);
  fflush(stderr);
  bar->is_drawn = true;
}

bool gmem_progress_bar_report(void *user, const gmem_progress_t *progress) {
  gmem_progress_bar_t *bar = user;
  if (bar->is_enabled) {
    pthread_mutex_lock(&bar->mutex);
    double time = gmem_seconds();
    if (time >= bar->next_draw) {
      draw(bar, progress);
      bar->next_draw = time + bar->redraw_delay;
    }
    pthread_mutex_unlock(&bar->mutex);
  }
  return !gmem_interrupted();
}

void gmem_progress_bar_advance(gmem_progress_bar_t *bar) {
  pthread_mutex_lock(&bar->mutex);
  ++bar->done;
  assert(bar->done <= bar->count);
  pthread_mutex_unlock(&bar->mutex);
}

void gmem_progress_bar_erase(gmem_progress_bar_t *bar) {
  pthread_mutex_lock(&bar->mutex);
  if (bar->is_drawn) {
    fputs("\r\033[K", stderr);
    fflush(stderr);
  }
  bar->is_drawn = false;
  pthread_mutex_unlock(&bar->mutex);
}

void gmem_progress_bar_destroy(gmem_progress_bar_t *bar) {
  gmem_progress_bar_erase(bar);
  pthread_mutex_destroy(&bar->mutex);
}
