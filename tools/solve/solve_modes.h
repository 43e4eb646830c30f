// solve_modes.h - what gmem-solve does.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On failure |diag| of the session holds the error, or no text if it was
// printed.

#ifndef GMEM_TOOLS_SOLVE_MODES_H_
#define GMEM_TOOLS_SOLVE_MODES_H_

#include "solve_run.h"

// Plans one problem and writes the plan.
GMEM_MUST_USE gmem_status_t gmem_solve_one(gmem_session_t *session,
                                           const gmem_problem_file_t *file);

// Plans all problems of the command and prints a table, or with --json a
// line for each.
GMEM_MUST_USE gmem_status_t gmem_solve_batch(gmem_session_t *session);

// Runs all algorithms and prints a table per problem.
GMEM_MUST_USE gmem_status_t gmem_solve_compare(gmem_session_t *session);

// Orders the ops of all graphs of the command, with one or all algorithms.
GMEM_MUST_USE gmem_status_t gmem_solve_order(gmem_session_t *session);

// Checks the solution in command->solution against |problem|.
GMEM_MUST_USE gmem_status_t
gmem_solve_check(gmem_session_t *session, const gmem_problem_file_t *problem);

// Checks a solution against its own columns.
GMEM_MUST_USE gmem_status_t gmem_solve_check_alone(
    gmem_session_t *session, const gmem_problem_file_t *solution);

#endif // GMEM_TOOLS_SOLVE_MODES_H_
