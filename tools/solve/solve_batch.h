// solve_batch.h - gmem-solve on several problems: one table at the end.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_SOLVE_BATCH_H_
#define GMEM_TOOLS_SOLVE_BATCH_H_

#include "solve_session.h"

// solve_batch.c: plans several problems and prints a table.
int gmem_solve_batch(gmem_session_t *session);

#endif // GMEM_TOOLS_SOLVE_BATCH_H_
