// memref_frees.h - which deallocations a plan makes superfluous.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_MEMREF_FREES_H_
#define GMEM_PASSES_MEMREF_FREES_H_

#include "memref_finder.h"

// Leaves alone what may be freed together with memory that is left alone, and
// lists the frees for which nothing is left to do. Returns whether there was
// memory.
bool gmem_memref_settle_frees(gmem_memref_finder_t *finder);

#endif // GMEM_PASSES_MEMREF_FREES_H_
