// solve_cache.h - the file in which gmem-solve keeps plans for the next time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_SOLVE_CACHE_H_
#define GMEM_TOOLS_SOLVE_CACHE_H_

#include <pthread.h>

#include "gmem/planner.h"

// Lookups use the file as it was when opened, so that the result of a batch
// does not depend on the order of its threads.
typedef struct gmem_solve_cache_s {
  const char *path; // not owned
  char *text;       // file content when opened
  size_t length;
  char *grown; // |text| with the plans added since; NULL: none
  size_t grown_length;
  pthread_mutex_t mutex; // of |grown|
} gmem_solve_cache_t;

// Reads |path|, which need not exist. Fails with IO, OUT_OF_MEMORY or CORRUPT
// (not a plan cache: must not be overwritten).
GMEM_MUST_USE gmem_status_t gmem_solve_cache_open(gmem_solve_cache_t *cache,
                                                  const char *path,
                                                  gmem_diag_t *diag);

// Writes the file with the added plans, atomically.
GMEM_MUST_USE gmem_status_t gmem_solve_cache_save(gmem_solve_cache_t *cache,
                                                  gmem_diag_t *diag);
void gmem_solve_cache_close(gmem_solve_cache_t *cache);

// Finds a plan made by the algorithm of |request| with at least its effort, or
// with |any_algorithm| any plan that is proved optimal. Returns false if there
// is none.
bool gmem_solve_cache_find(const gmem_solve_cache_t *cache,
                           const gmem_problem_t *problem,
                           const gmem_cached_plan_t *request,
                           bool any_algorithm, gmem_placement_t *plan,
                           gmem_plan_figures_t *out_figures);

// Adds a plan. Thread-safe.
GMEM_MUST_USE gmem_status_t
gmem_solve_cache_add(gmem_solve_cache_t *cache, const gmem_problem_t *problem,
                     const gmem_placement_t *plan,
                     const gmem_cached_plan_t *about, gmem_diag_t *diag);

#endif // GMEM_TOOLS_SOLVE_CACHE_H_
