// assign_tensors.c - gmem-assign-tensors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// requires: gmem-assign-weights, if the scope has weights.
// produces: gmem.pool, gmem.offset and gmem.size on every op and argument with
//           a global tensor; gmem.payload_offset if one is padded;
//           gmem.block_args for other block arguments; gmem.alias on every op
//           whose operands and results share memory; gmem.strides on every op
//           with results that are views with strides; gmem.valid_region on
//           every op with results of which a part is valid; gmem.copies on
//           every op at which control flow copies; gmem.workbuffer_pool and
//           gmem.workbuffer_offset on ops with mutable workbuffers; in the
//           scope's gmem.pool_table the pool "tensors" or the memories of
//           gmem.memories, and the pools of inputs, outputs and memory spaces;
//           gmem.plan, with a bound over all orders of the ops if options ask
//           for one. A remark for every value that is left unplanned, with
//           the reason, and for every pool that exceeds its size hint.
//           A remark says what soft gmem.constraints cost, and with previous
//           what has moved.
// fails:    if the tensors or memrefs exceed a capacity, if addresses do not
//           fit in 63 bits, if gmem.fixed, gmem.same_as and gmem.padding cannot
//           be satisfied, if an op reads a value that is partly valid and
//           nothing says what its results are then, if space-capacity names an
//           unknown pool, or if plan-cache cannot be written.

#include <assert.h>

#include "alias_attributes.h"
#include "assign_passes.h"
#include "assignment.h"
#include "control_copies.h"
#include "debug_dump.h"
#include "diagnostics.h"
#include "input_review.h"
#include "ir_reading.h"
#include "liveness_report.h"
#include "mlir-c/Diagnostics.h"
#include "op_model_files.h"
#include "pass_options.h"
#include "plan_dump.h"
#include "pool_names.h"
#include "previous_plan.h"
#include "region_marks.h"
#include "scope_bound.h"
#include "scope_memories.h"
#include "scopes.h"
#include "step_names.h"
#include "strided_marks.h"
#include "tensor_trial.h"
#include "workbuffer_places.h"

// State of one run of the pass.
typedef struct work_s {
  const gmem_plan_options_t *options;
  const gmem_previous_plan_t *previous; // whose offsets are kept, or NULL
  size_t scopes;
  // Whether some scope has the pool of each entry of the option space-capacity.
  // The text of the option limits the number of entries.
  bool is_met[GMEM_MAX_SPACE_CAPACITIES];
} work_t;

//===--- attributes -------------------------------------------------------===//

// Reads the placements of all values from their attributes.
static gmem_status_t read_places(const gmem_assignment_t *assignment,
                                 gmem_value_place_t **out_places) {
  const gmem_program_t *program = &assignment->analysis.program;
  GMEM_TRY(gmem_places_alloc(assignment->analysis.arena, program->value_count,
                             out_places, assignment->diag));
  return gmem_places_read(program, &assignment->table, *out_places, true, NULL,
                          assignment->diag);
}

// Sets the placements of all tensors, which must-alias their representatives,
// and reads those of the weights from their attributes.
static gmem_status_t fill_places(const gmem_assignment_t *assignment,
                                 gmem_value_place_t *places) {
  const gmem_program_t *program = &assignment->analysis.program;
  const gmem_live_value_t *live = assignment->analysis.liveness.live_values;
  gmem_value_place_t *old = NULL;
  for (uint32_t i = 0; i < program->value_count; ++i) {
    if (live[i].storage == GMEM_STORAGE_TENSOR) {
      places[i] = places[live[i].root];
    } else if (live[i].storage == GMEM_STORAGE_WEIGHT) {
      if (!old)
        GMEM_TRY(read_places(assignment, &old));
      places[i] = old[live[i].root];
      if (places[i].pool >= gmem_assignment_first_pool(assignment))
        return gmem_error_at(assignment->diag, GMEM_ERR_STATE,
                             gmem_value_location(program, live[i].root),
                             "this weight has no offset: run "
                             "gmem-assign-weights before gmem-assign-tensors");
    }
  }
  return GMEM_OK;
}

