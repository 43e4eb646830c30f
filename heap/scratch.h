// scratch.h - host memory of one call or one object, freed all at once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   gmem_scratch_t memory = {.allocator = allocator, .diag = diag};
//   gmem_status_t status = work(&memory);   // GMEM_TRY_NEW inside
//   gmem_scratch_free(&memory);

#ifndef GMEM_HEAP_SCRATCH_H_
#define GMEM_HEAP_SCRATCH_H_

#include "gmem/status.h"

typedef struct gmem_scratch_block_s gmem_scratch_block_t;

typedef struct gmem_scratch_s {
  const gmem_allocator_t *allocator;
  gmem_diag_t *diag; // receives "out of memory"; may be NULL
  gmem_scratch_block_t *newest;
} gmem_scratch_t;

// |count| elements, uninitialized, or zeroed; count 0 is allowed. NULL, with
// |diag| filled, when there is no memory or the size does not fit in size_t.
void *gmem_scratch_alloc(gmem_scratch_t *memory, size_t count,
                         size_t element_size);
void *gmem_scratch_zeros(gmem_scratch_t *memory, size_t count,
                         size_t element_size);

// Doubles the room of an array, |array_pointer| points to its pointer, when all
// of it is in use. Fails with OUT_OF_MEMORY; the array is then unchanged.
gmem_status_t gmem_scratch_grow(gmem_scratch_t *memory, void *array_pointer,
                                size_t count, size_t *room,
                                size_t element_size);

// Frees one allocation before the others; NULL is allowed.
void gmem_scratch_drop(gmem_scratch_t *memory, void *allocation);

// Frees all allocations. |memory| can be used again.
void gmem_scratch_free(gmem_scratch_t *memory);

// Allocates |count| elements, uninitialized, for |pointer|. Returns
// OUT_OF_MEMORY from the calling function when there is no memory.
#define GMEM_TRY_NEW(pointer, memory, count)                                   \
  do {                                                                         \
    (pointer) = gmem_scratch_alloc((memory), (count), sizeof *(pointer));      \
    if (!(pointer))                                                            \
      return GMEM_ERR_OUT_OF_MEMORY;                                           \
  } while (0)

// The same, zeroed.
#define GMEM_TRY_ZEROS(pointer, memory, count)                                 \
  do {                                                                         \
    (pointer) = gmem_scratch_zeros((memory), (count), sizeof *(pointer));      \
    if (!(pointer))                                                            \
      return GMEM_ERR_OUT_OF_MEMORY;                                           \
  } while (0)

// Makes room for one more element in |array|, of which |count| are in use.
#define GMEM_TRY_ROOM(array, memory, count, room)                              \
  do {                                                                         \
    if ((count) >= (room))                                                     \
      GMEM_TRY(gmem_scratch_grow((memory), &(array), (count), &(room),         \
                                 sizeof *(array)));                            \
  } while (0)

#endif // GMEM_HEAP_SCRATCH_H_
