// solve_session.h - state shared by all problems of one gmem-solve run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_SOLVE_SESSION_H_
#define GMEM_TOOLS_SOLVE_SESSION_H_

#include "progress_bar.h"
#include "solve_cache.h"

typedef struct gmem_session_s {
  const gmem_solve_command_t *command;
  gmem_solve_options_t search; // of the command, with the progress bar
  gmem_progress_bar_t bar;
  gmem_solve_cache_t *cache; // NULL: none
  const char *path;          // the file that |diag| concerns
  gmem_diag_t diag;          // no text: none, or it has been printed
} gmem_session_t;

#endif // GMEM_TOOLS_SOLVE_SESSION_H_
