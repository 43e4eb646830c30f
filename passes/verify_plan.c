// verify_plan.c - gmem-verify-plan.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// requires: gmem-assign-weights and gmem-assign-tensors, or a file that says it
//           has been through them.
// produces: nothing. Proves from the IR alone that every global value has a
//           place of its size in a pool, that values which are one piece of
//           memory share it, that no two values live at one time share a byte,
//           alignments, capacities and the figures. Uses the analysis of lives
//           and the planner's checker, no placement code.
// fails:    at the first thing that does not hold; an overlap is reported at
//           the op where both values are live, with both of them.

#include <stdio.h>
#include <string.h>

#include "alias_attributes.h"
#include "analysis.h"
#include "diagnostics.h"
#include "pass_table.h"
#include "plan_attributes.h"
#include "pool_table.h"

typedef struct verifier_s {
  const gmem_analysis_t *analysis;
  const gmem_place_t *places;
  const gmem_pool_entry_t *pools;
  size_t pool_count;
  gmem_diag_t *diag;
} verifier_t;

static gmem_status_t value_error(const verifier_t *verifier, uint32_t value,
                                 gmem_status_t status, const char *what) {
  char name[128];
  gmem_value_describe(&verifier->analysis->schedule, value, name, sizeof name);
  return gmem_error(verifier->diag, status,
                    gmem_value_location(&verifier->analysis->schedule, value),
                    NULL, 0, "%s %s", name, what);
}

static const gmem_pool_entry_t *find_pool(const verifier_t *verifier,
                                          MlirStringRef name) {
  for (size_t i = 0; i < verifier->pool_count; ++i)
    if (mlirStringRefEqual(verifier->pools[i].name, name))
      return &verifier->pools[i];
  return NULL;
}

// One value has a place of its size, in a pool of its kind.
static gmem_status_t verify_place(const verifier_t *verifier, uint32_t value) {
  const gmem_schedule_t *schedule = &verifier->analysis->schedule;
  const gmem_life_t *lives = verifier->analysis->liveness.lives;
  const gmem_place_t *place = &verifier->places[value];
  const gmem_place_t *root = &verifier->places[lives[value].root];
  if (!place->pool.length || place->offset < 0)
    return value_error(verifier, value, GMEM_ERR_CORRUPT,
                       "needs memory and has no offset");
  const gmem_pool_entry_t *pool = find_pool(verifier, place->pool);
  if (!pool)
    return value_error(verifier, value, GMEM_ERR_CORRUPT,
                       "is in a pool that gmem.pool_table does not list");
  if (pool->constant != (lives[value].storage == GMEM_STORAGE_WEIGHT))
    return value_error(verifier, value, GMEM_ERR_CORRUPT,
                       pool->constant
                           ? "is no constant and is in a constant pool"
                           : "is a constant and is in a workspace pool");
  if ((uint64_t)place->size != schedule->values[value].size)
    return value_error(verifier, value, GMEM_ERR_CORRUPT,
                       "has a gmem.size that is not the size of its type");
  if (!mlirStringRefEqual(place->pool, root->pool) ||
      place->offset != root->offset)
    return value_error(verifier, value, GMEM_ERR_CORRUPT,
                       "is the same memory as another value and is at "
                       "another place");
  return GMEM_OK;
}

static gmem_note_t note(const verifier_t *verifier, uint32_t value) {
  const gmem_schedule_t *schedule = &verifier->analysis->schedule;
  const gmem_place_t *place = &verifier->places[value];
  gmem_note_t made = {.location = gmem_value_location(schedule, value)};
  char name[128];
  gmem_value_describe(schedule, value, name, sizeof name);
  snprintf(made.text, sizeof made.text, "%s has bytes [%lld, %lld)", name,
           (long long)place->offset,
           (long long)place->offset + (long long)place->size);
  return made;
}

// Says in the IR's terms what the checker found. |values| are those of the
// problem's buffers.
static gmem_status_t report(const verifier_t *verifier, gmem_status_t status,
                            const gmem_check_result_t *found,
                            const uint32_t *values, const char *pool) {
  if (found->violation != GMEM_VIOLATION_OVERLAP)
    return value_error(verifier, values[found->first], status,
                       found->violation == GMEM_VIOLATION_ALIGNMENT
                           ? "is not aligned as its pool demands"
                           : "does not fit in its pool");
  uint32_t first = values[found->first], second = values[found->second];
  const gmem_schedule_t *schedule = &verifier->analysis->schedule;
  bool constant =
      verifier->analysis->liveness.lives[first].storage == GMEM_STORAGE_WEIGHT;
  char left[128], right[128];
  gmem_value_describe(schedule, first, left, sizeof left);
  gmem_value_describe(schedule, second, right, sizeof right);
  gmem_note_t notes[] = {note(verifier, first), note(verifier, second)};
  return gmem_error(
      verifier->diag, status,
      constant ? gmem_value_location(schedule, second)
               : mlirOperationGetLocation(
                     gmem_schedule_op_at(schedule, found->time)),
      notes, 2, "%s and %s share bytes [%llu, %llu) of pool '%s' while both %s",
      left, right, (unsigned long long)found->begin,
      (unsigned long long)found->end, pool,
      constant ? "are constants" : "are live at this op");
}

