// benefit.h - what it is worth that a buffer lies in one pool and not in
// another.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A buffer of |size| bytes that is used |uses| times loses
//
//   size * uses * (speed of the pool - speed of its next candidate)
//
// when it has to go on to its next candidate; where one of the two speeds is
// not said, or the next is no slower, the list of candidates alone says that
// the first is better: by 1, or by nothing. The worth of a place is what would
// be lost on the way from there to the last candidate.

#ifndef GMEM_PLANNER_BENEFIT_H_
#define GMEM_PLANNER_BENEFIT_H_

#include "gmem/planner.h"

// The sum over all buffers of the largest problem fits: traffic is cut at 2^56
// bytes, and speeds have 32 bits.
__extension__ typedef unsigned __int128 gmem_benefit_t;

// Bytes that are read and written: size x uses.
uint64_t gmem_traffic(const gmem_buffer_spec_t *spec);

// Of the place of |buffer| in |pool|, one of its candidates; 0 for others.
gmem_benefit_t gmem_benefit_in(const gmem_problem_t *problem, uint32_t buffer,
                               uint32_t pool);

// Of all places of a plan.
gmem_benefit_t gmem_plan_worth(const gmem_problem_t *problem,
                               const gmem_placement_t *plan);

#endif // GMEM_PLANNER_BENEFIT_H_
