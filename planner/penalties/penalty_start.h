// penalty_start.h - a placement that keeps what constraints name.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_PENALTY_START_H_
#define GMEM_PLANNER_PENALTY_START_H_

#include "unit_types.h"

// Whether some soft constraint names a place (GMEM_AT).
bool gmem_names_places(const gmem_units_t *units);

// Replaces the current placement, in which all units are placed, by one below
// the ceilings that begins with all units at the places that constraints name.
// *out_fits: all units were placed; otherwise the placement is not complete,
// and the caller restores another. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_penalty_start(gmem_units_t *units, uint64_t steps,
                                 bool *out_fits);

#endif // GMEM_PLANNER_PENALTY_START_H_
