// latency.h - how long requests took, counted in constant memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_LATENCY_H_
#define GMEM_TOOLS_LATENCY_H_

#include <stdint.h>

enum { GMEM_LATENCY_STEPS = 32, GMEM_LATENCY_SLOTS = 60 * GMEM_LATENCY_STEPS };

// Times are counted in slots whose bounds are within 1/32 of one another.
// Zero-initialise; one thread.
typedef struct gmem_latency_s {
  uint64_t counts[GMEM_LATENCY_SLOTS];
  uint64_t count, longest; // of all; nanoseconds
} gmem_latency_t;

void gmem_latency_add(gmem_latency_t *latency, uint64_t nanoseconds);
void gmem_latency_merge(gmem_latency_t *into, const gmem_latency_t *from);

// The nanoseconds that |per_mille| of all took at most, rounded up to a slot; 0
// when there are none.
uint64_t gmem_latency_quantile(const gmem_latency_t *latency,
                               unsigned per_mille);

#endif // GMEM_TOOLS_LATENCY_H_
