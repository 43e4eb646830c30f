// text_map.c - see text_map.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "text_map.h"

#include <assert.h>

// The slot of |text|, or the free slot for it; FNV-1a.
static size_t slot_of(const gmem_text_map_t *map, MlirStringRef text) {
  uint64_t hash = UINT64_C(0xCBF29CE484222325);
  for (size_t i = 0; i < text.length; ++i)
    hash = (hash ^ (unsigned char)text.data[i]) * UINT64_C(0x100000001B3);
  size_t slot = (size_t)(hash ^ hash >> 32) & map->mask;
  while (map->texts[slot].data && !mlirStringRefEqual(map->texts[slot], text))
    slot = (slot + 1) & map->mask;
  return slot;
}

gmem_status_t gmem_text_map_make(gmem_text_map_t *map, size_t count,
                                 gmem_bump_t *arena, gmem_diag_t *diag) {
  size_t size = 16;
  while (size < count + count / 2)
    size *= 2;
  GMEM_TRY_ALLOC(map->texts, arena, size, diag);
  GMEM_TRY_ALLOC(map->indices, arena, size, diag);
  map->mask = size - 1;
  map->room = count;
  return GMEM_OK;
}

void gmem_text_map_add(gmem_text_map_t *map, MlirStringRef text,
                       uint32_t index) {
  size_t slot = slot_of(map, text);
  assert(text.data && !map->texts[slot].data && map->room);
  --map->room;
  map->texts[slot] = text;
  map->indices[slot] = index;
}

uint32_t gmem_text_map_find(const gmem_text_map_t *map, MlirStringRef text) {
  size_t slot = slot_of(map, text);
  return map->texts[slot].data ? map->indices[slot] : GMEM_NO_INDEX;
}
