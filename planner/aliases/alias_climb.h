// alias_climb.h - lowers the peak of a plan by moving single buffers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_ALIAS_CLIMB_H_
#define GMEM_PLANNER_ALIAS_CLIMB_H_

#include "loose_buffers.h"
#include "search.h"

// Lowers the peak of |plan|, which is valid, towards |goal| bytes, with about
// |steps| units of work for moves and half as many more for orders, in
// |memory|. The choice is not used but for the lists
// of the problem that it has: any alias may be in place afterwards. Does
// nothing where buffers cannot be moved by themselves (gmem_can_be_loose) or
// there are too many. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_alias_climb(const gmem_choice_t *choice,
                               const gmem_alias_pressure_t *live,
                               gmem_search_t *search, uint64_t steps,
                               uint64_t goal, gmem_placement_t *plan,
                               gmem_scratch_t *memory);

// The same, but beginning with the order of the offsets in |from|, a plan of
// the same problem with a finer alignment; about |steps| units of work.
gmem_status_t gmem_alias_realign(const gmem_choice_t *choice,
                                 const gmem_alias_pressure_t *live,
                                 gmem_search_t *search, uint64_t steps,
                                 uint64_t goal, const gmem_placement_t *from,
                                 gmem_placement_t *plan,
                                 gmem_scratch_t *memory);

// Places all buffers anew so that the peak is near |goal|, with about |steps|
// units of work, beginning with a stack of those that are live at the time of
// maximum pressure (loose_stack.h). |plan| is left as it is where that fails.
gmem_status_t gmem_alias_stack(const gmem_choice_t *choice,
                               const gmem_alias_pressure_t *live,
                               gmem_search_t *search, uint64_t steps,
                               uint64_t goal, gmem_placement_t *plan,
                               gmem_scratch_t *memory);

#endif // GMEM_PLANNER_ALIAS_CLIMB_H_
