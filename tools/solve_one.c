// solve_one.c - gmem-solve on one problem: the plan is written.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdlib.h>

#include "files.h"
#include "solve_messages.h"
#include "solve_modes.h"
#include "solve_run.h"

// Figures are never mixed with a plan on standard output.
static FILE *figures_file(const gmem_solve_command_t *command) {
  bool stdout_taken =
      !command->output || gmem_output_is_stdout(command->output);
  return stdout_taken ? stderr : stdout;
}

static int write_plan(const gmem_solve_command_t *command,
                      const gmem_problem_file_t *file, const gmem_run_t *run) {
  const char *path = command->output ? command->output : "-";
  gmem_diag_t diag = {0};
  if (gmem_problem_file_write(file, run->plan, &run->figures, path, &diag) !=
      GMEM_OK)
    return gmem_complain(command->output ? path : "<stdout>", &diag);
  if (run->figures.cancelled)
    fputs("gmem-solve: interrupted: the plan is the best so far\n", stderr);
  if (command->stats)
    gmem_run_print_json(command, NULL, file, run, figures_file(command));
  return EXIT_SUCCESS;
}

static int plan(gmem_session_t *session, const gmem_problem_file_t *file) {
  const gmem_solve_command_t *command = session->command;
  gmem_run_t run;
  gmem_diag_t diag = {0};
  gmem_progress_bar_create(&session->bar, command->progress, 1);
  gmem_status_t status =
      gmem_run(session, command->algorithm, file, &run, &diag);
  gmem_progress_bar_destroy(&session->bar);
  if (status != GMEM_OK)
    return gmem_complain(file->path, &diag);
  int result = write_plan(command, file, &run);
  gmem_run_free_plan(&run);
  return result;
}

int gmem_solve_one(gmem_session_t *session) {
  gmem_problem_file_t file;
  gmem_diag_t diag = {0};
  const char *path = session->command->paths[0];
  int result = gmem_problem_file_read(&file, path, &session->command->pools,
                                      false, &diag) == GMEM_OK
                   ? plan(session, &file)
                   : gmem_complain(path, &diag);
  gmem_problem_file_destroy(&file);
  return result;
}
