// odd.c - shared libraries that --load-algorithm refuses, and algorithms that
// fail, by macro.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdio.h>
#include <string.h>

#include "gmem/planner.h"

#ifndef NAME
#define NAME "odd"
#endif
#ifndef RUN
#define RUN run_silent
#endif

// Fails without a word.
static gmem_status_t run_silent(const gmem_problem_t *problem,
                                gmem_search_t *search, gmem_placement_t *plan,
                                void *user, gmem_diag_t *diag) {
  (void)problem, (void)search, (void)plan, (void)user, (void)diag;
  return GMEM_ERR_UNSUPPORTED;
}

// Says that all is well and has done nothing: everything lies at offset 0.
static gmem_status_t run_lazy(const gmem_problem_t *problem,
                              gmem_search_t *search, gmem_placement_t *plan,
                              void *user, gmem_diag_t *diag) {
  (void)search, (void)user, (void)diag;
  memset(plan, 0, gmem_problem_buffer_count(problem) * sizeof *plan);
  return GMEM_OK;
}

// Searches until it is told to end, with what another algorithm has found.
static gmem_status_t run_patient(const gmem_problem_t *problem,
                                 gmem_search_t *search, gmem_placement_t *plan,
                                 void *user, gmem_diag_t *diag) {
  const gmem_algorithm_t *other = gmem_algorithm_find(user);
  while (gmem_search_spend(search, 1))
    continue;
  return other->run(problem, search, plan, other->user, diag);
}

const gmem_algorithm_t *gmem_algorithm_load(uint32_t version, size_t index) {
  static const gmem_algorithm_t odd = {NAME, "not to be used", RUN,
                                       "greedy-by-size"};
  (void)run_silent, (void)run_lazy, (void)run_patient;
#ifdef OTHER_VERSION
  return version == GMEM_ALGORITHM_VERSION + 1 && index == 0 ? &odd : NULL;
#elif defined(ENDLESS)
  static gmem_algorithm_t many[300];
  static char names[300][8];
  snprintf(names[index % 300], sizeof names[0], "a%zu", index % 300);
  many[index % 300] = odd;
  many[index % 300].name = names[index % 300];
  return version ? &many[index % 300] : NULL;
#elif defined(TWICE)
  return version == GMEM_ALGORITHM_VERSION && index < 2 ? &odd : NULL;
#else
  return version == GMEM_ALGORITHM_VERSION && index == 0 ? &odd : NULL;
#endif
}
