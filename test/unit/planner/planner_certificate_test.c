// planner_certificate_test.c - who makes a plan large, and who does not fit.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %unit/planner_certificate_test

#include <string.h>

#include "check.h"
#include "planner_reference.h"

enum { MOST = 64 };

static uint32_t buffers[MOST];

//===--- the peak ---------------------------------------------------------===//

static void lists_who_is_live_at_the_peak(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  gmem_placement_t plan[MOST];
  gmem_peak_t peak;
  add_buffer(problem, 0, 9, 4, 1);
  add_buffer(problem, 1, 3, 8, 1);
  add_buffer(problem, 5, 7, 10, 1); // ends last
  add_buffer(problem, 6, 8, 6, 1);
  add_buffer(problem, 6, 8, 0, 1); // empty: in nobody's way
  add_buffer(problem, 6, 8, 2, 1); // a view
  CHECK(gmem_problem_add_alias(
            problem, &(gmem_alias_spec_t){5, 0, 1, .is_optional = false},
            NULL) == GMEM_OK);
  CHECK(gmem_solve(problem, NULL, plan, NULL, NULL) == GMEM_OK);
  CHECK(gmem_plan_pool_size(problem, plan, 0) == 20);
  CHECK(gmem_find_peak(problem, plan, 0, buffers, &peak, NULL) == GMEM_OK);
  CHECK(peak.time == 6 && peak.bytes == 20 && peak.count == 4);
  for (size_t i = 1; i < peak.count; ++i)
    CHECK(plan[buffers[i - 1]].offset <= plan[buffers[i]].offset);
  CHECK(gmem_find_peak(problem, plan, 1, buffers, &peak, NULL) ==
        GMEM_ERR_OUT_OF_RANGE);
  gmem_problem_destroy(problem);
}

// Of two that end last, the one that is not above a gap tells more.
static void prefers_the_peak_without_gaps(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  const gmem_placement_t plan[] = {{6, 0}, {0, 0}};
  gmem_peak_t peak;
  add_buffer(problem, 0, 1, 4, 1);
  add_buffer(problem, 2, 3, 10, 1);
  CHECK(gmem_find_peak(problem, plan, 0, buffers, &peak, NULL) == GMEM_OK);
  CHECK(peak.time == 2 && peak.bytes == 10 && peak.count == 1);
  CHECK(buffers[0] == 1);
  gmem_problem_destroy(problem);
}

static void an_empty_pool_has_no_peak(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  gmem_peak_t peak;
  CHECK(gmem_find_peak(problem, NULL, 0, NULL, &peak, NULL) == GMEM_OK);
  CHECK(peak.count == 0 && peak.bytes == 0);
  gmem_problem_destroy(problem);
}

//===--- what does not fit ------------------------------------------------===//

static gmem_infeasible_t infeasible(const gmem_problem_t *problem) {
  gmem_infeasible_t result;
  CHECK(gmem_find_infeasible(problem, 0, NULL, buffers, &result, NULL) ==
        GMEM_OK);
  return result;
}

static void finds_the_few_that_are_too_much_at_one_time(void) {
  gmem_problem_t *problem = one_pool_problem(32, 1, 0);
  for (int64_t i = 0; i < 20; ++i)
    add_buffer(problem, i, i + 2, 12, 1);
  add_buffer(problem, 5, 6, 9, 1);
  gmem_infeasible_t result = infeasible(problem);
  CHECK(!result.fits && result.irreducible && result.count == 3);
  CHECK(result.by_load);
  CHECK(buffers[0] == 4 && buffers[1] == 5 && buffers[2] == 20);
  gmem_problem_destroy(problem);
}

static void knows_what_fits(void) {
  gmem_problem_t *problem = one_pool_problem(24, 1, 0);
  for (int64_t i = 0; i < 20; ++i)
    add_buffer(problem, i, i + 2, 12, 1);
  gmem_infeasible_t result = infeasible(problem);
  CHECK(result.fits && result.count == 0);
  gmem_problem_destroy(problem);
}

