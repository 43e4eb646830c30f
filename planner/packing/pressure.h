// pressure.h - memory pressure: the most bytes live at one time, a lower bound.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_PRESSURE_H_
#define GMEM_PLANNER_PRESSURE_H_

#include "items.h"

// |needed| (may be NULL): a lower bound in bytes for each section,
// GMEM_UNLIMITED when it exceeds GMEM_MAX_ADDRESS. *out_most: the maximum, at
// least the end of every fixed item. O(n log n). Fails with OUT_OF_MEMORY.
gmem_status_t gmem_packing_pressure(const gmem_packing_t *packing,
                                    uint64_t *needed, uint64_t *out_most,
                                    gmem_diag_t *diag);

#endif // GMEM_PLANNER_PRESSURE_H_
