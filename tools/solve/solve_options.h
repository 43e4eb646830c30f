// solve_options.h - the command line of gmem-solve.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_SOLVE_OPTIONS_H_
#define GMEM_TOOLS_SOLVE_OPTIONS_H_

#include "gmem/planner.h"
#include "load_algorithm.h"
#include "pool_option.h"

typedef enum gmem_when_e {
  GMEM_WHEN_AUTO = 0, // when standard error is a terminal
  GMEM_WHEN_ALWAYS = 1,
  GMEM_WHEN_NEVER = 2,
} gmem_when_t;

typedef struct gmem_solve_command_s {
  char **paths; // problems: files, "-", or folders of files
  uint32_t path_count;
  const char *output;                // path, or NULL: standard output
  const char *solution;              // path of a solution to check, or NULL
  bool path_given;                   // else |paths| is standard input
  const char *plan_cache;            // path, or NULL
  const gmem_algorithm_t *algorithm; // never NULL once parsed
  bool algorithm_given;
  gmem_loaded_t loaded;
  gmem_effort_t effort;
  uint64_t step_limit; // 0: that of the effort
  gmem_pool_list_t pools;
  gmem_when_t progress;
  uint32_t threads; // problems of a batch at work at one time
  bool stats;       // figures as JSON
  bool compare;     // a table of all algorithms
  bool certificate; // why the plan is as large as it is, or there is none
  const char *certificate_path; // or NULL: where the plan is not
  bool no_times;                // nothing that depends on the machine in tables
} gmem_solve_command_t;

// Parses the command line; on a mistake it says so and exits with
// GMEM_EXIT_USAGE. The strings are those of |argv|, which is cut up.
void gmem_solve_command_parse(gmem_solve_command_t *command, int argc,
                              char **argv);
void gmem_solve_command_free(gmem_solve_command_t *command);

#endif // GMEM_TOOLS_SOLVE_OPTIONS_H_
