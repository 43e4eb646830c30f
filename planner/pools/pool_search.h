// pool_search.h - searches for an assignment of buffers to pools.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_POOL_SEARCH_H_
#define GMEM_PLANNER_POOL_SEARCH_H_

#include "pool_state.h"

// pool_search.c: searches for a plan with a higher benefit than that of |pools|
// (|has_plan|), or else for any plan. Sets *out_found when |plan| was improved;
// otherwise it is unchanged. Takes its share of the work limit. Fails with
// OUT_OF_MEMORY.
gmem_status_t gmem_pool_search(gmem_pools_t *pools, bool has_plan,
                               bool *out_found, gmem_diag_t *diag);

// Searches for a plan with a higher benefit than that of gmem_pack_once, or for
// any plan if that failed (|status|). Returns |status| when there is none,
// GMEM_OK when there is, or OUT_OF_MEMORY.
gmem_status_t gmem_improve_pools(gmem_pools_t *pools, gmem_status_t status,
                                 gmem_diag_t *diag);

#endif // GMEM_PLANNER_POOL_SEARCH_H_
