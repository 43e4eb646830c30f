// problem_digest.h - a canonical order of the buffers of a problem, and a
// digest of everything that affects a plan.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_PROBLEM_DIGEST_H_
#define GMEM_PLANNER_PROBLEM_DIGEST_H_

#include "gmem/planner.h"

// Fills |order| (room for every buffer) with the buffers in canonical order,
// and |digest| as gmem_problem_digest does.
gmem_status_t gmem_problem_canonical(const gmem_problem_t *problem,
                                     uint32_t *order, uint8_t digest[32],
                                     gmem_diag_t *diag);

#endif // GMEM_PLANNER_PROBLEM_DIGEST_H_
