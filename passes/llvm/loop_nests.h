// loop_nests.h - the blocks of a function, cut where no loop goes across.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops are found by their jumps back in the text, so a stretch may be longer
// than its loops are: it serves to keep things short, not to prove anything.

#ifndef GMEM_PASSES_LOOP_NESTS_H_
#define GMEM_PASSES_LOOP_NESTS_H_

#include <stdbool.h>

#include "bump.h"
#include "mlir-c/IR.h"

typedef struct gmem_loop_nests_s {
  MlirBlock *blocks; // in the order of the text
  uint32_t *ends;    // by block: behind the last one of its stretch
  size_t count;
} gmem_loop_nests_t;

// Cuts the region that begins with |first|. False when memory is out.
bool gmem_loop_nests_find(MlirBlock first, gmem_bump_t *arena,
                          gmem_loop_nests_t *out);

#endif // GMEM_PASSES_LOOP_NESTS_H_
