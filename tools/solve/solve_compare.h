// solve_compare.h - gmem-solve --compare: all algorithms in one table.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_SOLVE_COMPARE_H_
#define GMEM_TOOLS_SOLVE_COMPARE_H_

#include "solve_session.h"

// Runs all algorithms and prints a table per problem. Returns the exit status.
int gmem_solve_compare(gmem_session_t *session);

#endif // GMEM_TOOLS_SOLVE_COMPARE_H_
