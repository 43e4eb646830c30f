// pack_pools.h - assigns buffers to pools and runs an engine on every pool.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_PACK_POOLS_H_
#define GMEM_PLANNER_PACK_POOLS_H_

#include "pool_state.h"

// Assigns every buffer to a pool and packs every pool once, with the optional
// aliases in |chosen|. Sets |proved| of the search.
gmem_status_t gmem_pack_once(gmem_pools_t *pools, gmem_diag_t *diag);

#endif // GMEM_PLANNER_PACK_POOLS_H_
