// units_cost.h - which constraints a placement of units breaks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_UNITS_COST_H_
#define GMEM_PLANNER_UNITS_COST_H_

#include "unit_types.h"

// Whether the current placement breaks the constraint; false when one of its
// units is not placed.
bool gmem_units_break(const gmem_units_t *units, const gmem_constraint_t *spec);

// The cost of the constraints of |unit| in the current placement.
gmem_cost_t gmem_unit_cost(const gmem_units_t *units, uint32_t unit);

// Places an unplaced unit at one of the first |count| |places| at which it
// costs least: at the lowest, or with |random|, its state, at any. Looks at no
// more of them when the stage's work is used up. False: there is none.
bool gmem_unit_place_cheapest(gmem_units_t *units, uint32_t unit, size_t count,
                              uint64_t *random);

// Places an unplaced unit, and the reverse; |cost| follows.
void gmem_unit_place(gmem_units_t *units, uint32_t unit, uint64_t offset);
void gmem_unit_lift(gmem_units_t *units, uint32_t unit);

#endif // GMEM_PLANNER_UNITS_COST_H_
