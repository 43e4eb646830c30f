// sharing_problem.h - aliases in the words of the planner.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_SHARING_PROBLEM_H_
#define GMEM_PASSES_SHARING_PROBLEM_H_

#include "analysis.h"

// Adds the aliases of |analysis| to |problem|, whose first buffers are its
// classes in |pools|, but for those that would put what is wanted into a
// padding. All are optional: the planner takes those that make the plan
// smaller. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_aliases_add(gmem_problem_t *problem,
                               const gmem_analysis_t *analysis,
                               const gmem_pool_spec_t *pools,
                               gmem_diag_t *diag);

#endif // GMEM_PASSES_SHARING_PROBLEM_H_
