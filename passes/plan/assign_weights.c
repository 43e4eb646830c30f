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

#include "assign_weights.h"

#include "calls.h"
#include "diagnostics.h"
#include "infeasibility_notes.h"
#include "op_model_files.h"
#include "plan_attributes.h"
#include "planner_problem.h"
#include "pool_bases.h"
#include "pool_hints.h"
#include "pool_table.h"
#include "program_build.h"
#include "scope_loop.h"
#include "scope_memories.h"
#include "weights.h"
#include "workbuffer_places.h"

// State of one scope.
typedef struct work_s {
  const gmem_plan_options_t *options;
  gmem_bump_t *arena;
  gmem_program_t program;
  gmem_program_facts_t facts; // only with memories for constants
  gmem_liveness_t liveness;   // the same
  gmem_constants_t weights;
  gmem_pool_spec_t *pools;
  gmem_pool_hint_t *hints;
  gmem_problem_t *problem;
  uint32_t *buffers; // by buffer of the problem: its weight
  gmem_placement_t *plan;
  gmem_diag_t *diag;
} work_t;

//===--- attributes -------------------------------------------------------===//

static MlirStringRef pool_name(const work_t *work, uint32_t buffer) {
  return work->weights.pools.names[work->plan[buffer].pool];
}

// The immutable workbuffers are the last buffers of the problem.
static gmem_status_t write_workbuffers(const work_t *work, uint32_t first) {
  const gmem_workbuffers_t *all = &work->weights.work;
  gmem_value_place_t *places;
  GMEM_TRY_ALLOC(places, work->arena, all->count, work->diag);
  for (uint32_t i = 0; i < all->immutable_count; ++i)
    places[all->immutables[i]] = (gmem_value_place_t){
        .pool = pool_name(work, first + i),
        .offset = (int64_t)work->plan[first + i].offset,
        .size = (int64_t)all->all[all->immutables[i]].size};
  return gmem_workbuffer_places_write(all, places, true, work->arena,
                                      work->diag);
}

static gmem_status_t write_places(const work_t *work) {
  const gmem_constants_t *weights = &work->weights;
  gmem_value_place_t *places;
  GMEM_TRY_ALLOC(places, work->arena, work->program.value_count, work->diag);
  uint32_t count = gmem_problem_buffer_count(work->problem) -
                   (uint32_t)weights->work.immutable_count;
  for (uint32_t i = 0; i < count; ++i) {
    const gmem_constant_t *weight = &weights->weights[work->buffers[i]];
    int64_t offset = (int64_t)work->plan[i].offset;
    places[weight->value] = (gmem_value_place_t){
        pool_name(work, i), offset,
        (int64_t)work->program.values[weight->value].size, offset};
  }
  for (size_t i = 0; i < weights->count; ++i)
    places[weights->weights[i].value] = places[weights->weights[i].source];
  GMEM_TRY(gmem_places_write(&work->program, places, GMEM_PLACES_OF_WEIGHTS,
                             work->arena, work->diag));
  return write_workbuffers(work, count);
}

// Pools follow each other, except those of memories.
static gmem_status_t write_pools(const work_t *work) {
  const gmem_constants_t *weights = &work->weights;
  uint32_t count = weights->pools.count;
  gmem_pool_entry_t *pools;
  GMEM_TRY_ALLOC(pools, work->arena, count, work->diag);
  for (uint32_t i = 0; i < count; ++i) {
    const gmem_pool_hint_t *hint = &work->hints[i];
    uint64_t alignment = work->pools[i].alignment;
    pools[i] = (gmem_pool_entry_t){
        .name = weights->pools.names[i],
        .constant = true,
        .base = weights->pools.memories[i] ? GMEM_NO_BASE
                : i ? gmem_address_behind(pools, i, alignment)
                    : work->options->weight_base,
        .size = gmem_plan_pool_size(work->problem, work->plan, i),
        .capacity = hint->capacity,
        .alignment = alignment,
        .hint = hint->hint == GMEM_UNLIMITED ? 0 : hint->hint};
    if (pools[i].base != GMEM_NO_BASE && pools[i].base > GMEM_MAX_ADDRESS)
      return gmem_fail(work->diag, GMEM_ERR_OUT_OF_RANGE,
                       "their addresses do not fit in 63 bits");
    if (!work->options->quiet)
      gmem_pool_hint_report(work->program.scope, &pools[i]);
    GMEM_TRY(gmem_lower_bound_of_pool(work->problem, i, &pools[i].lower_bound,
                                      work->diag));
  }
  return gmem_pool_table_set(work->program.scope, true, pools, count,
                             work->arena, work->diag);
}

