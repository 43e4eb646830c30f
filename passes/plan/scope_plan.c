// scope_plan.c - see scope_plan.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "scope_plan.h"

#include "diagnostics.h"
#include "workbuffer_places.h"

const gmem_allocation_site_t *gmem_misplaced_site(const gmem_scope_plan_t *plan,
                                                  uint32_t value) {
  if (!gmem_has_place(&plan->places[value]))
    return NULL;
  const gmem_allocation_site_t *site =
      gmem_allocation_site_of(&plan->analysis.liveness.memrefs, value);
  return site && site->reason != GMEM_MEMREF_PLANNED &&
                 site->reason != GMEM_MEMREF_STACK
             ? site
             : NULL;
}

// Drops the places of values that were planned and need no memory any more,
// such as an alloc that has become an alloca: nothing keeps others from there.
static void drop_stale_places(gmem_scope_plan_t *plan) {
  const gmem_program_t *program = &plan->analysis.program;
  const gmem_live_value_t *live = plan->analysis.liveness.live_values;
  char name[128];
  for (uint32_t i = 0; i < program->value_count; ++i)
    if (!gmem_live_value_is_planned(&live[i]) &&
        gmem_has_place(&plan->places[i]) && !gmem_misplaced_site(plan, i)) {
      gmem_value_describe(program, i, name, sizeof name);
      gmem_stale_figures_add(&plan->stale, gmem_value_location(program, i),
                             "%s has an offset but is not planned any more",
                             name);
      plan->places[i] = (gmem_value_place_t){GMEM_NO_POOL, -1, -1, -1};
    }
}

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
  GMEM_TRY(gmem_analyse_placed(scope, models, &figures->model, arena, analysis,
                               diag));
  GMEM_TRY(gmem_pool_table_read(scope, arena, &out_plan->pools, diag));
  GMEM_TRY(
      gmem_places_alloc(arena, program->value_count, &out_plan->places, diag));
  out_plan->stale = (gmem_stale_figures_t){.arena = arena};
  GMEM_TRY(gmem_places_read(program, pools, out_plan->places, true,
                            &out_plan->stale, diag));
  GMEM_TRY(gmem_places_read(program, pools, out_plan->places, false,
                            &out_plan->stale, diag));
  drop_stale_places(out_plan);
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
