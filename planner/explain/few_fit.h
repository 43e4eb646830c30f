// few_fit.h - whether a few buffers of a problem fit on their own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_FEW_FIT_H_
#define GMEM_PLANNER_FEW_FIT_H_

#include "gmem/planner.h"

// infeasible_sets.c: whether the few buffers that are |left|, with all that is
// said of them alone, were placed. False also where that is not known: they are
// many, or tied to others.
gmem_status_t gmem_few_fit(const gmem_problem_t *problem, const bool *left,
                           const gmem_solve_options_t *options, bool *out_fits,
                           gmem_diag_t *diag);

#endif // GMEM_PLANNER_FEW_FIT_H_