//===--- placing ----------------------------------------------------------===//

// All weights of a pool have the largest alignment that one of them needs.
static uint64_t alignment_of(const work_t *work, uint32_t pool) {
  const gmem_memory_t *memory = work->weights.pools.memories[pool];
  uint64_t asked = work->weights.alignments[pool];
  uint64_t usual = memory && memory->alignment
                       ? memory->alignment
                       : work->options->weight_alignment;
  return asked > usual ? asked : usual;
}

static gmem_status_t make_pools(work_t *work) {
  const gmem_constant_pools_t *pools = &work->weights.pools;
  uint32_t count = pools->count;
  GMEM_TRY_ALLOC(work->pools, work->arena, count, work->diag);
  GMEM_TRY_ALLOC(work->hints, work->arena, count, work->diag);
  for (uint32_t i = 0; i < count; ++i) {
    const gmem_memory_t *memory = pools->memories[i];
    work->hints[i] = gmem_pool_hint(GMEM_UNLIMITED, memory);
    work->pools[i] = (gmem_pool_spec_t){
        .name = gmem_bump_string(work->arena, pools->names[i].data,
                                 pools->names[i].length),
        .alignment = alignment_of(work, i),
        .speed = memory ? (uint32_t)memory->speed : 0,
        .base = i || memory ? 0 : work->options->weight_base};
    if (!work->pools[i].name)
      return gmem_out_of_memory(work->diag);
  }
  return GMEM_OK;
}

static gmem_status_t solve(const gmem_problem_t *problem,
                           gmem_placement_t *plan, gmem_diag_t *diag) {
  return gmem_solve(
      problem,
      &(gmem_solve_options_t){.algorithm = gmem_algorithm_find("none")}, plan,
      NULL, diag);
}

// Solves the problem once with the current capacities.
static gmem_status_t solve_once(work_t *work) {
  gmem_problem_destroy(work->problem);
  work->problem = NULL;
  for (uint32_t i = 0; i < work->weights.pools.count; ++i)
    work->pools[i].capacity = work->hints[i].tried;
  GMEM_TRY(gmem_weight_problem(&work->weights, work->arena, work->pools,
                               &work->problem, &work->buffers, work->diag));
  if (!work->plan) {
    GMEM_TRY_ALLOC(work->plan, work->arena,
                   gmem_problem_buffer_count(work->problem), work->diag);
  }
  return solve(work->problem, work->plan, work->diag);
}

// Solves the problem again with every buffer restricted to the pool of its
// placement, so that buffers that were moved back into a pool are in its order.
// Keeps the previous plan if this fails, as the padding between buffers may
// differ.
static gmem_status_t lay_out(const work_t *work) {
  uint32_t count = gmem_problem_buffer_count(work->problem);
  gmem_problem_t *problem = NULL;
  gmem_diag_t unread;
  gmem_placement_t *plan = gmem_bump_alloc(work->arena, count, sizeof *plan);
  gmem_status_t status =
      gmem_problem_create(&work->arena->allocator, &problem, &unread);
  uint32_t ignored;
  for (uint32_t i = 0; i < work->weights.pools.count && status == GMEM_OK; ++i)
    status = gmem_problem_add_pool(problem, &work->pools[i], &ignored, &unread);
  for (uint32_t i = 0; i < count && status == GMEM_OK; ++i) {
    gmem_buffer_spec_t spec = *gmem_problem_buffer(work->problem, i);
    spec.pools = &work->plan[i].pool;
    spec.pool_count = 1;
    status = gmem_problem_add_buffer(problem, &spec, &ignored, &unread);
  }
  if (status == GMEM_OK && plan)
    status = solve(problem, plan, &unread);
  gmem_problem_destroy(problem);
  if (!plan || status == GMEM_ERR_OUT_OF_MEMORY)
    return gmem_out_of_memory(work->diag);
  for (uint32_t i = 0; i < count && status == GMEM_OK; ++i)
    work->plan[i] = plan[i];
  return GMEM_OK;
}

