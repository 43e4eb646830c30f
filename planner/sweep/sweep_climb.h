// sweep_climb.h - thorough searches in a window of a large problem.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_SWEEP_CLIMB_H_
#define GMEM_PLANNER_SWEEP_CLIMB_H_

#include "repair_window.h"

// Hill climbing and exact search in the window, with about |steps| for the
// former. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_repair_climb(gmem_repair_t *repair, uint64_t steps);

#endif // GMEM_PLANNER_SWEEP_CLIMB_H_
