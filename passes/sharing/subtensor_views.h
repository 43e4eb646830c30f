// subtensor_views.h - optional aliases of slices, concatenations, insertions
// and tuples.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_SUBTENSOR_VIEWS_H_
#define GMEM_PASSES_SUBTENSOR_VIEWS_H_

#include "sharing_finder.h"

// Adds the aliases of op |op| if it is a slice, concatenation, insertion or
// tuple op, and the aliases that they imply.
void gmem_find_subtensor_views(gmem_sharing_finder_t *finder, uint32_t op);

#endif // GMEM_PASSES_SUBTENSOR_VIEWS_H_
