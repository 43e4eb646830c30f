// assign_tensors.c - gmem-assign-tensors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// requires: gmem-assign-weights, if the scope has weights.
// produces: gmem.pool, gmem.offset and gmem.size on every op and argument with
//           a global tensor; gmem.payload_offset if one is padded;
//           gmem.block_args for other block arguments; gmem.alias on every op
//           whose operands and results share memory; gmem.workbuffer_pool and
//           gmem.workbuffer_offset on ops with mutable workbuffers; in the
//           scope's gmem.pool_table the pool "tensors" or the memories of
//           gmem.memories, and the pools of inputs, outputs and memory spaces;
//           gmem.plan. A remark for every value that is left unplanned, with
//           the reason, and for every pool that exceeds its size hint.
// fails:    if the tensors or memrefs exceed a capacity, if addresses do not
//           fit in 63 bits, if gmem.fixed, gmem.same_as and gmem.padding cannot
//           be satisfied, or if space-capacity names an unknown pool.

#include "assign_tensors.h"

#include "alias_attributes.h"
#include "analysis.h"
#include "buffer_sizes.h"
#include "debug_dump.h"
#include "diagnostics.h"
#include "infeasibility_notes.h"
#include "ir_reading.h"
#include "liveness_report.h"
#include "op_model_files.h"
#include "pass_options.h"
#include "plan_attributes.h"
#include "planner_problem.h"
#include "pool_bases.h"
#include "pool_hints.h"
#include "pool_names.h"
#include "pool_table.h"
#include "scope_loop.h"
#include "scope_memories.h"
#include "workbuffer_places.h"

// The base address of the pool of tensors.
static gmem_status_t find_base(MlirOperation scope,
                               const gmem_plan_options_t *options,
                               uint64_t alignment, gmem_bump_t *arena,
                               uint64_t *out_base, gmem_diag_t *diag) {
  *out_base = options->tensor_base == GMEM_NO_BASE ? 0 : options->tensor_base;
  if (options->tensor_base != GMEM_AFTER_WEIGHTS)
    return GMEM_OK;
  gmem_pool_entry_t *pools;
  size_t count, constant = 0;
  gmem_status_t status =
      gmem_pool_table_read(scope, arena, &pools, &count, diag);
  while (status == GMEM_OK && constant < count && pools[constant].constant)
    ++constant; // constant pools come first
  if (status == GMEM_OK)
    *out_base = gmem_address_behind(pools, constant, alignment);
  return status;
}

static gmem_value_place_t place_of_set(const gmem_analysis_t *analysis,
                                       const gmem_pool_spec_t *pools,
                                       uint32_t set, gmem_placement_t placed) {
  uint64_t before = gmem_padding_in_buffer(analysis, pools, set).before;
  return (gmem_value_place_t){
      .pool = gmem_string(analysis->constraints.pools[placed.pool].name),
      .offset = (int64_t)placed.offset,
      .size = (int64_t)gmem_padded_size(analysis, pools, set),
      .payload = (int64_t)(placed.offset + before)};
}

// Sets the placements of all values: of tensors from the plan, of aliases of
// weights from the attributes of the weight.
static gmem_status_t fill_places(const gmem_analysis_t *analysis,
                                 const gmem_pool_spec_t *pools,
                                 const gmem_placement_t *plan,
                                 gmem_value_place_t *places,
                                 gmem_diag_t *diag) {
  const gmem_program_t *program = &analysis->program;
  const gmem_liveness_t *liveness = &analysis->liveness;
  gmem_value_place_t *old;
  GMEM_TRY_ALLOC(old, analysis->arena, program->value_count, diag);
  GMEM_TRY(gmem_places_read(program, old, GMEM_PLACES_OF_WEIGHTS, diag));
  for (uint32_t i = 0; i < liveness->set_count; ++i)
    places[liveness->sets[i].root] = place_of_set(analysis, pools, i, plan[i]);
  for (uint32_t i = 0; i < program->value_count; ++i) {
    const gmem_live_value_t *live = &liveness->live_values[i];
    if (live->storage == GMEM_STORAGE_WEIGHT) {
      places[i] = old[live->root];
      if (!places[i].pool.length)
        return gmem_error(diag, GMEM_ERR_STATE,
                          gmem_value_location(program, live->root), NULL, 0,
                          "this weight has no offset: run "
                          "gmem-assign-weights before gmem-assign-tensors");
    } else if (live->storage == GMEM_STORAGE_TENSOR) {
      places[i] = places[live->root];
    }
  }
  return GMEM_OK;
}

