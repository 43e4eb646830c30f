// link_place.h - places the blocks of the models in a shared pool, as a planner
// problem with one buffer per model.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_LINK_PLACE_H_
#define GMEM_TOOLS_LINK_PLACE_H_

#include "link_pools.h"

// Places the blocks of each pool. Fails for example if a capacity is too small.
GMEM_MUST_USE gmem_status_t gmem_link_pools_place(gmem_link_pools_t *pools);

#endif // GMEM_TOOLS_LINK_PLACE_H_
