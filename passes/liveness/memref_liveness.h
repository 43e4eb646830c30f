// memref_liveness.h - live ranges of allocation sites.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_MEMREF_LIVENESS_H_
#define GMEM_PASSES_MEMREF_LIVENESS_H_

#include "allocation_sites.h"
#include "memref_analysis.h"

// Finds whether what one iteration, or one call, allocates may be wanted when
// the next one does: then no one place can be planned. Returns whether there
// was memory.
bool gmem_memref_judge_carried(gmem_memref_analysis_t *finder,
                               gmem_allocation_site_t *root);

// Finds |cuts| of the root. Returns whether there was memory.
bool gmem_memref_find_cuts(gmem_memref_analysis_t *finder,
                           const gmem_allocation_site_t *root);

// Adds when |value| is live, in all contexts, to |ranges|; if |is_cut|, without
// the cuts.
void gmem_memref_add_value(gmem_memref_analysis_t *finder, uint32_t value,
                           bool is_cut);

// Sets the ranges of a planned root. Returns whether there was memory.
bool gmem_memref_find_live_ranges(gmem_memref_analysis_t *finder,
                                  gmem_allocation_site_t *root);

#endif // GMEM_PASSES_MEMREF_LIVENESS_H_
