// analysis.c - see analysis.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis.h"

#include "aliases.h"
#include "diagnostics.h"
#include "program_build.h"
#include "workbuffer_liveness.h"

// Finds liveness; streams also keep mutable workbuffers live.
static gmem_status_t find_liveness(gmem_analysis_t *analysis,
                                   const gmem_model_options_t *options,
                                   gmem_diag_t *diag) {
  const gmem_workbuffers_t *work = &analysis->workbuffers;
  uint32_t *ops;
  GMEM_TRY_ALLOC(ops, analysis->arena, work->mutable_count, diag);
  for (size_t i = 0; i < work->mutable_count; ++i)
    ops[i] = work->all[work->mutables[i]].step;
  gmem_liveness_inputs_t inputs = {.facts = &analysis->facts,
                                   .options = options,
                                   .buffer_ops = ops,
                                   .buffer_count = work->mutable_count};
  return gmem_liveness_analyse(&inputs, analysis->arena, &analysis->liveness,
                               diag);
}

gmem_status_t gmem_analyse(MlirOperation scope, const gmem_op_models_t *models,
                           const gmem_model_options_t *options,
                           gmem_bump_t *arena, gmem_analysis_t *out_analysis,
                           gmem_diag_t *diag) {
  *out_analysis = (gmem_analysis_t){.arena = arena};
  gmem_program_t *program = &out_analysis->program;
  GMEM_TRY(gmem_program_build(scope, models, options, arena, program, diag));
  GMEM_TRY(gmem_program_facts_find(program, arena, &out_analysis->facts, diag));
  GMEM_TRY(
      gmem_workbuffers_read(program, arena, &out_analysis->workbuffers, diag));
  GMEM_TRY(find_liveness(out_analysis, options, diag));
  GMEM_TRY(gmem_aliases_find(&out_analysis->liveness, models, options, arena,
                             &out_analysis->aliases, diag));
  GMEM_TRY(gmem_placement_constraints_find(
      &out_analysis->liveness, models, options, arena, &out_analysis->aliases,
      &out_analysis->constraints, diag));
  GMEM_TRY(gmem_workbuffers_place(&out_analysis->liveness, arena,
                                  &out_analysis->constraints,
                                  &out_analysis->workbuffers, diag));
  return gmem_paddings_find(&out_analysis->liveness, &out_analysis->constraints,
                            arena, &out_analysis->paddings, diag);
}