// Writes the placements of mutable workbuffers and keeps those of immutable
// ones.
static gmem_status_t write_workbuffers(const gmem_analysis_t *analysis,
                                       const gmem_placement_t *plan,
                                       gmem_diag_t *diag) {
  const gmem_workbuffers_t *all = &analysis->workbuffers;
  gmem_value_place_t *places, *stated;
  GMEM_TRY_ALLOC(places, analysis->arena, all->count, diag);
  for (uint32_t i = 0; i < all->mutable_count; ++i) {
    const gmem_placement_t *placement = &plan[analysis->liveness.set_count + i];
    places[all->mutables[i]] = (gmem_value_place_t){
        .pool = gmem_string(analysis->constraints.pools[placement->pool].name),
        .offset = (int64_t)placement->offset,
        .size = (int64_t)all->all[all->mutables[i]].size};
  }
  GMEM_TRY(
      gmem_workbuffer_places_write(all, places, false, analysis->arena, diag));
  if (all->immutable_count)
    GMEM_TRY(gmem_workbuffer_places_read(all, analysis->arena, &stated, diag));
  for (size_t i = 0; i < all->immutable_count; ++i)
    if (!stated[all->immutables[i]].pool.length)
      return gmem_error(
          diag, GMEM_ERR_STATE,
          mlirOperationGetLocation(all->all[all->immutables[i]].op), NULL, 0,
          "an immutable workbuffer has no offset: run gmem-assign-weights "
          "before gmem-assign-tensors");
  return GMEM_OK;
}

// The first pool with a base address, or the number of pools.
static uint32_t first_based(const gmem_placement_constraints_t *constraints) {
  uint32_t i = 0;
  while (i < constraints->pool_count &&
         !gmem_workspace_is_based(&constraints->pools[i]))
    ++i;
  return i;
}

// Writes the pools to the table. The pool of inputs and outputs comes after
// that of the tensors; pools of single inputs and outputs and of memory spaces
// have no base addresses; memories have those in gmem.memories.
static gmem_status_t
write_pools(const gmem_analysis_t *analysis, const gmem_problem_t *problem,
            const gmem_placement_t *plan, const gmem_pool_hint_t *hints,
            const gmem_plan_options_t *options, gmem_diag_t *diag) {
  const gmem_placement_constraints_t *constraints = &analysis->constraints;
  bool is_based = options->tensor_base != GMEM_NO_BASE;
  gmem_pool_entry_t *pools;
  GMEM_TRY_ALLOC(pools, analysis->arena, constraints->pool_count, diag);
  for (uint32_t i = 0; i < constraints->pool_count; ++i) {
    const gmem_pool_spec_t *spec = gmem_problem_pool(problem, i);
    const gmem_workspace_pool_t *pool = &constraints->pools[i];
    pools[i] = (gmem_pool_entry_t){
        .name = gmem_string(pool->name),
        .base = !is_based || !gmem_workspace_is_based(pool) ? GMEM_NO_BASE
                : i == first_based(constraints)
                    ? spec->base
                    : gmem_address_behind(pools, i, spec->alignment),
        .size = gmem_plan_pool_size(problem, plan, i),
        .capacity = hints[i].capacity,
        .alignment =
            gmem_workspace_alignment(constraints, i, options->alignment),
        .hint = hints[i].hint == GMEM_UNLIMITED ? 0 : hints[i].hint};
    if (!options->quiet)
      gmem_pool_hint_report(analysis->program.scope, &pools[i]);
    if (pools[i].base != GMEM_NO_BASE && pools[i].base > GMEM_MAX_ADDRESS)
      return gmem_error(diag, GMEM_ERR_OUT_OF_RANGE,
                        mlirOperationGetLocation(analysis->program.scope), NULL,
                        0, "addresses do not fit in 63 bits");
    GMEM_TRY(gmem_lower_bound_of_pool(problem, i, &pools[i].lower_bound, diag));
  }
  GMEM_TRY(gmem_pool_table_set(analysis->program.scope, false, pools,
                               constraints->pool_count, analysis->arena, diag));
  return gmem_pool_bases_write(
      analysis->program.scope, analysis->program.memories,
      analysis->program.memory_count, analysis->arena, diag);
}

