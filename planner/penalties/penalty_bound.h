// penalty_bound.h - a lower bound of the penalty.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_PENALTY_BOUND_H_
#define GMEM_PLANNER_PENALTY_BOUND_H_

#include "unit_types.h"

// No placement below the ceilings pays less than *out_bound. Leaves out the
// constraints for which |steps| units of work do not suffice. Fails with
// OUT_OF_MEMORY.
gmem_status_t gmem_penalty_bound(gmem_units_t *units, uint64_t steps,
                                 uint64_t *out_bound);

#endif // GMEM_PLANNER_PENALTY_BOUND_H_
