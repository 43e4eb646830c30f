// pools_dump.h - candidate pools and constraints as text: debug=pools.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_POOLS_DUMP_H_
#define GMEM_PASSES_POOLS_DUMP_H_

#include "placement_constraints.h"
#include "text.h"

// Appends the pools, then the candidates and constraints of each alias set and
// the candidates of each mutable workbuffer.
void gmem_pools_dump(const gmem_liveness_t *liveness,
                     const gmem_workbuffers_t *workbuffers,
                     const gmem_placement_constraints_t *constraints,
                     gmem_text_t *text);

#endif // GMEM_PASSES_POOLS_DUMP_H_
