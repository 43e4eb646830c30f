// solve_cache.h - the directory in which gmem-solve keeps plans for the next
// time, one file per problem (docs/plan-cache.md).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_SOLVE_CACHE_H_
#define GMEM_TOOLS_SOLVE_CACHE_H_

#include <pthread.h>

#include "gmem/planner.h"

typedef struct gmem_solve_cache_s {
  const char *folder;    // not owned
  pthread_mutex_t mutex; // of what follows
  void *added;           // digests of problems: a tree of <search.h>
  gmem_diag_t diag;      // of the first failure to add a plan
} gmem_solve_cache_t;

// Opens the directory |folder|, which is created when the first plan is added.
// Fails with INVALID_ARGUMENT if it is another file.
GMEM_MUST_USE gmem_status_t gmem_solve_cache_open(gmem_solve_cache_t *cache,
                                                  const char *folder,
                                                  gmem_diag_t *diag);

// Closes the cache. Returns the first failure to add a plan.
GMEM_MUST_USE gmem_status_t gmem_solve_cache_close(gmem_solve_cache_t *cache,
                                                   gmem_diag_t *diag);

// Finds a plan from before this run, so that the result of a batch does not
// depend on the order of its threads: one of the algorithm and at least the
// effort of |wanted|, or with |any_algorithm| any plan that is proved optimal.
// Returns false if there is none. Damaged files are no plans. Thread-safe.
bool gmem_solve_cache_find(gmem_solve_cache_t *cache,
                           const gmem_problem_t *problem,
                           const gmem_cached_plan_t *wanted, bool any_algorithm,
                           gmem_placement_t *plan,
                           gmem_plan_figures_t *out_figures);

// Adds a plan, unless the file of the problem holds one that is as good.
// Failures are reported by gmem_solve_cache_close. Thread-safe.
void gmem_solve_cache_add(gmem_solve_cache_t *cache,
                          const gmem_problem_t *problem,
                          const gmem_placement_t *plan,
                          const gmem_cached_plan_t *about);

#endif // GMEM_TOOLS_SOLVE_CACHE_H_
