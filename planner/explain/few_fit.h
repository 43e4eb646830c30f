// few_fit.h - whether a small set of buffers fits on its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_FEW_FIT_H_
#define GMEM_PLANNER_FEW_FIT_H_

#include "gmem/planner.h"

// Whether the buffers of |left|, with their mutual constraints, were placed.
// Also false when the answer is unknown: the set is too large, or related to
// other buffers.
gmem_status_t gmem_few_fit(const gmem_problem_t *problem, const bool *left,
                           const gmem_solve_options_t *options, bool *out_fits,
                           gmem_diag_t *diag);

#endif // GMEM_PLANNER_FEW_FIT_H_
