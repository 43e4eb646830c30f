// gap_index.h - the blocks that are live at one time, by address, and the gaps
// between them, by size.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   offset   0      64          192         320
//            | gap  | block a   | gap       | block b | open end ...
//   floor ---+      +-----------+-----------+---------+
//
// A gap is attached to the block below it (or to the floor) and is in a list of
// gaps of similar size: eight classes per power of two, found through two
// levels of bit sets as in TLSF (Masmano et al., ECRTS 2004). Insertion,
// removal and lookup take constant time.

#ifndef GMEM_PLANNER_GAP_INDEX_H_
#define GMEM_PLANNER_GAP_INDEX_H_

#include "planner_memory.h"
#include "scratch.h"

enum { GMEM_GAP_WORDS = 8, GMEM_GAP_CLASSES = 64 * GMEM_GAP_WORDS };

typedef struct gmem_gap_node_s {
  uint64_t offset, top;   // bytes [offset, top) of the block
  uint32_t below, above;  // neighbours by address; |above| may be GMEM_NO_ITEM
  uint32_t before, after; // neighbours in the list of the gap above the block
  uint32_t leaves;        // end of the live range: any number that compares
} gmem_gap_node_t;

typedef enum gmem_gap_rule_e {
  GMEM_GAP_BEST,   // the smallest gap that is large enough, at its low end
  GMEM_GAP_BESIDE, // the same, next to the neighbour that ends at about the
                   // same time, so that both leave one gap
  GMEM_GAP_LOWEST, // the lowest gap that is large enough; not constant time
} gmem_gap_rule_t;

// A block to be placed.
typedef struct gmem_gap_need_s {
  uint64_t extent, alignment; // bytes
  uint32_t leaves;
} gmem_gap_need_t;

typedef struct gmem_gap_index_s {
  uint64_t base;          // address of offset 0
  unsigned granule_shift; // sizes are classed in granules
  uint32_t count;   // blocks are numbered [0, count); |count| is the floor
  uint32_t topmost; // block, or the floor
  gmem_gap_node_t *nodes;               // count + 1
  uint64_t words, used[GMEM_GAP_WORDS]; // which classes have gaps
  uint32_t heads[GMEM_GAP_CLASSES];
  uint64_t steps; // blocks and gaps inspected so far
} gmem_gap_index_t;

// Makes room in |memory| for |count| blocks; offset 0 has the address |base|.
// Fails with OUT_OF_MEMORY.
gmem_status_t gmem_gap_index_create(gmem_gap_index_t *index,
                                    gmem_scratch_t *memory, uint64_t base,
                                    uint64_t granule, uint32_t count);

// Removes all blocks.
void gmem_gap_index_clear(gmem_gap_index_t *index);

// Adds a block above all others: |offset| is at or above the top of the
// topmost.
void gmem_gap_index_push(gmem_gap_index_t *index, uint32_t block,
                         uint64_t offset, uint64_t top, uint32_t leaves);

// Finds room for |block| and adds it there. False, and nothing is added, when
// it would end above GMEM_MAX_ADDRESS.
bool gmem_gap_index_place(gmem_gap_index_t *index, uint32_t block,
                          const gmem_gap_need_t *need, gmem_gap_rule_t rule,
                          uint64_t *out_offset);

// Removes a block.
void gmem_gap_index_remove(gmem_gap_index_t *index, uint32_t block);

#endif // GMEM_PLANNER_GAP_INDEX_H_
