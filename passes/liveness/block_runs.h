// block_runs.h - runs of blocks that are live if the block behind them is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The *run* of a block: blocks of its region that follow one another in the
// text and end in front of it. Each of them reaches the block by blocks of the
// run, control flow enters the run at its first block only, and the block has
// no predecessor in front of the run. A value from outside that is live at the
// begin of the block is therefore live in the whole run, and makes no other
// blocks live than the predecessors of the first one and those of the block
// that are behind it. Runs form a chain: the first block of one has a run, too.

#ifndef GMEM_PASSES_BLOCK_RUNS_H_
#define GMEM_PASSES_BLOCK_RUNS_H_

#include "block_loops.h"

typedef struct gmem_block_run_s {
  uint32_t first; // block, or GMEM_NO_INDEX: no run is known
  uint32_t jump;  // first block of a run further back, or the same
  uint32_t depth; // runs in the chain
} gmem_block_run_t;

// Sets |*out_runs|, by block. Linear in blocks and edges. Fails with
// OUT_OF_MEMORY.
gmem_status_t gmem_block_runs_find(const gmem_program_facts_t *facts,
                                   const gmem_block_loops_t *loops,
                                   gmem_bump_t *arena,
                                   gmem_block_run_t **out_runs,
                                   gmem_diag_t *diag);

// The first block of the last run in the chain of |block| such that |other| is
// not in front of |block| in one of these runs; |block| if there is none.
// Logarithmic in the length of the chain.
uint32_t gmem_first_of_runs(const gmem_block_run_t *runs, uint32_t block,
                            uint32_t other);

#endif // GMEM_PASSES_BLOCK_RUNS_H_