// Reads the placements of immutable workbuffers from their attributes.
static gmem_status_t fill_immutables(const gmem_assignment_t *assignment,
                                     gmem_value_place_t *work_places) {
  const gmem_workbuffers_t *all = &assignment->analysis.workbuffers;
  gmem_value_place_t *stated;
  if (!all->immutable_count)
    return GMEM_OK;
  GMEM_TRY(gmem_workbuffer_places_read(all, &assignment->table,
                                       assignment->analysis.arena, &stated,
                                       assignment->diag));
  for (size_t i = 0; i < all->immutable_count; ++i) {
    uint32_t index = all->immutables[i];
    work_places[index] = stated[index];
    if (!gmem_has_place(&stated[index]))
      return gmem_op_error(
          assignment->diag, GMEM_ERR_STATE, all->all[index].op,
          "an immutable workbuffer has no offset: run gmem-assign-weights "
          "before gmem-assign-tensors");
  }
  return GMEM_OK;
}

static bool plans_memrefs(const gmem_program_t *program) {
  for (uint32_t i = 0; i < program->value_count; ++i)
    if (gmem_is_memref_root(program, i))
      return true;
  return false;
}

// Sets the bound over all orders, if options ask for it.
static gmem_status_t certify(const gmem_assignment_t *assignment,
                             gmem_figures_entry_t *figures) {
  const gmem_plan_options_t *options = assignment->options;
  const gmem_analysis_t *analysis = &assignment->analysis;
  gmem_scope_bound_t bound;
  bool is_wanted = options->certify || (options->order == GMEM_ORDER_BEST &&
                                        !plans_memrefs(&analysis->program));
  if (!is_wanted)
    return GMEM_OK;
  GMEM_TRY(gmem_scope_bound_find(analysis, &options->model, assignment->pools,
                                 options->effort, &bound, assignment->diag));
  assert(bound.bytes <= figures->peak);
  figures->order_bound = bound.bytes;
  figures->order_print = bound.print;
  if (bound.gave_up && bound.bytes < figures->peak)
    figures->order_gave_up = gmem_string(bound.gave_up);
  return GMEM_OK;
}

// Whether the program has constraints that are not conflicts.
static bool has_rules(const gmem_assignment_t *assignment) {
  return assignment->problem &&
         gmem_problem_constraint_count(assignment->problem) >
             assignment->pin_count;
}

// The plan's penalty of gmem.constraints, without that of buffers that move.
static uint64_t penalty_of(const gmem_assignment_t *assignment) {
  uint64_t penalty = assignment->penalties.penalty;
  for (size_t i = 0; i < assignment->pin_count; ++i)
    penalty -= gmem_assignment_moves(assignment, &assignment->pins[i]);
  return penalty;
}

// The bound that gmem-verify-plan can compute from the IR, not a better one
// that the search has proved.
static gmem_status_t find_bound(const gmem_assignment_t *assignment,
                                uint64_t *out_bound) {
  if (assignment->part.pools->count != 1)
    return gmem_lower_bound(assignment->problem, out_bound, assignment->diag);
  *out_bound = assignment->table.entries[gmem_assignment_first_pool(assignment)]
                   .lower_bound;
  return GMEM_OK;
}

static gmem_status_t write_figures(const gmem_assignment_t *assignment,
                                   uint64_t bound) {
  const gmem_plan_options_t *options = assignment->options;
  uint64_t peak;
  gmem_pool_table_figures(&assignment->table, &peak, &bound);
  gmem_figures_entry_t figures = {.algorithm =
                                      gmem_string(options->algorithm->name),
                                  .peak = peak,
                                  .lower_bound = bound,
                                  .optimal = peak == bound,
                                  .order_bound = GMEM_UNLIMITED,
                                  .order_print = GMEM_UNLIMITED,
                                  .penalty = GMEM_UNLIMITED,
                                  .model = options->model};
  if (has_rules(assignment))
    figures.penalty = penalty_of(assignment);
  GMEM_TRY(certify(assignment, &figures));
  return gmem_figures_write(assignment->analysis.program.scope, &figures,
                            assignment->analysis.arena, assignment->diag);
}

