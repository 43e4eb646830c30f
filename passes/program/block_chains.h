// block_chains.h - single-entry chains of blocks, so that liveness can extend a
// range over many blocks at once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_BLOCK_CHAINS_H_
#define GMEM_PASSES_BLOCK_CHAINS_H_

#include "bump.h"
#include "program.h"

// A block is *closed by* an earlier block of its region if every path to it
// leads from that block through the blocks between the two in textual order,
// and every path through these leads to it. A value that is live-in at the
// block and defined in the closing block or before is then live in all blocks
// between the two, and in no other block between them. Blocks that are closed
// by one another form chains, which may join.
typedef struct gmem_block_chains_s {
  uint32_t *root;  // by block: the last of its chain, itself if alone
  uint32_t *first; // those whose chains pass through a block have numbers
  uint32_t *size;  //   [first, first + size), its own first
} gmem_block_chains_t;

// Predecessors are those of gmem_control_flow_t. Runs in time linear in the
// edges: blocks that would take longer remain unclosed. Everything is allocated
// in |arena|. Returns false when out of memory.
bool gmem_block_chains_find(const gmem_program_t *program,
                            const uint32_t *first_predecessor,
                            const uint32_t *predecessors, gmem_bump_t *arena,
                            gmem_block_chains_t *out_chains);

// Whether the chain of |block| passes through |other|, of the same region.
static inline bool gmem_is_on_chain(const gmem_block_chains_t *chains,
                                    uint32_t block, uint32_t other) {
  return chains->first[block] - chains->first[other] < chains->size[other];
}

#endif // GMEM_PASSES_BLOCK_CHAINS_H_
