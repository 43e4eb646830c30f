// bench_heap.c - an allocator that counts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench_heap.h"

#include <stdlib.h>

static void *count_alloc(void *user, size_t size, size_t align) {
  bench_heap_t *heap = user;
  void *bytes = NULL;
  size_t least = align < sizeof(void *) ? sizeof(void *) : align;
  if (posix_memalign(&bytes, least, size) != 0)
    return NULL;
  heap->bytes += size;
  heap->peak = heap->bytes > heap->peak ? heap->bytes : heap->peak;
  return bytes;
}

static void count_free(void *user, void *bytes, size_t size, size_t align) {
  bench_heap_t *heap = user;
  (void)align;
  heap->bytes -= size;
  free(bytes);
}

gmem_allocator_t bench_heap_allocator(bench_heap_t *heap) {
  return (gmem_allocator_t){heap, count_alloc, count_free};
}
