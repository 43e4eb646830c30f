// interference.h - removes optional aliases of values that are live
// together at other steps.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_INTERFERENCE_H_
#define GMEM_PASSES_INTERFERENCE_H_

#include "gmem/status.h"
#include "sharing_finder.h"

// Removes what ends the life of one value by another although the two are live
// together at other steps, too. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_refuse_other_meetings(gmem_sharing_finder_t *finder);

#endif // GMEM_PASSES_INTERFERENCE_H_
