// analysis.c - see analysis.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis.h"

#include "aliases.h"
#include "program_build.h"
#include "workbuffer_liveness.h"

// Finds liveness; streams also keep mutable workbuffers live.
static gmem_status_t find_liveness(gmem_analysis_t *analysis,
                                   const gmem_model_options_t *options,
                                   bool is_placed, gmem_diag_t *diag) {
  const gmem_workbuffers_t *work = &analysis->workbuffers;
  uint32_t *ops;
  GMEM_TRY_ALLOC(ops, analysis->arena, work->mutable_count, diag);
  for (size_t i = 0; i < work->mutable_count; ++i)
    ops[i] = work->all[work->mutables[i]].step;
  gmem_liveness_inputs_t inputs = {.facts = &analysis->facts,
                                   .options = options,
                                   .is_placed = is_placed,
                                   .buffer_ops = ops,
                                   .buffer_count = work->mutable_count};
  return gmem_liveness_analyse(&inputs, analysis->arena, &analysis->liveness,
                               diag);
}

static gmem_status_t analyse(MlirOperation scope,
                             const gmem_op_models_t *models,
                             const gmem_model_options_t *options,
                             bool is_placed, gmem_bump_t *arena,
                             gmem_analysis_t *out_analysis, gmem_diag_t *diag) {
  *out_analysis = (gmem_analysis_t){.arena = arena};
  gmem_program_t *program = &out_analysis->program;
  gmem_aliases_t aliases;
  GMEM_TRY(gmem_program_build(scope, models, options, arena, program, diag));
  GMEM_TRY(gmem_program_facts_find(program, arena, &out_analysis->facts, diag));
  GMEM_TRY(
      gmem_workbuffers_read(program, arena, &out_analysis->workbuffers, diag));
  GMEM_TRY(find_liveness(out_analysis, options, is_placed, diag));
  GMEM_TRY(gmem_aliases_find(&out_analysis->liveness, options, arena, &aliases,
                             diag));
  GMEM_TRY(gmem_placement_constraints_find(
      &(gmem_placement_inputs_t){.liveness = &out_analysis->liveness,
                                 .options = options,
                                 .aliases = &aliases,
                                 .workbuffers = &out_analysis->workbuffers},
      arena, &out_analysis->constraints, diag));
  return gmem_paddings_find(&out_analysis->liveness, &out_analysis->constraints,
                            arena, &out_analysis->paddings, diag);
}

gmem_status_t gmem_analyse(MlirOperation scope, const gmem_op_models_t *models,
                           const gmem_model_options_t *options,
                           gmem_bump_t *arena, gmem_analysis_t *out_analysis,
                           gmem_diag_t *diag) {
  return analyse(scope, models, options, false, arena, out_analysis, diag);
}

gmem_status_t
gmem_analyse_placed(MlirOperation scope, const gmem_op_models_t *models,
                    const gmem_model_options_t *options, gmem_bump_t *arena,
                    gmem_analysis_t *out_analysis, gmem_diag_t *diag) {
  return analyse(scope, models, options, true, arena, out_analysis, diag);
}

void gmem_analysis_drop_users(gmem_analysis_t *analysis) {
  gmem_csr_t *users = &analysis->facts.uses.users;
  gmem_bump_drop(analysis->arena, users->first);
  gmem_bump_drop(analysis->arena, users->items);
  *users = (gmem_csr_t){NULL, NULL};
}

gmem_status_t gmem_analyse_constants(gmem_analysis_t *analysis,
                                     gmem_weight_order_t order, bool share,
                                     gmem_diag_t *diag) {
  gmem_weights_options_t options = {
      .program = &analysis->program,
      .liveness = analysis->liveness.live_values ? &analysis->liveness : NULL,
      .workbuffers = &analysis->workbuffers,
      .order = order,
      .share = share};
  return gmem_weights_find(&options, analysis->arena, &analysis->constants,
                           diag);
}

gmem_status_t gmem_analyse_constants_only(MlirOperation scope,
                                          const gmem_op_models_t *models,
                                          const gmem_plan_options_t *options,
                                          gmem_bump_t *arena,
                                          gmem_analysis_t *out_analysis,
                                          gmem_diag_t *diag) {
  const gmem_model_options_t *model = &options->model;
  *out_analysis = (gmem_analysis_t){.arena = arena};
  gmem_program_t *program = &out_analysis->program;
  GMEM_TRY(gmem_program_build(scope, models, model, arena, program, diag));
  GMEM_TRY(
      gmem_workbuffers_read(program, arena, &out_analysis->workbuffers, diag));
  // Liveness is needed only to choose between several memories.
  if (gmem_has_constant_memories(program)) {
    GMEM_TRY(
        gmem_program_facts_find(program, arena, &out_analysis->facts, diag));
    GMEM_TRY(find_liveness(out_analysis, model, false, diag));
  }
  return gmem_analyse_constants(out_analysis, options->weight_order,
                                model->share_weights, diag);
}
