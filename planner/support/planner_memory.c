// planner_memory.c - host memory and diagnostics of the planner. The only file
// that calls libc's heap.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "planner_memory.h"

#include <stdarg.h>
#include <stdlib.h>

#include "diag.h"

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

gmem_allocator_t gmem_planner_allocator(const gmem_allocator_t *allocator) {
  if (allocator)
    return *allocator;
  return (gmem_allocator_t){.alloc = libc_alloc, .free = libc_free};
}

void *gmem_planner_alloc(const gmem_allocator_t *allocator, size_t count,
                         size_t element_size) {
  if (count > SIZE_MAX / element_size)
    return NULL;
  size_t size = count ? count * element_size : 1;
  return allocator->alloc(allocator->user, size, host_alignment);
}

void gmem_planner_free(const gmem_allocator_t *allocator, void *memory,
                       size_t count, size_t element_size) {
  if (!memory)
    return;
  size_t size = count ? count * element_size : 1;
  allocator->free(allocator->user, memory, size, host_alignment);
}

gmem_status_t gmem_planner_fail(gmem_diag_t *diag, gmem_status_t status,
                                uint64_t object, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  gmem_fail_list(diag, status, format, arguments);
  va_end(arguments);
  if (diag)
    diag->object = object;
  return status;
}

gmem_status_t gmem_planner_out_of_memory(gmem_diag_t *diag) {
  return gmem_planner_fail(diag, GMEM_ERR_OUT_OF_MEMORY, GMEM_NO_BUFFER,
                           "out of memory");
}
