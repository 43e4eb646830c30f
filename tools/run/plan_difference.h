// plan_difference.h - whether two plans are one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_PLAN_DIFFERENCE_H_
#define GMEM_TOOLS_PLAN_DIFFERENCE_H_

#include "gmem/plan.h"

// Compares regions, steps, buffers with their lives, and the digests of weights
// that both know. Returns NULL when they are equal; else what differs, and the
// buffer that does in *out_name (NULL: none does).
const char *gmem_plan_difference(const gmem_plan_t *a, const gmem_plan_t *b,
                                 const char **out_name);

#endif // GMEM_TOOLS_PLAN_DIFFERENCE_H_
