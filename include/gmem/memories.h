// memories.h - reads text descriptions of the memories of a machine. C11 and
// C++17.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   dtcm:size=64K,speed=4,targets=cpu; sram:capacity=1M,speed=2
//   flash:kind=constant,base=0x08000000
//
// A description is NAME[:KEY=VALUE,...]. A semicolon or a line break separates
// two descriptions; # starts a comment that ends with its line. The entries of
// a list are separated by +. docs/pools.md documents the keys.

#ifndef GMEM_MEMORIES_H_
#define GMEM_MEMORIES_H_

#include "gmem/planner.h"

GMEM_BEGIN_C

enum {
  GMEM_MAX_MEMORIES = 64,
  GMEM_MAX_MEMORY_NAME = 96, // bytes of any name, without the NUL
};

// One physical memory, which becomes a pool of a plan.
typedef struct gmem_memory_s {
  const char *name;   // printable, without spaces and without :;,=+#"
  bool is_constant;   // true: holds constants only; false: no constants
  uint64_t capacity;  // bytes, a hard limit; GMEM_UNLIMITED: none
  uint64_t size;      // bytes, a soft limit: exceeded only by buffers that
                      //   fit in no other candidate; GMEM_UNLIMITED: none
  uint64_t alignment; // bytes, a power of two; 0: the default
  uint64_t base;      // address of offset 0; UINT64_MAX: unspecified
  const char *after;  // the pool it follows in memory; NULL: none
  uint64_t speed;     // relative, larger is faster, at most 32 bits; 0:
                      //   unspecified
  const char *const *targets; // compute targets that can access it; none: all
  size_t target_count;
  const char *const *spaces; // memory spaces of the memrefs it accepts; none:
  size_t space_count;        //   the default memory space
} gmem_memory_t;

// A list of memories, in the order of the text. Owns its strings.
typedef struct gmem_memories_s {
  gmem_memory_t *memories;
  size_t count;
  void *storage;       // of the strings and lists
  size_t storage_size; // bytes
} gmem_memories_t;

// Reads |length| bytes of text. |allocator| NULL: libc. Free *out_memories with
// the same allocator; on failure it is empty. Fails with PARSE (|line| of the
// diagnostic is set; its text begins with "LINE:COLUMN: "), as
// gmem_memories_check does (in the same form), or with OUT_OF_MEMORY.
// Thread-safe.
GMEM_MUST_USE gmem_status_t gmem_memories_read(
    const char *text, size_t length, const gmem_allocator_t *allocator,
    gmem_memories_t *out_memories, gmem_diag_t *diag);

// Frees the result of gmem_memories_read and makes it empty.
void gmem_memories_free(gmem_memories_t *memories,
                        const gmem_allocator_t *allocator);

// Validates descriptions from any source, each by itself and all together:
// names, numbers, unique names, no cycle in |after|. Fails with
// INVALID_ARGUMENT; |object| of the diagnostic is the index of the memory.
GMEM_MUST_USE gmem_status_t gmem_memories_check(const gmem_memory_t *memories,
                                                size_t count,
                                                gmem_diag_t *diag);

// The memory named |name|, or NULL.
const gmem_memory_t *gmem_memories_find(const gmem_memory_t *memories,
                                        size_t count, const char *name);

// Parses a number of bytes from 0 to GMEM_MAX_ADDRESS: decimal with an optional
// suffix for a power of 1024 (1048576, 1024KiB, 1M) or hexadecimal
// (0x80000000). Returns false for any other text.
bool gmem_parse_bytes(const char *text, uint64_t *out_bytes);

GMEM_END_C
#endif // GMEM_MEMORIES_H_
