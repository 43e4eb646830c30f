// conflict_lists.h - the interference graph of buffers, as sorted lists.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_CONFLICT_LISTS_H_
#define GMEM_PLANNER_CONFLICT_LISTS_H_

#include "gmem/planner.h"

// Interference between |count| groups of buffers: two groups interfere when a
// buffer of one interferes with a buffer of the other. |group_of|: by buffer;
// GMEM_NO_BUFFER leaves it out. Fails as gmem_conflicts_create does.
gmem_status_t gmem_list_conflicts(const gmem_problem_t *problem,
                                  const uint32_t *group_of, uint32_t count,
                                  uint64_t most_pairs,
                                  gmem_conflicts_t *conflicts,
                                  gmem_diag_t *diag);

#endif // GMEM_PLANNER_CONFLICT_LISTS_H_
