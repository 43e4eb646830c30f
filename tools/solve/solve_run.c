// solve_run.c - runs the planner on one problem; --json output.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "solve_run.h"

#include <assert.h>

#include "clock.h"
#include "solve_certificate.h"
#include "solve_messages.h"
#include "solve_previous.h"

gmem_status_t gmem_with_problem(gmem_session_t *session, const char *path,
                                bool with_plan, gmem_mode_fn mode) {
  gmem_problem_file_t file;
  session->path = path;
  gmem_status_t status = gmem_problem_file_read(
      &file, path, &session->command->pools, with_plan, &session->diag);
  if (status == GMEM_OK)
    status = mode(session, &file);
  gmem_problem_file_destroy(&file);
  return status;
}

void gmem_session_complain(gmem_session_t *session, gmem_status_t status) {
  if (status != GMEM_OK && *session->diag.text)
    gmem_complain(session->path, &session->diag);
  session->diag = (gmem_diag_t){0};
}

static gmem_cached_plan_t describe(const gmem_solve_command_t *command,
                                   const gmem_solve_result_t *run) {
  gmem_cached_plan_t about = {.effort = command->search.effort,
                              .figures = run->figures};
  snprintf(about.algorithm, sizeof about.algorithm, "%s", run->algorithm->name);
  return about;
}

// Plans of problems with constraints are not stored: the objective is no part
// of the key, and a proof of the peak is none of the penalty.
static bool is_cacheable(const gmem_session_t *session,
                         const gmem_problem_t *problem) {
  return session->cache && gmem_problem_constraint_count(problem) == 0;
}

static bool take_from_cache(const gmem_session_t *session,
                            const gmem_problem_t *problem, bool any_algorithm,
                            gmem_solve_result_t *run) {
  const gmem_cached_plan_t wanted = describe(session->command, run);
  run->was_cached =
      is_cacheable(session, problem) &&
      gmem_solve_cache_find(session->cache, problem, &wanted, any_algorithm,
                            run->plan, &run->figures);
  return run->was_cached;
}

// A plan of a truncated search must not be cached under its effort, unless it
// is optimal.
static void keep_in_cache(const gmem_session_t *session,
                          const gmem_problem_t *problem,
                          const gmem_solve_result_t *run) {
  bool is_cut = session->search.step_limit || run->figures.cancelled;
  if (!is_cacheable(session, problem) || (is_cut && !run->figures.optimal))
    return;
  gmem_cached_plan_t about = describe(session->command, run);
  about.figures.cancelled = false;
  gmem_solve_cache_add(session->cache, problem, run->plan, &about);
}

static gmem_status_t solve(gmem_session_t *session,
                           const gmem_problem_t *problem,
                           gmem_solve_result_t *run, gmem_diag_t *diag) {
  gmem_solve_options_t options = session->search;
  options.struct_size = sizeof options;
  options.algorithm = run->algorithm;
  options.penalties = &run->penalties;
  GMEM_TRY(gmem_solve(problem, &options, run->plan, &run->figures, diag));
  keep_in_cache(session, problem, run);
  return GMEM_OK;
}

gmem_status_t gmem_run(gmem_session_t *session,
                       const gmem_algorithm_t *algorithm,
                       const gmem_problem_file_t *file,
                       gmem_solve_result_t *run, gmem_diag_t *diag) {
  const gmem_problem_t *problem = file->problem;
  *run = (gmem_solve_result_t){
      .buffer_count = gmem_problem_buffer_count(problem),
      .algorithm = algorithm ? algorithm : gmem_algorithm_at(0)};
  GMEM_TRY(gmem_plan_create(problem, &run->plan, diag));
  double start = gmem_seconds();
  gmem_status_t status = GMEM_OK;
  if (!take_from_cache(session, problem, !algorithm, run))
    status = solve(session, problem, run, diag);
  run->seconds = gmem_seconds() - start;
  assert(status != GMEM_OK || run->figures.lower_bound <= run->figures.peak);
  return status;
}

double gmem_run_ratio(const gmem_plan_figures_t *figures) {
  if (figures->peak == figures->lower_bound)
    return 1;
  return (double)figures->peak / (double)figures->lower_bound;
}

