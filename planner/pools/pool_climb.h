// pool_climb.h - a plan of several pools, made worth more step by step.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_POOL_CLIMB_H_
#define GMEM_PLANNER_POOL_CLIMB_H_

#include "pool_layout.h"

// pool_climb.c: raises movers of |layout| to candidates that are worth more,
// where that throws out what is worth less, until nothing does or the steps of
// the stage are spent. All movers must have a place, and have one at the end.
// |scratch|: room for two entries per mover.
void gmem_pool_climb(gmem_pool_layout_t *layout, gmem_order_t *scratch);

#endif // GMEM_PLANNER_POOL_CLIMB_H_
