// machine_memory.h - what bytes are, and pools that hold them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A byte is named by who made it: byte i of the value with tag t. A value is
// computed anew under a new tag every time, so two bytes are equal only when
// they come from the same place of the same value of the same moment.

#ifndef GMEM_MACHINE_MEMORY_H_
#define GMEM_MACHINE_MEMORY_H_

#include <stdbool.h>
#include <stdint.h>

#include "machine_arena.h"

#define TAG_ANY 0     // bytes that nobody may rely on: any others will do
#define TAG_NOTHING 1 // memory that was never written
#define TAG_FIRST 2

// |size| bytes: those of |tag| from |start| on.
typedef struct span_s {
  uint64_t size, tag, start;
} span_t;

typedef struct content_s {
  const span_t *spans; // neighbours are never one piece of one tag
  size_t count;
  uint64_t size; // bytes, of all spans
} content_t;

content_t content_of_tag(machine_arena_t *arena, uint64_t tag, uint64_t size);
// Bytes [begin, begin + size) of |content|; what is behind its end is TAG_ANY.
content_t content_cut(machine_arena_t *arena, content_t content, uint64_t begin,
                      uint64_t size);
content_t content_join(machine_arena_t *arena, const content_t *parts,
                       size_t count);
// |content| with |part| from byte |begin| on.
content_t content_patch(machine_arena_t *arena, content_t content,
                        content_t part, uint64_t begin);

// Bytes [begin, end) of a pool: those of |tag| from |start| on.
typedef struct cell_s {
  uint64_t begin, end, tag, start;
} cell_t;

typedef struct pool_s {
  const char *name;
  size_t name_length;
  bool constant;
  cell_t *cells; // sorted, disjoint
  size_t count, room;
} pool_t;

// The first byte that is not as it should be.
typedef struct fault_s {
  uint64_t byte;               // of the content that was looked for
  uint64_t tag, start;         // what should be there
  uint64_t found, found_start; // what is
} fault_t;

void pool_write(pool_t *pool, uint64_t offset, content_t content);
// Whether |content| lies at |offset|.
bool pool_holds(const pool_t *pool, uint64_t offset, content_t content,
                fault_t *fault);
// What lies at |offset|, whatever it is.
content_t pool_read(const pool_t *pool, machine_arena_t *arena, uint64_t offset,
                    uint64_t size);
void pool_clear(pool_t *pool);
void pool_free(pool_t *pool);

#endif // GMEM_MACHINE_MEMORY_H_
