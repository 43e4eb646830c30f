// unit_places.h - the offsets at which one unit may be placed among others.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_UNIT_PLACES_H_
#define GMEM_PLANNER_UNIT_PLACES_H_

#include "unit_types.h"

// Lists in |places| the offsets, ascending, at which |unit|, which is not
// placed, conflicts with no placed unit, ends below its ceiling, and touches a
// placed unit, a boundary or the place of a constraint. Returns their number.
// |found| has these and those at which it conflicts.
size_t gmem_unit_places(gmem_units_t *units, uint32_t unit);

// Sizes |places|. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_unit_places_alloc(gmem_units_t *units);

#endif // GMEM_PLANNER_UNIT_PLACES_H_
