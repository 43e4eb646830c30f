// assign_weights.c - gmem-assign-weights.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// requires: nothing.
// produces: gmem.pool, gmem.offset and gmem.size on every op that its model
//           calls a weight or that gets a constant global, and on arguments
//           that are weights; in the scope's gmem.pool_table the constant
//           memories of gmem.memories, or else the pool "weights" and the pools
//           that gmem.pools names. If the best memory of some weights is too
//           small for all of them, the most frequently read ones stay in it. In
//           each pool weights are laid out one after the other, aligned, in the
//           requested order; with share-weights, equal ones at one offset. The
//           immutable workbuffers of ops follow: their elements of
//           gmem.workbuffer_pool and gmem.workbuffer_offset. A remark for every
//           pool that exceeds its size hint.
// fails:    if the weights exceed the capacities, if addresses do not fit in 63
//           bits, on malformed input attributes, if fixed weights overlap, or
//           if no memory can be reached by all ops that read a weight.

#include "assign_passes.h"
#include "assignment.h"
#include "diagnostics.h"
#include "op_model_files.h"
#include "scope_memories.h"
#include "scopes.h"
#include "workbuffer_places.h"

//===--- placing ----------------------------------------------------------===//

// Fills |problem| with the buffers of the assignment, each restricted to the
// pool of its placement, and solves it.
static gmem_status_t solve_restricted(const gmem_assignment_t *assignment,
                                      gmem_problem_t *problem,
                                      gmem_placement_t *plan,
                                      gmem_diag_t *diag) {
  uint32_t ignored;
  for (uint32_t i = 0; i < assignment->part.pools->count; ++i)
    GMEM_TRY(
        gmem_problem_add_pool(problem, &assignment->pools[i], &ignored, diag));
  for (uint32_t i = 0; i < assignment->part.count; ++i) {
    gmem_buffer_spec_t spec = *gmem_problem_buffer(assignment->problem, i);
    spec.pools = &assignment->plan[i].pool;
    spec.pool_count = 1;
    GMEM_TRY(gmem_problem_add_buffer(problem, &spec, &ignored, diag));
  }
  return gmem_solve(
      problem,
      &(gmem_solve_options_t){.algorithm = gmem_algorithm_find("none")}, plan,
      NULL, diag);
}

// Solves the problem again, so that buffers that were moved back into a pool
// are in its order. Keeps the previous plan if this fails, as the padding
// between buffers may differ.
static gmem_status_t lay_out(gmem_assignment_t *assignment) {
  gmem_bump_t *arena = assignment->analysis.arena;
  gmem_problem_t *problem = NULL;
  gmem_diag_t unread;
  gmem_placement_t *plan;
  GMEM_TRY_ALLOC(plan, arena, assignment->part.count, assignment->diag);
  gmem_status_t status =
      gmem_problem_create(&arena->allocator, &problem, &unread);
  if (status == GMEM_OK)
    status = solve_restricted(assignment, problem, plan, &unread);
  gmem_problem_destroy(problem);
  if (status == GMEM_ERR_OUT_OF_MEMORY)
    return gmem_out_of_memory(assignment->diag);
  if (status == GMEM_OK)
    assignment->plan = plan;
  return GMEM_OK;
}

static gmem_status_t place(gmem_assignment_t *assignment) {
  GMEM_TRY(gmem_assignment_solve(assignment, gmem_algorithm_find("none")));
  if (assignment->part.pools->memory_count > 1)
    GMEM_TRY(lay_out(assignment));
  return gmem_assignment_tabulate(assignment, true);
}

//===--- scopes -----------------------------------------------------------===//

static gmem_status_t write_places(const gmem_assignment_t *assignment) {
  const gmem_analysis_t *analysis = &assignment->analysis;
  const gmem_constants_t *weights = &analysis->constants;
  gmem_bump_t *arena = analysis->arena;
  gmem_value_place_t *places, *work_places;
  GMEM_TRY(gmem_assignment_places(assignment, &places, &work_places));
  for (size_t i = 0; i < weights->count; ++i)
    places[weights->weights[i].value] = places[weights->weights[i].source];
  GMEM_TRY(gmem_places_write(&analysis->program, &assignment->table, places,
                             NULL, arena, assignment->diag));
  return gmem_workbuffer_places_write(&analysis->workbuffers,
                                      &assignment->table, work_places, true,
                                      arena, assignment->diag);
}

static gmem_status_t assign(gmem_assignment_t *assignment) {
  GMEM_TRY(gmem_assignment_begin(assignment, true,
                                 assignment->options->weight_alignment));
  if (gmem_candidate_pool_is_based(&assignment->part.pools->all[0]))
    assignment->pools[0].base = assignment->options->weight_base;
  GMEM_TRY(gmem_assignment_report(assignment, place(assignment)));
  GMEM_TRY(write_places(assignment));
  return gmem_assignment_write_pools(assignment);
}

static gmem_status_t assign_scope(MlirOperation scope,
                                  const gmem_op_models_t *models,
                                  gmem_bump_t *arena, void *user,
                                  gmem_diag_t *diag) {
  const gmem_plan_options_t *options = user;
  gmem_assignment_t assignment = {.options = options, .diag = diag};
  GMEM_TRY(gmem_analyse_constants_only(scope, models, options, arena,
                                       &assignment.analysis, diag));
  gmem_status_t status = assign(&assignment);
  gmem_assignment_end(&assignment);
  return status;
}

gmem_status_t gmem_assign_weights(MlirOperation top,
                                  const gmem_plan_options_t *options,
                                  const gmem_allocator_t *allocator,
                                  gmem_diag_t *diag) {
  gmem_plan_options_t copy = *options;
  GMEM_TRY(gmem_op_models_add_files(top, options, allocator, diag));
  GMEM_TRY(gmem_scope_memories_add(top, options, allocator, diag));
  return gmem_for_each_scope_in(top, allocator, assign_scope, &copy, diag);
}
