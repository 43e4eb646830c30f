// solve_compare.c - gmem-solve --compare: all algorithms in one table.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "batch_files.h"
#include "diag.h"
#include "solve_modes.h"
#include "text_table.h"

// The result of one algorithm.
typedef struct attempt_s {
  gmem_solve_result_t run; // without the plan, which is freed
  gmem_status_t status;
  gmem_diag_t diag;
} attempt_t;

typedef struct comparison_s {
  gmem_session_t *session;
  const gmem_solve_command_t *command;
  const gmem_problem_file_t *file;
  const char *name;    // of the problem, for display
  uint64_t bound;      // best lower bound of all algorithms
  attempt_t *attempts; // by algorithm
  size_t attempt_count;
  bool has_plan; // some algorithm found one
} comparison_t;

static void try_algorithm(comparison_t *comparison, size_t index) {
  const gmem_solve_command_t *command = comparison->command;
  attempt_t *attempt = &comparison->attempts[index];
  gmem_solve_result_t *run = &attempt->run;
  assert(index < comparison->attempt_count);
  attempt->status =
      gmem_run(comparison->session, gmem_loaded_at(&command->loaded, index),
               comparison->file, run, &attempt->diag);
  if (attempt->status == GMEM_OK) {
    comparison->has_plan = true;
    if (run->figures.lower_bound > comparison->bound)
      comparison->bound = run->figures.lower_bound;
    if (command->stats)
      gmem_run_print_json(
          &(gmem_run_line_t){.command = command,
                             .run = run,
                             .problem = comparison->file->problem,
                             .name = comparison->name},
          stdout);
  }
  gmem_plan_free(comparison->file->problem, run->plan);
}

//===--- the table --------------------------------------------------------===//

static void add_head(const comparison_t *comparison, gmem_table_t *table) {
  gmem_table_row_t *row = gmem_table_add(table, "algorithm");
  gmem_table_cell(row, "peak");
  gmem_table_cell(row, "ratio");
  gmem_table_cell(row, "steps");
  if (!comparison->command->no_times)
    gmem_table_cell(row, "seconds");
  gmem_table_cell(row, "proved");
}

// A bound proved by one algorithm holds for the plans of all.
static void add_figures(const comparison_t *comparison, gmem_table_row_t *row,
                        const gmem_solve_result_t *run) {
  gmem_plan_figures_t figures = run->figures;
  figures.lower_bound = comparison->bound;
  gmem_table_cell(row, "%" PRIu64, figures.peak);
  gmem_table_cell(row, "%.4f", gmem_run_shown_ratio(&figures));
  gmem_table_cell(row, "%" PRIu64, figures.steps);
  if (!comparison->command->no_times)
    gmem_table_cell(row, "%.6f", run->seconds);
  gmem_table_cell(row, "%s", figures.peak == comparison->bound ? "yes" : "no");
}

static gmem_status_t print(const comparison_t *comparison) {
  gmem_table_t table = {0};
  add_head(comparison, &table);
  for (size_t i = 0; i < comparison->attempt_count; ++i) {
    const attempt_t *attempt = &comparison->attempts[i];
    char note[sizeof attempt->diag.text + 16];
    gmem_table_row_t *row =
        gmem_table_add(&table, attempt->run.algorithm->name);
    snprintf(note, sizeof note, "failed: %s", attempt->diag.text);
    if (attempt->status == GMEM_OK)
      add_figures(comparison, row, &attempt->run);
    else
      gmem_table_note(&table, row, note);
  }
  printf("%s: %" PRIu32 " buffers, lower bound %" PRIu64 "\n", comparison->name,
         gmem_problem_buffer_count(comparison->file->problem),
         comparison->bound);
  bool is_whole = gmem_table_print(&table);
  return is_whole ? GMEM_OK : gmem_out_of_memory(&comparison->session->diag);
}

//===--- the comparison ---------------------------------------------------===//

static gmem_status_t compare(gmem_session_t *session,
                             const gmem_problem_file_t *file) {
  const gmem_solve_command_t *command = session->command;
  size_t count = gmem_algorithm_count() + command->loaded.count;
  comparison_t comparison = {.session = session,
                             .command = command,
                             .file = file,
                             .name = strcmp(file->path, "-") ? file->path
                                                             : "<stdin>",
                             .attempt_count = count};
  GMEM_TRY(gmem_lower_bound(file->problem, &comparison.bound, &session->diag));
  comparison.attempts = calloc(count, sizeof *comparison.attempts);
  if (!comparison.attempts)
    return gmem_out_of_memory(&session->diag);
  gmem_progress_bar_create(&session->bar, command->progress, 1);
  for (size_t i = 0; i < count; ++i)
    try_algorithm(&comparison, i);
  gmem_progress_bar_destroy(&session->bar);
  gmem_status_t status = command->stats ? GMEM_OK : print(&comparison);
  free(comparison.attempts);
  return comparison.has_plan || status != GMEM_OK ? status
                                                  : GMEM_ERR_OVER_BUDGET;
}

gmem_status_t gmem_solve_compare(gmem_session_t *session) {
  const gmem_solve_command_t *command = session->command;
  gmem_batch_files_t files;
  gmem_status_t worst = GMEM_OK;
  GMEM_TRY(gmem_batch_files_list(&files, command->paths, command->path_count,
                                 &session->path, &session->diag));
  for (size_t i = 0; i < files.count; ++i) {
    if (i > 0 && !command->stats)
      putchar('\n');
    session->diag = (gmem_diag_t){0};
    gmem_status_t status =
        gmem_with_problem(session, files.entries[i].path, false, compare);
    gmem_session_complain(session, status);
    worst = status == GMEM_OK ? worst : status;
  }
  gmem_batch_files_free(&files);
  return worst;
}