// Says what the soft constraints cost, buffers that move included, and what the
// plan without constraints would pay.
static void report_penalty(const gmem_assignment_t *assignment) {
  const gmem_penalty_figures_t *paid = &assignment->penalties;
  uint64_t peak = gmem_plan_peak(assignment->problem, assignment->plan);
  gmem_remark(
      mlirOperationGetLocation(assignment->analysis.program.scope),
      "gmem.constraints%s: penalty %llu, %s, peak %llu; without constraints "
      "penalty %llu, %u hard ones broken, peak %llu",
      assignment->pins ? " and previous" : "",
      (unsigned long long)paid->penalty,
      paid->optimal ? "proved least" : "not proved least",
      (unsigned long long)peak, (unsigned long long)paid->penalty_before,
      (unsigned)paid->broken_before, (unsigned long long)paid->peak_before);
}

// Says which entry of gmem.constraints has no two alias sets.
static void report_idle(const gmem_set_constraints_t *rules) {
  gmem_remark(mlirOperationGetLocation(rules->idle_op),
              "gmem.constraints: entry #%zu constrains nothing, as a single "
              "alias set has its tags (%zu such entries)",
              rules->idle, rules->idle_count);
}

// Writes the plan. The pool of inputs and outputs comes after that of the
// tensors; pools of single inputs and outputs and of memory spaces have no base
// addresses; memories have those in gmem.memories.
static gmem_status_t write_plan(gmem_assignment_t *assignment,
                                const work_t *work) {
  const gmem_analysis_t *analysis = &assignment->analysis;
  const gmem_program_t *program = &analysis->program;
  const gmem_plan_options_t *options = assignment->options;
  const gmem_pool_table_t *table = &assignment->table;
  gmem_bump_t *arena = analysis->arena;
  gmem_diag_t *diag = assignment->diag;
  gmem_value_place_t *places, *work_places;
  MlirAttribute *aliases;
  uint64_t bound;
  gmem_status_t status = gmem_assignment_tabulate(
      assignment, options->tensor_base != GMEM_NO_BASE);
  if (status == GMEM_ERR_OUT_OF_RANGE)
    return gmem_op_error(diag, status, program->scope,
                         "addresses do not fit in 63 bits");
  GMEM_TRY(status);
  GMEM_TRY(find_bound(assignment, &bound));
  GMEM_TRY(gmem_assignment_places(assignment, &places, &work_places));
  GMEM_TRY(fill_places(assignment, places));
  if (!assignment->pins && !gmem_problem_constraint_count(assignment->problem))
    gmem_assignment_end(assignment); // the attributes need its memory
  GMEM_TRY(gmem_aliases_attributes(&analysis->liveness,
                                   &analysis->constraints.aliases, places,
                                   arena, &aliases, diag));
  GMEM_TRY(gmem_places_write(program, table, places, aliases, arena, diag));
  GMEM_TRY(gmem_control_copies_write(analysis, table, places, diag));
  GMEM_TRY(gmem_workbuffer_places_write(&analysis->workbuffers, table,
                                        work_places, false, arena, diag));
  GMEM_TRY(fill_immutables(assignment, work_places));
  GMEM_TRY(gmem_region_marks_write(&analysis->liveness, arena, diag));
  GMEM_TRY(gmem_step_names_write(analysis, places, arena, diag));
  GMEM_TRY(gmem_assignment_write_pools(assignment));
  GMEM_TRY(write_figures(assignment, bound));
  if (options->debug & GMEM_DEBUG_PLAN)
    GMEM_TRY(gmem_plan_dump(analysis, table, places, work_places, diag));
  if (!options->quiet)
    gmem_liveness_report(&analysis->liveness);
  if (!options->quiet && analysis->constraints.rules.idle_count)
    report_idle(&analysis->constraints.rules);
  if (!options->quiet && has_rules(assignment))
    report_penalty(assignment);
  if (!options->quiet && assignment->pins)
    gmem_previous_plan_report(work->previous, assignment);
  return GMEM_OK;
}

//===--- limits -----------------------------------------------------------===//

// The capacity of a pool. An entry of space-capacity overrides the option
// capacity, a later entry an earlier one.
static uint64_t capacity_of(work_t *work, const gmem_candidate_pool_t *pool) {
  uint64_t capacity = pool->kind == GMEM_POOL_KIND_TENSORS
                          ? work->options->capacity
                          : GMEM_UNLIMITED;
  MlirStringRef name;
  uint64_t bytes;
  size_t entry = 0;
  for (const char *at = work->options->space_capacity;
       *at && gmem_space_capacity_next(&at, &name, &bytes); ++entry) {
    if (!gmem_string_is(name, pool->name))
      continue;
    work->is_met[entry] = true;
    capacity = bytes;
  }
  return capacity;
}

