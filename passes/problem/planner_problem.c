// planner_problem.c - builds the planner's problems of tensors and of weights.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "planner_problem.h"

#include "alias_sets.h"
#include "analysis.h"
#include "buffer_constraint.h"
#include "buffer_sizes.h"
#include "bump.h"
#include "diagnostics.h"
#include "gmem/planner.h"
#include "gmem/status.h"
#include "happens_before.h"
#include "program.h"
#include "sharing_problem.h"
#include "weights.h"
#include "workbuffers.h"
#include "workspaces.h"

static gmem_status_t create_problem(const gmem_allocator_t *allocator,
                                    const gmem_pool_spec_t *pools,
                                    uint32_t pool_count,
                                    gmem_problem_t **out_problem,
                                    gmem_diag_t *diag) {
  gmem_status_t status = gmem_problem_create(allocator, out_problem, diag);
  for (uint32_t i = 0; i < pool_count && status == GMEM_OK; ++i) {
    uint32_t ignored;
    status = gmem_problem_add_pool(*out_problem, &pools[i], &ignored, diag);
    diag->object = GMEM_NO_BUFFER; // no buffer is at fault
  }
  return status;
}

// Adds |spec| with the name of |value|.
static gmem_status_t add_value(gmem_problem_t *problem,
                               const gmem_program_t *program, uint32_t value,
                               gmem_buffer_spec_t spec, gmem_diag_t *diag) {
  char name[128];
  gmem_value_describe(program, value, name, sizeof name);
  spec.name = name;
  uint32_t id = gmem_problem_buffer_count(problem);
  gmem_status_t status = gmem_problem_add_buffer(problem, &spec, &id, diag);
  if (status != GMEM_OK)
    diag->object = id;
  return status;
}

static gmem_status_t add_set(gmem_problem_t *problem,
                             const gmem_analysis_t *analysis,
                             const gmem_pool_spec_t *pools, uint32_t index,
                             gmem_diag_t *diag) {
  const gmem_alias_set_t *set = &analysis->liveness.sets[index];
  const gmem_buffer_constraint_t *constraint =
      &analysis->constraints.sets[index];
  return add_value(
      problem, &analysis->program, set->root,
      (gmem_buffer_spec_t){
          .size = gmem_padded_size(analysis, pools, index),
          .alignment = gmem_alias_set_alignment(analysis, pools, constraint),
          .ranges = set->ranges,
          .range_count = set->range_count,
          .pools = constraint->pools,
          .pool_count = constraint->pool_count,
          .has_fixed_offset = constraint->is_fixed,
          .fixed_offset = constraint->offset,
          .uses = set->uses},
      diag);
}

// Adds |spec| with the properties that both kinds of workbuffers have.
static gmem_status_t add_workbuffer(gmem_problem_t *problem,
                                    const gmem_op_workbuffer_t *workbuffer,
                                    gmem_buffer_spec_t spec,
                                    gmem_diag_t *diag) {
  char name[128];
  gmem_workbuffer_describe(workbuffer, name, sizeof name);
  spec.name = name;
  spec.size = workbuffer->size;
  spec.alignment = workbuffer->alignment;
  spec.uses = 1;
  uint32_t id = gmem_problem_buffer_count(problem);
  gmem_status_t status = gmem_problem_add_buffer(problem, &spec, &id, diag);
  if (status != GMEM_OK)
    diag->object = id;
  return status;
}

static gmem_status_t add_mutables(gmem_problem_t *problem,
                                  const gmem_workbuffers_t *workbuffers,
                                  gmem_diag_t *diag) {
  for (size_t i = 0; i < workbuffers->mutable_count; ++i) {
    const gmem_op_workbuffer_t *workbuffer =
        &workbuffers->all[workbuffers->mutables[i]];
    GMEM_TRY(add_workbuffer(
        problem, workbuffer,
        (gmem_buffer_spec_t){.ranges = workbuffer->ranges,
                             .range_count = workbuffer->range_count,
                             .pools = workbuffer->candidates.pools,
                             .pool_count = workbuffer->candidates.count},
        diag));
  }
  return GMEM_OK;
}

