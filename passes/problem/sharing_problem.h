// sharing_problem.h - adds optional aliases to the planner's problem.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_SHARING_PROBLEM_H_
#define GMEM_PASSES_SHARING_PROBLEM_H_

#include "analysis.h"

// Adds the aliases of |analysis| to |problem|, whose first buffers are the
// alias sets in |pools|, except those that would place live bytes in a padding.
// All are optional: the planner selects those that make the plan smaller. Fails
// with OUT_OF_MEMORY.
gmem_status_t gmem_aliases_add(gmem_problem_t *problem,
                               const gmem_analysis_t *analysis,
                               const gmem_pool_spec_t *pools,
                               gmem_diag_t *diag);

#endif // GMEM_PASSES_SHARING_PROBLEM_H_
