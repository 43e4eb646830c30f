// sweep_repair.h - the repair of a sweep's placement, and its window.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_SWEEP_REPAIR_H_
#define GMEM_PLANNER_SWEEP_REPAIR_H_

#include "gmem/planner.h"
#include "hulls.h"
#include "items.h"

// Places anew what lies above the goal, together with what is around it, window
// by window, until all is below the goal or the effort is spent. |offsets|
// holds a valid placement and only gets better. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_sweep_repair(const gmem_packing_t *packing,
                                const gmem_hulls_t *hulls,
                                gmem_search_t *search, uint64_t *offsets,
                                gmem_diag_t *diag);

#endif // GMEM_PLANNER_SWEEP_REPAIR_H_