double gmem_run_shown_ratio(const gmem_plan_figures_t *figures) {
  double ratio = gmem_run_ratio(figures);
  return ratio > 1 && ratio < 1.0001 ? 1.0001 : ratio;
}

//===--- JSON -------------------------------------------------------------===//

static void put_pools(gmem_json_t *json, const gmem_problem_t *problem,
                      const gmem_placement_t *plan) {
  uint32_t count = gmem_problem_pool_count(problem);
  gmem_json_open(json, "pools", '{');
  for (uint32_t i = 0; i < count; ++i)
    gmem_json_number(json, gmem_problem_pool(problem, i)->name,
                     gmem_plan_pool_size(problem, plan, i));
  gmem_json_close(json);
}

static void put_method(gmem_json_t *json, const gmem_run_line_t *line) {
  gmem_json_text(json, "algorithm", line->run->algorithm->name);
  gmem_json_text(json, "effort",
                 gmem_effort_name(line->command->search.effort));
}

static void put_penalties(gmem_json_t *json,
                          const gmem_penalty_figures_t *figures) {
  gmem_json_open(json, "penalties", '{');
  gmem_json_number(json, "penalty", figures->penalty);
  gmem_json_number(json, "lower_bound", figures->lower_bound);
  gmem_json_bool(json, "optimal", figures->optimal);
  gmem_json_number(json, "peak_before", figures->peak_before);
  gmem_json_number(json, "penalty_before", figures->penalty_before);
  gmem_json_number(json, "broken_before", figures->broken_before);
  gmem_json_close(json);
}

static void put_moves(gmem_json_t *json, const gmem_run_line_t *line) {
  const gmem_solve_result_t *run = line->run;
  gmem_moves_t moves = gmem_previous_moves(run->previous, run->plan);
  gmem_json_open(json, "previous", '{');
  gmem_json_number(json, "kept", moves.kept);
  gmem_json_number(json, "moved", moves.moved);
  gmem_json_number(json, "new", moves.added);
  gmem_json_open(json, "moves", '[');
  for (uint32_t i = 0; i < run->buffer_count; ++i)
    if (gmem_previous_is_moved(run->previous, run->plan, i))
      gmem_json_text(json, NULL, gmem_problem_buffer(line->problem, i)->name);
  gmem_json_close(json);
  gmem_json_close(json);
}

static void put_plan(gmem_json_t *json, const gmem_run_line_t *line) {
  const gmem_solve_result_t *run = line->run;
  const gmem_plan_figures_t *figures = &run->figures;
  gmem_json_number(json, "lower_bound", figures->lower_bound);
  gmem_json_number(json, "peak", figures->peak);
  gmem_json_bool(json, "optimal", figures->optimal);
  put_method(json, line);
  gmem_json_number(json, "steps", figures->steps);
  gmem_json_bool(json, "cancelled", figures->cancelled);
  if (gmem_problem_constraint_count(line->problem))
    put_penalties(json, &run->penalties);
  if (run->previous)
    put_moves(json, line);
  if (gmem_problem_pool_count(line->problem) > 1)
    put_pools(json, line->problem, run->plan);
  if (line->command->plan_cache)
    gmem_json_bool(json, "cached", run->was_cached);
  if (line->certificate)
    gmem_certificate_to_json(line->certificate, json);
}

void gmem_run_print_json(const gmem_run_line_t *line, FILE *output) {
  gmem_json_t json;
  gmem_json_start(&json, gmem_write_to_stream, output);
  gmem_json_open(&json, NULL, '{');
  if (line->name)
    gmem_json_text(&json, "problem", line->name);
  gmem_json_number(&json, "buffers", line->run->buffer_count);
  if (line->shortage) {
    put_method(&json, line);
    gmem_shortage_to_json(line->shortage, &json);
  } else {
    put_plan(&json, line);
  }
  if (!line->command->no_times)
    gmem_json_real(&json, "seconds", line->run->seconds, 6);
  gmem_json_close(&json);
  (void)gmem_json_end(&json, "", NULL); // the stream records the failure
}
