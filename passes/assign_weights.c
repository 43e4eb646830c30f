// assign_weights.c - gmem-assign-weights.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// requires: nothing.
// produces: gmem.pool, gmem.offset and gmem.size on every op that its model
//           calls a weight; the pool "weights" in the scope's gmem.pool_table.
//           Weights are laid out in walk order, one after the other, aligned.
// fails:    when the sum of the weights passes 63 bits.

#include "analysis.h"
#include "diagnostics.h"
#include "pass_table.h"
#include "plan_attributes.h"
#include "pool_table.h"

static gmem_status_t write_places(const gmem_schedule_t *schedule,
                                  gmem_arena_t *arena,
                                  const gmem_placement_t *plan,
                                  const uint32_t *values, size_t count,
                                  gmem_diag_t *diag) {
  gmem_place_t *places =
      gmem_arena_alloc(arena, schedule->value_count, sizeof *places);
  if (!places)
    return gmem_out_of_memory(diag);
  for (size_t i = 0; i < count; ++i)
    places[values[i]] = (gmem_place_t){
        mlirStringRefCreateFromCString(GMEM_POOL_WEIGHTS),
        (int64_t)plan[i].offset, (int64_t)schedule->values[values[i]].size};
  return gmem_places_write(schedule, places, GMEM_PLACES_OF_WEIGHTS, arena,
                           diag);
}

static gmem_status_t place(const gmem_schedule_t *schedule, gmem_arena_t *arena,
                           const gmem_problem_t *problem,
                           const uint32_t *values,
                           const gmem_plan_options_t *options,
                           gmem_diag_t *diag) {
  size_t count = gmem_problem_buffer_count(problem);
  gmem_placement_t *plan = gmem_arena_alloc(arena, count, sizeof *plan);
  if (!plan)
    return gmem_out_of_memory(diag);
  gmem_plan_figures_t figures;
  gmem_status_t status = gmem_solve(
      problem,
      &(gmem_solve_options_t){.algorithm = gmem_algorithm_find("none")}, plan,
      &figures, diag);
  if (status == GMEM_OK)
    status = write_places(schedule, arena, plan, values, count, diag);
  gmem_pool_entry_t pool = {
      .name = mlirStringRefCreateFromCString(GMEM_POOL_WEIGHTS),
      .constant = true,
      .base = options->weight_base,
      .size = gmem_plan_pool_size(problem, plan, 0),
      .lower_bound = figures.lower_bound,
      .capacity = GMEM_UNLIMITED,
      .alignment = options->weight_alignment};
  if (status == GMEM_OK)
    status = gmem_pool_table_set(schedule->scope, &pool, arena, diag);
  return status;
}

static gmem_status_t assign_scope(MlirOperation scope,
                                  const gmem_op_models_t *models,
                                  gmem_arena_t *arena, void *user,
                                  gmem_diag_t *diag) {
  const gmem_plan_options_t *options = user;
  gmem_schedule_t schedule;
  gmem_problem_t *problem = NULL;
  uint32_t *values;
  gmem_pool_spec_t pool = {.name = GMEM_POOL_WEIGHTS,
                           .capacity = GMEM_UNLIMITED,
                           .alignment = options->weight_alignment,
                           .base = options->weight_base};
  gmem_status_t status = gmem_schedule_build(
      scope, models, options->model.dynamic_bound, arena, &schedule, diag);
  if (status != GMEM_OK)
    return status; // reported where it happened
  status =
      gmem_weight_problem(&schedule, arena, &pool, &problem, &values, diag);
  if (status == GMEM_OK)
    status = place(&schedule, arena, problem, values, options, diag);
  gmem_problem_destroy(problem);
  if (status != GMEM_OK && status != GMEM_ERR_OUT_OF_MEMORY)
    gmem_error(NULL, status, mlirOperationGetLocation(scope), NULL, 0,
               "the weights cannot be placed: %s", diag->text);
  return status;
}

gmem_status_t gmem_assign_weights(MlirOperation top,
                                  const gmem_plan_options_t *options,
                                  const gmem_allocator_t *allocator,
                                  gmem_diag_t *diag) {
  gmem_plan_options_t copy = *options;
  gmem_status_t status =
      gmem_op_models_add_files(top, options, allocator, diag);
  if (status != GMEM_OK)
    return status;
  return gmem_for_each_scope_in(top, allocator, assign_scope, &copy, diag);
}
