// sweep.h - places items outwards from the time of peak pressure.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_SWEEP_H_
#define GMEM_PLANNER_SWEEP_H_

#include "packing.h"

gmem_pack_t gmem_sweep_pack; // O(n log n), for any number of items

#endif // GMEM_PLANNER_SWEEP_H_
