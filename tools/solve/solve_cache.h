// solve_cache.h - the file in which gmem-solve keeps plans for the next time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_SOLVE_CACHE_H_
#define GMEM_TOOLS_SOLVE_CACHE_H_

#include <pthread.h>

#include "gmem/planner.h"

// What is looked up is the file as it was when it was opened, so the threads of
// a batch find the same whatever their order.
typedef struct gmem_solve_cache_s {
  const char *path; // not owned
  char *text;       // as it was read
  size_t length;
  char *grown; // with what was added since; NULL: nothing was
  size_t grown_length;
  pthread_mutex_t mutex; // of |grown|
} gmem_solve_cache_t;

// Reads |path|, which need not exist. Fails with IO, OUT_OF_MEMORY or CORRUPT
// (a file that is something else, which must not be replaced).
GMEM_MUST_USE gmem_status_t gmem_solve_cache_open(gmem_solve_cache_t *cache,
                                                  const char *path,
                                                  gmem_diag_t *diag);

// Writes what was added, all or nothing.
GMEM_MUST_USE gmem_status_t gmem_solve_cache_save(gmem_solve_cache_t *cache,
                                                  gmem_diag_t *diag);
void gmem_solve_cache_close(gmem_solve_cache_t *cache);

// Looks for a plan that |wanted| says is good enough: by the same algorithm
// with as much effort, or (|any_algorithm|) proved to be the best. Returns
// false when there is none.
bool gmem_solve_cache_find(const gmem_solve_cache_t *cache,
                           const gmem_problem_t *problem,
                           const gmem_cached_plan_t *wanted, bool any_algorithm,
                           gmem_placement_t *plan,
                           gmem_plan_figures_t *out_figures);

// Adds a plan. Any number of threads may do so.
GMEM_MUST_USE gmem_status_t
gmem_solve_cache_add(gmem_solve_cache_t *cache, const gmem_problem_t *problem,
                     const gmem_placement_t *plan,
                     const gmem_cached_plan_t *about, gmem_diag_t *diag);

#endif // GMEM_TOOLS_SOLVE_CACHE_H_
