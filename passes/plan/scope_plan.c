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
  gmem_status_t status = gmem_figures_read(scope, &out_plan->figures, diag);
  if (status == GMEM_OK)
    status = gmem_analyse(scope, models, &out_plan->figures.model, arena,
                          &out_plan->analysis, diag);
  if (status == GMEM_OK)
    status = gmem_pool_table_read(scope, arena, &out_plan->pools,
                                  &out_plan->pool_count, diag);
  if (status != GMEM_OK)
    return status;
  out_plan->places =
      gmem_bump_alloc(arena, program->value_count, sizeof *out_plan->places);
  if (!out_plan->places)
    return gmem_out_of_memory(diag);
  status =
      gmem_places_read(program, out_plan->places, GMEM_PLACES_OF_WEIGHTS, diag);
  if (status == GMEM_OK)
    status = gmem_places_read(program, out_plan->places, GMEM_PLACES_OF_TENSORS,
                              diag);
  return status == GMEM_OK
             ? gmem_workbuffer_places_read(&out_plan->analysis.workbuffers,
                                           arena, &out_plan->work_places, diag)
             : status;
}
