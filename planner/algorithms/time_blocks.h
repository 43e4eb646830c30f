// time_blocks.h - the placed items of a whole packing by time and offset.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Time is divided into blocks of 2^k sections. Each block lists the placed
// items that are live in it, by offset; an item with gaps in its live range is
// listed once for each of its spans. An item that is live in one block scans
// its list from the bottom to the top; one that is live in several merges their
// lists. k is chosen so that the sum of the squares of the lengths is smallest
// while the lists have a few entries per span.

#ifndef GMEM_PLANNER_TIME_BLOCKS_H_
#define GMEM_PLANNER_TIME_BLOCKS_H_

#include "packing.h"

// A span of a placed item: bytes [offset, top), sections [begin, end).
typedef struct gmem_placed_s {
  uint64_t offset, top;
  uint32_t begin, end;
} gmem_placed_t;

typedef struct gmem_time_blocks_s {
  const gmem_packing_t *packing;
  gmem_scratch_t *memory;
  unsigned shift;         // a block is 1 << shift sections
  uint32_t count;         // blocks
  size_t *starts;         // count + 1: block b has room for its live spans at
  gmem_placed_t *entries; // entries[starts[b] .. starts[b + 1]),
  uint32_t *lengths;      // of which lengths[b] are placed, by offset
  uint64_t work;          // entries visited when every item is placed once
  // The merged lists of the blocks of one item, and where each list begins.
  gmem_placed_t *merged, *spare;
  size_t *runs;
  size_t merged_room, spare_room, runs_room;
} gmem_time_blocks_t;

// Makes the blocks of |packing|, which is whole and outlives them, in
// |memory|. O(n log sections). Fails with OUT_OF_MEMORY.
gmem_status_t gmem_time_blocks_create(const gmem_packing_t *packing,
                                      gmem_scratch_t *memory,
                                      gmem_time_blocks_t *blocks);

// Removes all items.
void gmem_time_blocks_clear(gmem_time_blocks_t *blocks);

// Lists the placed spans in the blocks in which |item| is live, by offset, some
// of them twice. If |item| has one span, they may include spans that do not
// meet it. Valid until the next call. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_time_blocks_list(gmem_time_blocks_t *blocks, uint32_t item,
                                    const gmem_placed_t **out_placed,
                                    size_t *out_count);

// Adds |item| at |offset|.
void gmem_time_blocks_add(gmem_time_blocks_t *blocks, uint32_t item,
                          uint64_t offset);

#endif // GMEM_PLANNER_TIME_BLOCKS_H_
