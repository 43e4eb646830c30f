// own_memory.h - what the pool is compared with: memory that each request gets
// for itself and gives back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef SERVE_OWN_MEMORY_H_
#define SERVE_OWN_MEMORY_H_

#include <stdint.h>

// Where the memory of a request comes from. That of the weights is always the
// model's.
typedef enum memory_kind_e {
  MEMORY_POOL,   // a slot of the pool
  MEMORY_MALLOC, // malloc and free, for each request
  MEMORY_MMAP,   // mmap and munmap, for each request
  MEMORY_KINDS,
} memory_kind_t;

const char *memory_kind_name(memory_kind_t kind);

// Gets |size| bytes, aligned to the power of two |align| (mmap: to a page);
// NULL when there are none. |kind| is not MEMORY_POOL.
void *own_memory_get(memory_kind_t kind, uint64_t size, uint64_t align);
// Gives them back; NULL is allowed.
void own_memory_put(memory_kind_t kind, void *memory, uint64_t size);

#endif // SERVE_OWN_MEMORY_H_