static gmem_status_t
write_plan(const gmem_analysis_t *analysis, const gmem_pool_spec_t *pools,
           const gmem_problem_t *problem, const gmem_placement_t *plan,
           const gmem_plan_figures_t *figures, const gmem_pool_hint_t *hints,
           const gmem_plan_options_t *options, gmem_diag_t *diag) {
  const gmem_program_t *program = &analysis->program;
  gmem_value_place_t *places;
  GMEM_TRY_ALLOC(places, analysis->arena, program->value_count, diag);
  GMEM_TRY(fill_places(analysis, pools, plan, places, diag));
  GMEM_TRY(gmem_places_write(program, places, GMEM_PLACES_OF_TENSORS,
                             analysis->arena, diag));
  GMEM_TRY(gmem_aliases_write(program, &analysis->aliases, places,
                              analysis->arena, diag));
  GMEM_TRY(write_workbuffers(analysis, plan, diag));
  GMEM_TRY(write_pools(analysis, problem, plan, hints, options, diag));
  // Only the bound that gmem-verify-plan can compute from the IR is written,
  // not a better one that the search has proved.
  uint64_t bound = 0;
  GMEM_TRY(gmem_lower_bound(problem, &bound, diag));
  gmem_figures_set(program->scope,
                   &(gmem_figures_entry_t){
                       gmem_string(options->algorithm->name), figures->peak,
                       bound, figures->peak == bound, options->model});
  if (!options->quiet)
    gmem_liveness_report(&analysis->liveness);
  return GMEM_OK;
}

//===--- solving ----------------------------------------------------------===//

static MlirLocation locate(const void *analysis, uint32_t buffer) {
  return gmem_buffer_location(analysis, buffer);
}

// The planner's errors, such as an exceeded capacity, have no location. They
// are reported at the tensor that does not fit or is rejected, if the planner
// names one, else at the scope. |problem| is NULL if it could not be created.
static void report_failure(const gmem_analysis_t *analysis,
                           const gmem_problem_t *problem, gmem_effort_t effort,
                           gmem_status_t status, const gmem_diag_t *diag) {
  MlirLocation scope = mlirOperationGetLocation(analysis->program.scope);
  bool is_about_one =
      (status == GMEM_ERR_OVER_BUDGET || status == GMEM_ERR_OVERLAP ||
       status == GMEM_ERR_INVALID_ARGUMENT) &&
      diag->object < gmem_buffer_count(analysis);
  gmem_note_t *notes = NULL;
  size_t note_count = 0;
  if (problem && is_about_one && status == GMEM_ERR_OVER_BUDGET)
    note_count = gmem_infeasibility_notes(
        &(gmem_infeasible_case_t){.problem = problem,
                                  .buffer = (uint32_t)diag->object,
                                  .effort = effort,
                                  .scope = scope,
                                  .locate = locate,
                                  .user = analysis},
        analysis->arena, &notes);
  gmem_error(NULL, status,
             is_about_one ? locate(analysis, (uint32_t)diag->object) : scope,
             notes, note_count, "the tensors cannot be placed: %s", diag->text);
}

