// solve.h - runs a planning algorithm on a problem and checks its plan. C11 and
// C++17.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   gmem_plan_figures_t figures;
//   gmem_solve_options_t options = {.effort = GMEM_EFFORT_EXHAUSTIVE};
//   if (gmem_solve(problem, &options, plan, &figures, &diag) != GMEM_OK)
//     fprintf(stderr, "%s\n", diag.text);

#ifndef GMEM_PLANNER_SOLVE_H_
#define GMEM_PLANNER_SOLVE_H_

#include "gmem/planner/algorithm.h"
#include "gmem/planner/constraints.h"

GMEM_BEGIN_C

typedef struct gmem_progress_s {
  const char *stage;    // name of the algorithm that is running
  uint64_t steps;       // work done in this stage
  uint64_t step_limit;  // work after which this stage ends at the latest
  uint64_t peak;        // bytes, of the best plan so far; GMEM_UNLIMITED: none
  uint64_t lower_bound; // bytes: no plan has a lower peak
} gmem_progress_t;

// Called periodically, on the thread that called gmem_solve. Returning false
// ends the search; gmem_solve then returns the best plan found so far.
typedef bool (*gmem_progress_fn)(void *user, const gmem_progress_t *progress);

// All fields may be zero. New fields are appended.
typedef struct gmem_solve_options_s {
  uint32_t struct_size; // sizeof(gmem_solve_options_t); 0: the size in 0.1.0,
                        //   which ends with |progress_user|
  const gmem_algorithm_t *algorithm; // NULL: "auto"
  gmem_effort_t effort;
  uint64_t step_limit; // units of work; 0: the limit of the effort
  gmem_progress_fn progress;
  void *progress_user;
  // For problems with constraints (constraints.h):
  gmem_objective_t objective;
  uint64_t peak_slack; // PEAK: bytes by which each pool may grow to lower the
                       //   penalty
  uint64_t penalty_bytes; // WEIGHTED: bytes that a penalty of 1 is worth
  gmem_penalty_figures_t *penalties; // NULL, or filled on success
  uint64_t *problem_bound; // NULL, or set on success to the lower bound of the
                           //   peak in bytes, as by gmem_lower_bound or
                           //   gmem_lower_bound_below
  // The problem has only some of the optional aliases of its program. Leaves
  // out the one search that may find a lower peak with fewer aliases than with
  // all.
  bool has_fewer_aliases;
} gmem_solve_options_t;

// Runs the algorithm, then gmem_check; only a plan that passed is returned.
//
// The built-in algorithms place every buffer in its first candidate pool. When
// that pool is too small, the buffers with the highest benefit per occupied
// time stay, and the others move to their next candidate. The benefit of a
// placement is bytes x uses x (speed of the pool - speed of the next
// candidate), summed over the candidates that follow; a pair of pools of which
// one has no speed contributes a difference of 1. "auto" and "exact" then
// search for placements with a higher total benefit, and for any feasible plan
// where this rule finds none. Optional aliases are used where that makes the
// pools smaller.
//
// "auto" and "exact" then move buffers until the hard constraints hold and the
// objective is as small as they can make it: by local search, and by branch and
// bound for small problems in one pool. The other algorithms place buffers as
// their names say, without regard to constraints.
//
// |options| NULL: the defaults. |plan| has room for every buffer of the
// problem; |out_figures| may be NULL. Distinct problems, or one problem that is
// not modified, may be solved by several threads at a time.
//
// Fails with OVER_BUDGET (the buffers do not fit in their pools: |object| of
// the diagnostic is the first that does not fit, and the text names it; when
// the lower bound exceeds the capacity of its first pool, the text states that
// bound; or no plan was found in which a hard constraint holds), OVERLAP (two
// fixed buffers share bytes), the status of the
// algorithm, or the status of gmem_check (a defect of the algorithm). |plan| is
// unspecified on failure.
GMEM_MUST_USE gmem_status_t gmem_solve(const gmem_problem_t *problem,
                                       const gmem_solve_options_t *options,
                                       gmem_placement_t *plan,
                                       gmem_plan_figures_t *out_figures,
                                       gmem_diag_t *diag);

GMEM_END_C
#endif // GMEM_PLANNER_SOLVE_H_
