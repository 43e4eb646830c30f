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

// Frees memory that gmem_heap_alloc returned for the same count and size.
void gmem_heap_free(const gmem_allocator_t *allocator, void *memory,
                    size_t count, size_t element_size);

#endif // GMEM_HEAP_HEAP_H_
