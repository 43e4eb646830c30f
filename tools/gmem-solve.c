// gmem-solve.c - plans the buffers of problem files, and checks such plans.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <signal.h>
#include <stdlib.h>

#include "batch_files.h"
#include "interrupt.h"
#include "solve_messages.h"
#include "solve_modes.h"

static int run(const gmem_solve_command_t *command) {
  if (command->solution)
    return gmem_solve_check(command);
  gmem_interrupt_catch();
  if (command->compare)
    return gmem_solve_compare(command);
  if (command->path_count > 1 || gmem_is_folder(command->paths[0]))
    return gmem_solve_batch(command);
  return gmem_solve_one(command);
}

int main(int argc, char **argv) {
  signal(SIGXFSZ, SIG_IGN); // a file too large is an error to report
  gmem_solve_command_t command;
  gmem_solve_command_parse(&command, argc, argv);
  int result = gmem_finish_stdout(run(&command));
  gmem_solve_command_free(&command);
  return result;
}
