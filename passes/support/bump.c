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

static bool add_block(gmem_bump_t *arena, size_t bytes) {
  size_t capacity = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;
  gmem_bump_block_t *block = arena->allocator.alloc(
      arena->allocator.user, sizeof *block + capacity, alignof(max_align_t));
  if (!block)
    return false;
  block->next = arena->blocks;
  block->capacity = capacity;
  arena->blocks = block;
  arena->used = 0;
  return true;
}

static void free_block(const gmem_bump_t *arena, gmem_bump_block_t *block) {
  arena->allocator.free(arena->allocator.user, block,
                        sizeof *block + block->capacity, alignof(max_align_t));
}

void gmem_bump_destroy(gmem_bump_t *arena) {
  while (arena->blocks) {
    gmem_bump_block_t *block = arena->blocks;
    arena->blocks = block->next;
    free_block(arena, block);
  }
}

// As gmem_bump_alloc, without zeroing: memory of the operating system that is
// never written to is no memory.
static void *take(gmem_bump_t *arena, size_t count, size_t size) {
  const size_t unit = alignof(max_align_t);
  size_t bytes = (count * size + unit - 1) / unit * unit;
  const gmem_bump_block_t *newest = arena->blocks;
  bool has_room = newest && newest->capacity - arena->used >= bytes;
  arena->out_of_memory = arena->out_of_memory ||
                         (size && count > (SIZE_MAX / 2) / size) ||
                         (!has_room && !add_block(arena, bytes));
  if (arena->out_of_memory)
    return NULL;
  assert(bytes >= count * size && bytes % unit == 0);
  void *memory = arena->blocks->bytes + arena->used;
  arena->used += bytes;
  return memory;
}

void *gmem_bump_alloc(gmem_bump_t *arena, size_t count, size_t size) {
  void *memory = take(arena, count, size);
  return memory ? memset(memory, 0, count * size) : NULL;
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

// Frees the older block that |array| fills, if one does: arrays of more than
// BLOCK_BYTES have their own.
static void release(gmem_bump_t *arena, const void *array) {
  gmem_bump_block_t *newest = arena->blocks;
  for (gmem_bump_block_t **at = &newest->next; *at; at = &(*at)->next) {
    gmem_bump_block_t *block = *at;
    if (block->bytes != array || block->capacity == BLOCK_BYTES)
      continue;
    *at = block->next;
    free_block(arena, block);
    return;
  }
}

bool gmem_bump_grow(gmem_bump_t *arena, void *array_pointer, size_t count,
                    size_t *capacity, size_t size) {
  if (count < *capacity)
    return true;
  size_t grown = *capacity ? *capacity * 2 : 16;
  void *old, *array = take(arena, grown, size);
  if (!array)
    return false;
  assert(count == *capacity);
  memcpy(&old, array_pointer, sizeof old);
  if (count)
    memcpy(array, old, count * size);
  if (count * size > BLOCK_BYTES)
    release(arena, old);
  memcpy(array_pointer, &array, sizeof array);
  *capacity = grown;
  return true;
}
