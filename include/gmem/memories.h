// memories.h - the memories of a machine, as text describes them. C11 and
// C++17.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   dtcm:size=64K,speed=4,targets=cpu; sram:capacity=1M,speed=2
//   flash:kind=constant,base=0x08000000
//
// One description is NAME[:KEY=VALUE,...]; between two there is a semicolon or
// the end of a line. What is behind a # is a comment to the end of its line.
// Values that are lists have + between their entries. docs/pools.md says what
// each key means.

#ifndef GMEM_MEMORIES_H_
#define GMEM_MEMORIES_H_

#include "gmem/planner.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  GMEM_MAX_MEMORIES = 64,
  GMEM_MAX_MEMORY_NAME = 96, // bytes of any name, without the NUL
};

// One memory, which becomes a pool of a plan.
typedef struct gmem_memory_s {
  const char *name;   // printable, without spaces and without :;,=+#"
  bool is_constant;   // holds constants only, else anything but constants
  uint64_t capacity;  // bytes, a hard limit; GMEM_UNLIMITED: none
  uint64_t size;      // bytes, a hint: filled up to there while there is
                      //   another candidate; GMEM_UNLIMITED: none
  uint64_t alignment; // bytes, a power of two; 0: as usual
  uint64_t base;      // address of offset 0; UINT64_MAX: not said
  const char *after;  // name of the pool that it lies behind; NULL: none
  uint64_t speed;     // relative, the larger the faster, of 32 bits; 0: not
                      //   said
  const char *const *targets; // compute targets that reach it; none: all
  size_t target_count;
  const char *const *spaces; // memory spaces whose memrefs it takes; none: the
  size_t space_count;        //   default one
} gmem_memory_t;

// Several, in the order in which they were described. Owns its strings.
typedef struct gmem_memories_s {
  gmem_memory_t *memories;
  size_t count;
  void *storage;       // of the strings and lists
  size_t storage_size; // bytes
} gmem_memories_t;

// Reads |length| bytes of text. |allocator| NULL: libc. *out_memories is to be
// freed with the same allocator; on failure it is empty. Fails with PARSE
// (|line| of the diagnostic is set; its text begins with "LINE:COLUMN: "), as
// gmem_memories_check does (the same), or with OUT_OF_MEMORY. Any number of
// threads may read at once.
GMEM_MUST_USE gmem_status_t gmem_memories_read(
    const char *text, size_t length, const gmem_allocator_t *allocator,
    gmem_memories_t *out_memories, gmem_diag_t *diag);

// Frees what gmem_memories_read has returned and makes it empty.
void gmem_memories_free(gmem_memories_t *memories,
                        const gmem_allocator_t *allocator);

// Whether descriptions that came from elsewhere are right, each by itself and
// all together: names, numbers, no name twice, |after| without a circle. Fails
// with INVALID_ARGUMENT; |object| of the diagnostic is the index of the memory
// that the text is about.
GMEM_MUST_USE gmem_status_t gmem_memories_check(const gmem_memory_t *memories,
                                                size_t count,
                                                gmem_diag_t *diag);

// The memory of that name, or NULL.
const gmem_memory_t *gmem_memories_find(const gmem_memory_t *memories,
                                        size_t count, const char *name);

// Bytes, 0 to GMEM_MAX_ADDRESS: decimal with a power of 1024 behind it, as
// 1048576, 1024KiB, 1M, or hexadecimal, as 0x80000000. Returns false when
// |text| is none of that.
bool gmem_parse_bytes(const char *text, uint64_t *out_bytes);

#ifdef __cplusplus
}
#endif
#endif // GMEM_MEMORIES_H_
