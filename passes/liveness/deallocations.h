// deallocations.h - which deallocations a plan makes superfluous.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_DEALLOCATIONS_H_
#define GMEM_PASSES_DEALLOCATIONS_H_

#include "memref_analysis.h"

// Leaves alone what may be freed together with memory that is left alone, and
// lists the frees for which nothing is left to do. Returns whether there was
// memory.
bool gmem_memref_settle_deallocations(gmem_memref_analysis_t *finder);

#endif // GMEM_PASSES_DEALLOCATIONS_H_
