// algorithm.h - planning algorithms: the built-in ones, and the interface to
// add your own. C11 and C++17.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   static gmem_status_t run(const gmem_problem_t *problem,
//                            gmem_search_t *search, gmem_placement_t *plan,
//                            void *user, gmem_diag_t *diag);
//   const gmem_algorithm_t mine = {.name = "mine",
//       .summary = "one line for --help", .run = run};
//   gmem_solve(problem, &(gmem_solve_options_t){.algorithm = &mine}, plan,
//              &figures, &diag);
//
// examples/algorithm holds a complete one. pieces.h reduces a problem to the
// data that a placement heuristic needs.

#ifndef GMEM_PLANNER_ALGORITHM_H_
#define GMEM_PLANNER_ALGORITHM_H_

#include "gmem/planner/effort.h"
#include "gmem/planner/placements.h"

GMEM_BEGIN_C

// The state of one call of gmem_solve. Valid during that call, and used only by
// the thread that runs the algorithm.
typedef struct gmem_search_s gmem_search_t;

gmem_effort_t gmem_search_effort(const gmem_search_t *search);

// Counts |steps| units of work (one unit: one buffer or gap inspected). Returns
// false when the limit is reached or the caller cancelled the search: the
// algorithm then returns the best plan it has found.
bool gmem_search_spend(gmem_search_t *search, uint64_t steps);

// Fills |plan| (one placement per buffer). Must respect candidate pools,
// capacities, alignments, fixed offsets, conflicts, aliases and blocks;
// gmem_solve checks the result before it returns it. |user| is the pointer of
// the descriptor.
typedef gmem_status_t (*gmem_algorithm_fn)(const gmem_problem_t *problem,
                                           gmem_search_t *search,
                                           gmem_placement_t *plan, void *user,
                                           gmem_diag_t *diag);

// Descriptor of an algorithm. To provide your own, fill one of these.
typedef struct gmem_algorithm_s {
  const char *name;    // "greedy-by-size"
  const char *summary; // one line for --help
  gmem_algorithm_fn run;
  void *user; // passed to |run|
} gmem_algorithm_t;

// The built-in algorithms, in the order in which tools list them.
size_t gmem_algorithm_count(void);
const gmem_algorithm_t *gmem_algorithm_at(size_t index);
// The built-in algorithm named |name|, or NULL.
const gmem_algorithm_t *gmem_algorithm_find(const char *name);

//===--- shared libraries -------------------------------------------------===//

// The entry point that a shared library of algorithms defines; the tools'
// option --load-algorithm calls it. Returns the algorithms of the library for
// |index| = 0, 1, ..., then NULL. Must return NULL for a |version| other than
// the GMEM_ALGORITHM_VERSION the library was compiled with: the structs have
// then changed. The returned descriptors must stay valid until the process
// ends; the library is never closed.
//
// The library is not linked with the planner: the program that loads it
// exports all functions of gmem/planner.h. The code runs in that process, so a
// crash in it ends the process, and it is only interrupted where it calls
// gmem_search_spend.
#define GMEM_ALGORITHM_VERSION 1
#define GMEM_ALGORITHM_LOAD "gmem_algorithm_load"
const gmem_algorithm_t *gmem_algorithm_load(uint32_t version, size_t index);

GMEM_END_C
#endif // GMEM_PLANNER_ALGORITHM_H_
