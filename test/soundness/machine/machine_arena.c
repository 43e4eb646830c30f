// machine_arena.c - see machine_arena.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "machine_arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct machine_chunk_s {
  machine_chunk_t *next;
  alignas(max_align_t) char bytes[];
};

enum { CHUNK = 1 << 16, ALIGNMENT = alignof(max_align_t) };

static void add_chunk(machine_arena_t *arena, size_t bytes) {
  size_t room = bytes > CHUNK ? bytes : CHUNK;
  machine_chunk_t *chunk = calloc(1, sizeof *chunk + room);
  if (!chunk) {
    fputs("gmem-machine: error: out of memory\n", stderr);
    exit(2);
  }
  chunk->next = arena->chunks;
  arena->chunks = chunk;
  arena->used = 0;
  arena->room = room;
}

void *machine_alloc(machine_arena_t *arena, size_t count, size_t size) {
  size_t bytes = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  if (!arena->chunks || arena->room - arena->used < bytes)
    add_chunk(arena, bytes);
  void *place = arena->chunks->bytes + arena->used;
  arena->used += bytes;
  return place;
}

void *machine_push(machine_arena_t *arena, void *array, size_t *count,
                   size_t *room, size_t size) {
  void **elements = array;
  if (*count == *room) {
    *room = *room ? 2 * *room : 4;
    void *larger = machine_alloc(arena, *room, size);
    if (*count)
      memcpy(larger, *elements, *count * size);
    *elements = larger;
  }
  return (char *)*elements + (*count)++ * size;
}

void machine_arena_free(machine_arena_t *arena) {
  while (arena->chunks) {
    machine_chunk_t *next = arena->chunks->next;
    free(arena->chunks);
    arena->chunks = next;
  }
  *arena = (machine_arena_t){0};
}
