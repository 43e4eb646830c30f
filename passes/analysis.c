// analysis.c - see analysis.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis.h"

#include "alias_problem.h"
#include "diagnostics.h"
#include "workbuffer_lives.h"

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

// Says what streams leave unordered, of mutable workbuffers too, and makes
// lives longer by what may still run.
static gmem_status_t find_order(gmem_analysis_t *analysis, gmem_diag_t *diag) {
  gmem_workbuffers_t *work = &analysis->workbuffers;
  if (analysis->streams.count == 0)
    return GMEM_OK;
  gmem_stream_buffer_t *buffers =
      gmem_arena_alloc(analysis->arena, work->mutable_count, sizeof *buffers);
  if (!buffers)
    return gmem_out_of_memory(diag);
  for (size_t i = 0; i < work->mutable_count; ++i)
    buffers[i].op = work->all[work->mutables[i]].step;
  gmem_status_t status = gmem_stream_order_find(
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
                           gmem_arena_t *arena, gmem_analysis_t *out_analysis,
                           gmem_diag_t *diag) {
  *out_analysis = (gmem_analysis_t){.arena = arena};
  gmem_schedule_t *schedule = &out_analysis->schedule;
  gmem_status_t status =
      gmem_schedule_build(scope, models, options, arena, schedule, diag);
  if (status == GMEM_OK)
    status = gmem_calls_find(schedule, arena, &out_analysis->calls, diag);
  if (status == GMEM_OK)
    status = gmem_streams_find(schedule, &out_analysis->calls, arena,
                               &out_analysis->streams, diag);
  if (status == GMEM_OK)
    status = gmem_liveness_analyse(schedule, &out_analysis->calls,
                                   &out_analysis->streams, options, arena,
                                   &out_analysis->liveness, diag);
  if (status == GMEM_OK)
    status = gmem_workbuffers_read(schedule, arena, &out_analysis->workbuffers,
                                   diag);
  if (status == GMEM_OK)
    status = find_order(out_analysis, diag);
  if (status == GMEM_OK)
    status = gmem_aliases_find(&out_analysis->liveness, models, options, arena,
                               &out_analysis->aliases, diag);
  if (status == GMEM_OK)
    status = gmem_boundaries_find(&out_analysis->liveness, models, options,
                                  arena, &out_analysis->aliases,
                                  &out_analysis->boundaries, diag);
  if (status == GMEM_OK)
    status = gmem_workbuffers_place(&out_analysis->liveness, arena,
                                    &out_analysis->boundaries,
                                    &out_analysis->workbuffers, diag);
  if (status == GMEM_OK)
    status =
        gmem_paddings_find(&out_analysis->liveness, &out_analysis->boundaries,
                           arena, &out_analysis->paddings, diag);
  return status;
}

//===--- buffers ----------------------------------------------------------===//

uint32_t gmem_buffer_count(const gmem_analysis_t *analysis) {
  return (uint32_t)(analysis->liveness.class_count +
                    analysis->workbuffers.mutable_count);
}

const gmem_op_workbuffer_t *
gmem_buffer_workbuffer(const gmem_analysis_t *analysis, uint32_t buffer) {
  const gmem_workbuffers_t *workbuffers = &analysis->workbuffers;
  size_t classes = analysis->liveness.class_count;
  return buffer < classes
             ? NULL
             : &workbuffers->all[workbuffers->mutables[buffer - classes]];
}

MlirLocation gmem_buffer_location(const gmem_analysis_t *analysis,
                                  uint32_t buffer) {
  const gmem_op_workbuffer_t *work = gmem_buffer_workbuffer(analysis, buffer);
  return work ? mlirOperationGetLocation(work->op)
              : gmem_value_location(&analysis->schedule,
                                    analysis->liveness.classes[buffer].root);
}

//===--- problems ---------------------------------------------------------===//

static gmem_status_t create_problem(const gmem_allocator_t *allocator,
                                    const gmem_pool_spec_t *pools,
                                    uint32_t pool_count,
                                    gmem_problem_t **out_problem,
                                    gmem_diag_t *diag) {
  gmem_status_t status = gmem_problem_create(allocator, out_problem, diag);
  for (uint32_t i = 0; i < pool_count && status == GMEM_OK; ++i) {
    uint32_t ignored;
    status = gmem_problem_add_pool(*out_problem, &pools[i], &ignored, diag);
    diag->object = GMEM_NO_BUFFER; // of a failure: it is about no buffer
  }
  return status;
}

// Adds |spec|, to which the name of |value| is added.
static gmem_status_t add_value(gmem_problem_t *problem,
                               const gmem_schedule_t *schedule, uint32_t value,
                               gmem_buffer_spec_t spec, gmem_diag_t *diag) {
  char name[128];
  gmem_value_describe(schedule, value, name, sizeof name);
  spec.name = name;
  uint32_t id = gmem_problem_buffer_count(problem);
  gmem_status_t status = gmem_problem_add_buffer(problem, &spec, &id, diag);
  if (status != GMEM_OK)
    diag->object = id;
  return status;
}

// What one of its pools gives to all that is in it, at most.
static uint64_t most_alignment(const gmem_pool_spec_t *pools,
                               const gmem_boundary_t *boundary) {
  uint64_t most = 1;
  for (uint32_t i = 0; i < boundary->pool_count; ++i)
    if (pools[boundary->pools[i]].alignment > most)
      most = pools[boundary->pools[i]].alignment;
  return most;
}

// What begins inside another tensor is aligned to |view_alignment|; no tensor
// needs more than each of its pools gives to all that is in it, but a memref
// may.
static uint64_t class_alignment(const gmem_analysis_t *analysis,
                                const gmem_pool_spec_t *pools,
                                const gmem_boundary_t *boundary) {
  uint64_t least = analysis->aliases.view_alignment;
  if (boundary->alignment)
    return boundary->alignment;
  for (uint32_t i = 0; i < boundary->pool_count; ++i)
    if (pools[boundary->pools[i]].alignment < least)
      least = pools[boundary->pools[i]].alignment;
  return least;
}

gmem_padding_t gmem_padding_in_buffer(const gmem_analysis_t *analysis,
                                      const gmem_pool_spec_t *pools,
                                      uint32_t class) {
  const gmem_boundary_t *boundary = &analysis->boundaries.classes[class];
  gmem_padding_t padding = analysis->paddings[class];
  uint64_t alignment = class_alignment(analysis, pools, boundary);
  uint64_t most = most_alignment(pools, boundary); // wherever it may go
  if (alignment < most)
    alignment = most;
  padding.before = (padding.before + alignment - 1) & ~(alignment - 1);
  return padding;
}

// No sum wraps: what was asked for is below 2^63, and so are alignments.
uint64_t gmem_padded_size(const gmem_analysis_t *analysis,
                          const gmem_pool_spec_t *pools, uint32_t class) {
  gmem_padding_t padding = gmem_padding_in_buffer(analysis, pools, class);
  uint32_t root = analysis->liveness.classes[class].root;
  return padding.before + analysis->schedule.values[root].size + padding.after;
}

static gmem_status_t add_class(gmem_problem_t *problem,
                               const gmem_analysis_t *analysis,
                               const gmem_pool_spec_t *pools, uint32_t index,
                               gmem_diag_t *diag) {
  const gmem_class_t *class = &analysis->liveness.classes[index];
  const gmem_boundary_t *boundary = &analysis->boundaries.classes[index];
  return add_value(problem, &analysis->schedule, class->root,
                   (gmem_buffer_spec_t){
                       .size = gmem_padded_size(analysis, pools, index),
                       .alignment = class_alignment(analysis, pools, boundary),
                       .ranges = class->ranges,
                       .range_count = class->range_count,
                       .pools = boundary->pools,
                       .pool_count = boundary->pool_count,
                       .has_fixed_offset = boundary->is_fixed,
                       .fixed_offset = boundary->offset,
                       .uses = class->uses},
                   diag);
}

// Adds |spec|, to which all is added that does not depend on the kind of the
// workbuffer.
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
  gmem_status_t status = GMEM_OK;
  for (size_t i = 0; i < workbuffers->mutable_count && status == GMEM_OK; ++i) {
    const gmem_op_workbuffer_t *workbuffer =
        &workbuffers->all[workbuffers->mutables[i]];
    status = add_workbuffer(
        problem, workbuffer,
        (gmem_buffer_spec_t){.ranges = workbuffer->ranges,
                             .range_count = workbuffer->range_count,
                             .pools = workbuffer->candidates.pools,
                             .pool_count = workbuffer->candidates.count},
        diag);
  }
  return status;
}

