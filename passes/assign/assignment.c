// assignment.c - see assignment.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "assignment.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "diagnostics.h"
#include "infeasibility_notes.h"
#include "ir_reading.h"
#include "plan_folder.h"
#include "pool_bases.h"

static uint64_t smaller(uint64_t left, uint64_t right) {
  return left < right ? left : right;
}

//===--- the problem ------------------------------------------------------===//

uint32_t gmem_assignment_first_pool(const gmem_assignment_t *assignment) {
  return assignment->part.constant
             ? 0
             : gmem_pool_table_constants(&assignment->table);
}

void gmem_assignment_limit(gmem_assignment_t *assignment, uint32_t pool,
                           uint64_t capacity) {
  const gmem_memory_t *memory = assignment->part.pools->all[pool].memory;
  uint64_t hint = memory ? memory->size : GMEM_UNLIMITED;
  if (memory)
    capacity = smaller(capacity, memory->capacity);
  assignment->limits[pool] =
      (gmem_pool_limits_t){capacity, hint, smaller(hint, capacity), 0};
  assignment->pools[pool].capacity = assignment->limits[pool].tried;
}

gmem_status_t gmem_assignment_begin(gmem_assignment_t *assignment,
                                    bool constant, uint64_t usual) {
  gmem_diag_t *diag = assignment->diag;
  const gmem_analysis_t *analysis = &assignment->analysis;
  gmem_problem_part_t *part = &assignment->part;
  GMEM_TRY(gmem_problem_part_find(analysis, constant, part, diag));
  const gmem_candidate_pools_t *pools = part->pools;
  GMEM_TRY_ALLOC(assignment->pools, analysis->arena, pools->count, diag);
  GMEM_TRY_ALLOC(assignment->limits, analysis->arena, pools->count, diag);
  GMEM_TRY_ALLOC(assignment->plan, analysis->arena, part->count, diag);
  for (uint32_t i = 0; i < pools->count; ++i) {
    const gmem_memory_t *memory = pools->all[i].memory;
    assignment->pools[i] = (gmem_pool_spec_t){
        .name = pools->all[i].name,
        .alignment = gmem_candidate_pool_unit(pools, i, usual),
        .speed = memory ? (uint32_t)memory->speed : 0};
    gmem_assignment_limit(assignment, i, GMEM_UNLIMITED);
  }
  GMEM_TRY(gmem_pool_table_read(analysis->program.scope, analysis->arena,
                                &assignment->table, diag));
  return gmem_pool_table_merge(&assignment->table, constant,
                               &(gmem_pool_table_t){NULL, 0}, analysis->arena,
                               diag);
}

void gmem_assignment_end(gmem_assignment_t *assignment) {
  gmem_problem_destroy(assignment->problem);
  assignment->problem = NULL;
}

//===--- solving ----------------------------------------------------------===//

// Raises the limit of |pool|: first to its lower bound, then, as the bound may
// not be reachable, step by step, and finally to its capacity.
static void raise_one(const gmem_problem_t *problem, uint32_t pool,
                      bool is_only_one, gmem_pool_limits_t *limits) {
  uint64_t bound = 0, next = limits->tried + limits->tried / 8 + 1;
  if (!is_only_one || limits->tried > GMEM_MAX_ADDRESS / 2 ||
      gmem_lower_bound_of_pool(problem, pool, &bound, NULL) != GMEM_OK)
    next = GMEM_UNLIMITED;
  else if (bound > limits->tried)
    next = bound;
  else if (limits->hint <= limits->tried / 4)
    next = GMEM_UNLIMITED;
  assert(next > limits->tried);
  limits->tried = smaller(next, limits->capacity);
}

// Relaxes one hint after |buffer| did not fit: of its worst candidate with a
// tried limit below its capacity, or, if |buffer| is not a buffer, of the last
// such pool. Returns false if there is no such pool.
static bool raise_limit(const gmem_problem_t *problem,
                        gmem_pool_limits_t *limits, uint64_t buffer) {
  if (buffer < gmem_problem_buffer_count(problem)) {
    const gmem_buffer_spec_t *spec =
        gmem_problem_buffer(problem, (uint32_t)buffer);
    for (size_t i = spec->pool_count; i-- > 0;) {
      uint32_t pool = spec->pools[i];
      if (limits[pool].tried >= limits[pool].capacity)
        continue;
      raise_one(problem, pool, spec->pool_count == 1, &limits[pool]);
      return true;
    }
  }
  for (uint32_t i = gmem_problem_pool_count(problem); i-- > 0;) {
    if (limits[i].tried >= limits[i].capacity)
      continue;
    limits[i].tried = limits[i].capacity;
    return true;
  }
  return false;
}

