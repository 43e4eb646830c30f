// interference.h - removes optional aliases of values that interfere.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_INTERFERENCE_H_
#define GMEM_PASSES_INTERFERENCE_H_

#include "gmem/status.h"
#include "sharing_finder.h"

// Removes the overwriting aliases (inplace, destination, transfer) of alias
// sets that are also live together at other steps, and the aliases that streams
// forbid. Returns OUT_OF_MEMORY on allocation failure.
gmem_status_t gmem_remove_interfering_aliases(gmem_sharing_finder_t *finder);

#endif // GMEM_PASSES_INTERFERENCE_H_