// What gmem.same_as puts at one place.
static gmem_status_t add_ties(gmem_problem_t *problem,
                              const gmem_analysis_t *analysis,
                              gmem_diag_t *diag) {
  gmem_status_t status = GMEM_OK;
  for (uint32_t i = 0; i < analysis->liveness.class_count && status == GMEM_OK;
       ++i) {
    uint32_t other = analysis->boundaries.classes[i].tied_to;
    if (other == i)
      continue;
    gmem_alias_spec_t spec = {.child = i, .parent = other};
    status = gmem_problem_add_alias(problem, &spec, diag);
    if (status != GMEM_OK)
      diag->object = i;
  }
  return status;
}

// What nothing but the text keeps apart.
static gmem_status_t add_conflicts(gmem_problem_t *problem,
                                   const gmem_stream_order_t *order,
                                   gmem_diag_t *diag) {
  gmem_status_t status = GMEM_OK;
  for (size_t i = 0; i < order->count && status == GMEM_OK; ++i)
    if (order->pairs[i].is_conflict)
      status = gmem_problem_add_conflict(problem, order->pairs[i].low,
                                         order->pairs[i].high, diag);
  return status;
}

gmem_status_t gmem_tensor_problem(const gmem_analysis_t *analysis,
                                  const gmem_pool_spec_t *pools,
                                  gmem_problem_t **out_problem,
                                  gmem_diag_t *diag) {
  gmem_status_t status =
      create_problem(&analysis->arena->allocator, pools,
                     analysis->boundaries.pool_count, out_problem, diag);
  for (uint32_t i = 0; i < analysis->liveness.class_count && status == GMEM_OK;
       ++i)
    status = add_class(*out_problem, analysis, pools, i, diag);
  if (status == GMEM_OK)
    status = add_mutables(*out_problem, &analysis->workbuffers, diag);
  if (status == GMEM_OK)
    status = add_ties(*out_problem, analysis, diag);
  if (status == GMEM_OK)
    status = gmem_aliases_add(*out_problem, analysis, pools, diag);
  if (status == GMEM_OK)
    status = add_conflicts(*out_problem, &analysis->order, diag);
  if (status != GMEM_OK) {
    gmem_problem_destroy(*out_problem);
    *out_problem = NULL;
  }
  return status;
}

gmem_status_t gmem_weight_problem(const gmem_weights_t *weights,
                                  gmem_arena_t *arena,
                                  const gmem_pool_spec_t *pools,
                                  gmem_problem_t **out_problem,
                                  uint32_t **out_buffers, gmem_diag_t *diag) {
  static const gmem_live_range_t forever = {0, 1};
  uint32_t *buffers = gmem_arena_alloc(arena, weights->count, sizeof *buffers);
  if (!buffers)
    return gmem_out_of_memory(diag);
  gmem_status_t status = create_problem(
      &arena->allocator, pools, weights->pools.count, out_problem, diag);
  size_t count = 0;
  for (uint32_t i = 0; i < weights->count && status == GMEM_OK; ++i) {
    const gmem_weight_t *weight = &weights->weights[i];
    const gmem_candidates_t *list = gmem_weight_pools(weights, weight);
    if (weight->source != weight->value)
      continue;
    buffers[count++] = i;
    status = add_value(
        *out_problem, weights->schedule, weight->value,
        (gmem_buffer_spec_t){
            .size = weights->schedule->values[weight->value].size,
            .alignment = 1, // that of the pool is asked for by all
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
