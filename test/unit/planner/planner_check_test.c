// planner_check_test.c - the checker finds what is wrong, and first what is
// first.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// UNSUPPORTED: sanitizer && !nightly
// REQUIRES: long_tests
// RUN: %unit/planner_check_test

#include <inttypes.h>
#include <string.h>

#include "check.h"
#include "planner_reference.h"

enum { MOST = 64 };

static gmem_placement_t plan[MOST];

static void expect(const gmem_problem_t *problem, gmem_status_t status,
                   gmem_check_result_t expected) {
  gmem_check_result_t result;
  gmem_diag_t diag = {0};
  CHECK(gmem_check(problem, plan, &result, &diag) == status);
  CHECK(same_result(&result, &expected));
  CHECK(gmem_check(problem, plan, NULL, NULL) == status);
  CHECK(status == GMEM_OK || diag.object == expected.first);
  gmem_check_result_t slow = reference_check(problem, plan);
  CHECK(same_result(&slow, &expected));
}

static void expect_fine(const gmem_problem_t *problem) {
  expect(problem, GMEM_OK,
         (gmem_check_result_t){.violation = GMEM_VIOLATION_NONE});
}

static void expect_alone(const gmem_problem_t *problem, gmem_status_t status,
                         gmem_violation_t violation, uint32_t buffer) {
  expect(problem, status,
         (gmem_check_result_t){
             .violation = violation,
             .first = buffer,
             .second = GMEM_NO_BUFFER,
             .pool = plan[buffer].pool,
             .time = gmem_problem_buffer(problem, buffer)->ranges[0].begin});
}

static void touching_is_fine_and_one_byte_is_not(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  add_buffer(problem, 0, 4, 8, 1);
  add_buffer(problem, 2, 6, 8, 1);
  plan[0] = (gmem_placement_t){0, 0};
  plan[1] = (gmem_placement_t){8, 0};
  expect_fine(problem);
  plan[1].offset = 7;
  expect(problem, GMEM_ERR_OVERLAP,
         (gmem_check_result_t){.violation = GMEM_VIOLATION_OVERLAP,
                               .first = 0,
                               .second = 1,
                               .time = 2,
                               .begin = 7,
                               .end = 8});
  gmem_problem_destroy(problem);
}

static void touching_in_time_is_fine_and_one_step_is_not(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  add_buffer(problem, 0, 4, 8, 1);
  add_buffer(problem, 4, 6, 8, 1);
  plan[0] = plan[1] = (gmem_placement_t){0, 0};
  expect_fine(problem);
  add_buffer(problem, 5, 6, 1, 1);
  plan[2] = (gmem_placement_t){7, 0};
  expect(problem, GMEM_ERR_OVERLAP,
         (gmem_check_result_t){.violation = GMEM_VIOLATION_OVERLAP,
                               .first = 1,
                               .second = 2,
                               .time = 5,
                               .begin = 7,
                               .end = 8});
  gmem_problem_destroy(problem);
}

static void names_the_lowest_of_many_that_overlap(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  // At time 1 the fourth meets all of the first three.
  for (uint64_t i = 0; i < 3; ++i) {
    add_buffer(problem, 0, 4, 4, 1);
    plan[i] = (gmem_placement_t){8 - 4 * i, 0};
  }
  add_buffer(problem, 1, 4, 12, 1);
  plan[3] = (gmem_placement_t){0, 0};
  expect(problem, GMEM_ERR_OVERLAP,
         (gmem_check_result_t){.violation = GMEM_VIOLATION_OVERLAP,
                               .first = 0,
                               .second = 3,
                               .time = 1,
                               .begin = 8,
                               .end = 12});
  gmem_problem_destroy(problem);
}

static void sees_a_small_block_inside_a_large_one(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  add_buffer(problem, 0, 4, 100, 1);
  add_buffer(problem, 1, 2, 1, 1);
  plan[0] = (gmem_placement_t){0, 0};
  plan[1] = (gmem_placement_t){50, 0};
  expect(problem, GMEM_ERR_OVERLAP,
         (gmem_check_result_t){.violation = GMEM_VIOLATION_OVERLAP,
                               .first = 0,
                               .second = 1,
                               .time = 1,
                               .begin = 50,
                               .end = 51});
  gmem_problem_destroy(problem);
}

