// times.h - how long things took, counted in constant memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef SERVE_TIMES_H_
#define SERVE_TIMES_H_

#include <stdint.h>

enum { TIMES_STEPS = 32, TIMES_SLOTS = 60 * TIMES_STEPS };

// How many took how long, to within 1/32. Zero-initialise; one thread.
typedef struct times_s {
  uint64_t counts[TIMES_SLOTS];
  uint64_t count, longest; // of all; nanoseconds
} times_t;

// Nanoseconds of a clock that only goes forward.
uint64_t times_now(void);

void times_add(times_t *times, uint64_t nanoseconds);
void times_merge(times_t *into, const times_t *from);

// The milliseconds that |per_mille| of all took at most; 0 when there are none.
double times_quantile_ms(const times_t *times, unsigned per_mille);

#endif // SERVE_TIMES_H_
