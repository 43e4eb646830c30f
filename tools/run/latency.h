// latency.h - a histogram of request latencies in constant memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_LATENCY_H_
#define GMEM_TOOLS_LATENCY_H_

#include <stdint.h>

enum { GMEM_LATENCY_STEPS = 32, GMEM_LATENCY_SLOTS = 60 * GMEM_LATENCY_STEPS };

// A log-linear histogram: the width of a slot is at most 1/32 of its values.
// Zero-initialise. Not thread-safe.
typedef struct gmem_latency_s {
  uint64_t counts[GMEM_LATENCY_SLOTS];
  uint64_t count;
  uint64_t longest; // nanoseconds
} gmem_latency_t;

void gmem_latency_add(gmem_latency_t *latency, uint64_t nanoseconds);
void gmem_latency_merge(gmem_latency_t *into, const gmem_latency_t *from);

// The quantile |per_mille| in nanoseconds, rounded up to the end of its slot; 0
// if empty.
uint64_t gmem_latency_quantile(const gmem_latency_t *latency,
                               unsigned per_mille);

#endif // GMEM_TOOLS_LATENCY_H_