// Lifts one capacity after |buffer| did not fit: of its worst candidate, or, if
// |buffer| is not a buffer, of the last pool. A pool that is one of several
// candidates grows by the buffer, a few times, so that what has room elsewhere
// stays there. Returns false if no capacity is left.
static bool lift_capacity(const gmem_problem_t *problem,
                          gmem_pool_limits_t *limits, uint64_t buffer) {
  enum { MOST_LIFTS = 8 };
  uint32_t end = gmem_problem_pool_count(problem);
  uint64_t by = GMEM_UNLIMITED;
  if (buffer < gmem_problem_buffer_count(problem)) {
    const gmem_buffer_spec_t *spec =
        gmem_problem_buffer(problem, (uint32_t)buffer);
    bool is_only_one = spec->has_fixed_offset || spec->pool_count == 1;
    end = spec->pools[is_only_one ? 0 : spec->pool_count - 1] + 1;
    by = is_only_one || spec->size == 0 ? GMEM_UNLIMITED : spec->size;
  }
  while (end > 0 && limits[end - 1].tried == GMEM_UNLIMITED)
    --end;
  if (end == 0)
    return false;
  gmem_pool_limits_t *limit = &limits[end - 1];
  limit->tried =
      ++limit->lifts > MOST_LIFTS ||
              by > GMEM_MAX_ADDRESS - smaller(limit->tried, GMEM_MAX_ADDRESS)
          ? GMEM_UNLIMITED
          : limit->tried + by;
  return true;
}

// As gmem_solve, but a plan is taken from the folder of plans if there is one,
// and put there. Weights are placed faster than they are looked up, and with
// constraints a proof of the peak is none of the penalty.
static gmem_status_t solve(gmem_assignment_t *assignment,
                           const gmem_solve_options_t *options) {
  const gmem_problem_t *problem = assignment->problem;
  const char *folder = assignment->options->plan_cache;
  gmem_diag_t *diag = assignment->diag;
  uint8_t digest[32];
  gmem_cached_plan_t about = {.effort = options->effort};
  bool is_cached = folder[0] && !assignment->part.constant &&
                   gmem_problem_constraint_count(problem) == 0;
  if (is_cached) {
    snprintf(about.algorithm, sizeof about.algorithm, "%s",
             options->algorithm->name);
    GMEM_TRY(gmem_problem_digest(problem, digest, diag));
    if (gmem_plan_folder_find(folder, problem, digest, &about,
                              options->algorithm == gmem_algorithm_at(0),
                              assignment->plan, &assignment->figures))
      return GMEM_OK;
  }
  GMEM_TRY(gmem_solve(problem, options, assignment->plan, &assignment->figures,
                      diag));
  about.figures = assignment->figures;
  return is_cached ? gmem_plan_folder_add(folder, problem, digest,
                                          assignment->plan, &about, diag)
                   : GMEM_OK;
}

gmem_status_t gmem_assignment_solve(gmem_assignment_t *assignment,
                                    const gmem_algorithm_t *algorithm) {
  const gmem_solve_options_t options = {
      .struct_size = sizeof options,
      .algorithm = algorithm,
      .effort = assignment->options->effort,
      .objective = assignment->options->objective,
      .peak_slack = assignment->options->peak_slack,
      .penalty_bytes = assignment->options->penalty_bytes,
      .penalties = &assignment->penalties,
      .problem_bound = &assignment->bound,
      .has_fewer_aliases =
          assignment->options->model.sharing != GMEM_SHARE_ALL};
  gmem_diag_t *diag = assignment->diag;
  gmem_status_t status;
  do {
    assignment->bound = GMEM_UNLIMITED;
    gmem_assignment_end(assignment);
    for (uint32_t i = 0; i < assignment->part.pools->count; ++i)
      assignment->pools[i].capacity = assignment->limits[i].tried;
    GMEM_TRY(gmem_planner_problem(&assignment->part, assignment->pools,
                                  &assignment->problem, diag));
    for (size_t i = 0; i < assignment->pin_count; ++i)
      GMEM_TRY(gmem_problem_add_constraint(assignment->problem,
                                           &assignment->pins[i], diag));
    status = solve(assignment, &options);
  } while (
      status == GMEM_ERR_OVER_BUDGET &&
      (raise_limit(assignment->problem, assignment->limits, diag->object) ||
       (assignment->options->over_capacity &&
        lift_capacity(assignment->problem, assignment->limits, diag->object))));
  return status;
}

