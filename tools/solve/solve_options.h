// solve_options.h - the command line of gmem-solve.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_SOLVE_OPTIONS_H_
#define GMEM_TOOLS_SOLVE_OPTIONS_H_

#include "gmem/order.h"
#include "gmem/planner.h"
#include "load_algorithm.h"
#include "pool_option.h"

typedef enum gmem_when_e {
  GMEM_WHEN_AUTO = 0, // if standard error is a terminal
  GMEM_WHEN_ALWAYS = 1,
  GMEM_WHEN_NEVER = 2,
} gmem_when_t;

typedef struct gmem_solve_command_s {
  char **paths; // problems: files, "-", or directories
  uint32_t path_count;
  const char *output;          // path, or NULL: standard output
  const char *solution;        // path of a solution to check, or NULL
  bool path_given;             // false: |paths| is standard input
  const char *plan_cache;      // directory, or NULL
  const char *previous;        // path of a plan whose offsets are kept, or NULL
  gmem_solve_options_t search; // algorithm (NULL: not given), effort, limit
  gmem_loaded_t loaded;
  gmem_pool_list_t pools;
  gmem_when_t progress;
  uint32_t threads; // problems planned concurrently
  bool order;       // --order: the files are graphs
  const gmem_order_algorithm_t *order_algorithm; // NULL: not given
  bool stats;                                    // --json
  bool compare;                                  // --compare
  bool certificate;                              // --certificate
  const char *certificate_path;                  // or NULL
  const char *html;                              // path, or NULL
  bool no_times;                                 // omit times from the output
} gmem_solve_command_t;

// Parses the command line; on an error prints a message and exits with
// GMEM_EXIT_USAGE. Modifies |argv|, into which the strings point.
void gmem_solve_command_parse(gmem_solve_command_t *command, int argc,
                              char **argv);
void gmem_solve_command_free(gmem_solve_command_t *command);

#endif // GMEM_TOOLS_SOLVE_OPTIONS_H_
