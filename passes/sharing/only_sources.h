// only_sources.h - values that control flow copies from one other value alone.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_ONLY_SOURCES_H_
#define GMEM_PASSES_ONLY_SOURCES_H_

#include "liveness.h"

// Sets |*out_sources|, by alias set, to the one that control flow copies all
// contents of it from; GMEM_NO_INDEX if there is none. Fails with
// OUT_OF_MEMORY.
gmem_status_t gmem_only_sources_find(const gmem_liveness_t *liveness,
                                     gmem_bump_t *arena, uint32_t **out_sources,
                                     gmem_diag_t *diag);

#endif // GMEM_PASSES_ONLY_SOURCES_H_
