// analysis.c - see analysis.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis.h"

#include "alias_problem.h"
#include "diagnostics.h"

typedef struct scope_loop_s {
  const gmem_allocator_t *allocator;
  gmem_op_models_t models;
  gmem_scope_work_fn work;
  void *user;
  gmem_diag_t *diag;
} scope_loop_t;

static gmem_status_t work_on_scope(MlirOperation scope, void *user) {
  scope_loop_t *loop = user;
  gmem_arena_t arena;
  gmem_arena_init(&arena, loop->allocator);
  const gmem_op_models_t *models;
  gmem_status_t status = gmem_op_models_of_scope(scope, &loop->models, &arena,
                                                 &models, loop->diag);
  if (status == GMEM_OK)
    status = loop->work(scope, models, &arena, loop->user, loop->diag);
  gmem_arena_destroy(&arena);
  return status;
}

gmem_status_t gmem_for_each_scope_in(MlirOperation top,
                                     const gmem_allocator_t *allocator,
                                     gmem_scope_work_fn work, void *user,
                                     gmem_diag_t *diag) {
  gmem_diag_t unread;
  scope_loop_t loop = {.allocator = allocator,
                       .work = work,
                       .user = user,
                       .diag = diag ? diag : &unread};
  gmem_arena_t arena;
  gmem_arena_init(&arena, allocator);
  gmem_status_t status = gmem_op_models_load(&arena, &loop.models, loop.diag);
  bool loaded = status == GMEM_OK;
  if (loaded)
    status = gmem_for_each_scope(top, work_on_scope, &loop);
  // All else has been reported where it happened.
  if (!loaded || status == GMEM_ERR_OUT_OF_MEMORY)
    gmem_error(NULL, status, mlirOperationGetLocation(top), NULL, 0, "%s",
               loop.diag->text);
  gmem_arena_destroy(&arena);
  return status;
}

gmem_status_t gmem_analyse(MlirOperation scope, const gmem_op_models_t *models,
                           const gmem_model_options_t *options,
                           gmem_arena_t *arena, gmem_analysis_t *out_analysis,
                           gmem_diag_t *diag) {
  *out_analysis = (gmem_analysis_t){.arena = arena};
  gmem_schedule_t *schedule = &out_analysis->schedule;
  gmem_status_t status = gmem_schedule_build(
      scope, models, options->dynamic_bound, arena, schedule, diag);
  if (status == GMEM_OK)
    status = gmem_calls_find(schedule, arena, &out_analysis->calls, diag);
  if (status == GMEM_OK)
    status = gmem_liveness_analyse(schedule, &out_analysis->calls,
                                   options->keep_inputs, arena,
                                   &out_analysis->liveness, diag);
  if (status == GMEM_OK)
    status = gmem_aliases_find(&out_analysis->liveness, models, options, arena,
                               &out_analysis->aliases, diag);
  return status;
}

// |alignment| counts for what begins inside another buffer; else that of the
// pool is enough.
static gmem_status_t
add_value(gmem_problem_t *problem, const gmem_schedule_t *schedule,
          uint32_t value, uint64_t alignment, const gmem_live_range_t *ranges,
          size_t range_count, uint64_t uses, gmem_diag_t *diag) {
  char name[128];
  gmem_value_describe(schedule, value, name, sizeof name);
  gmem_buffer_spec_t spec = {.name = name,
                             .size = schedule->values[value].size,
                             .alignment = alignment,
                             .ranges = ranges,
                             .range_count = range_count,
                             .uses = uses};
  uint32_t ignored;
  return gmem_problem_add_buffer(problem, &spec, &ignored, diag);
}

static gmem_status_t create_problem(const gmem_arena_t *arena,
                                    const gmem_pool_spec_t *pool,
                                    gmem_problem_t **out_problem,
                                    gmem_diag_t *diag) {
  gmem_status_t status =
      gmem_problem_create(&arena->allocator, out_problem, diag);
  uint32_t ignored;
  if (status == GMEM_OK)
    status = gmem_problem_add_pool(*out_problem, pool, &ignored, diag);
  return status;
}

gmem_status_t gmem_tensor_problem(const gmem_analysis_t *analysis,
                                  const gmem_pool_spec_t *pool,
                                  gmem_problem_t **out_problem,
                                  gmem_diag_t *diag) {
  const gmem_liveness_t *liveness = &analysis->liveness;
  // No tensor needs more than the pool gives to all of them.
  uint64_t view = analysis->aliases.view_alignment;
  uint64_t alignment = view < pool->alignment ? view : pool->alignment;
  gmem_status_t status =
      create_problem(analysis->arena, pool, out_problem, diag);
  for (size_t i = 0; i < liveness->class_count && status == GMEM_OK; ++i) {
    const gmem_class_t *class = &liveness->classes[i];
    status =
        add_value(*out_problem, &analysis->schedule, class->root, alignment,
                  class->ranges, class->range_count, class->uses, diag);
  }
  if (status == GMEM_OK)
    status = gmem_aliases_add(*out_problem, liveness, &analysis->aliases,
                              analysis->arena, diag);
  if (status != GMEM_OK) {
    gmem_problem_destroy(*out_problem);
    *out_problem = NULL;
  }
  return status;
}

gmem_status_t gmem_weight_problem(const gmem_schedule_t *schedule,
                                  gmem_arena_t *arena,
                                  const gmem_pool_spec_t *pool,
                                  gmem_problem_t **out_problem,
                                  uint32_t **out_values, gmem_diag_t *diag) {
  static const gmem_live_range_t forever = {0, 1};
  uint32_t *values =
      gmem_arena_alloc(arena, schedule->value_count, sizeof *values);
  if (!values)
    return gmem_out_of_memory(diag);
  gmem_status_t status = create_problem(arena, pool, out_problem, diag);
  size_t count = 0;
  for (uint32_t i = 0; i < schedule->value_count && status == GMEM_OK; ++i) {
    if (!gmem_value_is_weight(schedule, i))
      continue;
    status = add_value(*out_problem, schedule, i, 1, &forever, 1, 1, diag);
    values[count++] = i;
  }
  if (status != GMEM_OK) {
    gmem_problem_destroy(*out_problem);
    *out_problem = NULL;
  }
  *out_values = values;
  return status;
}
