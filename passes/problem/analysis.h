// analysis.h - all analyses of one planning scope.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_ANALYSIS_H_
#define GMEM_PASSES_ANALYSIS_H_

#include "liveness.h"
#include "paddings.h"
#include "placement_constraints.h"
#include "workbuffers.h"

typedef struct gmem_analysis_s {
  gmem_bump_t *arena; // owns all results
  gmem_program_t program;
  gmem_program_facts_t facts;
  gmem_liveness_t liveness;
  gmem_aliases_t aliases;
  gmem_placement_constraints_t constraints;
  gmem_workbuffers_t workbuffers;
  gmem_padding_t *paddings; // by alias set: as gmem.padding states
} gmem_analysis_t;

// Runs all analyses on |scope|: numbers it, then finds calls, streams,
// liveness, aliases, placement constraints and paddings. Allocates in |arena|.
// Fails as they do; every failure but OUT_OF_MEMORY is reported at the op that
// causes it.
gmem_status_t gmem_analyse(MlirOperation scope, const gmem_op_models_t *models,
                           const gmem_model_options_t *options,
                           gmem_bump_t *arena, gmem_analysis_t *out_analysis,
                           gmem_diag_t *diag);

#endif // GMEM_PASSES_ANALYSIS_H_
