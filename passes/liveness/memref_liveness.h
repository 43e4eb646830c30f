// memref_liveness.h - live ranges of allocation sites.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_MEMREF_LIVENESS_H_
#define GMEM_PASSES_MEMREF_LIVENESS_H_

#include "allocation_sites.h"
#include "memref_analysis.h"

// Both leave it to the caller to find that memory is out.

// Marks the site as not planned if an instance may still be live, or in use,
// when the next iteration or call executes the allocation again: the instances
// then cannot share one address.
void gmem_memref_check_loop_carried(gmem_memref_analysis_t *analysis,
                                    gmem_allocation_site_t *site);

// Sets the live ranges and uses of a planned site.
void gmem_memref_find_live_ranges(gmem_memref_analysis_t *analysis,
                                  gmem_allocation_site_t *site);

#endif // GMEM_PASSES_MEMREF_LIVENESS_H_
