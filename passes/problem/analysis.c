// analysis.c - see analysis.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis.h"

#include "aliases.h"
#include "calls.h"
#include "diagnostics.h"
#include "program_build.h"
#include "workbuffer_liveness.h"

// Finds unordered uses by streams, also of mutable workbuffers, and extends
// live ranges accordingly.
static gmem_status_t find_order(gmem_analysis_t *analysis, gmem_diag_t *diag) {
  gmem_workbuffers_t *work = &analysis->workbuffers;
  if (analysis->streams.count == 0)
    return GMEM_OK;
  gmem_stream_buffer_t *buffers;
  GMEM_TRY_ALLOC(buffers, analysis->arena, work->mutable_count, diag);
  for (size_t i = 0; i < work->mutable_count; ++i)
    buffers[i].op = work->all[work->mutables[i]].step;
  gmem_status_t status = gmem_happens_before_find(
      &analysis->streams, &analysis->liveness, buffers, work->mutable_count,
      analysis->arena, &analysis->order, diag);
  for (size_t i = 0; i < work->mutable_count; ++i) {
    work->all[work->mutables[i]].ranges = buffers[i].ranges;
    work->all[work->mutables[i]].range_count = buffers[i].range_count;
  }
  analysis->liveness.order = &analysis->order;
  return status;
}

gmem_status_t gmem_analyse(MlirOperation scope, const gmem_op_models_t *models,
                           const gmem_model_options_t *options,
                           gmem_bump_t *arena, gmem_analysis_t *out_analysis,
                           gmem_diag_t *diag) {
  *out_analysis = (gmem_analysis_t){.arena = arena};
  gmem_program_t *program = &out_analysis->program;
  GMEM_TRY(gmem_program_build(scope, models, options, arena, program, diag));
  GMEM_TRY(gmem_calls_find(program, arena, &out_analysis->calls, diag));
  GMEM_TRY(gmem_streams_find(program, &out_analysis->calls, arena,
                             &out_analysis->streams, diag));
  GMEM_TRY(gmem_liveness_analyse(program, &out_analysis->calls,
                                 &out_analysis->streams, options, arena,
                                 &out_analysis->liveness, diag));
  GMEM_TRY(
      gmem_workbuffers_read(program, arena, &out_analysis->workbuffers, diag));
  GMEM_TRY(find_order(out_analysis, diag));
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
