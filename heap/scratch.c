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

typedef void *new_memory_t(const gmem_allocator_t *allocator, size_t size);

static void *new_bytes(const gmem_allocator_t *allocator, size_t size) {
  return gmem_heap_alloc(allocator, size, 1);
}

// Bytes of a block of |count| elements; 0: they do not fit in size_t.
static size_t block_size(size_t count, size_t element_size) {
  const size_t header = sizeof(gmem_scratch_block_t);
  assert(element_size > 0);
  return count <= (SIZE_MAX - header) / element_size
             ? header + count * element_size
             : 0;
}

static void *add_block(gmem_scratch_t *memory, size_t size,
                       new_memory_t *new_memory) {
  gmem_scratch_block_t *block =
      size ? new_memory(memory->allocator, size) : NULL;
  if (!block) {
    gmem_out_of_memory(memory->diag);
    return NULL;
  }
  *block = (gmem_scratch_block_t){memory->newest, size};
  memory->newest = block;
  return block + 1;
}

void *gmem_scratch_alloc(gmem_scratch_t *memory, size_t count,
                         size_t element_size) {
  return add_block(memory, block_size(count, element_size), new_bytes);
}

void *gmem_scratch_zeros(gmem_scratch_t *memory, size_t count,
                         size_t element_size) {
  return add_block(memory, block_size(count, element_size), gmem_heap_zeros);
}

// The link that points to the block of |allocation|.
static gmem_scratch_block_t **link_to(gmem_scratch_t *memory,
                                      const void *allocation) {
  const gmem_scratch_block_t *block =
      (const gmem_scratch_block_t *)allocation - 1;
  gmem_scratch_block_t **link = &memory->newest;
  while (*link != block) {
    assert(*link && "not an allocation of this memory");
    link = &(*link)->next;
  }
  return link;
}

static void *grow_block(gmem_scratch_t *memory, const void *allocation,
                        size_t size) {
  gmem_scratch_block_t **link = link_to(memory, allocation), *block = *link;
  if (size)
    block = gmem_heap_grow(memory->allocator, block, block->size, size);
  if (!size || !block) {
    gmem_out_of_memory(memory->diag);
    return NULL;
  }
  block->size = size;
  *link = block;
  return block + 1;
}

gmem_status_t gmem_scratch_grow(gmem_scratch_t *memory, void *array_pointer,
                                size_t count, size_t *room,
                                size_t element_size) {
  assert(count <= *room);
  if (count < *room)
    return GMEM_OK;
  size_t larger = count < 8 ? 16 : count <= SIZE_MAX / 2 ? count * 2 : SIZE_MAX;
  size_t size = block_size(larger, element_size);
  void *old, *grown;
  memcpy(&old, array_pointer, sizeof old);
  grown =
      old ? grow_block(memory, old, size) : add_block(memory, size, new_bytes);
  if (!grown)
    return GMEM_ERR_OUT_OF_MEMORY;
  memcpy(array_pointer, &grown, sizeof grown);
  *room = larger;
  return GMEM_OK;
}

void gmem_scratch_drop(gmem_scratch_t *memory, void *allocation) {
  if (!allocation)
    return;
  gmem_scratch_block_t **link = link_to(memory, allocation), *block = *link;
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
