// infeasible.h - the search for a set of buffers that do not fit together.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_INFEASIBLE_H_
#define GMEM_PLANNER_INFEASIBLE_H_

#include "gmem/planner.h"

// The space that the buffers have to fit in.
typedef struct gmem_room_s {
  uint32_t pool;  // GMEM_NO_POOL: several pools, as if they were one
  uint64_t limit; // bytes
  const bool
      *only; // by buffer, for several pools: all its candidates are among them
} gmem_room_t;

// Implements gmem_find_infeasible for |room|.
gmem_status_t
gmem_find_infeasible_in(const gmem_problem_t *problem, const gmem_room_t *room,
                        const gmem_solve_options_t *options, uint32_t *buffers,
                        gmem_infeasible_t *out_infeasible, gmem_diag_t *diag);

#endif // GMEM_PLANNER_INFEASIBLE_H_
