// outside.h - when optional children are not inside a parent.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_OUTSIDE_H_
#define GMEM_PLANNER_OUTSIDE_H_

#include "packing_builder.h"

// outside.c: when no optional parent is live. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_find_outside(gmem_packing_builder_t *builder,
                                gmem_diag_t *diag);

#endif // GMEM_PLANNER_OUTSIDE_H_
