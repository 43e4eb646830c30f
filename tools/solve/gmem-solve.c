// gmem-solve.c - plans the buffers of problem files and checks plans.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdlib.h>

#include "batch_files.h"
#include "interrupt.h"
#include "solve_messages.h"
#include "solve_modes.h"
#include "standard_streams.h"

static bool is_batch(const gmem_solve_command_t *command) {
  return command->path_count > 1 || gmem_is_folder(command->paths[0]);
}

static gmem_status_t plan(gmem_session_t *session) {
  const gmem_solve_command_t *command = session->command;
  gmem_interrupt_catch();
  if (command->compare)
    return gmem_solve_compare(session);
  return is_batch(command) ? gmem_solve_batch(session)
                           : gmem_with_problem(session, command->paths[0],
                                               false, gmem_solve_one);
}

static gmem_status_t plan_with_cache(gmem_session_t *session) {
  gmem_solve_cache_t cache;
  const char *folder = session->path = session->command->plan_cache;
  gmem_status_t status = gmem_solve_cache_open(&cache, folder, &session->diag);
  session->cache = &cache;
  if (status == GMEM_OK)
    status = plan(session);
  gmem_session_complain(session, status);
  session->path = folder;
  gmem_status_t closed = gmem_solve_cache_close(&cache, &session->diag);
  return status == GMEM_OK ? closed : status;
}

static gmem_status_t run(gmem_session_t *session) {
  const gmem_solve_command_t *command = session->command;
  if (command->order)
    return gmem_solve_order(session);
  if (!command->solution)
    return command->plan_cache ? plan_with_cache(session) : plan(session);
  return command->path_given ? gmem_with_problem(session, command->paths[0],
                                                 false, gmem_solve_check)
                             : gmem_with_problem(session, command->solution,
                                                 true, gmem_solve_check_alone);
}

// Returns the exit status.
static int run_command(const gmem_solve_command_t *command) {
  gmem_session_t session = {.command = command, .search = command->search};
  session.search.progress = gmem_progress_bar_report;
  session.search.progress_user = &session.bar;
  if (!command->solution && !command->compare && is_batch(command) &&
      command->certificate && (!command->stats || command->certificate_path)) {
    fputs("gmem-solve: for several problems, --certificate requires "
          "--json and takes no file\n",
          stderr);
    return GMEM_EXIT_USAGE;
  }
  if (command->html && is_batch(command)) {
    fputs("gmem-solve: --html takes a single problem\n", stderr);
    return GMEM_EXIT_USAGE;
  }
  gmem_status_t status = run(&session);
  gmem_session_complain(&session, status);
  return status == GMEM_OK ? EXIT_SUCCESS : GMEM_EXIT_PROBLEM;
}

int main(int argc, char **argv) {
  gmem_tool_begin();
  gmem_solve_command_t command;
  gmem_solve_command_parse(&command, argc, argv);
  int result = gmem_finish_stdout(run_command(&command));
  gmem_solve_command_free(&command);
  return result;
}