// Adds equal offsets (gmem.same_as).
static gmem_status_t add_ties(gmem_problem_t *problem,
                              const gmem_analysis_t *analysis,
                              gmem_diag_t *diag) {
  gmem_status_t status = GMEM_OK;
  for (uint32_t i = 0; i < analysis->liveness.set_count && status == GMEM_OK;
       ++i) {
    uint32_t other = analysis->constraints.sets[i].tied_to;
    if (other == i)
      continue;
    gmem_alias_spec_t spec = {.child = i, .parent = other};
    status = gmem_problem_add_alias(problem, &spec, diag);
    if (status != GMEM_OK)
      diag->object = i;
  }
  return status;
}

// Adds buffer pairs whose uses are ordered only by program order, not by stream
// synchronisation.
static gmem_status_t add_conflicts(gmem_problem_t *problem,
                                   const gmem_happens_before_t *order,
                                   gmem_diag_t *diag) {
  for (size_t i = 0; i < order->count; ++i)
    if (order->pairs[i].is_conflict)
      GMEM_TRY(gmem_problem_add_conflict(problem, order->pairs[i].low,
                                         order->pairs[i].high, diag));
  return GMEM_OK;
}

gmem_status_t gmem_tensor_problem(const gmem_analysis_t *analysis,
                                  const gmem_pool_spec_t *pools,
                                  gmem_problem_t **out_problem,
                                  gmem_diag_t *diag) {
  gmem_status_t status =
      create_problem(&analysis->arena->allocator, pools,
                     analysis->constraints.pool_count, out_problem, diag);
  for (uint32_t i = 0; i < analysis->liveness.set_count && status == GMEM_OK;
       ++i)
    status = add_set(*out_problem, analysis, pools, i, diag);
  if (status == GMEM_OK)
    status = add_mutables(*out_problem, &analysis->workbuffers, diag);
  if (status == GMEM_OK)
    status = add_ties(*out_problem, analysis, diag);
  if (status == GMEM_OK)
    status = gmem_aliases_add(*out_problem, analysis, pools, diag);
  if (status == GMEM_OK)
    status = add_conflicts(*out_problem, &analysis->liveness.order, diag);
  if (status != GMEM_OK) {
    gmem_problem_destroy(*out_problem);
    *out_problem = NULL;
  }
  return status;
}

gmem_status_t gmem_weight_problem(const gmem_constants_t *weights,
                                  gmem_bump_t *arena,
                                  const gmem_pool_spec_t *pools,
                                  gmem_problem_t **out_problem,
                                  uint32_t **out_buffers, gmem_diag_t *diag) {
  static const gmem_live_range_t forever = {0, 1};
  uint32_t *buffers;
  GMEM_TRY_ALLOC(buffers, arena, weights->count, diag);
  gmem_status_t status = create_problem(
      &arena->allocator, pools, weights->pools.count, out_problem, diag);
  size_t count = 0;
  for (uint32_t i = 0; i < weights->count && status == GMEM_OK; ++i) {
    const gmem_constant_t *weight = &weights->weights[i];
    const gmem_memory_candidates_t *list = gmem_weight_pools(weights, weight);
    if (weight->source != weight->value)
      continue;
    buffers[count++] = i;
    status = add_value(
        *out_problem, weights->program, weight->value,
        (gmem_buffer_spec_t){
            .size = weights->program->values[weight->value].size,
            .alignment = 1, // at least the pool's
            .ranges = &forever,
            .range_count = 1,
            .pools = list->pools,
            .pool_count = list->count,
            .has_fixed_offset = weight->fixed >= 0,
            .fixed_offset = weight->fixed >= 0 ? (uint64_t)weight->fixed : 0,
            .uses = weight->uses ? weight->uses : 1},
        diag);
  }
  for (size_t i = 0; i < weights->work.immutable_count && status == GMEM_OK;
       ++i)
    status = add_workbuffer(
        *out_problem, &weights->work.all[weights->work.immutables[i]],
        (gmem_buffer_spec_t){.ranges = &forever,
                             .range_count = 1,
                             .pools = gmem_weight_work_pools(weights, i)->pools,
                             .pool_count =
                                 gmem_weight_work_pools(weights, i)->count},
        diag);
  if (status != GMEM_OK) {
    gmem_problem_destroy(*out_problem);
    *out_problem = NULL;
  }
  *out_buffers = buffers;
  return status;
}
