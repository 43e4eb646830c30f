// loose_stack.h - places buffers below a ceiling, a stack of them first.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_LOOSE_STACK_H_
#define GMEM_PLANNER_LOOSE_STACK_H_

#include "loose_buffers.h"
#include "search.h"

// Places the buffers that are used, whose rivals are listed, below |goal| +
// |slack| bytes, with about |steps| units of work, in |memory|; |live| is that
// of |loose|. A buffer at no alias takes rounded[i] bytes. *out_found: whether
// that is done; otherwise the offsets are left as they are. Fails with
// OUT_OF_MEMORY.
gmem_status_t gmem_stack_loose(gmem_loose_buffers_t *loose,
                               gmem_alias_pressure_t *live,
                               gmem_search_t *search, uint64_t steps,
                               uint64_t goal, uint64_t slack,
                               const uint64_t *rounded, gmem_scratch_t *memory,
                               bool *out_found);

#endif // GMEM_PLANNER_LOOSE_STACK_H_
