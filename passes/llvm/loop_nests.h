// loop_nests.h - splits the blocks of a function into outermost loop nests.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop is the range of blocks, in IR order, of a backward branch. This may
// contain more than the loop: the result is a heuristic that bounds the size of
// lists and must not be relied on for correctness.

#ifndef GMEM_PASSES_LOOP_NESTS_H_
#define GMEM_PASSES_LOOP_NESTS_H_

#include "bump.h"
#include "mlir-c/IR.h"

typedef struct gmem_loop_nests_s {
  MlirBlock *blocks; // in IR order
  uint32_t *ends;    // by block: end of its loop nest, a block index
  size_t count;
} gmem_loop_nests_t;

// Splits the region whose first block is |first|. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_loop_nests_find(MlirBlock first, gmem_bump_t *arena,
                                   gmem_loop_nests_t *out, gmem_diag_t *diag);

#endif // GMEM_PASSES_LOOP_NESTS_H_
