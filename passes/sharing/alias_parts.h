// alias_parts.h - optional aliases of slices, concatenations and insertions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_ALIAS_PARTS_H_
#define GMEM_PASSES_ALIAS_PARTS_H_

#include "alias_finder.h"
#include "gmem/status.h"

// Adds what the slice, concatenation or insertion that |op| is makes possible.
// Fails with OUT_OF_MEMORY.
gmem_status_t gmem_find_parts(gmem_alias_finder_t *finder, uint32_t op);

#endif // GMEM_PASSES_ALIAS_PARTS_H_
