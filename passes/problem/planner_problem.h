// planner_problem.h - builds the planner's problems of constants and tensors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PLANNER_PROBLEM_H_
#define GMEM_PASSES_PLANNER_PROBLEM_H_

#include "problem_part.h"

// Creates the problem of |part|, which the caller destroys before its analysis.
// |pools| has one entry per pool of the part. Constants and immutable
// workbuffers are live all the time. If the planner rejects a buffer, |object|
// of the diagnostic is that buffer.
gmem_status_t gmem_planner_problem(const gmem_problem_part_t *part,
                                   const gmem_pool_spec_t *pools,
                                   gmem_problem_t **out_problem,
                                   gmem_diag_t *diag);

#endif // GMEM_PASSES_PLANNER_PROBLEM_H_
