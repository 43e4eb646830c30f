// times.c - see times.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "times.h"

#include <stddef.h>
#include <time.h>

uint64_t times_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

// Times below 32 ns have slots of their own; of others the highest bit and the
// five behind it decide.
static size_t slot_of(uint64_t nanoseconds) {
  unsigned shift = 0;
  while (nanoseconds >> shift >= 2 * TIMES_STEPS)
    ++shift;
  return shift * TIMES_STEPS + (size_t)(nanoseconds >> shift);
}

static uint64_t last_of(size_t slot) {
  if (slot < 2 * TIMES_STEPS)
    return slot;
  unsigned shift = (unsigned)(slot / TIMES_STEPS - 1);
  return ((uint64_t)(slot % TIMES_STEPS + TIMES_STEPS + 1) << shift) - 1;
}

void times_add(times_t *times, uint64_t nanoseconds) {
  ++times->counts[slot_of(nanoseconds)];
  ++times->count;
  if (nanoseconds > times->longest)
    times->longest = nanoseconds;
}

void times_merge(times_t *into, const times_t *from) {
  for (size_t i = 0; i < TIMES_SLOTS; ++i)
    into->counts[i] += from->counts[i];
  into->count += from->count;
  if (from->longest > into->longest)
    into->longest = from->longest;
}

double times_quantile_ms(const times_t *times, unsigned per_mille) {
  uint64_t wanted = (times->count * per_mille + 999) / 1000, seen = 0;
  uint64_t time = times->longest;
  for (size_t i = 0; i < TIMES_SLOTS && times->count; ++i) {
    seen += times->counts[i];
    if (seen < wanted)
      continue;
    time = last_of(i) < time ? last_of(i) : time;
    break;
  }
  return (double)time / 1e6;
}
