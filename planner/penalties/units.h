// units.h - creates the units of a plan, and writes them back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_UNITS_H_
#define GMEM_PLANNER_UNITS_H_

#include "unit_types.h"

// Creates the units of |plan|, which is valid but for hard constraints, and
// places them as there. An optional alias that the plan uses ties its buffers.
// Fails with OUT_OF_RANGE (more conflicts than the search can hold) or
// OUT_OF_MEMORY; the units may be destroyed even after failure.
gmem_status_t gmem_units_create(const gmem_problem_t *problem,
                                gmem_search_t *search,
                                const gmem_placement_t *plan,
                                gmem_units_t *units, gmem_diag_t *diag);
void gmem_units_destroy(gmem_units_t *units);

// Writes the current placement, in which every unit is placed.
void gmem_units_write(const gmem_units_t *units, gmem_placement_t *plan);

// Whether no buffer has another candidate pool or may be in place of
// another: what holds for all placements of the units holds for all plans.
bool gmem_units_cover_all_plans(const gmem_units_t *units);

#endif // GMEM_PLANNER_UNITS_H_
