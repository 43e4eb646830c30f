// planner_memory.c - host memory and diagnostics of the planner.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "planner_memory.h"

#include <stdarg.h>

#include "diag.h"
#include "heap.h"

gmem_allocator_t gmem_planner_allocator(const gmem_allocator_t *allocator) {
  return gmem_heap_allocator(allocator);
}

void *gmem_planner_alloc(const gmem_allocator_t *allocator, size_t count,
                         size_t element_size) {
  return gmem_heap_alloc(allocator, count, element_size);
}

void gmem_planner_free(const gmem_allocator_t *allocator, void *memory,
                       size_t count, size_t element_size) {
  gmem_heap_free(allocator, memory, count, element_size);
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
