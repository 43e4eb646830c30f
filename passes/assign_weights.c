// assign_weights.c - gmem-assign-weights.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// requires: nothing.
// produces: gmem.pool, gmem.offset and gmem.size on every op that its model
//           calls a weight or that gets a constant global, and on arguments
//           that are weights; the pool "weights", and those that gmem.pools
//           names, in the scope's gmem.pool_table.
//           Weights are laid out one after the other, aligned, in the order
//           that is asked for; equal ones at one place if they are to share.
//           Behind them, the immutable workbuffers of ops: their elements of
//           gmem.workbuffer_pool and gmem.workbuffer_offset.
// fails:    when the sum of the weights passes 63 bits, on malformed input
//           attributes, or where fixed weights overlap.

#include "analysis.h"
#include "diagnostics.h"
#include "pass_table.h"
#include "plan_attributes.h"
#include "pool_bases.h"
#include "pool_table.h"
#include "scope_memories.h"
#include "workbuffer_places.h"

// What one scope's work is made of.
typedef struct work_s {
  const gmem_plan_options_t *options;
  gmem_arena_t *arena;
  gmem_schedule_t schedule;
  gmem_weights_t weights;
  gmem_problem_t *problem;
  uint32_t *buffers; // weight of each buffer of the problem
  gmem_placement_t *plan;
  gmem_diag_t *diag;
} work_t;

// The immutable workbuffers are the last buffers of the problem.
static gmem_status_t write_workbuffers(const work_t *work, uint32_t first) {
  const gmem_weights_t *weights = &work->weights;
  const gmem_workbuffers_t *all = &weights->work;
  gmem_place_t *places =
      gmem_arena_alloc(work->arena, all->count, sizeof *places);
  if (!places)
    return gmem_out_of_memory(work->diag);
  for (size_t i = 0; i < all->immutable_count; ++i) {
    const gmem_op_workbuffer_t *workbuffer = &all->all[all->immutables[i]];
    places[all->immutables[i]] =
        (gmem_place_t){.pool = weights->pools[workbuffer->pool],
                       .offset = (int64_t)work->plan[first + i].offset,
                       .size = (int64_t)workbuffer->size};
  }
  return gmem_workbuffer_places_write(all, places, true, work->arena,
                                      work->diag);
}

static gmem_status_t write_places(const work_t *work) {
  const gmem_weights_t *weights = &work->weights;
  gmem_place_t *places =
      gmem_arena_alloc(work->arena, work->schedule.value_count, sizeof *places);
  if (!places)
    return gmem_out_of_memory(work->diag);
  uint32_t count = gmem_problem_buffer_count(work->problem) -
                   (uint32_t)weights->work.immutable_count;
  for (uint32_t i = 0; i < count; ++i) {
    const gmem_weight_t *weight = &weights->weights[work->buffers[i]];
    int64_t offset = (int64_t)work->plan[i].offset;
    places[weight->value] = (gmem_place_t){
        weights->pools[weight->pool], offset,
        (int64_t)work->schedule.values[weight->value].size, offset};
  }
  for (size_t i = 0; i < weights->count; ++i)
    places[weights->weights[i].value] = places[weights->weights[i].source];
  gmem_status_t status = gmem_places_write(
      &work->schedule, places, GMEM_PLACES_OF_WEIGHTS, work->arena, work->diag);
  return status == GMEM_OK ? write_workbuffers(work, count) : status;
}

// All weights of a pool are aligned alike: as the most demanding of them.
static uint64_t alignment_of(const work_t *work, uint32_t pool) {
  uint64_t asked = work->weights.alignments[pool];
  return asked > work->options->weight_alignment
             ? asked
             : work->options->weight_alignment;
}

