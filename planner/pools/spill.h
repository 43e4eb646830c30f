// spill.h - selects the items that stay in a pool that is too small for all.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_SPILL_H_
#define GMEM_PLANNER_SPILL_H_

#include "pool_state.h"

// spill.c: of a packing that does not fit, selects the items that stay: places
// them, and sets offsets[item] = GMEM_NOT_FIXED for the others. Fails with
// OVER_BUDGET when items without another candidate do not fit, or with the
// status of the engine.
gmem_status_t gmem_choose_stay(gmem_pools_t *pools,
                               const gmem_packing_t *packing, uint64_t *offsets,
                               gmem_diag_t *diag);

#endif // GMEM_PLANNER_SPILL_H_
