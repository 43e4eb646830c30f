// solve_run.h - runs the planner on one problem; --json output.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_SOLVE_RUN_H_
#define GMEM_TOOLS_SOLVE_RUN_H_

#include <stdio.h>

#include "problem_file.h"
#include "progress_bar.h"
#include "solve_cache.h"
#include "solve_options.h"

// State shared by all problems of one run of gmem-solve.
typedef struct gmem_session_s {
  const gmem_solve_command_t *command;
  gmem_solve_options_t search; // of the command, with the progress bar
  gmem_progress_bar_t bar;
  gmem_solve_cache_t *cache; // NULL: none
  const char *path;          // the file that |diag| concerns
  gmem_diag_t diag;          // no text: none, or it has been printed
} gmem_session_t;

typedef struct gmem_solve_result_s {
  gmem_plan_figures_t figures;
  gmem_penalty_figures_t penalties; // of a problem with constraints
  gmem_placement_t *plan; // the caller calls gmem_plan_free, also on failure
  uint32_t buffer_count;
  double seconds; // planning and checking
  const gmem_algorithm_t *algorithm;
  bool was_cached; // the plan comes from the cache
  const struct gmem_previous_s
      *previous; // the plan whose offsets were kept, or
                 //   NULL; not owned
} gmem_solve_result_t;

// The content of one --json line.
typedef struct gmem_run_line_s {
  const gmem_solve_command_t *command;
  const gmem_solve_result_t *run; // with its plan, unless it failed
  const gmem_problem_t *problem;
  const char *name;                             // of the problem, or NULL
  const struct gmem_certificate_s *certificate; // or NULL
  const struct gmem_shortage_s *shortage;       // of a run that failed with
                                                // OVER_BUDGET; else NULL
} gmem_run_line_t;

// Calls |mode| with the problem in the file |path|, read like
// gmem_problem_file_read. Errors are in the session.
typedef gmem_status_t (*gmem_mode_fn)(gmem_session_t *session,
                                      const gmem_problem_file_t *file);
GMEM_MUST_USE gmem_status_t gmem_with_problem(gmem_session_t *session,
                                              const char *path, bool with_plan,
                                              gmem_mode_fn mode);

// Prints the error of the session, if |status| is one that is not printed yet.
void gmem_session_complain(gmem_session_t *session, gmem_status_t status);

// Plans |file| with |algorithm| and the options of the command, or takes the
// plan from the cache. |algorithm| is NULL if none was asked for: then any
// cached plan that is proved optimal will do. Thread-safe.
GMEM_MUST_USE gmem_status_t gmem_run(gmem_session_t *session,
                                     const gmem_algorithm_t *algorithm,
                                     const gmem_problem_file_t *file,
                                     gmem_solve_result_t *run,
                                     gmem_diag_t *diag);

// peak / lower bound; 1 if both are 0.
double gmem_run_ratio(const gmem_plan_figures_t *figures);

// The same, rounded for a table with four decimals such that 1.0000 is printed
// only if the peak equals the bound.
double gmem_run_shown_ratio(const gmem_plan_figures_t *figures);

void gmem_run_print_json(const gmem_run_line_t *line, FILE *output);

#endif // GMEM_TOOLS_SOLVE_RUN_H_
