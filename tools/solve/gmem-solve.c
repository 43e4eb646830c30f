// gmem-solve.c - plans the buffers of problem files and checks plans.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <signal.h>
#include <stdlib.h>

#include "batch_files.h"
#include "interrupt.h"
#include "solve_batch.h"
#include "solve_check.h"
#include "solve_compare.h"
#include "solve_messages.h"
#include "solve_one.h"

static int plan(gmem_session_t *session) {
  const gmem_solve_command_t *command = session->command;
  gmem_interrupt_catch();
  if (command->compare)
    return gmem_solve_compare(session);
  if (command->path_count > 1 || gmem_is_folder(command->paths[0]))
    return gmem_solve_batch(session);
  return gmem_solve_one(session);
}

static int plan_with_cache(gmem_session_t *session) {
  const char *path = session->command->plan_cache;
  gmem_solve_cache_t cache;
  gmem_diag_t diag = {0};
  int result = EXIT_SUCCESS;
  if (gmem_solve_cache_open(&cache, path, &diag) != GMEM_OK) {
    result = gmem_complain(path, &diag);
  } else {
    session->cache = &cache;
    result = plan(session);
  }
  if (gmem_solve_cache_close(&cache, &diag) != GMEM_OK)
    result = gmem_complain(path, &diag);
  return result;
}

static int run(const gmem_solve_command_t *command) {
  gmem_session_t session = {.command = command};
  if (command->solution)
    return gmem_solve_check(command);
  return command->plan_cache ? plan_with_cache(&session) : plan(&session);
}

int main(int argc, char **argv) {
  signal(SIGXFSZ, SIG_IGN); // writing past the file size limit returns EFBIG
  gmem_solve_command_t command;
  gmem_solve_command_parse(&command, argc, argv);
  int result = gmem_finish_stdout(run(&command));
  gmem_solve_command_free(&command);
  return result;
}