// The pools lie one behind the other.
static gmem_status_t write_pools(const work_t *work) {
  const gmem_weights_t *weights = &work->weights;
  gmem_pool_entry_t *pools =
      gmem_arena_alloc(work->arena, weights->pool_count, sizeof *pools);
  if (!pools)
    return gmem_out_of_memory(work->diag);
  gmem_status_t status = GMEM_OK;
  for (uint32_t i = 0; i < weights->pool_count && status == GMEM_OK; ++i) {
    uint64_t alignment = alignment_of(work, i);
    pools[i] = (gmem_pool_entry_t){
        .name = weights->pools[i],
        .constant = true,
        .base = i ? gmem_address_behind(pools, i, alignment)
                  : work->options->weight_base,
        .size = gmem_plan_pool_size(work->problem, work->plan, i),
        .capacity = GMEM_UNLIMITED,
        .alignment = alignment};
    if (pools[i].base > GMEM_MAX_ADDRESS)
      return gmem_fail(work->diag, GMEM_ERR_OUT_OF_RANGE,
                       "their addresses do not fit in 63 bits");
    status = gmem_lower_bound_of_pool(work->problem, i, &pools[i].lower_bound,
                                      work->diag);
  }
  if (status == GMEM_OK)
    status = gmem_pool_table_set(work->schedule.scope, true, pools,
                                 weights->pool_count, work->arena, work->diag);
  return status;
}

// Makes the problem and its plan.
static gmem_status_t place(work_t *work) {
  const gmem_weights_t *weights = &work->weights;
  gmem_pool_spec_t *pools =
      gmem_arena_alloc(work->arena, weights->pool_count, sizeof *pools);
  if (!pools)
    return gmem_out_of_memory(work->diag);
  for (uint32_t i = 0; i < weights->pool_count; ++i) {
    MlirStringRef name = weights->pools[i];
    pools[i] = (gmem_pool_spec_t){
        .name = gmem_arena_string(work->arena, name.data, name.length),
        .capacity = GMEM_UNLIMITED,
        .alignment = alignment_of(work, i),
        .base = i ? 0 : work->options->weight_base};
    if (!pools[i].name)
      return gmem_out_of_memory(work->diag);
  }
  gmem_status_t status = gmem_weight_problem(
      weights, work->arena, pools, &work->problem, &work->buffers, work->diag);
  if (status != GMEM_OK)
    return status;
  work->plan =
      gmem_arena_alloc(work->arena, gmem_problem_buffer_count(work->problem),
                       sizeof *work->plan);
  return work->plan ? gmem_solve(work->problem,
                                 &(gmem_solve_options_t){
                                     .algorithm = gmem_algorithm_find("none")},
                                 work->plan, NULL, work->diag)
                    : gmem_out_of_memory(work->diag);
}

static gmem_status_t assign_scope(MlirOperation scope,
                                  const gmem_op_models_t *models,
                                  gmem_arena_t *arena, void *user,
                                  gmem_diag_t *diag) {
  const gmem_plan_options_t *options = user;
  work_t work = {.options = options, .arena = arena, .diag = diag};
  gmem_status_t status = gmem_schedule_build(scope, models, &options->model,
                                             arena, &work.schedule, diag);
  if (status == GMEM_OK)
    status = gmem_weights_find(&work.schedule, options->weight_order,
                               options->model.share_weights, arena,
                               &work.weights, diag);
  if (status != GMEM_OK)
    return status; // reported where it happened
  status = place(&work);
  if (status == GMEM_OK)
    status = write_places(&work);
  if (status == GMEM_OK)
    status = write_pools(&work);
  gmem_problem_destroy(work.problem);
  if (status != GMEM_OK && status != GMEM_ERR_OUT_OF_MEMORY)
    gmem_error(NULL, status, mlirOperationGetLocation(scope), NULL, 0,
               "the weights cannot be placed: %s", diag->text);
  return status == GMEM_OK
             ? gmem_pool_bases_write(scope, work.schedule.memories,
                                     work.schedule.memory_count, arena, diag)
             : status;
}

gmem_status_t gmem_assign_weights(MlirOperation top,
                                  const gmem_plan_options_t *options,
                                  const gmem_allocator_t *allocator,
                                  gmem_diag_t *diag) {
  gmem_plan_options_t copy = *options;
  gmem_status_t status =
      gmem_op_models_add_files(top, options, allocator, diag);
  if (status == GMEM_OK)
    status = gmem_scope_memories_add(top, options, allocator, diag);
  if (status != GMEM_OK)
    return status;
  return gmem_for_each_scope_in(top, allocator, assign_scope, &copy, diag);
}
