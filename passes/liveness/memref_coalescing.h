// memref_coalescing.h - allocation sites that can share one place because at
// most one of them is live at a time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_MEMREF_COALESCING_H_
#define GMEM_PASSES_MEMREF_COALESCING_H_

#include "memref_analysis.h"

// Sets |leader| of the sites that can share a place. Considers only sites with
// a common value in their points-to sets. Returns false if out of memory.
bool gmem_memref_coalesce(gmem_memref_analysis_t *analysis);

#endif // GMEM_PASSES_MEMREF_COALESCING_H_
