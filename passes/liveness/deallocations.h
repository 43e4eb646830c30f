// deallocations.h - deallocations that the plan makes superfluous.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_DEALLOCATIONS_H_
#define GMEM_PASSES_DEALLOCATIONS_H_

#include "memref_analysis.h"

// Marks every site as not planned (GMEM_MEMREF_FREED) that a deallocation may
// free together with unplanned memory, and lists the deallocations that free
// only planned sites. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_memref_find_deallocations(gmem_memref_analysis_t *analysis);

#endif // GMEM_PASSES_DEALLOCATIONS_H_
