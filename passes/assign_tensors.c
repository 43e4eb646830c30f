// assign_tensors.c - gmem-assign-tensors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// requires: gmem-assign-weights, when the scope has weights.
// produces: gmem.pool, gmem.offset and gmem.size on every op and argument with
//           a global tensor, gmem.block_args for other block arguments,
//           gmem.alias on every op whose operands and results share memory; the
//           pool "tensors", and those of inputs and outputs, in the scope's
//           gmem.pool_table; gmem.plan. A remark for what is left unplanned,
//           and why.
// fails:    when the tensors do not fit in the capacity, the sum passes 63
//           bits, or gmem.fixed and gmem.same_as ask for what cannot be.

#include "alias_attributes.h"
#include "analysis.h"
#include "diagnostics.h"
#include "pass_table.h"
#include "plan_attributes.h"
#include "pool_table.h"

// The address at which the tensors' pool begins.
static gmem_status_t find_base(MlirOperation scope,
                               const gmem_plan_options_t *options,
                               gmem_arena_t *arena, uint64_t *out_base,
                               gmem_diag_t *diag) {
  *out_base = options->tensor_base == GMEM_NO_BASE ? 0 : options->tensor_base;
  if (options->tensor_base != GMEM_AFTER_WEIGHTS)
    return GMEM_OK;
  gmem_pool_entry_t *pools;
  size_t count, constant = 0;
  gmem_status_t status =
      gmem_pool_table_read(scope, arena, &pools, &count, diag);
  while (status == GMEM_OK && constant < count && pools[constant].constant)
    ++constant; // they come first
  if (status == GMEM_OK)
    *out_base = gmem_address_behind(pools, constant, options->alignment);
  return status;
}

// Fills the places of all values: the tensors' from the plan, those of values
// that share a weight's memory from the attributes of the weight.
static gmem_status_t fill_places(const gmem_analysis_t *analysis,
                                 const gmem_placement_t *plan,
                                 gmem_place_t *places, gmem_diag_t *diag) {
  const gmem_schedule_t *schedule = &analysis->schedule;
  const gmem_liveness_t *liveness = &analysis->liveness;
  gmem_place_t *old =
      gmem_arena_alloc(analysis->arena, schedule->value_count, sizeof *old);
  if (!old)
    return gmem_out_of_memory(diag);
  gmem_status_t status =
      gmem_places_read(schedule, old, GMEM_PLACES_OF_WEIGHTS, diag);
  if (status != GMEM_OK)
    return status;
  for (size_t i = 0; i < liveness->class_count; ++i)
    places[liveness->classes[i].root] =
        (gmem_place_t){mlirStringRefCreateFromCString(
                           analysis->boundaries.pools[plan[i].pool].name),
                       (int64_t)plan[i].offset, 0};
  for (uint32_t i = 0; i < schedule->value_count; ++i) {
    const gmem_life_t *life = &liveness->lives[i];
    if (life->storage == GMEM_STORAGE_WEIGHT) {
      places[i] = old[life->root];
      if (!places[i].pool.length)
        return gmem_error(diag, GMEM_ERR_STATE,
                          gmem_value_location(schedule, life->root), NULL, 0,
                          "this weight has no address: run "
                          "gmem-assign-weights before gmem-assign-tensors");
    } else if (life->storage == GMEM_STORAGE_TENSOR) {
      places[i] = places[life->root];
    }
    places[i].size = (int64_t)schedule->values[i].size;
  }
  return GMEM_OK;
}

// Writes the pools into the table. That of inputs and outputs lies behind the
// tensors'; those of single ones have no addresses.
static gmem_status_t write_pools(const gmem_analysis_t *analysis,
                                 const gmem_problem_t *problem,
                                 const gmem_placement_t *plan,
                                 const gmem_plan_options_t *options,
                                 gmem_diag_t *diag) {
  const gmem_boundaries_t *boundaries = &analysis->boundaries;
  bool is_based = options->tensor_base != GMEM_NO_BASE;
  gmem_pool_entry_t *pools =
      gmem_arena_alloc(analysis->arena, boundaries->pool_count, sizeof *pools);
  if (!pools)
    return gmem_out_of_memory(diag);
  gmem_status_t status = GMEM_OK;
  for (uint32_t i = 0; i < boundaries->pool_count && status == GMEM_OK; ++i) {
    const gmem_pool_spec_t *spec = gmem_problem_pool(problem, i);
    pools[i] = (gmem_pool_entry_t){
        .name = mlirStringRefCreateFromCString(boundaries->pools[i].name),
        .base = !is_based || boundaries->pools[i].is_free ? GMEM_NO_BASE
                : i == 0                                  ? spec->base
                         : gmem_address_behind(pools, i, spec->alignment),
        .size = gmem_plan_pool_size(problem, plan, i),
        .capacity = spec->capacity,
        .alignment = spec->alignment};
    if (pools[i].base != GMEM_NO_BASE && pools[i].base > GMEM_MAX_ADDRESS)
      return gmem_error(diag, GMEM_ERR_OUT_OF_RANGE,
                        mlirOperationGetLocation(analysis->schedule.scope),
                        NULL, 0, "addresses do not fit in 63 bits");
    status = gmem_lower_bound_of_pool(problem, i, &pools[i].lower_bound, diag);
  }
  if (status == GMEM_OK)
    status = gmem_pool_table_set(analysis->schedule.scope, false, pools,
                                 boundaries->pool_count, analysis->arena, diag);
  return status;
}

