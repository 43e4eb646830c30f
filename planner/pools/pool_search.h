// pool_search.h - who goes to which pool, by search.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_POOL_SEARCH_H_
#define GMEM_PLANNER_POOL_SEARCH_H_

#include "gmem/status.h"
#include "pool_state.h"

// pool_search.c: from the plan of |pools|, if |has_plan|, looks for one whose
// places are worth more, and if not, for any. Sets *out_found when |plan| is a
// better one now; else it is as it was. Takes its share of the steps. Fails
// with OUT_OF_MEMORY.
gmem_status_t gmem_pool_search(gmem_pools_t *pools, bool has_plan,
                               bool *out_found, gmem_diag_t *diag);

#endif // GMEM_PLANNER_POOL_SEARCH_H_
