// solve_compare.c - gmem-solve --compare: all algorithms in one table.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "batch_files.h"
#include "solve_messages.h"
#include "solve_modes.h"
#include "solve_run.h"
#include "text_table.h"

typedef struct comparison_s {
  gmem_session_t *session;
  const gmem_solve_command_t *command;
  const gmem_problem_file_t *file;
  const char *name; // of the problem, as it is shown
  gmem_table_t table;
  uint32_t planned; // algorithms that made a plan
} comparison_t;

static void add_head(comparison_t *comparison) {
  gmem_table_row_t *row = gmem_table_add(&comparison->table, "algorithm");
  gmem_table_cell(row, "peak");
  gmem_table_cell(row, "ratio");
  gmem_table_cell(row, "steps");
  if (!comparison->command->no_times)
    gmem_table_cell(row, "seconds");
  gmem_table_cell(row, "proved");
}

static void add_figures(comparison_t *comparison, gmem_table_row_t *row,
                        const gmem_run_t *run) {
  const gmem_plan_figures_t *figures = &run->figures;
  gmem_table_cell(row, "%" PRIu64, figures->peak);
  gmem_table_cell(row, "%.4f", gmem_run_shown_ratio(figures));
  gmem_table_cell(row, "%" PRIu64, figures->steps);
  if (!comparison->command->no_times)
    gmem_table_cell(row, "%.6f", run->seconds);
  gmem_table_cell(row, "%s", figures->optimal ? "yes" : "no");
}

static void try_algorithm(comparison_t *comparison,
                          const gmem_algorithm_t *algorithm) {
  gmem_run_t run;
  gmem_diag_t diag = {0};
  gmem_status_t status =
      gmem_run(comparison->session, algorithm, comparison->file, &run, &diag);
  gmem_table_row_t *row = gmem_table_add(&comparison->table, algorithm->name);
  if (status == GMEM_OK) {
    ++comparison->planned;
    add_figures(comparison, row, &run);
    if (comparison->command->stats)
      gmem_run_print_json(comparison->command, comparison->name,
                          comparison->file, &run, stdout);
  } else {
    char text[300];
    snprintf(text, sizeof text, "failed: %s", diag.text);
    gmem_table_note(&comparison->table, row, text);
  }
  gmem_run_free_plan(&run);
}

static int print(const comparison_t *comparison, uint64_t bound) {
  printf("%s: %" PRIu32 " buffers, lower bound %" PRIu64 "\n", comparison->name,
         gmem_problem_buffer_count(comparison->file->problem), bound);
  return gmem_table_print(&comparison->table, stdout)
             ? EXIT_SUCCESS
             : gmem_complain_memory(comparison->name);
}

static int compare_all(comparison_t *comparison) {
  uint64_t bound = 0;
  gmem_diag_t diag = {0};
  if (gmem_lower_bound(comparison->file->problem, &bound, &diag) != GMEM_OK)
    return gmem_complain(comparison->name, &diag);
  gmem_progress_bar_create(&comparison->session->bar,
                           comparison->command->progress, 1);
  add_head(comparison);
  for (size_t i = 0; i < gmem_algorithm_count(); ++i)
    try_algorithm(comparison, gmem_algorithm_at(i));
  gmem_progress_bar_destroy(&comparison->session->bar);
  int result =
      comparison->command->stats ? EXIT_SUCCESS : print(comparison, bound);
  gmem_table_free(&comparison->table);
  return comparison->planned ? result : GMEM_EXIT_PROBLEM;
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
