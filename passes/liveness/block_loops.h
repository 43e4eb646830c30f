// block_loops.h - loops of blocks that are live as a whole.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A natural loop: its blocks follow one another in the text from its header on,
// control flow enters it at the header only, and each of its blocks reaches
// each other one inside of it (each other than the header follows one before
// it). A value from outside that is live at the begin of one of them is
// therefore live in all of them (Brandner et al., 2011, section 4). A loop of
// which this is not known is none: its blocks are visited one by one.

#ifndef GMEM_PASSES_BLOCK_LOOPS_H_
#define GMEM_PASSES_BLOCK_LOOPS_H_

#include "program_facts.h"

typedef struct gmem_block_loop_s {
  uint32_t last;   // block; a loop is [header, last]
  uint32_t around; // header of the loop around it, or GMEM_NO_INDEX
  uint32_t jump;   // header of one further out, or the same
  uint32_t depth;  // loops around it
} gmem_block_loop_t;

typedef struct gmem_block_loops_s {
  gmem_block_loop_t *at; // by header
  uint32_t *innermost;   // by block: header, or GMEM_NO_INDEX
} gmem_block_loops_t;

// Nearly linear in blocks and edges. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_block_loops_find(const gmem_program_facts_t *facts,
                                    gmem_bump_t *arena,
                                    gmem_block_loops_t *out_loops,
                                    gmem_diag_t *diag);

// The header of the outermost loop that contains |block| and not |other|, or
// GMEM_NO_INDEX. Logarithmic in the depth.
uint32_t gmem_outermost_loop(const gmem_block_loops_t *loops, uint32_t block,
                             uint32_t other);

#endif // GMEM_PASSES_BLOCK_LOOPS_H_
