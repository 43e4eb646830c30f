// scratch.c - host memory of one call or one object, freed all at once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "scratch.h"

#include <assert.h>
#include <string.h>

#include "diag.h"
#include "heap.h"

struct gmem_scratch_block_s {
  _Alignas(max_align_t) gmem_scratch_block_t *next; // allocated before
  size_t size; // bytes, with this header; the contents follow
};

void *gmem_scratch_alloc(gmem_scratch_t *memory, size_t count,
                         size_t element_size) {
  gmem_scratch_block_t *block = NULL;
  size_t size = sizeof *block + count * element_size;
  assert(element_size > 0);
  if (count <= (SIZE_MAX - sizeof *block) / element_size)
    block = gmem_heap_alloc(memory->allocator, size, 1);
  if (!block) {
    gmem_out_of_memory(memory->diag);
    return NULL;
  }
  *block = (gmem_scratch_block_t){memory->newest, size};
  memory->newest = block;
  return block + 1;
}

void *gmem_scratch_zeros(gmem_scratch_t *memory, size_t count,
                         size_t element_size) {
  void *zeros = gmem_scratch_alloc(memory, count, element_size);
  return zeros ? memset(zeros, 0, count * element_size) : NULL;
}

gmem_status_t gmem_scratch_grow(gmem_scratch_t *memory, void *array_pointer,
                                size_t count, size_t *room,
                                size_t element_size) {
  assert(count <= *room);
  if (count < *room)
    return GMEM_OK;
  size_t larger = count < 8 ? 16 : count <= SIZE_MAX / 2 ? count * 2 : SIZE_MAX;
  void *old, *grown = gmem_scratch_alloc(memory, larger, element_size);
  if (!grown)
    return GMEM_ERR_OUT_OF_MEMORY;
  memcpy(&old, array_pointer, sizeof old);
  if (count)
    memcpy(grown, old, count * element_size);
  memcpy(array_pointer, &grown, sizeof grown);
  gmem_scratch_drop(memory, old);
  *room = larger;
  return GMEM_OK;
}

void gmem_scratch_drop(gmem_scratch_t *memory, void *allocation) {
  if (!allocation)
    return;
  gmem_scratch_block_t *block = (gmem_scratch_block_t *)allocation - 1;
  gmem_scratch_block_t **link = &memory->newest;
  while (*link != block) {
    assert(*link && "not an allocation of this memory");
    link = &(*link)->next;
  }
  *link = block->next;
  gmem_heap_free(memory->allocator, block, block->size, 1);
}

void gmem_scratch_free(gmem_scratch_t *memory) {
  while (memory->newest) {
    gmem_scratch_block_t *block = memory->newest;
    memory->newest = block->next;
    gmem_heap_free(memory->allocator, block, block->size, 1);
  }
}
