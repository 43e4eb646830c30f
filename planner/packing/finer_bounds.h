// finer_bounds.h - bounds above the pressure, for packings in which the items
// of one section are not all that matters.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_FINER_BOUNDS_H_
#define GMEM_PLANNER_FINER_BOUNDS_H_

#include "items.h"
#include "planner_internal.h"

// Both raise the bound of |packing| when they find that every placement of it
// needs more, within a limit of work that grows with the number of items, and
// add this work to its |bound_steps|. They fail with OUT_OF_MEMORY.

// clique_bound.c: by items with gaps in their live ranges. Pairs of them may be
// live together at one time each, so that none of them can share bytes, without
// a time at which all are live.
gmem_status_t gmem_raise_bound_by_cliques(gmem_packing_t *packing,
                                          gmem_diag_t *diag);

// stack_bound.c: by sections of few items with different alignments or fixed
// offsets, looking at every order in which they can be stacked.
gmem_status_t gmem_raise_bound_by_stacks(gmem_packing_t *packing,
                                         gmem_diag_t *diag);

#endif // GMEM_PLANNER_FINER_BOUNDS_H_
