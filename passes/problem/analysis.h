// analysis.h - all analyses of one planning scope.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_ANALYSIS_H_
#define GMEM_PASSES_ANALYSIS_H_

#include "paddings.h"
#include "weights.h"

typedef struct gmem_analysis_s {
  gmem_bump_t *arena; // owns all results
  gmem_program_t program;
  gmem_program_facts_t facts;
  gmem_liveness_t liveness;
  gmem_workbuffers_t workbuffers;
  gmem_placement_constraints_t constraints;
  gmem_padding_t *paddings;   // by alias set: as gmem.padding states; or NULL
  gmem_constants_t constants; // after gmem_analyse_constants
} gmem_analysis_t;

static inline gmem_padding_t gmem_set_padding(const gmem_analysis_t *analysis,
                                              uint32_t set) {
  return analysis->paddings ? analysis->paddings[set] : (gmem_padding_t){0, 0};
}

// Runs all analyses on |scope|: numbers it, then finds calls, streams,
// liveness, aliases, placement constraints and paddings. Allocates in |arena|.
// Fails as they do; every failure but OUT_OF_MEMORY is reported at the op that
// causes it.
gmem_status_t gmem_analyse(MlirOperation scope, const gmem_op_models_t *models,
                           const gmem_model_options_t *options,
                           gmem_bump_t *arena, gmem_analysis_t *out_analysis,
                           gmem_diag_t *diag);

// The same of a program with a plan: values that it places apart do not become
// one tensor by what passes have removed since (insert_chains.h).
gmem_status_t
gmem_analyse_placed(MlirOperation scope, const gmem_op_models_t *models,
                    const gmem_model_options_t *options, gmem_bump_t *arena,
                    gmem_analysis_t *out_analysis, gmem_diag_t *diag);

// Frees what only orders of the ops and dumps need: the users of each value.
void gmem_analysis_drop_users(gmem_analysis_t *analysis);

// Finds the constants of |analysis| and their pools. Fails like
// gmem_weights_find.
gmem_status_t gmem_analyse_constants(gmem_analysis_t *analysis,
                                     gmem_weight_order_t order, bool share,
                                     gmem_diag_t *diag);

// As both for a pass that places constants only: finds no more of the other
// results than that requires.
gmem_status_t gmem_analyse_constants_only(MlirOperation scope,
                                          const gmem_op_models_t *models,
                                          const gmem_plan_options_t *options,
                                          gmem_bump_t *arena,
                                          gmem_analysis_t *out_analysis,
                                          gmem_diag_t *diag);

#endif // GMEM_PASSES_ANALYSIS_H_
