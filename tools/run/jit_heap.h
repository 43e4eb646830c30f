// jit_heap.h - the heap that compiled programs are given: it counts, and knows
// what is still there, so that what a program returns or leaks can be freed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_JIT_HEAP_H_
#define GMEM_TOOLS_JIT_HEAP_H_

#include <stddef.h>
#include <stdint.h>

// Of one thread at a time. Zero-initialise.
typedef struct gmem_jit_heap_s {
  void **blocks; // hash set of what is there; NULL: free
  size_t room;   // of |blocks|, a power of two or 0
  size_t count;
  uint64_t allocations; // so far
  uint64_t bytes;       // asked for so far
  struct gmem_jit_heap_s *outer;
} gmem_jit_heap_t;

// Makes |heap| the one of this thread until gmem_jit_heap_leave. Guarded code
// (jit_guard.h) that runs out of memory, or frees what is not there, is
// stopped.
void gmem_jit_heap_enter(gmem_jit_heap_t *heap);
void gmem_jit_heap_leave(gmem_jit_heap_t *heap);

// Frees all that is still there; the counts stay.
void gmem_jit_heap_clear(gmem_jit_heap_t *heap);
// The same, and the heap's own memory: it is as new.
void gmem_jit_heap_destroy(gmem_jit_heap_t *heap);

// Functions for compiled programs, by name.
typedef struct gmem_jit_symbol_s {
  const char *name;
  void (*function)(void);
} gmem_jit_symbol_t;
extern const gmem_jit_symbol_t gmem_jit_symbols[];
extern const size_t gmem_jit_symbol_count;

#endif // GMEM_TOOLS_JIT_HEAP_H_