// Fails if space-capacity names a pool that no scope has and that is not known
// even if it is empty.
static gmem_status_t check_capacities(MlirOperation top, const work_t *work,
                                      gmem_diag_t *diag) {
  MlirStringRef name;
  uint64_t bytes;
  size_t entry = 0;
  for (const char *at = work->options->space_capacity;
       work->scopes && *at && gmem_space_capacity_next(&at, &name, &bytes);
       ++entry)
    if (!work->is_met[entry] && !gmem_string_is(name, GMEM_POOL_MEMORY) &&
        !gmem_string_is(name, GMEM_POOL_TENSORS))
      return gmem_reject(diag, top, "space-capacity: unknown pool '%.*s'",
                         (int)name.length, name.data);
  return GMEM_OK;
}

// Sets the capacities of pools, and the base of the first one with an address.
static gmem_status_t set_limits(gmem_assignment_t *assignment, work_t *work) {
  const gmem_plan_options_t *options = assignment->options;
  const gmem_candidate_pools_t *pools = assignment->part.pools;
  // With workspace memories there is no pool to which the option applies.
  if (options->capacity != GMEM_UNLIMITED && pools->memory_count)
    return gmem_reject(
        assignment->diag, assignment->analysis.program.scope,
        "option 'capacity' has no effect when gmem.memories lists workspace "
        "memories: set a capacity on each memory instead");
  bool needs_base = options->tensor_base != GMEM_NO_BASE;
  for (uint32_t i = 0; i < pools->count; ++i) {
    gmem_pool_spec_t *spec = &assignment->pools[i];
    gmem_assignment_limit(assignment, i, capacity_of(work, &pools->all[i]));
    if (!needs_base || !gmem_candidate_pool_is_based(&pools->all[i]))
      continue;
    needs_base = false;
    spec->base = options->tensor_base;
    if (spec->base == GMEM_AFTER_WEIGHTS)
      spec->base = gmem_address_behind(
          &assignment->table, gmem_pool_table_constants(&assignment->table),
          spec->alignment);
  }
  return GMEM_OK;
}

static gmem_status_t describe(gmem_assignment_t *assignment, work_t *work) {
  GMEM_TRY(
      gmem_assignment_begin(assignment, false, assignment->options->alignment));
  return set_limits(assignment, work);
}

//===--- trials -----------------------------------------------------------===//

static MlirLogicalResult ignore(MlirDiagnostic diagnostic, void *user) {
  (void)diagnostic;
  (void)user;
  return mlirLogicalResultSuccess();
}

static gmem_status_t try_once(MlirOperation scope,
                              const gmem_op_models_t *models,
                              const gmem_plan_options_t *options,
                              gmem_bump_t *arena, uint64_t *out_peak,
                              gmem_diag_t *diag) {
  gmem_assignment_t assignment = {.options = options, .diag = diag};
  work_t work = {.options = options};
  GMEM_TRY(gmem_analyse(scope, models, &options->model, arena,
                        &assignment.analysis, diag));
  gmem_status_t status = describe(&assignment, &work);
  if (status == GMEM_OK)
    status = gmem_assignment_solve(&assignment, options->algorithm);
  *out_peak = assignment.figures.peak;
  gmem_assignment_end(&assignment);
  return status;
}

