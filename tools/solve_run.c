// solve_run.c - one run of the planner on one problem, and its figures.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "solve_run.h"

#include <inttypes.h>
#include <stdlib.h>

static gmem_status_t fail_memory(gmem_diag_t *diag) {
  *diag = (gmem_diag_t){.status = GMEM_ERR_OUT_OF_MEMORY};
  snprintf(diag->text, sizeof diag->text, "out of memory");
  return diag->status;
}

gmem_status_t gmem_run(const gmem_solve_command_t *command,
                       const gmem_algorithm_t *algorithm,
                       const gmem_problem_file_t *file,
                       gmem_progress_bar_t *bar, gmem_run_t *run,
                       gmem_diag_t *diag) {
  const gmem_solve_options_t options = {.algorithm = algorithm,
                                        .effort = command->effort,
                                        .step_limit = command->step_limit,
                                        .progress = gmem_progress_bar_report,
                                        .progress_user = bar};
  *run = (gmem_run_t){.buffer_count = gmem_problem_buffer_count(file->problem),
                      .algorithm = algorithm};
  run->plan = calloc(run->buffer_count + (size_t)1, sizeof *run->plan);
  if (!run->plan)
    return fail_memory(diag);
  double start = gmem_now();
  gmem_status_t status =
      gmem_solve(file->problem, &options, run->plan, &run->figures, diag);
  run->seconds = gmem_now() - start;
  if (status != GMEM_OK)
    gmem_run_free_plan(run);
  return status;
}

void gmem_run_free_plan(gmem_run_t *run) {
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

static void print_string(FILE *output, const char *text) {
  fputc('"', output);
  for (const char *c = text; *c; ++c)
    if (*c == '"' || *c == '\\')
      fprintf(output, "\\%c", *c);
    else if ((unsigned char)*c < 0x20)
      fprintf(output, "\\u%04x", (unsigned)*c);
    else
      fputc(*c, output);
  fputc('"', output);
}

static const char *boolean(bool value) { return value ? "true" : "false"; }

static void print_pools(const gmem_problem_t *problem,
                        const gmem_placement_t *plan, FILE *output) {
  uint32_t count = gmem_problem_pool_count(problem);
  for (uint32_t i = 0; i < count; ++i) {
    fputs(i ? ", " : ", \"pools\": {", output);
    print_string(output, gmem_problem_pool(problem, i)->name);
    fprintf(output, ": %" PRIu64, gmem_plan_pool_size(problem, plan, i));
  }
  fputc('}', output);
}

void gmem_run_print_json(const gmem_solve_command_t *command,
                         const char *problem, const gmem_problem_file_t *file,
                         const gmem_run_t *run, FILE *output) {
  const gmem_plan_figures_t *figures = &run->figures;
  fputc('{', output);
  if (problem) {
    fputs("\"problem\": ", output);
    print_string(output, problem);
    fputs(", ", output);
  }
  fprintf(output,
          "\"buffers\": %" PRIu32 ", \"lower_bound\": %" PRIu64
          ", \"peak\": %" PRIu64 ", \"optimal\": %s, \"algorithm\": \"%s\", "
          "\"effort\": \"%s\", \"steps\": %" PRIu64 ", \"cancelled\": %s",
          run->buffer_count, figures->lower_bound, figures->peak,
          boolean(figures->optimal), run->algorithm->name,
          gmem_effort_name(command->effort), figures->steps,
          boolean(figures->cancelled));
  if (file && run->plan && gmem_problem_pool_count(file->problem) > 1)
    print_pools(file->problem, run->plan, output);
  if (!command->no_times)
    fprintf(output, ", \"seconds\": %.6f", run->seconds);
  fputs("}\n", output);
}
