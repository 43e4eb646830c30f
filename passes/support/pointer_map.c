// pointer_map.c - see pointer_map.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pointer_map.h"

#include <assert.h>

// The slot of |pointer|, or the free slot for it. What lies close together in
// memory has slots close together, as it is usually looked up together;
// multiplicative hashing (Knuth) spreads stretches of 64 KiB over the table.
static size_t slot_of(const gmem_pointer_map_t *map, const void *pointer) {
  uint64_t address = (uint64_t)(uintptr_t)pointer;
  uint64_t stretch = (address >> 16) * UINT64_C(0x9E3779B97F4A7C15);
  size_t slot = (size_t)((stretch >> 32) + (address >> 4)) & map->mask;
  while (map->pointers[slot] && map->pointers[slot] != pointer)
    slot = (slot + 1) & map->mask;
  return slot;
}

gmem_status_t gmem_pointer_map_make(gmem_pointer_map_t *map, size_t count,
                                    gmem_bump_t *arena, gmem_diag_t *diag) {
  size_t size = 16;
  while (size < count + count / 2)
    size *= 2;
  GMEM_TRY_ALLOC(map->pointers, arena, size, diag);
  GMEM_TRY_ALLOC(map->indices, arena, size, diag);
  map->mask = size - 1;
  map->room = count;
  return GMEM_OK;
}

void gmem_pointer_map_add(gmem_pointer_map_t *map, const void *pointer,
                          uint32_t index) {
  size_t slot = slot_of(map, pointer);
  assert(pointer && !map->pointers[slot] && map->room);
  --map->room;
  map->pointers[slot] = pointer;
  map->indices[slot] = index;
}

uint32_t gmem_pointer_map_find(const gmem_pointer_map_t *map,
                               const void *pointer) {
  size_t slot = slot_of(map, pointer);
  return map->pointers[slot] ? map->indices[slot] : GMEM_NO_INDEX;
}
