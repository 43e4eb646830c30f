// greedy_by_conflicts.c - places the items with most conflicts first.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The order of "greedy_by_conflicts" of Apache TVM's unified static memory
// planner, here with the gap rule of greedy-by-size.

#include "algorithms.h"
#include "ordered_fit.h"

gmem_status_t gmem_greedy_by_conflicts_pack(const gmem_task_t *task) {
  return gmem_ordered_fit_pack(task, GMEM_KEY_CONFLICTS, GMEM_FIT_BEST);
}