gmem_status_t gmem_tensor_trial(MlirOperation scope,
                                const gmem_op_models_t *models,
                                const gmem_plan_options_t *options,
                                const gmem_allocator_t *allocator,
                                gmem_tensor_trial_t *out_trial,
                                gmem_diag_t *diag) {
  MlirContext context = mlirOperationGetContext(scope);
  gmem_plan_options_t limited = *options, unlimited = *options;
  gmem_diag_t own; // of a failure that only says that there is no plan
  gmem_bump_t arena;
  gmem_bump_init(&arena, allocator);
  limited.over_capacity = false;
  MlirDiagnosticHandlerID handler =
      mlirContextAttachDiagnosticHandler(context, ignore, NULL, NULL);
  gmem_status_t status =
      try_once(scope, models, &limited, &arena, &out_trial->peak, &own);
  out_trial->fits = status == GMEM_OK;
  if (status == GMEM_ERR_OVER_BUDGET) {
    unlimited.capacity = GMEM_UNLIMITED;
    unlimited.space_capacity[0] = '\0';
    unlimited.over_capacity = true;
    status =
        try_once(scope, models, &unlimited, &arena, &out_trial->peak, &own);
  }
  out_trial->has_plan = status == GMEM_OK;
  mlirContextDetachDiagnosticHandler(context, handler);
  gmem_bump_destroy(&arena);
  return status == GMEM_ERR_OUT_OF_MEMORY ? gmem_out_of_memory(diag) : GMEM_OK;
}

//===--- views with strides -----------------------------------------------===//

enum { MOST_ROUNDS = 4 };

// As try_once, with the parts laid out with strides; removes from the list
// those that are not in their tensors.
static gmem_status_t try_views(MlirOperation scope,
                               const gmem_op_models_t *models,
                               const gmem_plan_options_t *options,
                               gmem_bump_t *arena, gmem_strided_parts_t *parts,
                               uint64_t *out_peak, gmem_diag_t *diag) {
  gmem_assignment_t assignment = {.options = options, .diag = diag};
  work_t work = {.options = options};
  gmem_value_place_t *places, *ignored;
  GMEM_TRY(gmem_analyse(scope, models, &options->model, arena,
                        &assignment.analysis, diag));
  gmem_status_t status = describe(&assignment, &work);
  if (status == GMEM_OK)
    status = gmem_assignment_solve(&assignment, options->algorithm);
  if (status == GMEM_OK)
    status = gmem_assignment_places(&assignment, &places, &ignored);
  if (status == GMEM_OK)
    gmem_strided_parts_keep(parts, assignment.analysis.liveness.live_values,
                            places);
  *out_peak = assignment.figures.peak;
  gmem_assignment_end(&assignment);
  return status;
}

// Lays out |parts| with strides, again without those that do not come to lie in
// their tensors, until all do; without any if the plan is larger then. A part
// elsewhere would be a copy with gaps. Sets |*out_given_up| to the number of
// parts with which that has not ended after MOST_ROUNDS plans, else 0.
static gmem_status_t settle_views(const gmem_program_t *program,
                                  const gmem_plan_options_t *options,
                                  gmem_bump_t *arena,
                                  gmem_strided_parts_t *parts,
                                  size_t *out_given_up) {
  MlirOperation scope = program->scope;
  gmem_diag_t own; // there may be no plan
  uint64_t without = UINT64_MAX, peak = 0;
  size_t tried = SIZE_MAX;
  gmem_status_t status =
      try_once(scope, program->models, options, arena, &without, &own);
  if (status != GMEM_OK)
    without = UINT64_MAX;
  for (int i = 0; i < MOST_ROUNDS && parts->count && parts->count != tried &&
                  status != GMEM_ERR_OUT_OF_MEMORY;
       ++i) {
    tried = parts->count;
    gmem_strided_marks_clear(scope);
    gmem_strided_marks_write(program, parts, arena);
    status =
        try_views(scope, program->models, options, arena, parts, &peak, &own);
    if (status != GMEM_OK)
      parts->count = 0;
  }
  if (parts->count == tried && peak <= without)
    return status;
  *out_given_up = parts->count == tried ? 0 : parts->count;
  parts->count = 0;
  gmem_strided_marks_clear(scope);
  return status == GMEM_ERR_OUT_OF_MEMORY ? status : GMEM_OK;
}

