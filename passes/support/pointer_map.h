// pointer_map.h - from pointers, such as those of MLIR's values and ops, to
// indices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_POINTER_MAP_H_
#define GMEM_PASSES_POINTER_MAP_H_

#include <stdint.h>

#include "bump.h"

#define GMEM_NO_INDEX UINT32_MAX

// A hash table with open addressing, at most two thirds full. Pointers and
// indices are apart, because a pair would be padded to 16 bytes.
typedef struct gmem_pointer_map_s {
  const void **pointers; // by slot; NULL: it is free
  uint32_t *indices;     // by slot
  size_t mask;           // number of slots - 1
  size_t room;           // pointers that may still be added
} gmem_pointer_map_t;

// Makes an empty map for at most |count| pointers in |arena|.
gmem_status_t gmem_pointer_map_make(gmem_pointer_map_t *map, size_t count,
                                    gmem_bump_t *arena, gmem_diag_t *diag);

// Adds |pointer|, which is neither NULL nor in the map.
void gmem_pointer_map_add(gmem_pointer_map_t *map, const void *pointer,
                          uint32_t index);

// The index of |pointer|, or GMEM_NO_INDEX.
uint32_t gmem_pointer_map_find(const gmem_pointer_map_t *map,
                               const void *pointer);

// From the pointers that the elements of an array begin with to their indices:
// a third of the memory, as the table holds no pointers.
typedef struct gmem_pointer_index_s {
  const char *elements;
  size_t size;     // of an element
  uint32_t *slots; // 1 + index; 0: it is free
  size_t mask;     // number of slots - 1
} gmem_pointer_index_t;

// Makes the index of |count| elements of |size| bytes, which stay where they
// are, in |arena|. Their pointers are neither NULL nor equal.
gmem_status_t gmem_pointer_index_make(gmem_pointer_index_t *index,
                                      const void *elements, size_t count,
                                      size_t size, gmem_bump_t *arena,
                                      gmem_diag_t *diag);

// The index of the element that begins with |pointer|, or GMEM_NO_INDEX.
uint32_t gmem_pointer_index_find(const gmem_pointer_index_t *index,
                                 const void *pointer);

#endif // GMEM_PASSES_POINTER_MAP_H_
