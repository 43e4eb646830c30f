// clock.c - monotonic times.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "clock.h"

#include <time.h>

static uint64_t read_clock(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

uint64_t gmem_nanoseconds(void) { return read_clock(CLOCK_MONOTONIC); }

double gmem_seconds(void) { return (double)gmem_nanoseconds() * 1e-9; }

double gmem_thread_seconds(void) {
  return (double)read_clock(CLOCK_THREAD_CPUTIME_ID) * 1e-9;
}
