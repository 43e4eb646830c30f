// scope_plan.c - see scope_plan.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "scope_plan.h"

#include "diagnostics.h"
#include "workbuffer_places.h"

gmem_status_t gmem_scope_plan_read(MlirOperation scope,
                                   const gmem_op_models_t *models,
                                   gmem_bump_t *arena,
                                   gmem_scope_plan_t *out_plan,
                                   gmem_diag_t *diag) {
  const gmem_program_t *program = &out_plan->analysis.program;
  GMEM_TRY(gmem_figures_read(scope, &out_plan->figures, diag));
  GMEM_TRY(gmem_analyse(scope, models, &out_plan->figures.model, arena,
                        &out_plan->analysis, diag));
  GMEM_TRY(gmem_pool_table_read(scope, arena, &out_plan->pools,
                                &out_plan->pool_count, diag));
  GMEM_TRY_ALLOC(out_plan->places, arena, program->value_count, diag);
  GMEM_TRY(gmem_places_read(program, out_plan->places, GMEM_PLACES_OF_WEIGHTS,
                            diag));
  GMEM_TRY(gmem_places_read(program, out_plan->places, GMEM_PLACES_OF_TENSORS,
                            diag));
  return gmem_workbuffer_places_read(&out_plan->analysis.workbuffers, arena,
                                     &out_plan->work_places, diag);
}