// Creates and solves the problem.
static gmem_status_t place(work_t *work) {
  gmem_status_t status = make_pools(work);
  if (status == GMEM_OK)
    status = solve_once(work);
  while (status == GMEM_ERR_OVER_BUDGET &&
         gmem_pool_hints_raise(work->problem, work->hints, work->diag->object))
    status = solve_once(work);
  return status == GMEM_OK && work->weights.pools.described > 1 ? lay_out(work)
                                                                : status;
}

//===--- failures ---------------------------------------------------------===//

// The location of the definition of |buffer|.
static MlirLocation locate(const void *user, uint32_t buffer) {
  const work_t *work = user;
  const gmem_workbuffers_t *all = &work->weights.work;
  uint32_t count =
      gmem_problem_buffer_count(work->problem) - (uint32_t)all->immutable_count;
  if (buffer >= count)
    return mlirOperationGetLocation(
        all->all[all->immutables[buffer - count]].op);
  return gmem_value_location(
      &work->program, work->weights.weights[work->buffers[buffer]].value);
}

// Reports at the constant that does not fit, else at the scope.
static void report_failure(const work_t *work, gmem_status_t status) {
  MlirLocation scope = mlirOperationGetLocation(work->program.scope);
  bool is_about_one =
      work->problem && status == GMEM_ERR_OVER_BUDGET &&
      work->diag->object < gmem_problem_buffer_count(work->problem);
  gmem_note_t *notes = NULL;
  size_t note_count = 0;
  if (is_about_one)
    note_count = gmem_infeasibility_notes(
        &(gmem_infeasible_case_t){.problem = work->problem,
                                  .buffer = (uint32_t)work->diag->object,
                                  .effort = work->options->effort,
                                  .scope = scope,
                                  .locate = locate,
                                  .user = work},
        work->arena, &notes);
  gmem_error(NULL, status,
             is_about_one ? locate(work, (uint32_t)work->diag->object) : scope,
             notes, note_count, "the weights cannot be placed: %s",
             work->diag->text);
}

//===--- scopes -----------------------------------------------------------===//

// Liveness is needed only to choose between several memories.
static gmem_status_t find_liveness(work_t *work) {
  if (!gmem_has_constant_memories(&work->program))
    return GMEM_OK;
  GMEM_TRY(gmem_program_facts_find(&work->program, work->arena, &work->facts,
                                   work->diag));
  gmem_liveness_inputs_t inputs = {.facts = &work->facts,
                                   .options = &work->options->model};
  return gmem_liveness_analyse(&inputs, work->arena, &work->liveness,
                               work->diag);
}

static gmem_status_t find_weights(work_t *work) {
  GMEM_TRY(find_liveness(work));
  gmem_weights_options_t options = {
      .program = &work->program,
      .liveness = work->liveness.live_values ? &work->liveness : NULL,
      .order = work->options->weight_order,
      .share = work->options->model.share_weights};
  return gmem_weights_find(&options, work->arena, &work->weights, work->diag);
}

static gmem_status_t assign_scope(MlirOperation scope,
                                  const gmem_op_models_t *models,
                                  gmem_bump_t *arena, void *user,
                                  gmem_diag_t *diag) {
  const gmem_plan_options_t *options = user;
  work_t work = {.options = options, .arena = arena, .diag = diag};
  gmem_status_t status = gmem_program_build(scope, models, &options->model,
                                            arena, &work.program, diag);
  if (status == GMEM_OK)
    status = find_weights(&work);
  if (status != GMEM_OK)
    return status; // already reported
  status = place(&work);
  if (status == GMEM_OK)
    status = write_places(&work);
  if (status == GMEM_OK)
    status = write_pools(&work);
  if (status != GMEM_OK && status != GMEM_ERR_OUT_OF_MEMORY)
    report_failure(&work, status);
  gmem_problem_destroy(work.problem);
  return status == GMEM_OK
             ? gmem_pool_bases_write(scope, work.program.memories,
                                     work.program.memory_count, arena, diag)
             : status;
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