// Solves the problem once with the current limits.
static gmem_status_t
solve_once(const gmem_analysis_t *analysis, gmem_pool_spec_t *pools,
           const gmem_pool_hint_t *hints, const gmem_plan_options_t *options,
           gmem_problem_t **out_problem, gmem_placement_t *plan,
           gmem_plan_figures_t *figures, gmem_diag_t *diag) {
  for (uint32_t i = 0; i < analysis->constraints.pool_count; ++i)
    pools[i].capacity = hints[i].tried;
  GMEM_TRY(gmem_tensor_problem(analysis, pools, out_problem, diag));
  return gmem_solve(*out_problem,
                    &(gmem_solve_options_t){.algorithm = options->algorithm,
                                            .effort = options->effort},
                    plan, figures, diag);
}

static gmem_status_t solve(const gmem_analysis_t *analysis,
                           gmem_pool_spec_t *pools, gmem_pool_hint_t *hints,
                           const gmem_plan_options_t *options,
                           gmem_problem_t **out_problem,
                           gmem_placement_t **out_plan,
                           gmem_plan_figures_t *figures, gmem_diag_t *diag) {
  GMEM_TRY_ALLOC(*out_plan, analysis->arena, gmem_buffer_count(analysis), diag);
  gmem_status_t status = solve_once(analysis, pools, hints, options,
                                    out_problem, *out_plan, figures, diag);
  while (status == GMEM_ERR_OVER_BUDGET &&
         gmem_pool_hints_raise(*out_problem, hints, diag->object)) {
    gmem_problem_destroy(*out_problem);
    *out_problem = NULL;
    status = solve_once(analysis, pools, hints, options, out_problem, *out_plan,
                        figures, diag);
  }
  if (status != GMEM_OK && status != GMEM_ERR_OUT_OF_MEMORY)
    report_failure(analysis, *out_problem, options->effort, status, diag);
  return status;
}

//===--- capacities -------------------------------------------------------===//

// State of one run of the pass.
typedef struct work_s {
  const gmem_plan_options_t *options;
  size_t scopes;
  // Whether some scope has the pool of each entry of the option space-capacity.
  // The text of the option limits the number of entries.
  bool is_met[GMEM_MAX_SPACE_CAPACITIES];
} work_t;

// The limits of a pool. An entry of space-capacity overrides the option
// capacity, a later entry an earlier one; the capacity of a memory always
// applies.
static gmem_pool_hint_t hint_of(work_t *work,
                                const gmem_workspace_pool_t *pool) {
  uint64_t capacity = pool->kind == GMEM_WORKSPACE_TENSORS
                          ? work->options->capacity
                          : GMEM_UNLIMITED;
  MlirStringRef own = gmem_string(pool->name), name;
  uint64_t bytes;
  size_t entry = 0;
  for (const char *at = work->options->space_capacity;
       *at && gmem_space_capacity_next(&at, &name, &bytes); ++entry) {
    if (!mlirStringRefEqual(name, own))
      continue;
    work->is_met[entry] = true;
    capacity = bytes;
  }
  return gmem_pool_hint(capacity, pool->memory);
}

// Whether the pool is known even if it is empty.
static bool is_always_known(MlirStringRef name) {
  return mlirStringRefEqual(name, gmem_string(GMEM_POOL_MEMORY)) ||
         mlirStringRefEqual(name, gmem_string(GMEM_POOL_TENSORS));
}

// Fails if space-capacity names a pool that no scope has.
static gmem_status_t check_capacities(MlirOperation top, const work_t *work,
                                      gmem_diag_t *diag) {
  MlirStringRef name;
  uint64_t bytes;
  size_t entry = 0;
  for (const char *at = work->options->space_capacity;
       work->scopes && *at && gmem_space_capacity_next(&at, &name, &bytes);
       ++entry)
    if (!work->is_met[entry] && !is_always_known(name))
      return gmem_error(diag, GMEM_ERR_INVALID_ARGUMENT,
                        mlirOperationGetLocation(top), NULL, 0,
                        "space-capacity: unknown pool '%.*s'", (int)name.length,
                        name.data);
  return GMEM_OK;
}

//===--- scopes -----------------------------------------------------------===//

