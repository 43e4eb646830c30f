// solve_one.c - gmem-solve on a single problem.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdint.h>
#include <string.h>

#include "diag.h"
#include "files.h"
#include "solve_certificate.h"
#include "solve_messages.h"
#include "solve_modes.h"
#include "solve_page.h"
#include "solve_previous.h"

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

static gmem_status_t report(gmem_session_t *session,
                            const gmem_run_line_t *line) {
  const gmem_solve_command_t *command = session->command;
  FILE *figures = figures_file(command);
  gmem_status_t status = GMEM_OK;
  if (has_text_certificate(command)) {
    const char *path = command->certificate_path;
    session->path = !path || gmem_output_is_stdout(path) ? "<stdout>" : path;
    status = gmem_proof_write(line->certificate, NULL, path, figures,
                              &session->diag);
    gmem_session_complain(session, status);
  }
  if (command->stats)
    gmem_run_print_json(line, figures);
  else if (line->run->previous)
    gmem_previous_print(line->run->previous, line->problem, line->run->plan,
                        figures);
  // Errors of standard output are reported when main flushes it.
  return ferror(stderr) ? GMEM_ERR_IO : status;
}

static gmem_status_t certify(gmem_session_t *session, gmem_run_line_t *line) {
  gmem_certificate_t certificate;
  gmem_status_t status = gmem_certificate_create(line->problem, line->run->plan,
                                                 &line->run->figures,
                                                 &certificate, &session->diag);
  line->certificate = &certificate;
  if (gmem_problem_constraint_count(line->problem))
    certificate.penalties = &line->run->penalties;
  if (status == GMEM_OK)
    status = report(session, line);
  gmem_certificate_free(&certificate);
  return status;
}

static gmem_status_t write_plan(gmem_session_t *session,
                                const gmem_problem_file_t *file,
                                const gmem_solve_result_t *run) {
  const gmem_solve_command_t *command = session->command;
  const char *path = command->output ? command->output : "-";
  session->path = gmem_output_is_stdout(path) ? "<stdout>" : path;
  GMEM_TRY(gmem_problem_file_write(file, run->plan, &run->figures, path,
                                   &session->diag));
  if (command->html) {
    session->path =
        gmem_output_is_stdout(command->html) ? "<stdout>" : command->html;
    GMEM_TRY(gmem_solve_page_write(file, run, command->html, &session->diag));
  }
  session->path = file->path;
  if (run->figures.cancelled)
    fputs("gmem-solve: interrupted: writing the best plan found so far\n",
          stderr);
  gmem_run_line_t line = {
      .command = command, .run = run, .problem = file->problem};
  return command->certificate ? certify(session, &line)
                              : report(session, &line);
}

//===--- infeasibility ----------------------------------------------------===//

static void report_shortage(const gmem_run_line_t *line) {
  const gmem_solve_command_t *command = line->command;
  const char *path = command->certificate_path;
  FILE *figures = figures_file(command);
  gmem_diag_t diag;
  bool is_file = path || figures != stderr;
  if (!has_text_certificate(command) || !is_file)
    gmem_shortage_print(line->shortage,
                        has_text_certificate(command) ? SIZE_MAX : MOST_LISTED,
                        "gmem-solve: ", stderr);
  else if (gmem_proof_write(NULL, line->shortage, path, figures, &diag) !=
           GMEM_OK)
    gmem_complain(path, &diag);
  if (command->certificate && command->stats)
    gmem_run_print_json(line, figures);
}

// Prints the error of the session, OVER_BUDGET, and a set of buffers that
// causes it.
static void explain(gmem_session_t *session, const gmem_problem_file_t *file,
                    const gmem_solve_result_t *run) {
  gmem_shortage_t shortage;
  gmem_diag_t diag = {0};
  gmem_status_t status =
      gmem_shortage_find(file->problem, &session->search, &shortage, &diag);
  gmem_progress_bar_erase(&session->bar);
  gmem_session_complain(session, GMEM_ERR_OVER_BUDGET);
  if (status == GMEM_OK)
    report_shortage(&(gmem_run_line_t){.command = session->command,
                                       .run = run,
                                       .problem = file->problem,
                                       .shortage = &shortage});
  else
    gmem_complain(file->path, &diag);
  gmem_shortage_free(&shortage);
}

//===--- one problem ------------------------------------------------------===//

// Plans |solved|, and writes the plan for |file|, which may have fewer
// constraints.
static gmem_status_t solve(gmem_session_t *session,
                           const gmem_problem_file_t *solved,
                           const gmem_problem_file_t *file,
                           const gmem_previous_t *previous) {
  const gmem_solve_command_t *command = session->command;
  gmem_solve_result_t run;
  gmem_progress_bar_create(&session->bar, command->progress, 1);
  gmem_status_t status = gmem_run(session, command->search.algorithm, solved,
                                  &run, &session->diag);
  run.previous = previous;
  if (status == GMEM_ERR_OVER_BUDGET)
    explain(session, solved, &run);
  gmem_progress_bar_destroy(&session->bar);
  if (status == GMEM_OK)
    status = write_plan(session, file, &run);
  gmem_plan_free(solved->problem, run.plan);
  return status;
}

// The constraints that keep the offsets are added to a copy of the problem,
// which is read again.
static gmem_status_t solve_again(gmem_session_t *session,
                                 const gmem_problem_file_t *file,
                                 gmem_problem_file_t *copy,
                                 gmem_previous_t *previous) {
  const gmem_solve_command_t *command = session->command;
  gmem_diag_t *diag = &session->diag;
  if (strcmp(file->path, "-") == 0)
    return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                     "--previous needs a problem in a file");
  GMEM_TRY(
      gmem_problem_file_read(copy, file->path, &command->pools, false, diag));
  session->path = command->previous;
  GMEM_TRY(
      gmem_previous_read(copy->problem, command->previous, previous, diag));
  session->path = file->path;
  GMEM_TRY(gmem_previous_prefer(previous, copy->problem, diag));
  return solve(session, copy, file, previous);
}

gmem_status_t gmem_solve_one(gmem_session_t *session,
                             const gmem_problem_file_t *file) {
  gmem_problem_file_t copy = {0};
  gmem_previous_t previous = {0};
  if (!session->command->previous)
    return solve(session, file, file, NULL);
  gmem_status_t status = solve_again(session, file, &copy, &previous);
  gmem_previous_free(&previous);
  gmem_problem_file_destroy(&copy);
  return status;
}
