// subtensor_views.h - optional aliases of slices, concatenations, insertions
// and tuples.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_SUBTENSOR_VIEWS_H_
#define GMEM_PASSES_SUBTENSOR_VIEWS_H_

#include "gmem/status.h"
#include "sharing_finder.h"

// Adds the aliases of op |op|, a slice, concatenation, insertion or tuple op,
// and the aliases that they imply. Returns OUT_OF_MEMORY on allocation failure.
gmem_status_t gmem_find_subtensor_views(gmem_sharing_finder_t *finder,
                                        uint32_t op);

#endif // GMEM_PASSES_SUBTENSOR_VIEWS_H_