static void a_fixed_buffer_can_be_enough(void) {
  gmem_problem_t *problem = one_pool_problem(24, 1, 0);
  add_buffer(problem, 0, 4, 12, 1);
  add_fixed(problem, 8, 9, 8, 20);
  gmem_infeasible_t result = infeasible(problem);
  CHECK(!result.fits && result.irreducible && result.count == 1);
  CHECK(buffers[0] == 1);
  gmem_problem_destroy(problem);
}

// Three in a ring of conflicts: no time has more than two of them.
static void finds_what_only_a_search_can_tell(void) {
  gmem_problem_t *problem = one_pool_problem(16, 1, 0);
  add_buffer(problem, 0, 1, 8, 1);
  add_buffer(problem, 2, 3, 8, 1);
  add_buffer(problem, 4, 5, 8, 1);
  add_buffer(problem, 0, 9, 1, 1); // not needed for that
  CHECK(gmem_problem_add_conflict(problem, 0, 1, NULL) == GMEM_OK);
  CHECK(gmem_problem_add_conflict(problem, 1, 2, NULL) == GMEM_OK);
  CHECK(gmem_problem_add_conflict(problem, 0, 2, NULL) == GMEM_OK);
  gmem_infeasible_t result = infeasible(problem);
  CHECK(!result.fits);
  if (result.count) // a search that can do conflicts
    CHECK(result.count == 3 && result.irreducible && !result.by_load);
  gmem_problem_destroy(problem);
}

// Fixed buffers leave two gaps of 4 for two buffers of 6 and 2.
static void finds_what_fixed_buffers_make_impossible(void) {
  gmem_problem_t *problem = one_pool_problem(12, 1, 0);
  add_buffer(problem, 0, 4, 6, 1);
  add_buffer(problem, 0, 4, 2, 1);
  add_fixed(problem, 0, 4, 4, 4);
  gmem_infeasible_t result = infeasible(problem);
  CHECK(!result.fits);
  for (size_t i = 0; i < result.count; ++i)
    CHECK(buffers[i] != 1);
  gmem_problem_destroy(problem);
}

// Whatever is called irreducible is: checked with the load alone.
static void sets_of_random_problems_are_minimal(void) {
  uint64_t seed = 23;
  uint32_t found = 0;
  for (int i = 0; i < 300; ++i) {
    gmem_problem_t *problem =
        one_pool_problem(20 + random_below(&seed, 40), 4, 0);
    for (uint32_t k = 1 + random_below(&seed, 20); k; --k) {
      int64_t begin = random_below(&seed, 12);
      add_buffer(problem, begin, begin + 1 + random_below(&seed, 4),
                 1 + random_below(&seed, 16),
                 UINT64_C(1) << random_below(&seed, 4));
    }
    gmem_infeasible_t result;
    CHECK(gmem_find_infeasible(problem, 0,
                               &(gmem_solve_options_t){.step_limit = 1 << 20},
                               buffers, &result, NULL) == GMEM_OK);
    gmem_placement_t plan[MOST];
    gmem_status_t status =
        gmem_solve(problem, &(gmem_solve_options_t){.step_limit = 1 << 20},
                   plan, NULL, NULL);
    CHECK(!(result.count && status == GMEM_OK));
    CHECK(!(result.count && result.fits));
    found += result.count > 0 && result.irreducible;
    gmem_problem_destroy(problem);
  }
  CHECK(found > 50);
}

//===--- several pools ----------------------------------------------------===//

static void add_among(gmem_problem_t *problem, int64_t begin, int64_t end,
                      uint64_t size, const uint32_t *pools, size_t count) {
  uint32_t index;
  gmem_live_range_t range = {begin, end};
  CHECK(gmem_problem_add_buffer(problem,
                                &(gmem_buffer_spec_t){.name = "",
                                                      .size = size,
                                                      .alignment = 1,
                                                      .ranges = &range,
                                                      .range_count = 1,
                                                      .pools = pools,
                                                      .pool_count = count},
                                &index, NULL) == GMEM_OK);
}

