// memref_writes.h - memrefs that an op writes over others, element by element.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_MEMREF_WRITES_H_
#define GMEM_PASSES_MEMREF_WRITES_H_

#include "sharing_finder.h"

// Adds the aliases of op |op|, which has no results and an in-place model.
void gmem_find_memref_writes(gmem_sharing_finder_t *finder, uint32_t op);

#endif // GMEM_PASSES_MEMREF_WRITES_H_
