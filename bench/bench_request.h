// bench_request.h - one request of a network, with its memory from somewhere.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_BENCH_REQUEST_H_
#define GMEM_BENCH_REQUEST_H_

#include <stdbool.h>

#include "bench_serve.h"

// A buffer begins to live and is written, or is read for the last time.
typedef struct bench_event_s {
  bool begins;
  gmem_buffer_t buffer;
  uint32_t value; // which of the values that live in buffers, one after another
} bench_event_t;

// What the steps of a network do with memory, in their order.
typedef struct bench_steps_s {
  gmem_plan_t *plan;
  bench_event_t *events;
  uint32_t event_count, value_count;
  uint64_t *sizes;      // by buffer: bytes that are used
  uint64_t *places;     // by buffer: in one arena of |arena_size|
  uint64_t *offsets;    // by buffer: in its region
  uint32_t *regions;    // by buffer
  uint64_t arena_size;  // bytes
  uint64_t value_bytes; // of all values together
} bench_steps_t;

// Reads a plan image. Ends the program if it is none. Weights, aliases and
// views are left out: they bring no memory of their own.
void bench_read_steps(const char *path, bench_steps_t *steps);
void bench_free_steps(bench_steps_t *steps);

// Where a request gets its memory from.
typedef enum bench_source_e {
  BENCH_POOL,          // one lease; the offsets are known
  BENCH_POOL_BY_ID,    // one lease, asked for the address of each buffer
  BENCH_HEAP_PER_LIFE, // malloc when a life begins, free when it ends
  BENCH_HEAP,          // one malloc and free
  BENCH_MMAP,          // one mmap and munmap
} bench_source_t;

// How much of a buffer is written and read: what is left when less of it is, is
// the cost of having memory at all.
typedef enum bench_touch_e {
  BENCH_EVERY_BYTE,
  BENCH_EVERY_PAGE, // one byte of each, and not always the same
  BENCH_ONE_BYTE,
  BENCH_TOUCHES // how many there are
} bench_touch_t;

// Of one thread.
typedef struct bench_requester_s {
  const bench_steps_t *steps;
  bench_source_t source;
  gmem_pool_t *pool; // of BENCH_POOL
  bench_touch_t touch;
  void **values; // of BENCH_HEAP_PER_LIFE: value_count
  uint64_t sum;  // of what was read
} bench_requester_t;

void bench_run_request(bench_requester_t *requester);

#endif // GMEM_BENCH_REQUEST_H_
