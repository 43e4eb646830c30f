// planner_memory.h - host memory and diagnostics of the planner, shared by the
// checker and the algorithms.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_PLANNER_MEMORY_H_
#define GMEM_PLANNER_PLANNER_MEMORY_H_

#include <stdio.h>

#include "gmem/planner.h"

//===--- host memory ------------------------------------------------------===//

// The allocator |allocator| points to; libc's for NULL.
gmem_allocator_t gmem_planner_allocator(const gmem_allocator_t *allocator);

// Allocates |count| elements (at least one byte), uninitialized. Returns NULL
// when there is no memory or the size does not fit in size_t.
void *gmem_planner_alloc(const gmem_allocator_t *allocator, size_t count,
                         size_t element_size);

// Frees memory that gmem_planner_alloc returned for the same count and size.
void gmem_planner_free(const gmem_allocator_t *allocator, void *memory,
                       size_t count, size_t element_size);

//===--- diagnostics ------------------------------------------------------===//

// Fills |diag| (may be NULL) and returns |status|.
gmem_status_t gmem_planner_fail(gmem_diag_t *diag, gmem_status_t status,
                                uint64_t object, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

gmem_status_t gmem_planner_out_of_memory(gmem_diag_t *diag);

// Returns INVALID_ARGUMENT from a public function if a pointer is NULL that
// must not be: the rule of gmem/status.h.
#define GMEM_PLANNER_NEED(pointers, diag)                                      \
  do {                                                                         \
    if (!(pointers))                                                           \
      return gmem_planner_fail(                                                \
          diag, GMEM_ERR_INVALID_ARGUMENT, 0,                                  \
          "a pointer is NULL that must not be: " #pointers);                   \
  } while (0)

#endif // GMEM_PLANNER_PLANNER_MEMORY_H_
