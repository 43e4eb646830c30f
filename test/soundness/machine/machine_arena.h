// machine_arena.h - memory of the machine that is freed all at once. The
// machine is a test tool: when memory is out, it says so and ends.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_MACHINE_ARENA_H_
#define GMEM_MACHINE_ARENA_H_

#include <stddef.h>

typedef struct machine_chunk_s machine_chunk_t;

typedef struct machine_arena_s {
  machine_chunk_t *chunks; // newest first
  size_t used, room;       // bytes of the newest
} machine_arena_t;

// |count| zeroed elements of |size| bytes.
void *machine_alloc(machine_arena_t *arena, size_t count, size_t size);

// Makes room for one more element in |*array| of |*count| elements and |*room|
// places, counts it and returns its place. The old copy stays in the arena.
void *machine_push(machine_arena_t *arena, void *array, size_t *count,
                   size_t *room, size_t size);

void machine_arena_free(machine_arena_t *arena);

#endif // GMEM_MACHINE_ARENA_H_
