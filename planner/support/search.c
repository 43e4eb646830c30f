// search.c - the state of one call of gmem_solve: work done, limits, progress.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "search.h"

#include <string.h>

#include "planner_memory.h"

// About ten calls of |progress| a second: a unit of work takes nanoseconds.
static const uint64_t STEPS_PER_REPORT = UINT64_C(1) << 24;

gmem_status_t gmem_solve_options_copy(const gmem_solve_options_t *options,
                                      gmem_solve_options_t *out_options,
                                      gmem_diag_t *diag) {
  const size_t first_size = offsetof(gmem_solve_options_t, objective);
  *out_options = (gmem_solve_options_t){0};
  if (!options)
    return GMEM_OK;
  size_t size = options->struct_size ? options->struct_size : first_size;
  if (size != first_size && size != sizeof *options)
    return gmem_planner_fail(diag, GMEM_ERR_INVALID_ARGUMENT, GMEM_NO_BUFFER,
                             "options.struct_size is %u, not %zu",
                             (unsigned)options->struct_size, sizeof *options);
  memcpy(out_options, options, size);
  if (!gmem_objective_name(out_options->objective))
    return gmem_planner_fail(diag, GMEM_ERR_INVALID_ARGUMENT, GMEM_NO_BUFFER,
                             "unknown objective %u",
                             (unsigned)out_options->objective);
  return GMEM_OK;
}

uint64_t gmem_steps_of_effort(gmem_effort_t effort) {
  return UINT64_C(1) << (effort == GMEM_EFFORT_EXHAUSTIVE ? 34 : 30);
}

gmem_search_t gmem_search_start(const gmem_solve_options_t *options,
                                const char *stage, uint64_t lower_bound) {
  uint64_t limit = options->step_limit ? options->step_limit
                                       : gmem_steps_of_effort(options->effort);
  return (gmem_search_t){.effort = options->effort,
                         .has_fewer_aliases = options->has_fewer_aliases,
                         .step_limit = limit,
                         .has_own_limit = options->step_limit > 0,
                         .stage_limit = limit,
                         .progress = options->progress,
                         .progress_user = options->progress_user,
                         .stage = stage,
                         .peak = GMEM_UNLIMITED,
                         .lower_bound = lower_bound};
}

static const char *const effort_names[] = {[GMEM_EFFORT_NORMAL] = "normal",
                                           [GMEM_EFFORT_FAST] = "fast",
                                           [GMEM_EFFORT_EXHAUSTIVE] =
                                               "exhaustive"};
enum { EFFORTS = sizeof effort_names / sizeof *effort_names };

const char *gmem_effort_name(gmem_effort_t effort) {
  return (unsigned)effort < EFFORTS ? effort_names[effort] : NULL;
}

bool gmem_effort_find(const char *name, gmem_effort_t *out_effort) {
  for (unsigned i = 0; i < EFFORTS; ++i)
    if (strcmp(name, effort_names[i]) == 0)
      return *out_effort = (gmem_effort_t)i, true;
  return false;
}

static const char *const objective_names[] = {
    [GMEM_OBJECTIVE_PEAK] = "peak",
    [GMEM_OBJECTIVE_WEIGHTED] = "weighted",
    [GMEM_OBJECTIVE_PENALTY] = "penalty"};
enum { OBJECTIVES = sizeof objective_names / sizeof *objective_names };

const char *gmem_objective_name(gmem_objective_t objective) {
  return (unsigned)objective < OBJECTIVES ? objective_names[objective] : NULL;
}

bool gmem_objective_find(const char *name, gmem_objective_t *out_objective) {
  for (unsigned i = 0; i < OBJECTIVES; ++i)
    if (strcmp(name, objective_names[i]) == 0)
      return *out_objective = (gmem_objective_t)i, true;
  return false;
}

gmem_effort_t gmem_search_effort(const gmem_search_t *search) {
  return search->effort;
}

static void report(gmem_search_t *search) {
  search->next_report = search->steps + STEPS_PER_REPORT;
  gmem_progress_t progress = {
      .stage = search->stage,
      .steps = search->steps - search->stage_start,
      .step_limit = search->stage_limit - search->stage_start,
      .peak = search->peak,
      .lower_bound = search->lower_bound,
  };
  if (search->progress && !search->progress(search->progress_user, &progress))
    search->cancelled = true;
}

bool gmem_search_spend(gmem_search_t *search, uint64_t steps) {
  search->steps += steps;
  if (search->steps >= search->next_report)
    report(search);
  return !search->cancelled && search->steps < search->stage_limit;
}

void gmem_search_begin_stage(gmem_search_t *search, const char *stage,
                             uint64_t steps) {
  uint64_t left = gmem_search_left(search);
  search->stage = stage;
  search->stage_start = search->steps;
  search->stage_limit = search->steps + (steps < left ? steps : left);
}

void gmem_search_found(gmem_search_t *search, uint64_t peak) {
  if (search->is_partial || peak >= search->peak)
    return;
  // The packings do not include buffers of size 0 at fixed offsets above them.
  search->peak = peak > search->lower_bound ? peak : search->lower_bound;
}
