// latency.c - see latency.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "latency.h"

#include <assert.h>
#include <stddef.h>

// Values below 32 have a slot each; larger ones are classified by their
// exponent and the 5 bits after the leading one.
static size_t slot_of(uint64_t nanoseconds) {
  if (nanoseconds < GMEM_LATENCY_STEPS)
    return (size_t)nanoseconds;
  unsigned top = 63 - (unsigned)__builtin_clzll(nanoseconds); // at least 5
  assert(top >= 5);
  size_t slot = (size_t)(top - 4) * GMEM_LATENCY_STEPS +
                (nanoseconds >> (top - 5)) % GMEM_LATENCY_STEPS;
  return slot < GMEM_LATENCY_SLOTS ? slot : GMEM_LATENCY_SLOTS - 1;
}

// The largest value of a slot.
static uint64_t end_of(size_t slot) {
  if (slot < GMEM_LATENCY_STEPS)
    return slot;
  unsigned shift = (unsigned)(slot / GMEM_LATENCY_STEPS) - 1;
  uint64_t first = GMEM_LATENCY_STEPS + slot % GMEM_LATENCY_STEPS;
  return ((first + 1) << shift) - 1;
}

void gmem_latency_add(gmem_latency_t *latency, uint64_t nanoseconds) {
  ++latency->counts[slot_of(nanoseconds)];
  ++latency->count;
  if (nanoseconds > latency->longest)
    latency->longest = nanoseconds;
}

void gmem_latency_merge(gmem_latency_t *into, const gmem_latency_t *from) {
  for (size_t i = 0; i < GMEM_LATENCY_SLOTS; ++i)
    into->counts[i] += from->counts[i];
  into->count += from->count;
  if (from->longest > into->longest)
    into->longest = from->longest;
}

uint64_t gmem_latency_quantile(const gmem_latency_t *latency,
                               unsigned per_mille) {
  uint64_t rank = (latency->count * per_mille + 999) / 1000, seen = 0;
  for (size_t i = 0; i < GMEM_LATENCY_SLOTS; ++i) {
    seen += latency->counts[i];
    if (latency->count && seen >= rank)
      return end_of(i) < latency->longest ? end_of(i) : latency->longest;
  }
  return latency->longest;
}
