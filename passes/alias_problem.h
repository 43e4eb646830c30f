// alias_problem.h - aliases in the words of the planner.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_ALIAS_PROBLEM_H_
#define GMEM_PASSES_ALIAS_PROBLEM_H_

#include "aliases.h"

// Adds |aliases| to |problem|, whose buffers are the classes of |liveness|. All
// are optional: the planner takes those that make the plan smaller. Fails with
// OUT_OF_MEMORY.
gmem_status_t gmem_aliases_add(gmem_problem_t *problem,
                               const gmem_liveness_t *liveness,
                               const gmem_aliases_t *aliases,
                               gmem_arena_t *arena, gmem_diag_t *diag);

#endif // GMEM_PASSES_ALIAS_PROBLEM_H_
