// solve_one.c - gmem-solve on a single problem.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "solve_one.h"

#include <stdint.h>
#include <stdlib.h>

#include "files.h"
#include "solve_certificate.h"
#include "solve_certificate_text.h"
#include "solve_messages.h"
#include "solve_run.h"

// Buffers listed for an infeasible problem without --certificate.
enum { MOST_LISTED = 8 };

// Statistics go to standard error if the plan goes to standard output.
static FILE *figures_file(const gmem_solve_command_t *command) {
  bool stdout_taken =
      !command->output || gmem_output_is_stdout(command->output);
  return stdout_taken ? stderr : stdout;
}

// Whether the certificate is printed as text instead of as part of the JSON.
static bool has_text_certificate(const gmem_solve_command_t *command) {
  return command->certificate && (command->certificate_path || !command->stats);
}

//===--- a plan -----------------------------------------------------------===//

static int report(const gmem_solve_command_t *command,
                  const gmem_problem_file_t *file,
                  const gmem_solve_result_t *run,
                  const gmem_certificate_t *certificate) {
  int result = EXIT_SUCCESS;
  if (has_text_certificate(command))
    result = gmem_certificate_write(certificate, command->certificate_path,
                                    figures_file(command));
  const gmem_run_line_t line = {.command = command,
                                .run = run,
                                .problem = file->problem,
                                .certificate = certificate};
  if (command->stats)
    gmem_run_print_json(&line, figures_file(command));
  // Errors of standard output are reported when main flushes it.
  return ferror(stderr) ? GMEM_EXIT_PROBLEM : result;
}

static int report_with_certificate(const gmem_solve_command_t *command,
                                   const gmem_problem_file_t *file,
                                   const gmem_solve_result_t *run) {
  gmem_certificate_t certificate;
  gmem_diag_t diag = {0};
  int result = gmem_certificate_create(file->problem, run->plan, &run->figures,
                                       &certificate, &diag) == GMEM_OK
                   ? report(command, file, run, &certificate)
                   : gmem_complain(file->path, &diag);
  gmem_certificate_free(&certificate);
  return result;
}

static int write_plan(const gmem_solve_command_t *command,
                      const gmem_problem_file_t *file,
                      const gmem_solve_result_t *run) {
  const char *path = command->output ? command->output : "-";
  gmem_diag_t diag = {0};
  if (gmem_problem_file_write(file, run->plan, &run->figures, path, &diag) !=
      GMEM_OK)
    return gmem_complain(command->output ? path : "<stdout>", &diag);
  if (run->figures.cancelled)
    fputs("gmem-solve: interrupted: writing the best plan found so far\n",
          stderr);
  return command->certificate ? report_with_certificate(command, file, run)
                              : report(command, file, run, NULL);
}

//===--- infeasibility ----------------------------------------------------===//

static void report_shortage(const gmem_solve_command_t *command,
                            const gmem_problem_file_t *file,
                            const gmem_solve_result_t *run,
                            const gmem_shortage_t *shortage) {
  FILE *figures = figures_file(command);
  if (!has_text_certificate(command))
    gmem_shortage_print(shortage, MOST_LISTED, "gmem-solve: ", stderr);
  else if (command->certificate_path || figures != stderr)
    // The exit status is a failure already.
    (void)gmem_shortage_write(shortage, command->certificate_path, figures);
  else
    gmem_shortage_print(shortage, SIZE_MAX, "gmem-solve: ", stderr);
  const gmem_run_line_t line = {.command = command,
                                .run = run,
                                .problem = file->problem,
                                .shortage = shortage};
  if (command->certificate && command->stats)
    gmem_run_print_json(&line, figures);
}

// Prints |why|, the OVER_BUDGET error, and a set of buffers that causes it.
static void explain(gmem_session_t *session, const gmem_problem_file_t *file,
                    const gmem_solve_result_t *run, const gmem_diag_t *why) {
  gmem_shortage_t shortage;
  gmem_diag_t diag = {0};
  gmem_status_t status =
      gmem_shortage_find(session, file->problem, &shortage, &diag);
  gmem_progress_bar_erase(&session->bar);
  gmem_complain(file->path, why);
  if (status == GMEM_OK)
    report_shortage(session->command, file, run, &shortage);
  else
    gmem_complain(file->path, &diag);
  gmem_shortage_free(&shortage);
}

//===--- one problem ------------------------------------------------------===//

static int plan(gmem_session_t *session, const gmem_problem_file_t *file) {
  const gmem_solve_command_t *command = session->command;
  gmem_solve_result_t run;
  gmem_diag_t diag = {0};
  gmem_progress_bar_create(&session->bar, command->progress, 1);
  gmem_status_t status =
      gmem_run(session, command->algorithm, file, &run, &diag);
  if (status == GMEM_ERR_OVER_BUDGET)
    explain(session, file, &run, &diag);
  gmem_progress_bar_destroy(&session->bar);
  if (status == GMEM_ERR_OVER_BUDGET)
    return GMEM_EXIT_PROBLEM;
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
