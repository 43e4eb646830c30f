// bump.h - a bump allocator: allocations of one pass run, freed all at once.
// Not to be confused with the planned arenas of a program (materialize.h).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_BUMP_H_
#define GMEM_PASSES_BUMP_H_

#include <stdbool.h>

#include "diagnostics.h"
#include "gmem/status.h"

typedef struct gmem_bump_block_s gmem_bump_block_t;

typedef struct gmem_bump_s {
  gmem_allocator_t allocator;
  gmem_bump_block_t *blocks; // newest first
  size_t used;               // bytes of the newest block
  bool out_of_memory;        // an allocation has failed, and so will all others
} gmem_bump_t;

// |allocator| NULL: libc.
void gmem_bump_init(gmem_bump_t *arena, const gmem_allocator_t *allocator);
void gmem_bump_destroy(gmem_bump_t *arena);

// |count| zeroed elements of |size| bytes, aligned for any type; count 0 is
// allowed. NULL when memory is out or the product overflows, now or in an
// earlier call: several allocations may be followed by one check.
void *gmem_bump_alloc(gmem_bump_t *arena, size_t count, size_t size);

// A copy of |count| elements of |size| bytes, or NULL; |from| may be NULL if
// |count| is 0.
void *gmem_bump_copy(gmem_bump_t *arena, const void *from, size_t count,
                     size_t size);

// Frees |array| before the others if it is so large that it has memory of its
// own. Nothing reads it any more.
void gmem_bump_drop(gmem_bump_t *arena, const void *array);

// Fills |diag| and returns OUT_OF_MEMORY if an allocation has failed.
gmem_status_t gmem_bump_status(const gmem_bump_t *arena, gmem_diag_t *diag);

// Allocates |count| zeroed elements for |pointer|. When there is no memory,
// fills |diag| and returns OUT_OF_MEMORY from the calling function.
#define GMEM_TRY_ALLOC(pointer, arena, count, diag)                            \
  do {                                                                         \
    (pointer) = gmem_bump_alloc((arena), (count), sizeof *(pointer));          \
    if (!(pointer))                                                            \
      return gmem_out_of_memory(diag);                                         \
  } while (0)

// A NUL-terminated copy of |length| bytes, or NULL.
char *gmem_bump_string(gmem_bump_t *arena, const char *text, size_t length);

// Makes room for one more element in an array of |count| elements that has room
// for |*capacity|; the elements behind are not initialized, and the old copy
// becomes invalid. Returns whether there was memory.
bool gmem_bump_grow(gmem_bump_t *arena, void *array_pointer, size_t count,
                    size_t *capacity, size_t size);

// Makes room for one more element at the end of |array|, a pointer, as
// gmem_bump_grow. When there is no memory, fills |diag| and returns
// OUT_OF_MEMORY from the calling function.
#define GMEM_TRY_GROW(arena, array, count, room, diag)                         \
  do {                                                                         \
    if ((count) == (room) &&                                                   \
        !gmem_bump_grow((arena), &(array), (count), &(room), sizeof *(array))) \
      return gmem_out_of_memory(diag);                                         \
  } while (0)

// A list that grows by GMEM_APPEND; zero: empty.
#define GMEM_LIST(type)                                                        \
  struct {                                                                     \
    type *at;                                                                  \
    size_t count, room;                                                        \
  }

// Appends an element, the last argument, to |list|, a pointer to a struct with
// the fields |at|, |count| and |room|. When there is no memory the list stays
// as it is, to be seen by gmem_bump_status.
#define GMEM_APPEND(arena, list, ...)                                          \
  do {                                                                         \
    if ((list)->count < (list)->room ||                                        \
        gmem_bump_grow((arena), &(list)->at, (list)->count, &(list)->room,     \
                       sizeof *(list)->at))                                    \
      (list)->at[(list)->count++] = __VA_ARGS__;                               \
  } while (0)

#endif // GMEM_PASSES_BUMP_H_
