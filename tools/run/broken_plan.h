// broken_plan.h - validates the comparison of outputs (--check=broken-plan)
// with plans in which two live buffers overlap.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_BROKEN_PLAN_H_
#define GMEM_TOOLS_BROKEN_PLAN_H_

#include "gmem/passes.h"

// Moves one buffer onto another. Both are indices among the arena views of a
// materialized module.
typedef struct gmem_break_s {
  uint32_t moved, onto;
  uint64_t bytes; // size of the overlap
  int64_t steps;  // at which both are live
} gmem_break_t;

// Lists pairs of buffers whose live ranges overlap in |planned| and
// that can be moved onto one another in |materialized|, its materialized form;
// longest common live range first. Returns their number. The caller frees
// *out_breaks with free().
uint32_t gmem_breaks_find(const gmem_planned_t *planned,
                          MlirModule materialized, gmem_break_t **out_breaks);

// Moves |breaking->moved| onto |breaking->onto| in |materialized|.
void gmem_break_apply(MlirModule materialized, const gmem_break_t *breaking);

#endif // GMEM_TOOLS_BROKEN_PLAN_H_
