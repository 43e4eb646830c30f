// block_chains.h - short cuts through long rows of blocks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_BLOCK_CHAINS_H_
#define GMEM_PASSES_BLOCK_CHAINS_H_

#include "bump.h"
#include "program.h"

// A block is *closed by* an earlier one of its region if all ways to it come
// from there by way of the blocks between them in the text, and all of these
// lead to it: what is wanted at its begin, and made in the one that closes it
// or before, is live in all of them and nowhere else in between. Blocks, each
// closed by the next, form chains that join.
typedef struct gmem_block_chains_s {
  uint32_t *root;  // by block: the last of its chain, itself if alone
  uint32_t *first; // those whose chains pass through a block have numbers
  uint32_t *size;  //   [first, first + size), its own first
} gmem_block_chains_t;

// Predecessors as in gmem_control_flow_t. Time is linear in the edges: what
// would take longer is left unclosed. Everything lives in |arena|. Returns
// whether there was memory.
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
