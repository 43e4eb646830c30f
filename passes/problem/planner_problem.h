// planner_problem.h - the planner's problem of a scope's tensors, and of its
// weights.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PLANNER_PROBLEM_H_
#define GMEM_PASSES_PLANNER_PROBLEM_H_

#include "analysis.h"
#include "bump.h"
#include "gmem/planner.h"
#include "gmem/status.h"
#include "weights.h"

// Makes that problem, in |*out_problem|, with |pools|, one per pool of the
// boundaries. The caller destroys it. |object| of a failure's diagnostic is the
// buffer that the planner does not take, if it is about one.
gmem_status_t gmem_tensor_problem(const gmem_analysis_t *analysis,
                                  const gmem_pool_spec_t *pools,
                                  gmem_problem_t **out_problem,
                                  gmem_diag_t *diag);

// The same for weights, which are all live for ever: |pools| has one per pool
// of theirs, and buffer i is weight (*out_buffers)[i], the source of others or
// of itself alone; the array is in the arena. The last buffers are the
// immutable workbuffers, weights->work.immutable_count of them.
gmem_status_t gmem_weight_problem(const gmem_constants_t *weights,
                                  gmem_bump_t *arena,
                                  const gmem_pool_spec_t *pools,
                                  gmem_problem_t **out_problem,
                                  uint32_t **out_buffers, gmem_diag_t *diag);

#endif // GMEM_PASSES_PLANNER_PROBLEM_H_
