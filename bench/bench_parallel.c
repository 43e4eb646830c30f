// bench_parallel.c - loops over a window: a kernel on one thread and on all,
// with rows that cost the same and with rows that do not.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "gmem/parallel.h"

enum { ROWS = 512, COLUMNS = 512, TAPS = 9, ROUNDS = 15 };

static float image[ROWS + TAPS][COLUMNS + TAPS];
static float result[ROWS][COLUMNS];

// Of an uneven kernel, a row costs as much as its number says.
typedef struct kernel_s {
  bool is_uneven;
} kernel_t;

static void convolve_row(uint64_t row, uint64_t columns) {
  for (uint64_t x = 0; x < columns; ++x) {
    float sum = 0;
    for (int dy = 0; dy < TAPS; ++dy)
      for (int dx = 0; dx < TAPS; ++dx)
        sum += image[row + (uint64_t)dy][x + (uint64_t)dx];
    result[row][x] = sum;
  }
}

static gmem_status_t convolve(void *user, const gmem_window_t *part,
                              const gmem_thread_t *thread, gmem_diag_t *diag) {
  const kernel_t *kernel = user;
  (void)thread;
  (void)diag;
  const gmem_dimension_t *rows = &part->dimensions[0];
  for (uint64_t row = rows->begin; row < rows->end; ++row)
    convolve_row(row, kernel->is_uneven ? row * COLUMNS / ROWS : COLUMNS);
  return GMEM_OK;
}

static gmem_status_t nothing(void *user, const gmem_window_t *part,
                             const gmem_thread_t *thread, gmem_diag_t *diag) {
  (void)user;
  (void)part;
  (void)thread;
  (void)diag;
  return GMEM_OK;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

// The best of some runs, in microseconds; negative when one failed.
static double time_of(gmem_parallel_fn body, bool is_uneven, uint32_t threads,
                      gmem_schedule_t schedule) {
  gmem_window_t window = {1, {{0, ROWS, 1}}};
  gmem_parallel_t how = {.struct_size = sizeof how,
                         .threads = threads,
                         .schedule = (uint32_t)schedule,
                         .chunk = 8};
  kernel_t kernel = {is_uneven};
  double best = 1e12;
  for (int i = 0; i < ROUNDS; ++i) {
    double begin = now();
    if (gmem_parallel_for(&window, &how, body, &kernel, NULL) != GMEM_OK)
      return -1;
    double end = now();
    best = end - begin < best ? end - begin : best;
  }
  return best;
}

static void print_row(const char *name, gmem_parallel_fn body, bool is_uneven) {
  double one = time_of(body, is_uneven, 1, GMEM_SCHEDULE_STATIC);
  double fixed = time_of(body, is_uneven, 0, GMEM_SCHEDULE_STATIC);
  double shared = time_of(body, is_uneven, 0, GMEM_SCHEDULE_DYNAMIC);
  printf("%-22s %10.1f %10.1f %8.2f %10.1f %8.2f\n", name, one, fixed,
         one / fixed, shared, one / shared);
}

int main(void) {
  printf("%-22s %10s %10s %8s %10s %8s\n", "us", "1 thread", "static", "faster",
         "dynamic", "faster");
  memset(image, 1, sizeof image);
  print_row("equal rows", convolve, false);
  print_row("rows that grow", convolve, true);
  print_row("nothing", nothing, false);
  return result[ROWS - 1][0] == 0; // it is used
}
