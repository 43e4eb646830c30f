// heap.h - host memory through an allocator.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_HEAP_HEAP_H_
#define GMEM_HEAP_HEAP_H_

#include "gmem/status.h"

// The allocator |allocator| points to; libc's for NULL.
gmem_allocator_t gmem_heap_allocator(const gmem_allocator_t *allocator);

// Allocates |count| elements (at least one byte), uninitialized. Returns NULL
// when there is no memory or the size does not fit in size_t.
void *gmem_heap_alloc(const gmem_allocator_t *allocator, size_t count,
                      size_t element_size);

// Allocates |size| bytes of zeros, at least one. NULL when there is no memory.
void *gmem_heap_zeros(const gmem_allocator_t *allocator, size_t size);

// Grows |memory| of |size| bytes, at least one, to |larger|, uninitialized, and
// returns where it is then. Returns NULL when there is no memory, and |memory|
// stays as it is.
void *gmem_heap_grow(const gmem_allocator_t *allocator, void *memory,
                     size_t size, size_t larger);

// Frees memory that one of these returned for the same count and size.
void gmem_heap_free(const gmem_allocator_t *allocator, void *memory,
                    size_t count, size_t element_size);

#endif // GMEM_HEAP_HEAP_H_
