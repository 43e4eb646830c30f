// heap.c - host memory through an allocator. The only file of the planner and
// of the search for orders that calls libc's heap.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "heap.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const size_t host_alignment = _Alignof(max_align_t);

static void *libc_alloc(void *user, size_t size, size_t align) {
  (void)user;
  (void)align; // never above that of max_align_t
  return malloc(size);
}

static void libc_free(void *user, void *memory, size_t size, size_t align) {
  (void)user;
  (void)size;
  (void)align;
  free(memory);
}

gmem_allocator_t gmem_heap_allocator(const gmem_allocator_t *allocator) {
  if (allocator)
    return *allocator;
  return (gmem_allocator_t){.alloc = libc_alloc, .free = libc_free};
}

void *gmem_heap_alloc(const gmem_allocator_t *allocator, size_t count,
                      size_t element_size) {
  if (count > SIZE_MAX / element_size)
    return NULL;
  size_t size = count ? count * element_size : 1;
  return allocator->alloc(allocator->user, size, host_alignment);
}

// libc's memory that is fresh from the operating system is zero already, and
// moves without a copy.
static bool is_libc(const gmem_allocator_t *allocator) {
  return allocator->alloc == libc_alloc;
}

void *gmem_heap_zeros(const gmem_allocator_t *allocator, size_t size) {
  if (is_libc(allocator))
    return calloc(size, 1);
  void *zeros = gmem_heap_alloc(allocator, size, 1);
  return zeros ? memset(zeros, 0, size) : NULL;
}

void *gmem_heap_grow(const gmem_allocator_t *allocator, void *memory,
                     size_t size, size_t larger) {
  assert(size <= larger);
  if (is_libc(allocator))
    return realloc(memory, larger);
  void *grown = gmem_heap_alloc(allocator, larger, 1);
  if (grown) {
    memcpy(grown, memory, size);
    gmem_heap_free(allocator, memory, size, 1);
  }
  return grown;
}

void gmem_heap_free(const gmem_allocator_t *allocator, void *memory,
                    size_t count, size_t element_size) {
  if (!memory)
    return;
  size_t size = count ? count * element_size : 1;
  allocator->free(allocator->user, memory, size, host_alignment);
}
