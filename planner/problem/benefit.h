// benefit.h - the benefit of placing a buffer in one pool rather than another.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moving a buffer of |size| bytes with |uses| accesses to its next candidate
// costs
//
//   size * uses * (speed of the pool - speed of its next candidate)
//
// When one of the two speeds is unspecified, the order of the candidates alone
// ranks the first as better, and the difference counts as 1; when the next pool
// is not slower, it counts as 0. The benefit of a placement is the sum of these
// costs from its pool to the last candidate.

#ifndef GMEM_PLANNER_BENEFIT_H_
#define GMEM_PLANNER_BENEFIT_H_

#include "gmem/planner.h"

// The sum over all buffers of the largest problem does not overflow: traffic
// saturates at 2^56 bytes, and speeds have 32 bits.
__extension__ typedef unsigned __int128 gmem_benefit_t;

// Bytes read and written: size x uses.
uint64_t gmem_traffic(const gmem_buffer_spec_t *spec);

// The benefit of placing |buffer| in |pool|; 0 when it is not a candidate.
gmem_benefit_t gmem_benefit_in(const gmem_problem_t *problem, uint32_t buffer,
                               uint32_t pool);

// The total benefit of all placements of a plan.
gmem_benefit_t gmem_plan_worth(const gmem_problem_t *problem,
                               const gmem_placement_t *plan);

#endif // GMEM_PLANNER_BENEFIT_H_
