// memref_coalescing.h - allocation sites that can share one place because at
// most one of them is live at a time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_MEMREF_COALESCING_H_
#define GMEM_PASSES_MEMREF_COALESCING_H_

#include "memref_analysis.h"

// Finds the roots that can always be in one place: of which there is never more
// than one at a time, by what they may be seen as together. Returns whether
// there was memory.
bool gmem_memref_coalesce(gmem_memref_analysis_t *finder);

#endif // GMEM_PASSES_MEMREF_COALESCING_H_
