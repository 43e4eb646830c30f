// memref_entries.h - where in its callee a memref is used first.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_MEMREF_ENTRIES_H_
#define GMEM_PASSES_MEMREF_ENTRIES_H_

#include "memref_finder.h"
#include "memref_roots.h"

// Sets |cuts| to the times, on the timeline, from when the root is handed to
// the call that is its first touch to when the callee touches it. After
// gmem_memref_find_cuts. Returns whether there was memory.
bool gmem_memref_find_entries(gmem_memref_finder_t *finder,
                              const gmem_memref_root_t *root);

#endif // GMEM_PASSES_MEMREF_ENTRIES_H_
