// plan_difference.h - compares two plans.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_PLAN_DIFFERENCE_H_
#define GMEM_TOOLS_PLAN_DIFFERENCE_H_

#include "gmem/plan.h"

// Compares regions, step counts, buffers with their live ranges, and the
// digests of weights that both plans have. Returns NULL if they are equal, else
// a description of the first difference; *out_name is the buffer that differs,
// or NULL.
const char *gmem_plan_difference(const gmem_plan_t *a, const gmem_plan_t *b,
                                 const char **out_name);

#endif // GMEM_TOOLS_PLAN_DIFFERENCE_H_
