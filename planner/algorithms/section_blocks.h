// section_blocks.h - the bytes of each section that only fixed items can use.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_SECTION_BLOCKS_H_
#define GMEM_PLANNER_SECTION_BLOCKS_H_

#include "items.h"
#include "planner_internal.h"

// Bytes of fixed items, and of gaps below them that are too small for any other
// item of the section.
typedef struct gmem_blocked_bytes_s {
  uint64_t begin, end;
} gmem_blocked_bytes_t;

typedef struct gmem_section_blocks_s {
  // Those of section s, from the first of the packing, are blocks[starts[s] ..
  // ends[s]), by begin; they do not touch. NULL: none are known.
  size_t *starts, *ends;
  gmem_blocked_bytes_t *blocks;
} gmem_section_blocks_t;

// Lists the blocks of |packing| in |memory|; none when there would be too many.
// Fails with OUT_OF_MEMORY.
gmem_status_t gmem_section_blocks_create(const gmem_packing_t *packing,
                                         gmem_scratch_t *memory,
                                         gmem_section_blocks_t *blocks);

// The bytes of the blocks of |section| above |floor|.
static inline uint64_t gmem_blocked_above(const gmem_section_blocks_t *blocks,
                                          uint32_t section, uint64_t floor) {
  uint64_t sum = 0;
  size_t first = blocks->starts ? blocks->starts[section] : 0;
  for (size_t i = blocks->starts ? blocks->ends[section] : 0; i-- > first;) {
    gmem_blocked_bytes_t block = blocks->blocks[i];
    if (block.end <= floor)
      break;
    sum += block.end - (block.begin > floor ? block.begin : floor);
  }
  return sum;
}

// The highest floor with at most |room| bytes below it that are not blocked.
static inline uint64_t
gmem_highest_unblocked(const gmem_section_blocks_t *blocks, uint32_t section,
                       uint64_t room) {
  size_t i = blocks->starts ? blocks->starts[section] : 0;
  size_t end = blocks->starts ? blocks->ends[section] : 0;
  for (; i < end && blocks->blocks[i].begin <= room; ++i)
    room += blocks->blocks[i].end - blocks->blocks[i].begin;
  return room;
}

#endif // GMEM_PLANNER_SECTION_BLOCKS_H_
