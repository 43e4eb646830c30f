// memref_first_use.h - where in its callee a memref is used first.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_MEMREF_FIRST_USE_H_
#define GMEM_PASSES_MEMREF_FIRST_USE_H_

#include "allocation_sites.h"
#include "memref_analysis.h"

// Sets |cuts| to the times, on the timeline, from when the root is handed to
// the call that is its first touch to when the callee touches it. After
// gmem_memref_find_cuts. Returns whether there was memory.
bool gmem_memref_find_first_use(gmem_memref_analysis_t *finder,
                                const gmem_allocation_site_t *root);

#endif // GMEM_PASSES_MEMREF_FIRST_USE_H_
