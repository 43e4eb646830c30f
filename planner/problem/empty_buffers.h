// empty_buffers.h - places buffers of size 0.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_EMPTY_BUFFERS_H_
#define GMEM_PLANNER_EMPTY_BUFFERS_H_

#include "gmem/planner.h"

// Places each buffer of size 0 at its fixed offset, or at the lowest aligned
// offset of the first candidate pool that has one. Fails with OVER_BUDGET.
gmem_status_t gmem_place_empty(const gmem_problem_t *problem,
                               gmem_placement_t *plan, gmem_diag_t *diag);

#endif // GMEM_PLANNER_EMPTY_BUFFERS_H_
