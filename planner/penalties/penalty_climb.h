// penalty_climb.h - local search for a lower penalty.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_PENALTY_CLIMB_H_
#define GMEM_PLANNER_PENALTY_CLIMB_H_

#include "unit_types.h"

// Improves the current placement of all units until its cost is |goal| or
// |steps| units of work are used up. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_penalty_climb(gmem_units_t *units, uint64_t goal,
                                 uint64_t steps);

#endif // GMEM_PLANNER_PENALTY_CLIMB_H_
