// placement.h - places buffers of size 0 and reports buffers that do not fit.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_PLACEMENT_H_
#define GMEM_PLANNER_PLACEMENT_H_

#include "gmem/planner.h"

// Places a buffer of size 0 at its fixed offset, or at the lowest aligned
// offset of the first candidate pool that has one. Fails with OVER_BUDGET.
gmem_status_t gmem_place_empty(const gmem_problem_t *problem, uint32_t buffer,
                               gmem_placement_t *placement, gmem_diag_t *diag);

// Reports in |diag| that the buffer does not fit in |pool|. Returns
// OVER_BUDGET.
gmem_status_t gmem_fail_without_room(const gmem_problem_t *problem,
                                     uint32_t buffer, uint32_t pool,
                                     gmem_diag_t *diag);

#endif // GMEM_PLANNER_PLACEMENT_H_
