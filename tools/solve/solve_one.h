// solve_one.h - gmem-solve on a single problem.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_SOLVE_ONE_H_
#define GMEM_TOOLS_SOLVE_ONE_H_

#include "solve_session.h"

// Plans one problem and writes the plan. Returns the exit status.
int gmem_solve_one(gmem_session_t *session);

#endif // GMEM_TOOLS_SOLVE_ONE_H_
