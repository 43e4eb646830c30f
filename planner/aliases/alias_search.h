// alias_search.h - searches for the optional aliases that minimize the peak.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_ALIAS_SEARCH_H_
#define GMEM_PLANNER_ALIAS_SEARCH_H_

#include "pool_state.h"

// alias_search.c: plans with the best selection of optional aliases it finds.
// Leaves |chosen| and |groups| unchanged. |memory|: for the time of the call.
gmem_status_t gmem_pack_with_choices(gmem_pools_t *pools);

#endif // GMEM_PLANNER_ALIAS_SEARCH_H_