static gmem_pool_spec_t spec_of(const gmem_pool_entry_t *pool, char *name,
                                size_t room) {
  snprintf(name, room, "%.*s", (int)pool->name.length, pool->name.data);
  // A plan must keep to the size it states.
  return (gmem_pool_spec_t){.name = name,
                            .capacity = pool->size ? pool->size : 1,
                            .alignment = pool->alignment,
                            .base =
                                pool->base == GMEM_NO_BASE ? 0 : pool->base};
}

static gmem_status_t figure_error(const verifier_t *verifier,
                                  const char *what) {
  MlirOperation scope = verifier->analysis->schedule.scope;
  return gmem_error(verifier->diag, GMEM_ERR_CORRUPT,
                    mlirOperationGetLocation(scope), NULL, 0,
                    "the plan's figures are wrong: %s", what);
}

// Checks the placements of one problem, whose buffers are |values|, and what
// the pool's entry says of them.
static gmem_status_t check(const verifier_t *verifier,
                           const gmem_problem_t *problem,
                           const uint32_t *values,
                           const gmem_pool_entry_t *pool) {
  uint32_t count = gmem_problem_buffer_count(problem);
  gmem_placement_t *plan =
      gmem_arena_alloc(verifier->analysis->arena, count, sizeof *plan);
  if (!plan)
    return gmem_out_of_memory(verifier->diag);
  for (uint32_t i = 0; i < count; ++i)
    plan[i].offset = (uint64_t)verifier->places[values[i]].offset;
  gmem_check_result_t found = {.violation = GMEM_VIOLATION_NONE};
  gmem_status_t status = gmem_check(problem, plan, &found, verifier->diag);
  if (found.violation != GMEM_VIOLATION_NONE)
    return report(verifier, status, &found, values,
                  gmem_problem_pool(problem, 0)->name);
  uint64_t bound;
  if (status == GMEM_OK)
    status = gmem_lower_bound(problem, &bound, verifier->diag);
  if (status != GMEM_OK)
    return status;
  if (gmem_plan_pool_size(problem, plan, 0) != pool->size)
    return figure_error(verifier, "a pool has another size");
  if (pool->lower_bound != bound)
    return figure_error(verifier, "a pool has another lower bound");
  if (pool->size > pool->capacity)
    return figure_error(verifier, "a pool is larger than its capacity");
  return GMEM_OK;
}

// The planner's own word on a pool or buffer that it does not accept.
static gmem_status_t problem_error(const verifier_t *verifier,
                                   gmem_status_t status) {
  MlirOperation scope = verifier->analysis->schedule.scope;
  if (status != GMEM_OK && status != GMEM_ERR_OUT_OF_MEMORY)
    gmem_error(NULL, status, mlirOperationGetLocation(scope), NULL, 0, "%s",
               verifier->diag->text);
  return status;
}

static gmem_status_t check_weights(const verifier_t *verifier,
                                   const gmem_pool_entry_t *pool) {
  gmem_problem_t *problem = NULL;
  uint32_t *values;
  char name[128];
  gmem_pool_spec_t spec = spec_of(pool, name, sizeof name);
  gmem_status_t status = gmem_weight_problem(&verifier->analysis->schedule,
                                             verifier->analysis->arena, &spec,
                                             &problem, &values, verifier->diag);
  status = status == GMEM_OK ? check(verifier, problem, values, pool)
                             : problem_error(verifier, status);
  gmem_problem_destroy(problem);
  return status;
}

static gmem_status_t check_tensors(const verifier_t *verifier,
                                   const gmem_pool_entry_t *pool,
                                   const gmem_figures_entry_t *figures) {
  const gmem_liveness_t *liveness = &verifier->analysis->liveness;
  uint32_t *values = gmem_arena_alloc(verifier->analysis->arena,
                                      liveness->class_count, sizeof *values);
  if (!values)
    return gmem_out_of_memory(verifier->diag);
  for (size_t i = 0; i < liveness->class_count; ++i)
    values[i] = liveness->classes[i].root;
  gmem_problem_t *problem = NULL;
  char name[128];
  gmem_pool_spec_t spec = spec_of(pool, name, sizeof name);
  gmem_status_t status =
      gmem_tensor_problem(verifier->analysis, &spec, &problem, verifier->diag);
  status = status == GMEM_OK ? check(verifier, problem, values, pool)
                             : problem_error(verifier, status);
  gmem_problem_destroy(problem);
  if (status != GMEM_OK)
    return status;
  if (figures->peak != pool->size)
    return figure_error(verifier, "the peak is not the size of the pool");
  if (figures->lower_bound != pool->lower_bound)
    return figure_error(verifier, "the lower bound is not that of the pool");
  if (figures->optimal != (figures->peak == figures->lower_bound))
    return figure_error(verifier, "optimal means that peak and bound agree");
  return GMEM_OK;
}

