// loops.c - a loop over a window, with the installed library.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdio.h>

#include "gmem/parallel.h"

static gmem_status_t square(void *user, const gmem_window_t *part,
                            const gmem_thread_t *thread, gmem_diag_t *diag) {
  uint64_t *squares = user;
  (void)thread;
  (void)diag;
  for (uint64_t i = part->dimensions[0].begin; i < part->dimensions[0].end; ++i)
    squares[i] = i * i;
  return GMEM_OK;
}

int main(void) {
  uint64_t squares[100], sum = 0;
  gmem_window_t window = {1, {{0, 100, 1}}};
  gmem_parallel_t how = {.struct_size = sizeof how, .threads = 4};
  if (gmem_parallel_for(&window, &how, square, squares, NULL) != GMEM_OK)
    return 1;
  for (int i = 0; i < 100; ++i)
    sum += squares[i];
  printf("sum of squares: %d\n", (int)sum);
  return 0;
}
