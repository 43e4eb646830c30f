// solve_run.c - runs the planner on one problem; --stats output.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "solve_run.h"

#include <inttypes.h>
#include <stdlib.h>

#include "json_string.h"
#include "solve_certificate.h"
#include "solve_certificate_json.h"

static gmem_status_t fail_memory(gmem_diag_t *diag) {
  *diag = (gmem_diag_t){.status = GMEM_ERR_OUT_OF_MEMORY};
  snprintf(diag->text, sizeof diag->text, "out of memory");
  return diag->status;
}

static gmem_cached_plan_t describe(const gmem_solve_command_t *command,
                                   const gmem_solve_result_t *run) {
  gmem_cached_plan_t about = {.effort = command->effort,
                              .figures = run->figures};
  snprintf(about.algorithm, sizeof about.algorithm, "%s", run->algorithm->name);
  return about;
}

static bool take_from_cache(const gmem_session_t *session,
                            const gmem_problem_t *problem,
                            gmem_solve_result_t *run) {
  const gmem_solve_command_t *command = session->command;
  gmem_cached_plan_t request = describe(command, run);
  run->was_cached =
      session->cache && gmem_solve_cache_find(session->cache, problem, &request,
                                              !command->algorithm_given,
                                              run->plan, &run->figures);
  return run->was_cached;
}

// A plan of a truncated search must not be cached under its effort, unless it
// is optimal.
static gmem_status_t keep_in_cache(const gmem_session_t *session,
                                   const gmem_problem_t *problem,
                                   const gmem_solve_result_t *run,
                                   gmem_diag_t *diag) {
  bool is_cut = session->command->step_limit || run->figures.cancelled;
  if (!session->cache || (is_cut && !run->figures.optimal))
    return GMEM_OK;
  gmem_cached_plan_t about = describe(session->command, run);
  about.figures.cancelled = false;
  return gmem_solve_cache_add(session->cache, problem, run->plan, &about, diag);
}

static gmem_status_t solve(gmem_session_t *session,
                           const gmem_problem_t *problem,
                           gmem_solve_result_t *run, gmem_diag_t *diag) {
  const gmem_solve_options_t options = {.algorithm = run->algorithm,
                                        .effort = session->command->effort,
                                        .step_limit =
                                            session->command->step_limit,
                                        .progress = gmem_progress_bar_report,
                                        .progress_user = &session->bar};
  GMEM_TRY(gmem_solve(problem, &options, run->plan, &run->figures, diag));
  return keep_in_cache(session, problem, run, diag);
}

gmem_status_t gmem_run(gmem_session_t *session,
                       const gmem_algorithm_t *algorithm,
                       const gmem_problem_file_t *file,
                       gmem_solve_result_t *run, gmem_diag_t *diag) {
  *run = (gmem_solve_result_t){.buffer_count =
                                   gmem_problem_buffer_count(file->problem),
                               .algorithm = algorithm};
  run->plan = calloc(run->buffer_count + (size_t)1, sizeof *run->plan);
  if (!run->plan)
    return fail_memory(diag);
  double start = gmem_now();
  gmem_status_t status = GMEM_OK;
  if (!take_from_cache(session, file->problem, run))
    status = solve(session, file->problem, run, diag);
  run->seconds = gmem_now() - start;
  if (status != GMEM_OK)
    gmem_run_free_plan(run);
  return status;
}

void gmem_run_free_plan(gmem_solve_result_t *run) {
  free(run->plan);
  run->plan = NULL;
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

static void print_pools(const gmem_problem_t *problem,
                        const gmem_placement_t *plan, FILE *output) {
  uint32_t count = gmem_problem_pool_count(problem);
  for (uint32_t i = 0; i < count; ++i) {
    fputs(i ? ", " : ", \"pools\": {", output);
    gmem_print_json_string(output, gmem_problem_pool(problem, i)->name);
    fprintf(output, ": %" PRIu64, gmem_plan_pool_size(problem, plan, i));
  }
  fputc('}', output);
}

static void print_begin(const gmem_run_line_t *line, FILE *output) {
  fputc('{', output);
  if (line->name) {
    fputs("\"problem\": ", output);
    gmem_print_json_string(output, line->name);
    fputs(", ", output);
  }
  fprintf(output, "\"buffers\": %" PRIu32, line->run->buffer_count);
}

static void print_method(const gmem_run_line_t *line, FILE *output) {
  fprintf(output, ", \"algorithm\": \"%s\", \"effort\": \"%s\"",
          line->run->algorithm->name, gmem_effort_name(line->command->effort));
}

static void print_end(const gmem_run_line_t *line, FILE *output) {
  if (!line->command->no_times)
    fprintf(output, ", \"seconds\": %.6f", line->run->seconds);
  fputs("}\n", output);
}

void gmem_run_print_json(const gmem_run_line_t *line, FILE *output) {
  const gmem_solve_result_t *run = line->run;
  const gmem_plan_figures_t *figures = &run->figures;
  print_begin(line, output);
  fprintf(
      output,
      ", \"lower_bound\": %" PRIu64 ", \"peak\": %" PRIu64 ", \"optimal\": %s",
      figures->lower_bound, figures->peak, gmem_json_bool(figures->optimal));
  print_method(line, output);
  fprintf(output, ", \"steps\": %" PRIu64 ", \"cancelled\": %s", figures->steps,
          gmem_json_bool(figures->cancelled));
  if (gmem_problem_pool_count(line->problem) > 1)
    print_pools(line->problem, run->plan, output);
  if (line->command->plan_cache)
    fprintf(output, ", \"cached\": %s", gmem_json_bool(run->was_cached));
  if (line->certificate) {
    fputs(", \"certificate\": ", output);
    gmem_certificate_print_json(line->certificate, output);
  }
  print_end(line, output);
}

void gmem_run_print_json_failure(const gmem_run_line_t *line,
                                 const gmem_shortage_t *shortage,
                                 FILE *output) {
  print_begin(line, output);
  print_method(line, output);
  fputs(", \"certificate\": ", output);
  gmem_shortage_print_json(shortage, output);
  print_end(line, output);
}
