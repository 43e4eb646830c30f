// scope_plan.h - the plan attributes of one scope, with the analysis under the
// options that the plan was made with, which includes the constants.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_SCOPE_PLAN_H_
#define GMEM_PASSES_SCOPE_PLAN_H_

#include "analysis.h"
#include "plan_attributes.h"
#include "pool_table.h"

typedef struct gmem_scope_plan_s {
  gmem_figures_entry_t figures;
  gmem_analysis_t analysis; // contains pointers to itself: do not copy
  gmem_pool_table_t pools;
  gmem_stale_figures_t stale; // what no longer holds, although it may be sound
  gmem_value_place_t *places; // by value of the program
  gmem_value_place_t
      *work_places; // by workbuffer of the analysis, mutable or not
} gmem_scope_plan_t;

// Reads the plan without verifying it (see gmem-verify-plan). Allocates in
// |arena|. Fails with NOT_FOUND (no plan; not reported), with CORRUPT,
// reported, and like gmem_analyse.
gmem_status_t gmem_scope_plan_read(MlirOperation scope,
                                   const gmem_op_models_t *models,
                                   gmem_bump_t *arena,
                                   gmem_scope_plan_t *out_plan,
                                   gmem_diag_t *diag);

// The allocation site of |value| if it has a place although it cannot be
// planned: the plan is refused, as two of its instances may be in use at once,
// for example. NULL otherwise. An alloca is none: it stays on the stack.
const gmem_allocation_site_t *gmem_misplaced_site(const gmem_scope_plan_t *plan,
                                                  uint32_t value);

// Reports "VALUE WHAT" where the value is defined, and returns |status|.
gmem_status_t gmem_value_error(const gmem_program_t *program, uint32_t value,
                               gmem_status_t status, const char *what,
                               gmem_diag_t *diag);

// Reports at the scope that the planner has failed with |status|, unless it is
// OUT_OF_MEMORY, and returns it. |diag| is the planner's.
gmem_status_t gmem_planner_error(const gmem_analysis_t *analysis,
                                 gmem_status_t status, const gmem_diag_t *diag);

#endif // GMEM_PASSES_SCOPE_PLAN_H_
