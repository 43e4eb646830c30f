// bump.c - a bump allocator over the caller's allocator.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bump.h"

#include <assert.h>
#include <stdalign.h>
#include <string.h>

#include "heap.h"

enum { BLOCK_BYTES = 1 << 16 };

struct gmem_bump_block_s {
  gmem_bump_block_t *next;
  size_t capacity; // bytes after this header
  alignas(max_align_t) char bytes[];
};

void gmem_bump_init(gmem_bump_t *arena, const gmem_allocator_t *allocator) {
  *arena = (gmem_bump_t){.allocator = gmem_heap_allocator(allocator)};
}

static void free_block(const gmem_bump_t *arena, gmem_bump_block_t *block) {
  gmem_heap_free(&arena->allocator, block, sizeof *block + block->capacity, 1);
}

void gmem_bump_destroy(gmem_bump_t *arena) {
  while (arena->blocks) {
    gmem_bump_block_t *block = arena->blocks;
    arena->blocks = block->next;
    free_block(arena, block);
  }
}

// Makes |block| of |capacity| bytes the newest one, or, if it is of one array,
// the one behind that: the rest of the newest is for others.
static void *add_block(gmem_bump_t *arena, gmem_bump_block_t *block,
                       size_t capacity) {
  if (!block)
    return NULL;
  bool is_own = capacity > BLOCK_BYTES && arena->blocks;
  gmem_bump_block_t **link = is_own ? &arena->blocks->next : &arena->blocks;
  block->next = *link;
  block->capacity = capacity;
  *link = block;
  if (!is_own)
    arena->used = capacity;
  return block->bytes;
}

// Memory of the operating system that is never written to is no memory: an
// array of more than BLOCK_BYTES has a block of its own, which is zeroed only
// if |zeroed|.
static void *take_own(gmem_bump_t *arena, size_t bytes, bool zeroed) {
  const gmem_allocator_t *allocator = &arena->allocator;
  size_t size = sizeof(gmem_bump_block_t) + bytes;
  return add_block(arena,
                   zeroed ? gmem_heap_zeros(allocator, size)
                          : gmem_heap_alloc(allocator, size, 1),
                   bytes);
}

static void *take_shared(gmem_bump_t *arena, size_t bytes, bool zeroed) {
  const gmem_bump_block_t *newest = arena->blocks;
  if (!newest || newest->capacity - arena->used < bytes) {
    if (!take_own(arena, BLOCK_BYTES, false))
      return NULL;
    arena->used = 0;
  }
  void *memory = arena->blocks->bytes + arena->used;
  arena->used += bytes;
  return zeroed ? memset(memory, 0, bytes) : memory;
}

static void *take(gmem_bump_t *arena, size_t count, size_t size, bool zeroed) {
  const size_t unit = alignof(max_align_t);
  size_t bytes = (count * size + unit - 1) / unit * unit;
  void *memory = NULL;
  if (!arena->out_of_memory && (!size || count <= (SIZE_MAX / 2) / size))
    memory = bytes > BLOCK_BYTES ? take_own(arena, bytes, zeroed)
                                 : take_shared(arena, bytes, zeroed);
  arena->out_of_memory = arena->out_of_memory || !memory;
  return memory;
}

void *gmem_bump_alloc(gmem_bump_t *arena, size_t count, size_t size) {
  return take(arena, count, size, true);
}

void *gmem_bump_copy(gmem_bump_t *arena, const void *from, size_t count,
                     size_t size) {
  void *copy = take(arena, count, size, false);
  return copy && count ? memcpy(copy, from, count * size) : copy;
}

gmem_status_t gmem_bump_status(const gmem_bump_t *arena, gmem_diag_t *diag) {
  return arena->out_of_memory ? gmem_out_of_memory(diag) : GMEM_OK;
}

char *gmem_bump_string(gmem_bump_t *arena, const char *text, size_t length) {
  char *copy = gmem_bump_alloc(arena, length + 1, 1);
  if (copy && length)
    memcpy(copy, text, length);
  return copy;
}

// The link to the block that |array| fills, if one does: arrays of more than
// BLOCK_BYTES have their own.
static gmem_bump_block_t **link_to(gmem_bump_t *arena, const void *array) {
  for (gmem_bump_block_t **link = &arena->blocks; *link; link = &(*link)->next)
    if ((*link)->bytes == array && (*link)->capacity > BLOCK_BYTES)
      return link;
  return NULL;
}

void gmem_bump_drop(gmem_bump_t *arena, const void *array) {
  gmem_bump_block_t **link = link_to(arena, array), *block;
  if (!link)
    return;
  block = *link;
  *link = block->next;
  if (link == &arena->blocks && *link) // whose rest is left alone
    arena->used = (*link)->capacity;
  free_block(arena, block);
}

static void *grow_block(gmem_bump_t *arena, gmem_bump_block_t **link,
                        size_t bytes) {
  gmem_bump_block_t *block = *link;
  const size_t header = sizeof *block;
  block = gmem_heap_grow(&arena->allocator, block, header + block->capacity,
                         header + bytes);
  arena->out_of_memory = !block;
  if (!block)
    return NULL;
  block->capacity = bytes;
  *link = block;
  if (block == arena->blocks)
    arena->used = bytes;
  return block->bytes;
}

// |count| elements of which the first |old_count| are those of |old|.
static void *grow(gmem_bump_t *arena, const void *old, size_t old_count,
                  size_t count, size_t size) {
  gmem_bump_block_t **link = NULL;
  if (old_count * size > BLOCK_BYTES && !arena->out_of_memory &&
      count <= SIZE_MAX / 2 / size)
    link = link_to(arena, old);
  if (link)
    return grow_block(arena, link, count * size);
  void *array = take(arena, count, size, false);
  return array && old_count ? memcpy(array, old, old_count * size) : array;
}

bool gmem_bump_grow(gmem_bump_t *arena, void *array_pointer, size_t count,
                    size_t *capacity, size_t size) {
  if (count < *capacity)
    return true;
  // Of a large one, what is never written to is no memory.
  size_t grown = !*capacity                   ? 16
                 : count * size > BLOCK_BYTES ? *capacity * 4
                                              : *capacity * 2;
  assert(count == *capacity);
  void *array;
  memcpy(&array, array_pointer, sizeof array);
  array = grow(arena, array, count, grown, size);
  if (!array)
    return false;
  memcpy(array_pointer, &array, sizeof array);
  *capacity = grown;
  return true;
}
