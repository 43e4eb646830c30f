// bump.c - a bump allocator over the caller's allocator.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bump.h"

#include <assert.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 1 << 16 };

struct gmem_bump_block_s {
  gmem_bump_block_t *next;
  size_t capacity; // bytes after this header
  alignas(max_align_t) char bytes[];
};

static void *libc_alloc(void *user, size_t size, size_t align) {
  (void)user;
  (void)align; // at most max_align_t here
  return malloc(size);
}

static void libc_free(void *user, void *ptr, size_t size, size_t align) {
  (void)user;
  (void)size;
  (void)align;
  free(ptr);
}

void gmem_bump_init(gmem_bump_t *arena, const gmem_allocator_t *allocator) {
  static const gmem_allocator_t libc = {NULL, libc_alloc, libc_free};
  *arena = (gmem_bump_t){.allocator = allocator ? *allocator : libc};
}

void gmem_bump_destroy(gmem_bump_t *arena) {
  while (arena->blocks) {
    gmem_bump_block_t *block = arena->blocks;
    arena->blocks = block->next;
    arena->allocator.free(arena->allocator.user, block,
                          sizeof *block + block->capacity,
                          alignof(max_align_t));
  }
}

static int add_block(gmem_bump_t *arena, size_t bytes) {
  size_t capacity = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;
  gmem_bump_block_t *block = arena->allocator.alloc(
      arena->allocator.user, sizeof *block + capacity, alignof(max_align_t));
  if (!block)
    return 0;
  block->next = arena->blocks;
  block->capacity = capacity;
  arena->blocks = block;
  arena->used = 0;
  return 1;
}

static bool make_room(gmem_bump_t *arena, size_t bytes) {
  return (arena->blocks && arena->blocks->capacity - arena->used >= bytes) ||
         add_block(arena, bytes);
}

void *gmem_bump_alloc(gmem_bump_t *arena, size_t count, size_t size) {
  const size_t unit = alignof(max_align_t);
  size_t bytes = (count * size + unit - 1) / unit * unit;
  arena->out_of_memory = arena->out_of_memory ||
                         (size && count > (SIZE_MAX / 2) / size) ||
                         !make_room(arena, bytes);
  if (arena->out_of_memory)
    return NULL;
  assert(bytes >= count * size && bytes % unit == 0);
  void *memory = arena->blocks->bytes + arena->used;
  arena->used += bytes;
  return memset(memory, 0, bytes);
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

int gmem_bump_grow(gmem_bump_t *arena, void *array_pointer, size_t count,
                   size_t *capacity, size_t size) {
  if (count < *capacity)
    return 1;
  size_t grown = *capacity ? *capacity * 2 : 16;
  void *array = gmem_bump_alloc(arena, grown, size);
  if (!array)
    return 0;
  assert(count == *capacity);
  void *old;
  memcpy(&old, array_pointer, sizeof old);
  if (count)
    memcpy(array, old, count * size);
  memcpy(array_pointer, &array, sizeof array);
  *capacity = grown;
  return 1;
}
