// failing_heap.h - an allocator that fails once and knows what is not freed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TEST_UNIT_FAILING_HEAP_H_
#define GMEM_TEST_UNIT_FAILING_HEAP_H_

#include <stdlib.h>

// Counts what it hands out, and refuses the allocation number |fail_at|.
typedef struct heap_s {
  size_t calls;
  size_t fail_at; // 1-based; 0: never
  int for_ever;   // and all allocations after it
  size_t live_blocks, live_bytes;
} heap_t;

static void *heap_alloc(void *user, size_t size, size_t align) {
  heap_t *heap = user;
  (void)align;
  if (++heap->calls == heap->fail_at ||
      (heap->for_ever && heap->fail_at && heap->calls > heap->fail_at))
    return NULL;
  ++heap->live_blocks;
  heap->live_bytes += size;
  return malloc(size);
}

static void heap_free(void *user, void *memory, size_t size, size_t align) {
  heap_t *heap = user;
  (void)align;
  --heap->live_blocks;
  heap->live_bytes -= size; // must be the size of the allocation
  free(memory);
}

#endif // GMEM_TEST_UNIT_FAILING_HEAP_H_