static gmem_status_t verify_values(const verifier_t *verifier) {
  const gmem_life_t *lives = verifier->analysis->liveness.lives;
  gmem_status_t status = GMEM_OK;
  for (uint32_t i = 0;
       i < verifier->analysis->schedule.value_count && status == GMEM_OK; ++i)
    if (lives[i].storage == GMEM_STORAGE_TENSOR ||
        lives[i].storage == GMEM_STORAGE_WEIGHT)
      status = verify_place(verifier, i);
  return status;
}

static gmem_status_t verify_pools(const verifier_t *verifier,
                                  const gmem_figures_entry_t *figures) {
  const gmem_pool_entry_t *weights = NULL, *tensors = NULL;
  for (size_t i = 0; i < verifier->pool_count; ++i)
    if (verifier->pools[i].constant)
      weights = &verifier->pools[i];
    else
      tensors = &verifier->pools[i];
  if (verifier->pool_count != 2 || !weights || !tensors)
    return figure_error(verifier, "gmem.pool_table must list one constant and "
                                  "one workspace pool");
  if (weights->size && tensors->size && weights->base != GMEM_NO_BASE &&
      tensors->base != GMEM_NO_BASE &&
      weights->base < tensors->base + tensors->size &&
      tensors->base < weights->base + weights->size)
    return gmem_error(
        verifier->diag, GMEM_ERR_OVERLAP,
        mlirOperationGetLocation(verifier->analysis->schedule.scope), NULL, 0,
        "pools 'weights' and 'tensors' share addresses: give the tensors "
        "another tensor-base, or none for a memory of their own");
  gmem_status_t status = check_weights(verifier, weights);
  return status == GMEM_OK ? check_tensors(verifier, tensors, figures) : status;
}

static gmem_status_t verify_scope(MlirOperation scope,
                                  const gmem_op_models_t *models,
                                  gmem_arena_t *arena, void *user,
                                  gmem_diag_t *diag) {
  ++*(size_t *)user; // scopes
  gmem_figures_entry_t figures;
  gmem_status_t status = gmem_figures_read(scope, &figures, diag);
  if (status == GMEM_ERR_NOT_FOUND)
    return gmem_error(diag, GMEM_ERR_CORRUPT, mlirOperationGetLocation(scope),
                      NULL, 0, "there is no plan here: run gmem-plan first");
  gmem_analysis_t analysis;
  if (status == GMEM_OK)
    status =
        gmem_analyse(scope, models, &figures.model, arena, &analysis, diag);
  if (status != GMEM_OK)
    return status;
  gmem_place_t *places =
      gmem_arena_alloc(arena, analysis.schedule.value_count, sizeof *places);
  gmem_pool_entry_t *pools;
  size_t pool_count;
  if (!places)
    return gmem_out_of_memory(diag);
  status = gmem_pool_table_read(scope, arena, &pools, &pool_count, diag);
  if (status == GMEM_OK)
    status = gmem_places_read(&analysis.schedule, places,
                              GMEM_PLACES_OF_WEIGHTS, diag);
  if (status == GMEM_OK)
    status = gmem_places_read(&analysis.schedule, places,
                              GMEM_PLACES_OF_TENSORS, diag);
  if (status != GMEM_OK)
    return status;
  verifier_t verifier = {&analysis, places, pools, pool_count, diag};
  status = verify_values(&verifier);
  if (status == GMEM_OK)
    status = verify_pools(&verifier, &figures);
  if (status == GMEM_OK)
    status = gmem_aliases_verify(&analysis.schedule, &analysis.aliases, places,
                                 arena, diag);
  return status;
}

gmem_status_t gmem_verify_plan(MlirOperation top,
                               const gmem_plan_options_t *options,
                               const gmem_allocator_t *allocator,
                               gmem_diag_t *diag) {
  (void)options;
  size_t scopes = 0;
  gmem_status_t status =
      gmem_for_each_scope_in(top, allocator, verify_scope, &scopes, diag);
  if (status == GMEM_OK && scopes == 0)
    gmem_remark(mlirOperationGetLocation(top),
                "there is no function here, and so nothing that is planned");
  return status;
}
