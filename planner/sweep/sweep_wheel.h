// sweep_wheel.h - packs a window repeatedly, with adaptive orders.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_SWEEP_WHEEL_H_
#define GMEM_PLANNER_SWEEP_WHEEL_H_

#include "repair_window.h"

// Finds the items that must end exactly at the goal.
void gmem_repair_find_tight_items(gmem_repair_t *repair);

// Packs the window in many orders, with |tries| initial attempts for each,
// until it is below the goal. Returns its peak.
uint64_t gmem_repair_improve_window(gmem_repair_t *repair, uint32_t tries);

#endif // GMEM_PLANNER_SWEEP_WHEEL_H_