static gmem_problem_t *pools_problem(const uint64_t *capacities, size_t count) {
  static const char *const names[] = {"p", "q", "r", "s"};
  gmem_problem_t *problem;
  uint32_t index;
  CHECK(gmem_problem_create(NULL, &problem, NULL) == GMEM_OK);
  for (size_t i = 0; i < count; ++i)
    CHECK(gmem_problem_add_pool(problem,
                                &(gmem_pool_spec_t){.name = names[i],
                                                    .capacity = capacities[i],
                                                    .alignment = 1},
                                &index, NULL) == GMEM_OK);
  return problem;
}

// Two pools of three are short together, and neither is by itself.
static void finds_pools_that_are_short_together(void) {
  static const uint32_t pq[] = {0, 1}, pqr[] = {0, 1, 2};
  gmem_problem_t *problem =
      pools_problem((uint64_t[]){60, 59, GMEM_UNLIMITED}, 3);
  uint32_t pools[3];
  gmem_infeasible_t result;
  add_among(problem, 0, 2, 100, pqr, 3);
  add_among(problem, 0, 2, 40, pq, 2);
  add_among(problem, 0, 3, 40, pq, 2);
  add_among(problem, 5, 6, 50, pq, 2);
  CHECK(gmem_find_shortage(problem, NULL, buffers, pools, &result, NULL) ==
        GMEM_OK);
  CHECK(result.count == 0 && result.fits);
  add_among(problem, 1, 2, 40, pq, 1);
  CHECK(gmem_find_shortage(problem, NULL, buffers, pools, &result, NULL) ==
        GMEM_OK);
  CHECK(result.count == 3 && result.irreducible && result.by_load);
  CHECK(!result.fits && result.pool_count == 2);
  CHECK(pools[0] == 0 && pools[1] == 1);
  CHECK(buffers[0] == 1 && buffers[1] == 2 && buffers[2] == 4);
  gmem_problem_destroy(problem);
}

// A set is never found where there is a plan, and what is called irreducible is
// feasible without any one of them.
static void sets_of_pools_are_proofs(void) {
  uint64_t seed = 5;
  uint32_t found = 0;
  for (int i = 0; i < 400; ++i) {
    uint64_t capacities[3];
    uint32_t lists[3], pools[3];
    for (int k = 0; k < 3; ++k)
      capacities[k] = 10 + random_below(&seed, 20);
    gmem_problem_t *problem = pools_problem(capacities, 3);
    for (uint32_t k = 4 + random_below(&seed, 16); k; --k) {
      uint32_t first = random_below(&seed, 3), count = 0;
      int64_t begin = random_below(&seed, 6);
      for (uint32_t p = 0; p < 3; ++p)
        if (p == first || random_below(&seed, 3))
          lists[count++] = p;
      add_among(problem, begin, begin + 1 + random_below(&seed, 4),
                1 + random_below(&seed, 12), lists, count);
    }
    gmem_infeasible_t result;
    gmem_placement_t plan[MOST];
    CHECK(gmem_find_shortage(problem, NULL, buffers, pools, &result, NULL) ==
          GMEM_OK);
    gmem_status_t status = gmem_solve(problem, NULL, plan, NULL, NULL);
    CHECK(!(result.count && status == GMEM_OK));
    CHECK(status == GMEM_OK || status == GMEM_ERR_OVER_BUDGET);
    found += result.pool_count > 1 && result.count > 1 && result.irreducible;
    gmem_problem_destroy(problem);
  }
  CHECK(found > 20);
}

int main(void) {
  lists_who_is_live_at_the_peak();
  prefers_the_peak_without_gaps();
  an_empty_pool_has_no_peak();
  finds_the_few_that_are_too_much_at_one_time();
  knows_what_fits();
  a_fixed_buffer_can_be_enough();
  finds_what_only_a_search_can_tell();
  finds_what_fixed_buffers_make_impossible();
  sets_of_random_problems_are_minimal();
  finds_pools_that_are_short_together();
  sets_of_pools_are_proofs();
  return CHECK_RESULT();
}
