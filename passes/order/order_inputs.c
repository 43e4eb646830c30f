// order_inputs.c - see order_inputs.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "order_inputs.h"

#include "ir_reading.h"
#include "region_needs.h"

static bool writes_unplanned(const gmem_liveness_t *liveness) {
  const gmem_program_t *program = liveness->program;
  for (uint32_t v = 0; v < program->value_count; ++v)
    if (liveness->set_of[v] == GMEM_NO_INDEX &&
        liveness->live_values[v].is_changed &&
        !gmem_is_memref_type(mlirValueGetType(program->values[v].value)))
      return true;
  return false;
}

// Adds |item| to |block| and to all blocks around it.
static void add(const gmem_analysis_t *analysis, uint32_t block, uint32_t item,
                gmem_csr_pairs_t *pairs) {
  for (; block != GMEM_NO_INDEX;
       block = gmem_block_around(&analysis->program, block))
    GMEM_APPEND(analysis->arena, pairs, (gmem_csr_pair_t){block, item});
}

static gmem_status_t group(const gmem_csr_pairs_t *pairs,
                           const gmem_analysis_t *analysis, gmem_csr_t *out,
                           gmem_diag_t *diag) {
  GMEM_TRY(gmem_bump_status(analysis->arena, diag));
  return gmem_csr_build(pairs, analysis->program.block_count, analysis->arena,
                        out, diag);
}

static gmem_status_t list_by_block(gmem_order_inputs_t *inputs,
                                   gmem_diag_t *diag) {
  const gmem_analysis_t *analysis = inputs->analysis;
  const gmem_program_t *program = &analysis->program;
  const gmem_workbuffers_t *work = &analysis->workbuffers;
  const gmem_layer_groups_t *groups = &analysis->facts.groups;
  gmem_csr_pairs_t values = {0}, buffers = {0}, spans = {0}, aliases = {0};
  for (uint32_t v = 0; v < program->value_count; ++v) {
    const gmem_live_value_t *live = &analysis->liveness.live_values[v];
    if (live->storage == GMEM_STORAGE_TENSOR && live->root == v &&
        live->range_count > 0)
      add(analysis, gmem_block_around(program, program->values[v].block), v,
          &values);
  }
  for (size_t i = 0; i < work->mutable_count; ++i)
    add(analysis, program->ops[work->all[work->mutables[i]].step].block,
        work->mutables[i], &buffers);
  for (uint32_t i = 0; i < groups->count; ++i)
    if (groups->spans[i].block != GMEM_NO_INDEX)
      GMEM_APPEND(analysis->arena, &spans,
                  (gmem_csr_pair_t){groups->spans[i].block, i});
  for (uint32_t i = 0; i < inputs->aliases.count; ++i)
    GMEM_APPEND(analysis->arena, &aliases,
                (gmem_csr_pair_t){
                    program->ops[inputs->aliases.aliases[i].op].block, i});
  GMEM_TRY(group(&aliases, analysis, &inputs->aliases_by_block, diag));
  GMEM_TRY(group(&values, analysis, &inputs->inner_values, diag));
  GMEM_TRY(group(&buffers, analysis, &inputs->workbuffers, diag));
  return group(&spans, analysis, &inputs->groups, diag);
}

gmem_status_t gmem_order_inputs_find(const gmem_analysis_t *analysis,
                                     const gmem_model_options_t *options,
                                     gmem_order_inputs_t *out_inputs,
                                     gmem_diag_t *diag) {
  size_t values = analysis->program.value_count;
  *out_inputs = (gmem_order_inputs_t){
      .analysis = analysis,
      .options = options,
      .writes_unplanned = writes_unplanned(&analysis->liveness)};
  GMEM_TRY(gmem_function_needs(analysis, &out_inputs->function_needs, diag));
  GMEM_TRY(gmem_aliases_list(&analysis->liveness, options, analysis->arena,
                             &out_inputs->aliases, diag));
  GMEM_TRY_ALLOC(out_inputs->tensor_of, analysis->arena, values, diag);
  for (size_t v = 0; v < values; ++v)
    out_inputs->tensor_of[v] = GMEM_NO_INDEX;
  return list_by_block(out_inputs, diag);
}
