// planner_pools_test.c - which pool a buffer goes to, and small problems with
// everything in them against a look at every plan.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %unit/planner_pools_test

#include <string.h>

#include "check.h"
#include "planner_reference.h"

enum { MOST = 8 };

//===--- who stays --------------------------------------------------------===//

static gmem_problem_t *two_pools(uint64_t fast) {
  gmem_problem_t *problem = one_pool_problem(fast, 1, 0);
  uint32_t slow;
  gmem_pool_spec_t pool = {
      .name = "slow", .capacity = GMEM_UNLIMITED, .alignment = 1};
  CHECK(gmem_problem_add_pool(problem, &pool, &slow, NULL) == GMEM_OK);
  return problem;
}

static uint32_t add_used(gmem_problem_t *problem, int64_t begin, int64_t end,
                         uint64_t size, uint64_t uses) {
  gmem_live_range_t range = {begin, end};
  gmem_buffer_spec_t spec = {.size = size,
                             .alignment = 1,
                             .ranges = &range,
                             .range_count = 1,
                             .uses = uses};
  uint32_t index;
  CHECK(gmem_problem_add_buffer(problem, &spec, &index, NULL) == GMEM_OK);
  return index;
}

static void expect_pools(const gmem_problem_t *problem, const uint32_t *pools) {
  gmem_placement_t plan[MOST];
  for (size_t i = 0; i < gmem_algorithm_count(); ++i) {
    CHECK(gmem_solve(problem,
                     &(gmem_solve_options_t){.algorithm = gmem_algorithm_at(i)},
                     plan, NULL, NULL) == GMEM_OK);
    for (uint32_t k = 0; k < gmem_problem_buffer_count(problem); ++k)
      CHECK(plan[k].pool == pools[k]);
  }
}

static void what_is_used_most_stays(void) {
  gmem_problem_t *problem = two_pools(16);
  add_used(problem, 0, 4, 16, 1); // came first
  add_used(problem, 0, 4, 8, 9);
  add_used(problem, 0, 4, 8, 5);
  expect_pools(problem, (uint32_t[]){1, 0, 0});
  gmem_problem_destroy(problem);
}

static void what_is_in_the_way_for_long_goes(void) {
  gmem_problem_t *problem = two_pools(16);
  add_used(problem, 0, 10, 10, 3); // overloaded at 1, 3, 5
  add_used(problem, 1, 2, 10, 2);
  add_used(problem, 3, 4, 10, 2);
  add_used(problem, 5, 6, 10, 2);
  expect_pools(problem, (uint32_t[]){1, 0, 0, 0});
  gmem_problem_destroy(problem);
}

static void what_is_live_elsewhere_stays(void) {
  gmem_problem_t *problem = two_pools(16);
  add_used(problem, 0, 1, 16, 1); // alone in its time
  add_used(problem, 1, 2, 16, 2);
  add_used(problem, 1, 2, 16, 3);
  expect_pools(problem, (uint32_t[]){0, 1, 0});
  gmem_problem_destroy(problem);
}

static void views_go_together(void) {
  gmem_problem_t *problem = two_pools(16);
  add_used(problem, 0, 4, 12, 1);
  add_used(problem, 0, 4, 4, 1);
  add_used(problem, 0, 4, 16, 7);
  CHECK(gmem_problem_add_alias(
            problem, &(gmem_alias_spec_t){1, 0, 8, .is_optional = false},
            NULL) == GMEM_OK);
  expect_pools(problem, (uint32_t[]){1, 1, 0});
  gmem_problem_destroy(problem);
}

static void spills_of_many_buffers_use_most_of_the_pool(void) {
  enum { MANY = 2000 };
  static gmem_placement_t plan[MANY];
  uint64_t seed = 5, capacity = 20000, stayed = 0;
  gmem_problem_t *problem = two_pools(capacity);
  for (uint32_t i = 0; i < MANY; ++i) {
    int64_t begin = random_below(&seed, 1000);
    add_used(problem, begin, begin + 1 + random_below(&seed, 40),
             1 + random_below(&seed, 2000), 1 + random_below(&seed, 9));
  }
  CHECK(gmem_solve(problem, &(gmem_solve_options_t){.effort = GMEM_EFFORT_FAST},
                   plan, NULL, NULL) == GMEM_OK);
  for (uint32_t i = 0; i < MANY; ++i)
    stayed += plan[i].pool == 0;
  CHECK(stayed > MANY / 3 && stayed < MANY);
  CHECK(gmem_plan_pool_size(problem, plan, 0) > capacity * 9 / 10);
  gmem_problem_destroy(problem);
}

//===--- every plan -------------------------------------------------------===//

typedef struct search_all_s {
  const gmem_problem_t *problem;
  gmem_placement_t plan[MOST];
  uint64_t best; // sum of the sizes of the pools; GMEM_UNLIMITED: none
} search_all_t;

enum { HIGHEST = 13 }; // offsets that are looked at

static void look_at_plan(search_all_t *all) {
  uint64_t size = 0;
  if (reference_check(all->problem, all->plan).violation != GMEM_VIOLATION_NONE)
    return;
  for (uint32_t i = 0; i < gmem_problem_pool_count(all->problem); ++i)
    size += gmem_plan_pool_size(all->problem, all->plan, i);
  all->best = size < all->best ? size : all->best;
}

