// jit_heap.h - the heap of compiled programs: counts allocations and tracks
// live blocks, so that memory that a program returns or leaks can be freed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_JIT_HEAP_H_
#define GMEM_TOOLS_JIT_HEAP_H_

#include <stddef.h>
#include <stdint.h>

// Used by one thread at a time. Zero-initialise.
typedef struct gmem_jit_heap_s {
  void **blocks; // hash set of live blocks; NULL: empty slot
  size_t room;   // capacity of |blocks|, a power of two or 0
  size_t count;
  uint64_t allocations; // total count
  uint64_t bytes;       // total requested
  struct gmem_jit_heap_s *outer;
} gmem_jit_heap_t;

// Makes |heap| the heap of this thread until gmem_jit_heap_leave. Guarded code
// (jit_guard.h) that runs out of memory or frees an unknown block is stopped.
void gmem_jit_heap_enter(gmem_jit_heap_t *heap);
void gmem_jit_heap_leave(gmem_jit_heap_t *heap);

// Frees all live blocks; keeps the counts.
void gmem_jit_heap_clear(gmem_jit_heap_t *heap);
// Frees all live blocks and the heap itself, and resets it to zero.
void gmem_jit_heap_destroy(gmem_jit_heap_t *heap);

// The functions provided to compiled programs.
typedef struct gmem_jit_symbol_s {
  const char *name;
  void (*function)(void);
} gmem_jit_symbol_t;
extern const gmem_jit_symbol_t gmem_jit_symbols[];
extern const size_t gmem_jit_symbol_count;

#endif // GMEM_TOOLS_JIT_HEAP_H_
