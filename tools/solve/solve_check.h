// solve_check.h - gmem-solve --check: validates a plan.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_SOLVE_CHECK_H_
#define GMEM_TOOLS_SOLVE_CHECK_H_

#include "solve_options.h"

// Checks the solution in command->solution. Returns the exit status.
int gmem_solve_check(const gmem_solve_command_t *command);

#endif // GMEM_TOOLS_SOLVE_CHECK_H_
