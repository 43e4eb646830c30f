// memref_first_use.h - the first access to a memref inside a callee.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_MEMREF_FIRST_USE_H_
#define GMEM_PASSES_MEMREF_FIRST_USE_H_

#include "allocation_sites.h"
#include "memref_analysis.h"

// If the first access to the site is a call, sets |cuts| to the times, on the
// timeline, from the call to the first access in the callee; otherwise to
// nothing. Call after the accesses of the site are recorded.
void gmem_memref_find_first_use(gmem_memref_analysis_t *analysis,
                                const gmem_allocation_site_t *site);

#endif // GMEM_PASSES_MEMREF_FIRST_USE_H_