// Goes on to the next placement of |buffer|; false after the last.
static bool next_placement(const search_all_t *all, uint32_t buffer,
                           gmem_placement_t *placement, size_t *candidate) {
  const gmem_buffer_spec_t *spec = gmem_problem_buffer(all->problem, buffer);
  if (spec->has_fixed_offset)
    return false;
  placement->offset += spec->alignment;
  if (placement->offset + spec->size <= HIGHEST &&
      placement->offset + spec->size <= all->best)
    return true;
  if (++*candidate == spec->pool_count)
    return false;
  *placement = (gmem_placement_t){0, spec->pools[*candidate]};
  return true;
}

static gmem_placement_t first_placement(const gmem_problem_t *problem,
                                        uint32_t buffer) {
  const gmem_buffer_spec_t *spec = gmem_problem_buffer(problem, buffer);
  return (gmem_placement_t){spec->has_fixed_offset ? spec->fixed_offset : 0,
                            spec->pools[0]};
}

// The least peak of all plans.
static uint64_t least_peak(const gmem_problem_t *problem) {
  search_all_t all = {.problem = problem, .best = GMEM_UNLIMITED};
  size_t candidates[MOST] = {0};
  uint32_t count = gmem_problem_buffer_count(problem), at = 0;
  for (uint32_t i = 0; i < count; ++i)
    all.plan[i] = first_placement(problem, i);
  while (at < count) {
    look_at_plan(&all);
    for (at = 0; at < count &&
                 !next_placement(&all, at, &all.plan[at], &candidates[at]);
         ++at) {
      all.plan[at] = first_placement(problem, at);
      candidates[at] = 0;
    }
  }
  return all.best;
}

static void add_tiny_buffer(gmem_problem_t *problem, uint64_t *seed) {
  gmem_live_range_t ranges[2];
  gmem_branch_t branches[2];
  uint32_t last = gmem_problem_pool_count(problem) - 1, index;
  ranges[0].begin = random_below(seed, 4);
  ranges[0].end = ranges[0].begin + 1 + random_below(seed, 3);
  ranges[1].begin = ranges[0].end + 1;
  ranges[1].end = ranges[1].begin + 1 + random_below(seed, 2);
  gmem_buffer_spec_t spec = {.name = "b",
                             .size = 1 + random_below(seed, 4),
                             .alignment = UINT64_C(1) << random_below(seed, 2),
                             .ranges = ranges,
                             .range_count = random_below(seed, 4) ? 1 : 2,
                             .branches = branches};
  if (random_below(seed, 2))
    spec.branch_count = random_branches(branches, seed);
  if (random_below(seed, 3) == 0) {
    spec.pools = &last;
    spec.pool_count = 1;
  }
  spec.has_fixed_offset = random_below(seed, 12) == 0;
  spec.fixed_offset = 2 * random_below(seed, 3);
  CHECK(gmem_problem_add_buffer(problem, &spec, &index, NULL) == GMEM_OK);
}

static gmem_problem_t *tiny_problem(uint64_t *seed) {
  gmem_problem_t *problem =
      random_below(seed, 3)
          ? one_pool_problem(GMEM_UNLIMITED, 1 + random_below(seed, 2), 0)
          : two_pools(2 + random_below(seed, 5));
  for (uint32_t i = 2 + random_below(seed, 2); i; --i)
    add_tiny_buffer(problem, seed);
  for (uint32_t i = random_below(seed, 3); i; --i)
    add_random_conflict(problem, seed);
  for (uint32_t i = random_below(seed, 4); i; --i)
    add_random_alias(problem, seed);
  for (uint32_t i = random_below(seed, 2); i; --i)
    add_random_block(problem, seed);
  return problem;
}

// The bound holds, what can be solved is solved, what is called optimal is.
static void agrees_with_a_look_at_every_plan(uint32_t problems) {
  uint64_t seed = 17;
  uint32_t solved = 0, optimal = 0, missed = 0;
  for (uint32_t i = 0; i < problems; ++i) {
    gmem_problem_t *problem = tiny_problem(&seed);
    gmem_plan_figures_t figures;
    gmem_placement_t plan[MOST];
    uint64_t best = least_peak(problem), bound;
    gmem_status_t status = gmem_lower_bound(problem, &bound, NULL);
    CHECK(status != GMEM_OK || bound <= best);
    status = gmem_solve(problem, &(gmem_solve_options_t){.step_limit = 30000},
                        plan, &figures, NULL);
    missed += status != GMEM_OK && best != GMEM_UNLIMITED;
    if (status == GMEM_OK && best != GMEM_UNLIMITED) {
      ++solved;
      optimal += figures.peak == best;
      CHECK(figures.peak >= best);
      CHECK(!figures.optimal || figures.peak == best);
      CHECK(figures.lower_bound <= best);
    }
    gmem_problem_destroy(problem);
  }
  CHECK(missed <= problems / 1000);
  CHECK(solved > problems * 4 / 5);
  CHECK(optimal > solved * 9 / 10);
}

// planner_pools_test [problems]
int main(int argc, char **argv) {
  what_is_used_most_stays();
  what_is_in_the_way_for_long_goes();
  what_is_live_elsewhere_stays();
  views_go_together();
  spills_of_many_buffers_use_most_of_the_pool();
  agrees_with_a_look_at_every_plan(
      argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1000);
  return CHECK_RESULT();
}
