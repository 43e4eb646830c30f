// solve_modes.h - what gmem-solve does, one function each. They print, and
// return the exit status.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_SOLVE_MODES_H_
#define GMEM_TOOLS_SOLVE_MODES_H_

#include "solve_run.h"

// solve_one.c: plans one problem and writes the plan.
int gmem_solve_one(gmem_session_t *session);
// solve_batch.c: plans several problems and prints a table.
int gmem_solve_batch(gmem_session_t *session);
// solve_compare.c: runs all algorithms and prints a table per problem.
int gmem_solve_compare(gmem_session_t *session);
// solve_check.c: checks a solution.
int gmem_solve_check(const gmem_solve_command_t *command);

#endif // GMEM_TOOLS_SOLVE_MODES_H_
