// sweep_repair.h - repairs the placement of a sweep, window by window.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_SWEEP_REPAIR_H_
#define GMEM_PLANNER_SWEEP_REPAIR_H_

#include "hulls.h"
#include "items.h"

// Re-places the items above the goal, together with the items around them,
// window by window, until all end below the goal or the work limit is reached.
// |offsets| holds a valid placement and never gets worse. Fails with
// OUT_OF_MEMORY.
gmem_status_t gmem_sweep_repair(const gmem_packing_t *packing,
                                const gmem_hulls_t *hulls,
                                gmem_search_t *search, uint64_t *offsets,
                                gmem_scratch_t *memory);

#endif // GMEM_PLANNER_SWEEP_REPAIR_H_