// Chooses which values are views with strides. Sets |*out_any| to whether some
// are: the analysis is then that of another layout.
static gmem_status_t choose_views(const gmem_analysis_t *analysis,
                                  const gmem_plan_options_t *options,
                                  bool *out_any, gmem_diag_t *diag) {
  MlirContext context = mlirOperationGetContext(analysis->program.scope);
  gmem_strided_parts_t parts;
  size_t given_up = 0;
  *out_any = false;
  GMEM_TRY(gmem_strided_views_find(&analysis->liveness, &options->model,
                                   analysis->arena, &parts, diag));
  if (!parts.count)
    return GMEM_OK;
  MlirDiagnosticHandlerID handler =
      mlirContextAttachDiagnosticHandler(context, ignore, NULL, NULL);
  gmem_status_t status = settle_views(&analysis->program, options,
                                      analysis->arena, &parts, &given_up);
  mlirContextDetachDiagnosticHandler(context, handler);
  if (given_up && !options->quiet)
    gmem_remark(mlirOperationGetLocation(analysis->program.scope),
                "no tensor has strides: of %zu slices and operands of "
                "concatenations not all lie in their tensors in any of %d "
                "plans",
                given_up, MOST_ROUNDS);
  *out_any = parts.count != 0;
  return status == GMEM_ERR_OUT_OF_MEMORY
             ? gmem_out_of_memory(diag)
             : gmem_bump_status(analysis->arena, diag);
}

//===--- scopes -----------------------------------------------------------===//

static gmem_status_t assign(gmem_assignment_t *assignment, work_t *work) {
  const gmem_plan_options_t *options = work->options;
  GMEM_TRY(describe(assignment, work));
  if (!options->debug && !options->certify && options->order != GMEM_ORDER_BEST)
    gmem_analysis_drop_users(&assignment->analysis);
  if (work->previous)
    GMEM_TRY(gmem_previous_plan_pin(work->previous, assignment));
  if (options->debug)
    GMEM_TRY(gmem_debug_dump(&assignment->part, assignment->pools,
                             options->debug, assignment->diag));
  GMEM_TRY(gmem_assignment_report(
      assignment,
      gmem_assignment_solve(assignment, assignment->options->algorithm)));
  return write_plan(assignment, work);
}

static gmem_status_t assign_scope(MlirOperation scope,
                                  const gmem_op_models_t *models,
                                  gmem_bump_t *arena, void *user,
                                  gmem_diag_t *diag) {
  work_t *work = user;
  gmem_assignment_t assignment = {.options = work->options, .diag = diag};
  bool has_views;
  ++work->scopes;
  gmem_strided_marks_clear(scope);
  GMEM_TRY(gmem_analyse(scope, models, &work->options->model, arena,
                        &assignment.analysis, diag));
  if (!work->options->quiet || work->options->strict)
    GMEM_TRY(gmem_input_review(&assignment.analysis.program,
                               work->options->strict, arena, diag));
  GMEM_TRY(choose_views(&assignment.analysis, work->options, &has_views, diag));
  if (has_views)
    GMEM_TRY(gmem_analyse(scope, models, &work->options->model, arena,
                          &assignment.analysis, diag));
  gmem_status_t status = assign(&assignment, work);
  gmem_assignment_end(&assignment);
  return status;
}

//===--- the pass ---------------------------------------------------------===//

// Plans all scopes again, and keeps the offsets of an earlier plan.
static gmem_status_t assign_again(MlirOperation top, work_t *work,
                                  const gmem_allocator_t *allocator,
                                  gmem_diag_t *diag) {
  gmem_previous_plan_t previous;
  gmem_status_t status =
      gmem_previous_plan_read(top, work->options, allocator, &previous, diag);
  work->previous = &previous;
  work->scopes = 0;
  if (status == GMEM_OK)
    status = gmem_for_each_scope_in(top, allocator, assign_scope, work, diag);
  gmem_previous_plan_free(&previous);
  return status;
}

gmem_status_t gmem_assign_tensors(MlirOperation top,
                                  const gmem_plan_options_t *options,
                                  const gmem_allocator_t *allocator,
                                  gmem_diag_t *diag) {
  bool is_first = options->previous[0] != '\0';
  gmem_plan_options_t silent = *options;
  silent.quiet = silent.quiet || is_first;
  work_t work = {.options = &silent};
  GMEM_TRY(gmem_op_models_add_files(top, options, allocator, diag));
  GMEM_TRY(gmem_scope_memories_add(top, options, allocator, diag));
  GMEM_TRY(gmem_for_each_scope_in(top, allocator, assign_scope, &work, diag));
  work.options = options;
  if (is_first)
    GMEM_TRY(assign_again(top, &work, allocator, diag));
  return check_capacities(top, &work, diag);
}
