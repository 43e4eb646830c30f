// pointer_map.c - see pointer_map.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pointer_map.h"

#include <assert.h>
#include <string.h>

// Where to look for |pointer| first. What lies close together in memory has
// slots close together, as it is usually looked up together; multiplicative
// hashing (Knuth) spreads stretches of 64 KiB over the table.
static size_t first_slot(const void *pointer, size_t mask) {
  uint64_t address = (uint64_t)(uintptr_t)pointer;
  uint64_t stretch = (address >> 16) * UINT64_C(0x9E3779B97F4A7C15);
  return (size_t)((stretch >> 32) + (address >> 4)) & mask;
}

// At most two thirds are used.
static size_t slots_for(size_t count) {
  size_t size = 16;
  while (size < count + count / 2)
    size *= 2;
  return size;
}

//===--- map --------------------------------------------------------------===//

// The slot of |pointer|, or the free slot for it.
static size_t slot_of(const gmem_pointer_map_t *map, const void *pointer) {
  size_t slot = first_slot(pointer, map->mask);
  while (map->pointers[slot] && map->pointers[slot] != pointer)
    slot = (slot + 1) & map->mask;
  return slot;
}

gmem_status_t gmem_pointer_map_make(gmem_pointer_map_t *map, size_t count,
                                    gmem_bump_t *arena, gmem_diag_t *diag) {
  size_t size = slots_for(count);
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

//===--- index ------------------------------------------------------------===//

static const void *pointer_at(const gmem_pointer_index_t *index,
                              uint32_t element) {
  const void *pointer;
  memcpy(&pointer, index->elements + element * index->size, sizeof pointer);
  return pointer;
}

gmem_status_t gmem_pointer_index_make(gmem_pointer_index_t *index,
                                      const void *elements, size_t count,
                                      size_t size, gmem_bump_t *arena,
                                      gmem_diag_t *diag) {
  size_t slots = slots_for(count);
  assert(count < GMEM_NO_INDEX);
  *index = (gmem_pointer_index_t){
      .elements = elements, .size = size, .mask = slots - 1};
  GMEM_TRY_ALLOC(index->slots, arena, slots, diag);
  for (uint32_t i = 0; i < count; ++i) {
    const void *pointer = pointer_at(index, i);
    assert(pointer);
    size_t slot = first_slot(pointer, index->mask);
    while (index->slots[slot])
      slot = (slot + 1) & index->mask;
    index->slots[slot] = i + 1;
  }
  return GMEM_OK;
}

uint32_t gmem_pointer_index_find(const gmem_pointer_index_t *index,
                                 const void *pointer) {
  size_t slot = first_slot(pointer, index->mask);
  while (index->slots[slot] &&
         pointer_at(index, index->slots[slot] - 1) != pointer)
    slot = (slot + 1) & index->mask;
  return index->slots[slot] ? index->slots[slot] - 1 : GMEM_NO_INDEX;
}
