// subtensor_views.h - optional aliases of slices, concatenations and
// insertions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_SUBTENSOR_VIEWS_H_
#define GMEM_PASSES_SUBTENSOR_VIEWS_H_

#include "gmem/status.h"
#include "sharing_finder.h"

// Adds what the slice, concatenation or insertion that |op| is makes possible.
// Fails with OUT_OF_MEMORY.
gmem_status_t gmem_find_parts(gmem_sharing_finder_t *finder, uint32_t op);

#endif // GMEM_PASSES_SUBTENSOR_VIEWS_H_
