// pressure.h - the most bytes that are live at one time: a lower bound.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_PRESSURE_H_
#define GMEM_PLANNER_PRESSURE_H_

#include "items.h"

// |needed| (may be NULL): the bytes that each section needs at least, each
// GMEM_UNLIMITED when beyond every address. *out_most: the largest, and no less
// than the end of any fixed item. O(n log n). Fails with OUT_OF_MEMORY.
gmem_status_t gmem_packing_pressure(const gmem_packing_t *packing,
                                    uint64_t *needed, uint64_t *out_most,
                                    gmem_diag_t *diag);

#endif // GMEM_PLANNER_PRESSURE_H_