static MlirLocation locate(const void *part, uint32_t buffer) {
  return gmem_part_location(part, buffer);
}

// Puts a note before the others for each pool that would exceed its capacity if
// it could.
static void note_excess(gmem_assignment_t *assignment, gmem_notes_t *notes) {
  const gmem_plan_options_t *options = assignment->options;
  gmem_plan_options_t over = *options;
  gmem_diag_t *diag = assignment->diag, unread;
  uint32_t pools = assignment->part.pools->count;
  gmem_note_t *all = gmem_bump_alloc(assignment->analysis.arena,
                                     pools + notes->count, sizeof *all);
  size_t count = 0;
  over.over_capacity = true;
  over.plan_cache[0] = '\0';
  assignment->options = &over;
  assignment->diag = &unread;
  gmem_status_t status = gmem_assignment_solve(
      assignment,
      assignment->part.constant ? gmem_algorithm_find("none") : over.algorithm);
  assignment->options = options;
  assignment->diag = diag;
  if (status != GMEM_OK || !all)
    return;
  for (uint32_t i = 0; i < pools; ++i) {
    uint64_t size =
        gmem_plan_pool_size(assignment->problem, assignment->plan, i);
    uint64_t capacity = assignment->limits[i].capacity;
    if (size <= capacity)
      continue;
    gmem_note_t *note = &all[count++];
    note->location =
        mlirOperationGetLocation(assignment->analysis.program.scope);
    snprintf(note->text, sizeof note->text,
             "pool '%.64s' needs %" PRIu64 " bytes, has %" PRIu64
             ": over by %" PRIu64,
             assignment->pools[i].name, size, capacity, size - capacity);
  }
  if (notes->count)
    memcpy(all + count, notes->at, notes->count * sizeof *all);
  *notes = (gmem_notes_t){all, count + notes->count};
}

gmem_status_t gmem_assignment_report(gmem_assignment_t *assignment,
                                     gmem_status_t status) {
  const gmem_problem_part_t *part = &assignment->part;
  const gmem_diag_t *diag = assignment->diag;
  uint64_t object = diag->object;
  MlirLocation scope =
      mlirOperationGetLocation(assignment->analysis.program.scope);
  bool is_too_large = status == GMEM_ERR_OVER_BUDGET;
  bool is_about_one =
      object < part->count &&
      (is_too_large ||
       (!part->constant &&
        (status == GMEM_ERR_OVERLAP || status == GMEM_ERR_INVALID_ARGUMENT)));
  gmem_note_t *explained = NULL;
  gmem_notes_t notes = {NULL, 0};
  if (status == GMEM_OK || status == GMEM_ERR_OUT_OF_MEMORY)
    return status;
  if (status == GMEM_ERR_IO)
    return gmem_error_at(NULL, status, scope, "plan-cache: '%s': %s",
                         assignment->options->plan_cache, diag->text);
  if (assignment->problem && is_about_one && is_too_large)
    notes.count = gmem_infeasibility_notes(
        &(gmem_infeasible_case_t){.problem = assignment->problem,
                                  .buffer = (uint32_t)object,
                                  .effort = assignment->options->effort,
                                  .scope = scope,
                                  .locate = locate,
                                  .user = part},
        assignment->analysis.arena, &explained);
  notes.at = explained;
  if (assignment->problem && is_too_large)
    note_excess(assignment, &notes);
  return gmem_error(NULL, status,
                    is_about_one ? locate(part, (uint32_t)object) : scope,
                    notes.at, notes.count, "the %s cannot be placed: %s",
                    part->constant ? "weights" : "tensors", diag->text);
}

//===--- the result -------------------------------------------------------===//

