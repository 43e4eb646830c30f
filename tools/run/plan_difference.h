// plan_difference.h - compares two plans.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_PLAN_DIFFERENCE_H_
#define GMEM_TOOLS_PLAN_DIFFERENCE_H_

#include "gmem/plan.h"

// Compares regions, step counts, buffers with their live ranges and layouts,
// and the digests of weights that both plans have. Fails with INVALID_ARGUMENT
// if they differ; |diag| then describes the first difference.
gmem_status_t gmem_plan_compare(const gmem_plan_t *a, const gmem_plan_t *b,
                                gmem_diag_t *diag);

#endif // GMEM_TOOLS_PLAN_DIFFERENCE_H_
