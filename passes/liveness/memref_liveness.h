// memref_liveness.h - live ranges of allocation sites.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_MEMREF_LIVENESS_H_
#define GMEM_PASSES_MEMREF_LIVENESS_H_

#include "allocation_sites.h"
#include "memref_analysis.h"

// Marks the site as not planned if an instance may still be live, or in use,
// when the next iteration or call executes the allocation again: the instances
// then cannot share one address. Returns false if out of memory.
bool gmem_memref_check_loop_carried(gmem_memref_analysis_t *analysis,
                                    gmem_allocation_site_t *site);

// Sets |cuts| to the steps from the allocation to the first access, where the
// memory has no contents yet. Returns false if out of memory.
bool gmem_memref_find_cuts(gmem_memref_analysis_t *analysis,
                           const gmem_allocation_site_t *site);

// Adds the live ranges of |value| in all contexts to |ranges|, without |cuts|
// if |is_cut|.
void gmem_memref_add_value(gmem_memref_analysis_t *analysis, uint32_t value,
                           bool is_cut);

// Sets the live ranges and uses of a planned site. Returns false if out of
// memory.
bool gmem_memref_find_live_ranges(gmem_memref_analysis_t *analysis,
                                  gmem_allocation_site_t *site);

#endif // GMEM_PASSES_MEMREF_LIVENESS_H_
