// improve_pools.h - improves a plan by moving buffers between pools.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_IMPROVE_POOLS_H_
#define GMEM_PLANNER_IMPROVE_POOLS_H_

#include "gmem/status.h"
#include "pool_state.h"

// Searches for a plan with a higher benefit than that of gmem_pack_once, or for
// any plan if that failed (|status|). Returns |status| when there is none,
// GMEM_OK when there is, or OUT_OF_MEMORY.
gmem_status_t gmem_improve_pools(gmem_pools_t *pools, gmem_status_t status,
                                 gmem_diag_t *diag);

#endif // GMEM_PLANNER_IMPROVE_POOLS_H_
