// loose_order.h - lowers the peak of buffers by the order of their placement.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_LOOSE_ORDER_H_
#define GMEM_PLANNER_LOOSE_ORDER_H_

#include "loose_buffers.h"
#include "search.h"

// Lowers the peak of the buffers that are used, which are placed and whose
// rivals are listed, towards |goal| bytes, in |trials| with about |steps|
// units of work together, in |memory|. Leaves them placed, at their offsets
// where it finds no lower peak, or there are too many of them. Where some are
// not aligned, all are placed again first, in the order of their offsets. A
// buffer at no alias takes rounded[i] bytes (NULL: its size). Fails with
// OUT_OF_MEMORY.
gmem_status_t gmem_reorder_loose(gmem_loose_buffers_t *loose,
                                 gmem_search_t *search, uint32_t trials,
                                 uint64_t steps, uint64_t goal,
                                 const uint64_t *rounded,
                                 gmem_scratch_t *memory);

#endif // GMEM_PLANNER_LOOSE_ORDER_H_