gmem_status_t gmem_assignment_places(const gmem_assignment_t *assignment,
                                     gmem_value_place_t **out_places,
                                     gmem_value_place_t **out_work_places) {
  const gmem_problem_part_t *part = &assignment->part;
  const gmem_analysis_t *analysis = &assignment->analysis;
  uint32_t first = gmem_assignment_first_pool(assignment);
  GMEM_TRY(gmem_places_alloc(analysis->arena, analysis->program.value_count,
                             out_places, assignment->diag));
  GMEM_TRY(gmem_places_alloc(analysis->arena, analysis->workbuffers.count,
                             out_work_places, assignment->diag));
  for (uint32_t i = 0; i < part->count; ++i) {
    const gmem_placement_t *placement = &assignment->plan[i];
    uint32_t value = gmem_part_value(part, i);
    uint64_t before = 0;
    if (!part->constant && value != GMEM_NO_INDEX)
      before = gmem_padding_in_buffer(analysis, assignment->pools, i).before;
    gmem_value_place_t *place =
        value == GMEM_NO_INDEX
            ? &(*out_work_places)[gmem_part_workbuffer(part, i)]
            : &(*out_places)[value];
    assert(placement->pool < part->pools->count);
    *place = (gmem_value_place_t){
        .pool = first + placement->pool,
        .offset = (int64_t)placement->offset,
        .size = (int64_t)gmem_problem_buffer(assignment->problem, i)->size,
        .payload = (int64_t)(placement->offset + before)};
  }
  return GMEM_OK;
}

gmem_status_t gmem_assignment_tabulate(gmem_assignment_t *assignment,
                                       bool is_based) {
  const gmem_candidate_pools_t *pools = assignment->part.pools;
  gmem_bump_t *arena = assignment->analysis.arena;
  gmem_pool_table_t made = {NULL, pools->count};
  bool is_first = true;
  GMEM_TRY_ALLOC(made.entries, arena, made.count, assignment->diag);
  for (uint32_t i = 0; i < made.count; ++i) {
    const gmem_pool_spec_t *spec = &assignment->pools[i];
    const gmem_pool_limits_t *limits = &assignment->limits[i];
    gmem_pool_entry_t *entry = &made.entries[i];
    *entry = (gmem_pool_entry_t){
        .name = gmem_string(pools->all[i].name),
        .constant = assignment->part.constant,
        .base = GMEM_NO_BASE,
        .size = gmem_plan_pool_size(assignment->problem, assignment->plan, i),
        .capacity = limits->capacity,
        .alignment = gmem_candidate_pool_alignment(pools, i, spec->alignment),
        .hint = limits->hint == GMEM_UNLIMITED ? 0 : limits->hint,
        .is_init = pools->all[i].is_init};
    if (is_based && gmem_candidate_pool_is_based(&pools->all[i])) {
      entry->base = is_first ? spec->base
                             : gmem_address_behind(&made, i, spec->alignment);
      is_first = false;
      if (entry->base > GMEM_MAX_ADDRESS)
        return gmem_fail(assignment->diag, GMEM_ERR_OUT_OF_RANGE,
                         "their addresses do not fit in 63 bits");
    }
    entry->lower_bound = assignment->bound;
    if (made.count > 1 || assignment->bound == GMEM_UNLIMITED)
      GMEM_TRY(gmem_lower_bound_of_pool(assignment->problem, i,
                                        &entry->lower_bound, assignment->diag));
  }
  return gmem_pool_table_merge(&assignment->table, assignment->part.constant,
                               &made, arena, assignment->diag);
}

gmem_status_t gmem_assignment_write_pools(gmem_assignment_t *assignment) {
  const gmem_program_t *program = &assignment->analysis.program;
  gmem_pool_table_t *table = &assignment->table;
  gmem_bump_t *arena = assignment->analysis.arena;
  uint32_t first = gmem_assignment_first_pool(assignment);
  uint32_t end = first + assignment->part.pools->count;
  for (uint32_t i = first; i < end && !assignment->options->quiet; ++i) {
    const gmem_pool_entry_t *pool = &table->entries[i];
    if (pool->hint && pool->size > pool->hint)
      gmem_remark(mlirOperationGetLocation(program->scope),
                  "pool '%.*s' needs %llu bytes, more than its size hint of "
                  "%llu",
                  (int)pool->name.length, pool->name.data,
                  (unsigned long long)pool->size,
                  (unsigned long long)pool->hint);
  }
  GMEM_TRY(gmem_pool_bases_set(program, table, arena, assignment->diag));
  return gmem_pool_table_write(program->scope, table, arena, assignment->diag);
}
