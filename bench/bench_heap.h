// bench_heap.h - an allocator that counts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_BENCH_HEAP_H_
#define GMEM_BENCH_HEAP_H_

#include "gmem/status.h"

typedef struct bench_heap_s {
  size_t bytes, peak;
} bench_heap_t;

// libc's heap, counted in |heap|.
gmem_allocator_t bench_heap_allocator(bench_heap_t *heap);

#endif // GMEM_BENCH_HEAP_H_
