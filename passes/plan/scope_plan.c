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
  gmem_analysis_t *analysis = &out_plan->analysis;
  const gmem_program_t *program = &analysis->program;
  gmem_figures_entry_t *figures = &out_plan->figures;
  const gmem_pool_table_t *pools = &out_plan->pools;
  GMEM_TRY(gmem_figures_read(scope, arena, figures, diag));
  GMEM_TRY(gmem_analyse(scope, models, &figures->model, arena, analysis, diag));
  GMEM_TRY(gmem_pool_table_read(scope, arena, &out_plan->pools, diag));
  GMEM_TRY(
      gmem_places_alloc(arena, program->value_count, &out_plan->places, diag));
  out_plan->stale = (gmem_stale_figures_t){.arena = arena};
  GMEM_TRY(gmem_places_read(program, pools, out_plan->places, true,
                            &out_plan->stale, diag));
  GMEM_TRY(gmem_places_read(program, pools, out_plan->places, false,
                            &out_plan->stale, diag));
  GMEM_TRY(gmem_workbuffer_places_read(&analysis->workbuffers, pools, arena,
                                       &out_plan->work_places, diag));
  return gmem_analyse_constants(analysis, GMEM_WEIGHTS_BY_WALK,
                                figures->model.share_weights, diag);
}

gmem_status_t gmem_planner_error(const gmem_analysis_t *analysis,
                                 gmem_status_t status,
                                 const gmem_diag_t *diag) {
  if (status != GMEM_OK && status != GMEM_ERR_OUT_OF_MEMORY)
    gmem_op_error(NULL, status, analysis->program.scope, "%s", diag->text);
  return status;
}

gmem_status_t gmem_value_error(const gmem_program_t *program, uint32_t value,
                               gmem_status_t status, const char *what,
                               gmem_diag_t *diag) {
  char name[128];
  gmem_value_describe(program, value, name, sizeof name);
  return gmem_error_at(diag, status, gmem_value_location(program, value),
                       "%s %s", name, what);
}