static void sees_every_misplacement(void) {
  gmem_problem_t *problem = one_pool_problem(64, 8, 0);
  uint32_t other, index;
  gmem_pool_spec_t pool = {.name = "b", .capacity = 64, .alignment = 1};
  CHECK(gmem_problem_add_pool(problem, &pool, &other, NULL) == GMEM_OK);
  gmem_live_range_t range = {3, 5};
  gmem_buffer_spec_t spec = {.size = 8,
                             .alignment = 16,
                             .ranges = &range,
                             .range_count = 1,
                             .pools = &(uint32_t){0},
                             .pool_count = 1};
  CHECK(gmem_problem_add_buffer(problem, &spec, &index, NULL) == GMEM_OK);
  plan[0] = (gmem_placement_t){16, 0};
  expect_fine(problem);
  plan[0].offset = 24;
  expect_alone(problem, GMEM_ERR_ALIGNMENT, GMEM_VIOLATION_ALIGNMENT, 0);
  plan[0].offset = 64;
  expect_alone(problem, GMEM_ERR_OVER_BUDGET, GMEM_VIOLATION_CAPACITY, 0);
  plan[0].offset = UINT64_MAX - 15; // its end wraps around
  expect_alone(problem, GMEM_ERR_OVER_BUDGET, GMEM_VIOLATION_CAPACITY, 0);
  plan[0] = (gmem_placement_t){16, other};
  expect_alone(problem, GMEM_ERR_INVALID_ARGUMENT, GMEM_VIOLATION_POOL, 0);
  plan[0].pool = UINT32_MAX;
  expect_alone(problem, GMEM_ERR_INVALID_ARGUMENT, GMEM_VIOLATION_POOL, 0);
  plan[0] = (gmem_placement_t){16, 0};
  add_fixed(problem, 0, 1, 8, 32);
  plan[1] = (gmem_placement_t){40, 0};
  expect_alone(problem, GMEM_ERR_INVALID_ARGUMENT, GMEM_VIOLATION_FIXED, 1);
  plan[1] = (gmem_placement_t){32, other};
  expect_alone(problem, GMEM_ERR_INVALID_ARGUMENT, GMEM_VIOLATION_POOL, 1);
  plan[1].pool = 0;
  expect_fine(problem);
  gmem_problem_destroy(problem);
}

static void empty_buffers_conflict_with_nothing(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  add_buffer(problem, 0, 4, 8, 1);
  add_buffer(problem, 0, 4, 0, 1);
  plan[0] = (gmem_placement_t){0, 0};
  plan[1] = (gmem_placement_t){4, 0};
  expect_fine(problem);
  gmem_problem_destroy(problem);
}

static void same_offsets_in_two_pools_are_fine(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  uint32_t other;
  gmem_pool_spec_t pool = {.name = "b", .capacity = 64, .alignment = 1};
  CHECK(gmem_problem_add_pool(problem, &pool, &other, NULL) == GMEM_OK);
  add_buffer(problem, 0, 4, 8, 1);
  add_buffer(problem, 0, 4, 8, 1);
  plan[0] = (gmem_placement_t){0, 0};
  plan[1] = (gmem_placement_t){0, other};
  expect_fine(problem);
  gmem_problem_destroy(problem);
}

static void checks_the_ends_of_time(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  add_buffer(problem, INT64_MIN, INT64_MAX, GMEM_MAX_ADDRESS - 1, 1);
  add_buffer(problem, INT64_MAX - 1, INT64_MAX, 1, 1);
  plan[0] = (gmem_placement_t){0, 0};
  plan[1] = (gmem_placement_t){GMEM_MAX_ADDRESS - 1, 0};
  CHECK(gmem_check(problem, plan, NULL, NULL) == GMEM_OK);
  plan[1].offset = GMEM_MAX_ADDRESS - 2;
  gmem_check_result_t result;
  CHECK(gmem_check(problem, plan, &result, NULL) == GMEM_ERR_OVERLAP);
  CHECK(result.time == INT64_MAX - 1);
  gmem_problem_destroy(problem);
}

// Breaks one placement of |plan| in one of several ways.
static void mutate(const gmem_problem_t *problem, uint64_t *seed) {
  uint32_t count = gmem_problem_buffer_count(problem);
  if (count == 0)
    return;
  gmem_placement_t *placement = &plan[random_below(seed, count)];
  switch (random_below(seed, 5)) {
  case 0:
    placement->offset += 1 + random_below(seed, 8);
    break;
  case 1:
    placement->offset -= placement->offset ? 1 : 0;
    break;
  case 2:
    placement->pool = random_below(seed, 4);
    break;
  case 3:
    *placement = plan[random_below(seed, count)];
    break;
  default:
    placement->offset = random_below(seed, 8) * UINT64_C(16);
  }
}

