// planner_problem.c - see planner_problem.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "planner_problem.h"

#include <assert.h>

#include "sharing_problem.h"

static const gmem_live_range_t forever = {0, 1};

static gmem_buffer_spec_t constrained(gmem_buffer_spec_t spec,
                                      const gmem_buffer_constraint_t *to) {
  spec.pools = to->pools;
  spec.pool_count = to->pool_count;
  spec.has_fixed_offset = to->is_fixed;
  spec.fixed_offset = to->offset;
  return spec;
}

static gmem_buffer_spec_t spec_of_constant(const gmem_analysis_t *analysis,
                                           uint32_t index) {
  const gmem_constant_t *weight = &analysis->constants.weights[index];
  return constrained(
      (gmem_buffer_spec_t){.size = analysis->program.values[weight->value].size,
                           .alignment = 1, // at least the pool's
                           .ranges = &forever,
                           .range_count = 1,
                           .uses = weight->uses ? weight->uses : 1},
      &weight->constraint);
}

static gmem_buffer_spec_t spec_of_set(const gmem_analysis_t *analysis,
                                      const gmem_pool_spec_t *pools,
                                      uint32_t index) {
  const gmem_alias_set_t *set = &analysis->liveness.sets[index];
  return constrained(
      (gmem_buffer_spec_t){.size = gmem_padded_size(analysis, pools, index),
                           .alignment =
                               gmem_alias_set_alignment(analysis, pools, index),
                           .ranges = set->ranges,
                           .range_count = set->range_count,
                           .uses = set->uses},
      &analysis->constraints.sets[index]);
}

static gmem_buffer_spec_t spec_of_workbuffer(const gmem_problem_part_t *part,
                                             uint32_t buffer) {
  uint32_t index = gmem_part_workbuffer(part, buffer);
  const gmem_op_workbuffer_t *workbuffer =
      &part->analysis->workbuffers.all[index];
  const gmem_workbuffer_demand_t *demand = &part->demands[index];
  return (gmem_buffer_spec_t){
      .size = workbuffer->size,
      .alignment = workbuffer->alignment,
      .ranges = part->constant ? &forever : demand->ranges,
      .range_count = part->constant ? 1 : demand->range_count,
      .pools = demand->candidates.pools,
      .pool_count = demand->candidates.count,
      .uses = 1};
}

// Whether gmem_part_describe says the same of two values: results of one number
// of ops of one name, without names of their own.
static bool is_described_alike(const gmem_program_t *program, uint32_t left,
                               uint32_t right) {
  if (left == GMEM_NO_INDEX || right == GMEM_NO_INDEX)
    return false;
  const gmem_value_t *a = &program->values[left], *b = &program->values[right];
  if (a->op == GMEM_NO_INDEX || b->op == GMEM_NO_INDEX ||
      a->number != b->number)
    return false;
  const gmem_program_op_t *first = &program->ops[a->op];
  const gmem_program_op_t *second = &program->ops[b->op];
  return !((first->own | second->own) >> GMEM_ATTR_NAME & 1) &&
         mlirIdentifierEqual(mlirOperationGetName(first->op),
                             mlirOperationGetName(second->op));
}

static gmem_status_t add_buffers(const gmem_problem_part_t *part,
                                 const gmem_pool_spec_t *pools,
                                 gmem_problem_t *problem, gmem_diag_t *diag) {
  const gmem_program_t *program = &part->analysis->program;
  uint32_t last = GMEM_NO_INDEX;
  char name[128];
  for (uint32_t i = 0; i < part->count; ++i) {
    uint32_t id = i, value = gmem_part_value(part, i);
    gmem_buffer_spec_t spec =
        i >= part->value_count ? spec_of_workbuffer(part, i)
        : part->constant ? spec_of_constant(part->analysis, part->weights[i])
                         : spec_of_set(part->analysis, pools, i);
    if (!is_described_alike(program, last, value))
      gmem_part_describe(part, i, name, sizeof name);
    last = value;
    spec.name = name;
    gmem_status_t status = gmem_problem_add_buffer(problem, &spec, &id, diag);
    if (status != GMEM_OK)
      return diag->object = i, status;
    assert(id == i);
  }
  return GMEM_OK;
}

// Adds equal offsets (gmem.same_as).
static gmem_status_t add_ties(const gmem_analysis_t *analysis,
                              gmem_problem_t *problem, gmem_diag_t *diag) {
  for (uint32_t i = 0; i < analysis->liveness.set_count; ++i) {
    uint32_t other = analysis->constraints.sets[i].tied_to;
    gmem_alias_spec_t spec = {.child = i, .parent = other};
    if (other == i)
      continue;
    gmem_status_t status = gmem_problem_add_alias(problem, &spec, diag);
    if (status != GMEM_OK)
      return diag->object = i, status;
  }
  return GMEM_OK;
}

// Adds buffer pairs whose uses are ordered only by program order, not by stream
// synchronisation.
static gmem_status_t add_conflicts(const gmem_happens_before_t *order,
                                   gmem_problem_t *problem, gmem_diag_t *diag) {
  for (size_t i = 0; i < order->count; ++i)
    if (order->pairs[i].is_conflict)
      GMEM_TRY(gmem_problem_add_conflict(problem, order->pairs[i].low,
                                         order->pairs[i].high, diag));
  return GMEM_OK;
}

// Adds hard and soft constraints (gmem.constraints).
static gmem_status_t add_rules(const gmem_set_constraints_t *rules,
                               gmem_problem_t *problem, gmem_diag_t *diag) {
  for (size_t i = 0; i < rules->count; ++i)
    GMEM_TRY(gmem_problem_add_constraint(problem, &rules->at[i], diag));
  return GMEM_OK;
}

static gmem_status_t fill(const gmem_problem_part_t *part,
                          const gmem_pool_spec_t *pools,
                          gmem_problem_t *problem, gmem_diag_t *diag) {
  const gmem_analysis_t *analysis = part->analysis;
  for (uint32_t i = 0; i < part->pools->count; ++i) {
    uint32_t ignored;
    gmem_status_t status =
        gmem_problem_add_pool(problem, &pools[i], &ignored, diag);
    diag->object = GMEM_NO_BUFFER; // no buffer is at fault
    GMEM_TRY(status);
  }
  GMEM_TRY(add_buffers(part, pools, problem, diag));
  if (part->constant)
    return GMEM_OK;
  GMEM_TRY(add_ties(analysis, problem, diag));
  GMEM_TRY(gmem_aliases_add(problem, analysis, pools, diag));
  GMEM_TRY(add_conflicts(&analysis->liveness.order, problem, diag));
  return add_rules(&analysis->constraints.rules, problem, diag);
}

gmem_status_t gmem_planner_problem(const gmem_problem_part_t *part,
                                   const gmem_pool_spec_t *pools,
                                   gmem_problem_t **out_problem,
                                   gmem_diag_t *diag) {
  *out_problem = NULL;
  GMEM_TRY(gmem_problem_create(&part->analysis->arena->allocator, out_problem,
                               diag));
  gmem_problem_borrow(*out_problem); // the arrays of the analysis
  gmem_status_t status = fill(part, pools, *out_problem, diag);
  if (status != GMEM_OK) {
    gmem_problem_destroy(*out_problem);
    *out_problem = NULL;
  }
  return status;
}
