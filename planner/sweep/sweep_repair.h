// sweep_repair.h - repairs the placement of a sweep, window by window.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_SWEEP_REPAIR_H_
#define GMEM_PLANNER_SWEEP_REPAIR_H_

#include "hulls.h"
#include "packing.h"

// Re-places the items above the goal, together with the items around them,
// window by window, until all end below the goal or the work limit is reached.
// The task holds a valid placement, which never gets worse. Fails with
// OUT_OF_MEMORY.
gmem_status_t gmem_sweep_repair(const gmem_task_t *task,
                                const gmem_hulls_t *hulls);

#endif // GMEM_PLANNER_SWEEP_REPAIR_H_
