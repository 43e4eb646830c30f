// solve_batch.h - gmem-solve on several problems.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_SOLVE_BATCH_H_
#define GMEM_TOOLS_SOLVE_BATCH_H_

#include "solve_session.h"

// Plans all problems of the command and prints a table, or with --stats=json a
// line for each. Returns the exit status.
int gmem_solve_batch(gmem_session_t *session);

#endif // GMEM_TOOLS_SOLVE_BATCH_H_