static const char *const algorithm_names[] = {"greedy-by-size", "ref-count",
                                              "none"};

// Whether the plan only passes because of what relations allow: two that are
// live together share bytes.
static bool needs_leave(const gmem_problem_t *problem) {
  for (uint32_t i = 0; i < gmem_problem_buffer_count(problem); ++i)
    for (uint32_t k = 0; k < i; ++k)
      if (reference_pair(problem, plan, k, i).violation ==
          GMEM_VIOLATION_OVERLAP)
        return true;
  return false;
}

// Half of the plans are those of an algorithm, the others have been broken.
// Two controls: a check that knew nothing of relations, and one that looked at
// another plan, would have been found out.
static void agrees_with_a_look_at_every_pair(uint32_t plans) {
  uint64_t seed = 3;
  uint32_t found[GMEM_VIOLATION_BLOCK + 1] = {0}, differ = 0;
  uint32_t blind = 0, other = 0;
  for (uint32_t i = 0; i < plans; ++i) {
    gmem_problem_t *problem =
        i % 4 ? random_related_problem(&seed, 12) : random_problem(&seed, 20);
    const char *name = algorithm_names[random_below(&seed, 3)];
    memset(plan, 0, sizeof plan);
    gmem_status_t solved = gmem_solve(
        problem,
        &(gmem_solve_options_t){.algorithm = gmem_algorithm_find(name),
                                .effort = GMEM_EFFORT_FAST},
        plan, NULL, NULL);
    uint32_t times = random_below(&seed, 2) ? 1 + random_below(&seed, 3) : 0;
    gmem_check_result_t before = reference_check(problem, plan);
    for (uint32_t k = 0; k < times; ++k)
      mutate(problem, &seed);
    gmem_check_result_t slow = reference_check(problem, plan), fast;
    gmem_status_t status = gmem_check(problem, plan, &fast, NULL);
    CHECK((status == GMEM_OK) == (fast.violation == GMEM_VIOLATION_NONE));
    blind += status == GMEM_OK && needs_leave(problem);
    other += !same_result(&before, &fast);
    CHECK(solved != GMEM_OK || times || status == GMEM_OK);
    differ += !same_result(&slow, &fast);
    ++found[fast.violation];
    gmem_problem_destroy(problem);
  }
  CHECK(differ == 0);
  CHECK(blind > plans / 100 && other > plans / 10);
  for (int kind = 0; kind <= GMEM_VIOLATION_BLOCK; ++kind)
    CHECK(found[kind] > plans / 2000);
}

// Enough blocks for every level of the set of live blocks.
static void agrees_on_a_large_plan(void) {
  enum { COUNT = 5000 };
  static gmem_placement_t large[COUNT];
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  uint64_t seed = 11;
  for (uint32_t i = 0; i < COUNT; ++i) {
    int64_t begin = random_below(&seed, 3000);
    add_buffer(problem, begin, begin + 1 + random_below(&seed, 400),
               1 + random_below(&seed, 50), 1);
  }
  CHECK(gmem_solve(problem,
                   &(gmem_solve_options_t){
                       .algorithm = gmem_algorithm_find("ref-count")},
                   large, NULL, NULL) == GMEM_OK);
  for (int i = 0; i < 20; ++i) {
    uint32_t victim = random_below(&seed, COUNT);
    uint64_t offset = large[victim].offset;
    large[victim].offset += 1 + random_below(&seed, 40);
    gmem_check_result_t slow = reference_check(problem, large), fast;
    gmem_status_t status = gmem_check(problem, large, &fast, NULL);
    CHECK((status == GMEM_OK) == (slow.violation == GMEM_VIOLATION_NONE));
    CHECK(same_result(&slow, &fast));
    large[victim].offset = offset;
  }
  gmem_problem_destroy(problem);
}

// planner_check_test [plans]: how many random plans are compared.
int main(int argc, char **argv) {
  uint32_t plans = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 40000;
  touching_is_fine_and_one_byte_is_not();
  touching_in_time_is_fine_and_one_step_is_not();
  names_the_lowest_of_many_that_overlap();
  sees_a_small_block_inside_a_large_one();
  sees_every_misplacement();
  empty_buffers_conflict_with_nothing();
  same_offsets_in_two_pools_are_fine();
  checks_the_ends_of_time();
  agrees_with_a_look_at_every_pair(plans);
  agrees_on_a_large_plan();
  return CHECK_RESULT();
}
