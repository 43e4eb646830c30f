// text_map.h - from texts to indices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_TEXT_MAP_H_
#define GMEM_PASSES_TEXT_MAP_H_

#include "mlir-c/Support.h"
#include "pointer_map.h"

// A hash table with open addressing, at most two thirds full. It does not copy
// the texts: they must outlive it.
typedef struct gmem_text_map_s {
  MlirStringRef *texts; // by slot; |data| NULL: it is free
  uint32_t *indices;    // by slot
  size_t mask;          // number of slots - 1
  size_t room;          // texts that may still be added
} gmem_text_map_t;

// Makes an empty map for at most |count| texts in |arena|.
gmem_status_t gmem_text_map_make(gmem_text_map_t *map, size_t count,
                                 gmem_bump_t *arena, gmem_diag_t *diag);

// Adds |text|, which is not in the map.
void gmem_text_map_add(gmem_text_map_t *map, MlirStringRef text,
                       uint32_t index);

// The index of |text|, or GMEM_NO_INDEX.
uint32_t gmem_text_map_find(const gmem_text_map_t *map, MlirStringRef text);

#endif // GMEM_PASSES_TEXT_MAP_H_
