// pool_climb.h - raises the benefit of a plan of several pools by local search.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_POOL_CLIMB_H_
#define GMEM_PLANNER_POOL_CLIMB_H_

#include "pool_layout.h"

// pool_climb.c: moves movers of |layout| to more beneficial candidates,
// evicting less beneficial ones, until no step improves or the work limit of
// the stage is reached. All movers must be placed, and are placed at the end.
// |scratch|: room for two entries per mover.
void gmem_pool_climb(gmem_pool_layout_t *layout, gmem_order_t *scratch);

#endif // GMEM_PLANNER_POOL_CLIMB_H_
