// link_place.h - where the blocks of the models lie in a shared memory: a
// problem of the planner with one buffer per model.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_LINK_PLACE_H_
#define GMEM_TOOLS_LINK_PLACE_H_

#include "link_pools.h"

// Places the blocks in each. Returns false when a capacity is too small.
bool gmem_link_pools_place(const gmem_link_models_t *models,
                           gmem_link_pools_t *pools);

#endif // GMEM_TOOLS_LINK_PLACE_H_