static gmem_status_t
write_plan(const gmem_analysis_t *analysis, const gmem_problem_t *problem,
           const gmem_placement_t *plan, const gmem_plan_figures_t *figures,
           const gmem_plan_options_t *options, gmem_diag_t *diag) {
  const gmem_schedule_t *schedule = &analysis->schedule;
  gmem_place_t *places =
      gmem_arena_alloc(analysis->arena, schedule->value_count, sizeof *places);
  if (!places)
    return gmem_out_of_memory(diag);
  gmem_status_t status = fill_places(analysis, plan, places, diag);
  if (status == GMEM_OK)
    status = gmem_places_write(schedule, places, GMEM_PLACES_OF_TENSORS,
                               analysis->arena, diag);
  if (status == GMEM_OK)
    status = gmem_aliases_write(schedule, &analysis->aliases, places,
                                analysis->arena, diag);
  if (status == GMEM_OK)
    status = write_pools(analysis, problem, plan, options, diag);
  // Only what gmem-verify-plan can prove from the IR is written: a search that
  // proved more leaves no proof there.
  uint64_t bound = 0;
  if (status == GMEM_OK)
    status = gmem_lower_bound(problem, &bound, diag);
  if (status != GMEM_OK)
    return status;
  gmem_figures_set(schedule->scope,
                   &(gmem_figures_entry_t){
                       mlirStringRefCreateFromCString(options->algorithm->name),
                       figures->peak, bound, figures->peak == bound,
                       options->model});
  if (!options->quiet)
    gmem_liveness_report(&analysis->liveness);
  return GMEM_OK;
}

// The tensor that does not fit or that the planner does not take, where it
// names one; else the scope.
static MlirLocation place_of_failure(const gmem_analysis_t *analysis,
                                     gmem_status_t status,
                                     const gmem_diag_t *diag) {
  const gmem_liveness_t *liveness = &analysis->liveness;
  if ((status == GMEM_ERR_OVER_BUDGET || status == GMEM_ERR_OVERLAP ||
       status == GMEM_ERR_INVALID_ARGUMENT) &&
      diag->object < liveness->class_count)
    return gmem_value_location(&analysis->schedule,
                               liveness->classes[diag->object].root);
  return mlirOperationGetLocation(analysis->schedule.scope);
}

// The planner's own failures, such as a capacity that is too small, have no
// location yet.
static gmem_status_t solve(const gmem_analysis_t *analysis,
                           const gmem_pool_spec_t *pools,
                           const gmem_plan_options_t *options,
                           gmem_problem_t **out_problem,
                           gmem_placement_t **out_plan,
                           gmem_plan_figures_t *figures, gmem_diag_t *diag) {
  gmem_status_t status =
      gmem_tensor_problem(analysis, pools, out_problem, diag);
  if (status == GMEM_OK) {
    *out_plan = gmem_arena_alloc(analysis->arena,
                                 gmem_problem_buffer_count(*out_problem),
                                 sizeof **out_plan);
    status = *out_plan ? gmem_solve(*out_problem,
                                    &(gmem_solve_options_t){
                                        .algorithm = options->algorithm,
                                        .effort = options->effort},
                                    *out_plan, figures, diag)
                       : gmem_out_of_memory(diag);
  }
  if (status != GMEM_OK && status != GMEM_ERR_OUT_OF_MEMORY)
    gmem_error(NULL, status, place_of_failure(analysis, status, diag), NULL, 0,
               "the tensors cannot be placed: %s", diag->text);
  return status;
}

// The pools for the planner: it is the tensors' that may be limited.
static gmem_status_t make_pools(const gmem_analysis_t *analysis,
                                const gmem_plan_options_t *options,
                                gmem_pool_spec_t **out_pools,
                                gmem_diag_t *diag) {
  const gmem_boundaries_t *boundaries = &analysis->boundaries;
  gmem_pool_spec_t *pools =
      gmem_arena_alloc(analysis->arena, boundaries->pool_count, sizeof *pools);
  *out_pools = pools;
  if (!pools)
    return gmem_out_of_memory(diag);
  for (uint32_t i = 0; i < boundaries->pool_count; ++i)
    pools[i] = (gmem_pool_spec_t){.name = boundaries->pools[i].name,
                                  .capacity = GMEM_UNLIMITED,
                                  .alignment = options->alignment};
  pools[0].capacity = options->capacity;
  return find_base(analysis->schedule.scope, options, analysis->arena,
                   &pools[0].base, diag);
}

static gmem_status_t assign_scope(MlirOperation scope,
                                  const gmem_op_models_t *models,
                                  gmem_arena_t *arena, void *user,
                                  gmem_diag_t *diag) {
  const gmem_plan_options_t *options = user;
  gmem_analysis_t analysis;
  gmem_pool_spec_t *pools;
  gmem_status_t status =
      gmem_analyse(scope, models, &options->model, arena, &analysis, diag);
  if (status == GMEM_OK)
    status = make_pools(&analysis, options, &pools, diag);
  if (status != GMEM_OK)
    return status;
  gmem_problem_t *problem = NULL;
  gmem_placement_t *plan;
  gmem_plan_figures_t figures;
  status = solve(&analysis, pools, options, &problem, &plan, &figures, diag);
  if (status == GMEM_OK)
    status = write_plan(&analysis, problem, plan, &figures, options, diag);
  gmem_problem_destroy(problem);
  return status;
}

gmem_status_t gmem_assign_tensors(MlirOperation top,
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