// Creates the planner's pools with their limits.
static gmem_status_t make_pools(const gmem_analysis_t *analysis, work_t *work,
                                gmem_pool_spec_t **out_pools,
                                gmem_pool_hint_t **out_hints,
                                gmem_diag_t *diag) {
  const gmem_placement_constraints_t *constraints = &analysis->constraints;
  gmem_pool_spec_t *pools =
      gmem_bump_alloc(analysis->arena, constraints->pool_count, sizeof *pools);
  gmem_pool_hint_t *hints =
      gmem_bump_alloc(analysis->arena, constraints->pool_count, sizeof *hints);
  *out_pools = pools;
  *out_hints = hints;
  if (!pools || !hints)
    return gmem_out_of_memory(diag);
  // The base of a memory is a multiple of its alignment.
  for (uint32_t i = 0; i < constraints->pool_count; ++i) {
    hints[i] = hint_of(work, &constraints->pools[i]);
    const gmem_memory_t *memory = constraints->pools[i].memory;
    pools[i] =
        (gmem_pool_spec_t){.name = constraints->pools[i].name,
                           .alignment = gmem_workspace_unit(
                               constraints, i, work->options->alignment),
                           .speed = memory ? (uint32_t)memory->speed : 0};
  }
  uint32_t first = first_based(constraints);
  if (first == constraints->pool_count)
    return GMEM_OK;
  return find_base(analysis->program.scope, work->options,
                   pools[first].alignment, analysis->arena, &pools[first].base,
                   diag);
}

// With workspace memories there is no pool to which the option |capacity|
// applies.
static gmem_status_t check_options(const gmem_analysis_t *analysis,
                                   const gmem_plan_options_t *options,
                                   gmem_diag_t *diag) {
  const gmem_placement_constraints_t *constraints = &analysis->constraints;
  return options->capacity != GMEM_UNLIMITED && constraints->pool_count &&
                 constraints->pools[0].memory
             ? gmem_error(diag, GMEM_ERR_INVALID_ARGUMENT,
                          mlirOperationGetLocation(analysis->program.scope),
                          NULL, 0,
                          "option 'capacity' has no effect when gmem.memories "
                          "lists workspace memories: set a capacity on each "
                          "memory instead")
             : GMEM_OK;
}

static gmem_status_t assign_scope(MlirOperation scope,
                                  const gmem_op_models_t *models,
                                  gmem_bump_t *arena, void *user,
                                  gmem_diag_t *diag) {
  work_t *work = user;
  const gmem_plan_options_t *options = work->options;
  ++work->scopes;
  gmem_analysis_t analysis;
  gmem_pool_spec_t *pools;
  gmem_pool_hint_t *hints;
  gmem_status_t status =
      gmem_analyse(scope, models, &options->model, arena, &analysis, diag);
  if (status == GMEM_OK && options->debug)
    status = gmem_debug_dump(&analysis, options->debug, diag);
  if (status == GMEM_OK)
    status = check_options(&analysis, options, diag);
  if (status == GMEM_OK)
    status = make_pools(&analysis, work, &pools, &hints, diag);
  if (status != GMEM_OK)
    return status;
  gmem_problem_t *problem = NULL;
  gmem_placement_t *plan;
  gmem_plan_figures_t figures;
  status =
      solve(&analysis, pools, hints, options, &problem, &plan, &figures, diag);
  if (status == GMEM_OK)
    status = write_plan(&analysis, pools, problem, plan, &figures, hints,
                        options, diag);
  gmem_problem_destroy(problem);
  return status;
}

gmem_status_t gmem_assign_tensors(MlirOperation top,
                                  const gmem_plan_options_t *options,
                                  const gmem_allocator_t *allocator,
                                  gmem_diag_t *diag) {
  work_t work = {.options = options};
  GMEM_TRY(gmem_op_models_add_files(top, options, allocator, diag));
  GMEM_TRY(gmem_scope_memories_add(top, options, allocator, diag));
  GMEM_TRY(gmem_for_each_scope_in(top, allocator, assign_scope, &work, diag));
  return check_capacities(top, &work, diag);
}
