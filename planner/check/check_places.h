// check_places.h - the checker without hard constraints.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_CHECK_PLACES_H_
#define GMEM_PLANNER_CHECK_PLACES_H_

#include "gmem/planner.h"

// As gmem_check, but ignores constraints: for the plans of the engines, which
// know conflicts only. planner/penalties then moves buffers until the
// constraints hold, too.
gmem_status_t gmem_check_places(const gmem_problem_t *problem,
                                const gmem_placement_t *plan,
                                gmem_diag_t *diag);

#endif // GMEM_PLANNER_CHECK_PLACES_H_
