// solve_compare.c - gmem-solve --compare: all algorithms in one table.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "solve_compare.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "batch_files.h"
#include "solve_messages.h"
#include "solve_run.h"
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

static const gmem_algorithm_t *algorithm_at(const comparison_t *comparison,
                                            size_t index) {
  return gmem_loaded_at(&comparison->command->loaded, index);
}

static void try_algorithm(comparison_t *comparison, attempt_t *attempt,
                          const gmem_algorithm_t *algorithm) {
  gmem_solve_result_t *run = &attempt->run;
  attempt->status = gmem_run(comparison->session, algorithm, comparison->file,
                             run, &attempt->diag);
  if (attempt->status != GMEM_OK)
    return;
  comparison->has_plan = true;
  if (run->figures.lower_bound > comparison->bound)
    comparison->bound = run->figures.lower_bound;
  if (comparison->command->stats)
    gmem_run_print_json(&(gmem_run_line_t){.command = comparison->command,
                                           .run = run,
                                           .problem = comparison->file->problem,
                                           .name = comparison->name},
                        stdout);
  gmem_run_free_plan(run);
}

static void try_all(comparison_t *comparison) {
  gmem_session_t *session = comparison->session;
  gmem_progress_bar_create(&session->bar, comparison->command->progress, 1);
  for (size_t i = 0; i < comparison->attempt_count; ++i)
    try_algorithm(comparison, &comparison->attempts[i],
                  algorithm_at(comparison, i));
  gmem_progress_bar_destroy(&session->bar);
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

static void add_failure(gmem_table_t *table, gmem_table_row_t *row,
                        const gmem_diag_t *diag) {
  char text[sizeof diag->text + 16];
  snprintf(text, sizeof text, "failed: %s", diag->text);
  gmem_table_note(table, row, text);
}

static int print(const comparison_t *comparison) {
  gmem_table_t table = {0};
  add_head(comparison, &table);
  for (size_t i = 0; i < comparison->attempt_count; ++i) {
    const attempt_t *attempt = &comparison->attempts[i];
    gmem_table_row_t *row =
        gmem_table_add(&table, algorithm_at(comparison, i)->name);
    if (attempt->status == GMEM_OK)
      add_figures(comparison, row, &attempt->run);
    else
      add_failure(&table, row, &attempt->diag);
  }
  printf("%s: %" PRIu32 " buffers, lower bound %" PRIu64 "\n", comparison->name,
         gmem_problem_buffer_count(comparison->file->problem),
         comparison->bound);
  bool is_whole = gmem_table_print(&table, stdout);
  gmem_table_free(&table);
  return is_whole ? EXIT_SUCCESS : gmem_complain_memory(comparison->name);
}

//===--- the comparison ---------------------------------------------------===//

static int compare_all(comparison_t *comparison) {
  gmem_diag_t diag = {0};
  if (gmem_lower_bound(comparison->file->problem, &comparison->bound, &diag) !=
      GMEM_OK)
    return gmem_complain(comparison->name, &diag);
  comparison->attempt_count =
      gmem_algorithm_count() + comparison->command->loaded.count;
  comparison->attempts =
      calloc(comparison->attempt_count, sizeof *comparison->attempts);
  if (!comparison->attempts)
    return gmem_complain_memory(comparison->name);
  try_all(comparison);
  int result = comparison->command->stats ? EXIT_SUCCESS : print(comparison);
  free(comparison->attempts);
  return comparison->has_plan ? result : GMEM_EXIT_PROBLEM;
}

static int compare_path(gmem_session_t *session, const char *path) {
  gmem_problem_file_t file;
  gmem_diag_t diag = {0};
  comparison_t comparison = {.session = session,
                             .command = session->command,
                             .file = &file,
                             .name = strcmp(path, "-") ? path : "<stdin>"};
  int result = gmem_problem_file_read(&file, path, &session->command->pools,
                                      false, &diag) == GMEM_OK
                   ? compare_all(&comparison)
                   : gmem_complain(path, &diag);
  gmem_problem_file_destroy(&file);
  return result;
}

int gmem_solve_compare(gmem_session_t *session) {
  const gmem_solve_command_t *command = session->command;
  gmem_batch_files_t files;
  gmem_diag_t diag = {0};
  const char *where = NULL;
  int result = EXIT_SUCCESS;
  if (gmem_batch_files_list(&files, command->paths, command->path_count, &where,
                            &diag) != GMEM_OK)
    result = gmem_complain(where, &diag);
  for (size_t i = 0; i < files.count; ++i) {
    if (i > 0 && !command->stats)
      putchar('\n');
    if (compare_path(session, files.entries[i].path) != EXIT_SUCCESS)
      result = GMEM_EXIT_PROBLEM;
  }
  gmem_batch_files_free(&files);
  return result;
}
