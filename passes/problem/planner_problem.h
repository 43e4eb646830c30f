// planner_problem.h - builds the planner's problems of tensors and of weights.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PLANNER_PROBLEM_H_
#define GMEM_PASSES_PLANNER_PROBLEM_H_

#include "analysis.h"
#include "bump.h"
#include "gmem/planner.h"
#include "gmem/status.h"
#include "weights.h"

// Creates the problem of the tensors in |*out_problem|, which the caller
// destroys. |pools| has one entry per pool of the placement constraints. If the
// planner rejects a buffer, |object| of the diagnostic is that buffer.
gmem_status_t gmem_tensor_problem(const gmem_analysis_t *analysis,
                                  const gmem_pool_spec_t *pools,
                                  gmem_problem_t **out_problem,
                                  gmem_diag_t *diag);

// The same for weights, which are live all the time: |pools| has one entry per
// pool of |weights|. Buffer i is weight (*out_buffers)[i], which is its own
// source; the array is in |arena|. The last weights->work.immutable_count
// buffers are the immutable workbuffers.
gmem_status_t gmem_weight_problem(const gmem_constants_t *weights,
                                  gmem_bump_t *arena,
                                  const gmem_pool_spec_t *pools,
                                  gmem_problem_t **out_problem,
                                  uint32_t **out_buffers, gmem_diag_t *diag);

#endif // GMEM_PASSES_PLANNER_PROBLEM_H_
