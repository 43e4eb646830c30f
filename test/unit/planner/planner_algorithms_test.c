// planner_algorithms_test.c - the rules of the algorithms, and what holds for
// all.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// UNSUPPORTED: sanitizer-address && !nightly
// RUN: %unit/planner_algorithms_test

#include <inttypes.h>
#include <string.h>

#include "check.h"
#include "planner_reference.h"

enum { MOST = 64 };

// Searches end long before: these tests ask whether plans hold, not how good
// they are.
static const uint64_t STEPS = 20000;

static gmem_placement_t plan[MOST];
static gmem_plan_figures_t figures;

static gmem_status_t solve(const gmem_problem_t *problem, const char *name) {
  gmem_diag_t diag = {0};
  return gmem_solve(
      problem,
      &(gmem_solve_options_t){.algorithm = gmem_algorithm_find(name),
                              .step_limit = STEPS},
      plan, &figures, &diag);
}

//===--- none -------------------------------------------------------------===//

static void none_reuses_nothing(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 16, 0);
  add_buffer(problem, 0, 1, 10, 1);
  add_buffer(problem, 5, 6, 20, 1);
  add_buffer(problem, 8, 9, 5, 32);
  CHECK(solve(problem, "none") == GMEM_OK);
  CHECK(plan[0].offset == 0 && plan[1].offset == 16 && plan[2].offset == 64);
  CHECK(figures.peak == 69);
  gmem_problem_destroy(problem);
}

static void none_steps_around_fixed_buffers(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  add_buffer(problem, 0, 1, 8, 1);
  add_fixed(problem, 5, 6, 4, 10);
  add_fixed(problem, 7, 8, 4, 12);
  add_buffer(problem, 0, 1, 2, 1); // between 8 and 10
  add_buffer(problem, 0, 1, 2, 1); // above 16
  CHECK(solve(problem, "none") == GMEM_OK);
  CHECK(plan[0].offset == 0 && plan[3].offset == 8 && plan[4].offset == 16);
  gmem_problem_destroy(problem);
}

//===--- ref-count --------------------------------------------------------===//

static void ref_count_takes_the_first_slot_that_is_large_enough(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  add_buffer(problem, 0, 1, 4, 1);  // slot at 0
  add_buffer(problem, 0, 1, 16, 1); // slot at 4
  add_buffer(problem, 0, 1, 8, 1);  // slot at 20
  add_buffer(problem, 1, 2, 8, 1);  // 4, though 20 would be the better fit
  add_buffer(problem, 1, 2, 8, 1);  // 20
  add_buffer(problem, 1, 2, 8, 1);  // new memory on top
  add_buffer(problem, 1, 2, 3, 1);  // 0: an offset like any other
  CHECK(solve(problem, "ref-count") == GMEM_OK);
  CHECK(plan[3].offset == 4 && plan[4].offset == 20 && plan[5].offset == 28);
  CHECK(plan[6].offset == 0);
  CHECK(figures.peak == 36);
  gmem_problem_destroy(problem);
}

static void ref_count_keeps_the_inputs_of_an_op(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  add_buffer(problem, 0, 2, 8, 1); // read by the op at 1
  add_buffer(problem, 1, 3, 8, 1); // its result
  add_buffer(problem, 2, 4, 8, 1); // the next result
  CHECK(solve(problem, "ref-count") == GMEM_OK);
  CHECK(plan[1].offset == 8 && plan[2].offset == 0);
  gmem_problem_destroy(problem);
}

static void ref_count_knows_no_gaps(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  gmem_live_range_t ranges[] = {{0, 1}, {5, 6}};
  gmem_buffer_spec_t spec = {
      .size = 8, .alignment = 1, .ranges = ranges, .range_count = 2};
  uint32_t index;
  CHECK(gmem_problem_add_buffer(problem, &spec, &index, NULL) == GMEM_OK);
  add_buffer(problem, 2, 3, 8, 1);
  CHECK(solve(problem, "ref-count") == GMEM_OK);
  CHECK(plan[1].offset == 8);
  gmem_problem_destroy(problem);
}

static void ref_count_keeps_the_size_of_a_slot(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  add_buffer(problem, 0, 1, 16, 1);
  add_buffer(problem, 1, 2, 4, 1); // all of the slot is in use
  add_buffer(problem, 1, 2, 4, 1);
  add_buffer(problem, 2, 3, 16, 1); // and it still has 16 bytes after
  CHECK(solve(problem, "ref-count") == GMEM_OK);
  CHECK(plan[1].offset == 0 && plan[2].offset == 16 && plan[3].offset == 0);
  gmem_problem_destroy(problem);
}

static void ref_count_passes_over_misaligned_slots(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 4);
  add_buffer(problem, 0, 1, 16, 1); // address 4
  add_buffer(problem, 0, 1, 16, 4); // address 20
  add_buffer(problem, 0, 1, 16, 8); // address 40
  add_buffer(problem, 1, 2, 8, 8);
  CHECK(solve(problem, "ref-count") == GMEM_OK);
  CHECK(plan[2].offset == 36 && plan[3].offset == 36);
  gmem_problem_destroy(problem);
}

//===--- greedy-by-size ---------------------------------------------------===//

static void greedy_prefers_the_smallest_gap(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  add_fixed(problem, 0, 9, 4, 10); // gaps: 10 bytes at 0, 6 at 14, then top
  add_fixed(problem, 0, 9, 4, 20);
  add_buffer(problem, 0, 9, 5, 1);
  CHECK(solve(problem, "greedy-by-size") == GMEM_OK);
  CHECK(plan[2].offset == 14);
  gmem_problem_destroy(problem);
}

static void greedy_prefers_the_lowest_of_equal_gaps(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  add_fixed(problem, 0, 9, 4, 10);
  add_fixed(problem, 0, 9, 4, 24); // two gaps of 10 bytes
  add_buffer(problem, 0, 9, 5, 1);
  CHECK(solve(problem, "greedy-by-size") == GMEM_OK);
  CHECK(plan[2].offset == 0);
  gmem_problem_destroy(problem);
}

static void greedy_prefers_a_gap_to_the_top(void) {
  gmem_problem_t *problem = one_pool_problem(100, 1, 0);
  add_fixed(problem, 0, 9, 4, 90); // 90 bytes below, 6 above
  add_buffer(problem, 0, 9, 5, 1);
  CHECK(solve(problem, "greedy-by-size") == GMEM_OK);
  CHECK(plan[1].offset == 0);
  gmem_problem_destroy(problem);
}

static void greedy_places_large_then_early_then_first(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  add_buffer(problem, 1, 9, 8, 1);
  add_buffer(problem, -1, 9, 8, 1); // earlier
  add_buffer(problem, 2, 9, 16, 1); // larger
  add_buffer(problem, 1, 9, 8, 1);  // like the first
  CHECK(solve(problem, "greedy-by-size") == GMEM_OK);
  CHECK(plan[2].offset == 0 && plan[1].offset == 16 && plan[0].offset == 24 &&
        plan[3].offset == 32);
  gmem_problem_destroy(problem);
}

// An input and the output that live long between them made a chain of equal
// buffers need three where two are enough.
static void greedy_is_optimal_on_equal_sizes(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  add_buffer(problem, 0, 3, 64, 1);
  add_buffer(problem, 2, 4, 64, 1);
  add_buffer(problem, 3, 5, 64, 1);
  add_buffer(problem, 4, 7, 64, 1);
  CHECK(solve(problem, "greedy-by-size") == GMEM_OK);
  CHECK(gmem_plan_pool_size(problem, plan, 0) == 128);
  gmem_problem_destroy(problem);
}

static void greedy_reuses_what_has_just_ended(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  add_buffer(problem, 0, 2, 8, 1);
  add_buffer(problem, 2, 4, 8, 1);
  CHECK(solve(problem, "greedy-by-size") == GMEM_OK);
  CHECK(plan[1].offset == 0);
  gmem_problem_destroy(problem);
}

static void greedy_honours_gaps_in_time(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  gmem_live_range_t ranges[] = {{0, 2}, {5, 6}};
  gmem_buffer_spec_t spec = {
      .size = 8, .alignment = 1, .ranges = ranges, .range_count = 2};
  uint32_t index;
  CHECK(gmem_problem_add_buffer(problem, &spec, &index, NULL) == GMEM_OK);
  add_buffer(problem, 2, 5, 8, 1);
  CHECK(solve(problem, "greedy-by-size") == GMEM_OK);
  CHECK(figures.peak == 8 && figures.optimal);
  gmem_problem_destroy(problem);
}

//===--- all --------------------------------------------------------------===//

static void falls_back_to_the_next_candidate_only_when_full(const char *name) {
  gmem_problem_t *problem = one_pool_problem(16, 1, 0);
  uint32_t slow;
  gmem_pool_spec_t pool = {
      .name = "slow", .capacity = GMEM_UNLIMITED, .alignment = 1};
  CHECK(gmem_problem_add_pool(problem, &pool, &slow, NULL) == GMEM_OK);
  add_buffer(problem, 0, 9, 12, 1);
  add_buffer(problem, 0, 9, 8, 1); // does not fit any more
  add_buffer(problem, 0, 9, 4, 1); // but this does
  CHECK(solve(problem, name) == GMEM_OK);
  CHECK(plan[0].pool == 0 && plan[1].pool == slow && plan[2].pool == 0);
  CHECK(plan[1].offset == 0 && gmem_plan_pool_size(problem, plan, 0) == 16);
  gmem_problem_destroy(problem);
}

static void names_the_buffer_that_does_not_fit(const char *name) {
  gmem_problem_t *problem = one_pool_problem(16, 1, 0);
  gmem_live_range_t range = {0, 1};
  gmem_buffer_spec_t spec = {.name = "giant",
                             .size = 17,
                             .alignment = 1,
                             .ranges = &range,
                             .range_count = 1};
  uint32_t index;
  gmem_diag_t diag = {0};
  add_buffer(problem, 0, 1, 1, 1);
  CHECK(gmem_problem_add_buffer(problem, &spec, &index, NULL) == GMEM_OK);
  CHECK(gmem_solve(
            problem,
            &(gmem_solve_options_t){.algorithm = gmem_algorithm_find(name)},
            plan, NULL, &diag) == GMEM_ERR_OVER_BUDGET);
  CHECK(diag.object == index);
  CHECK(strcmp(diag.text, "buffer 'giant' of 17 bytes does not fit in pool "
                          "'memory' of 16 bytes; every plan needs at least 18 "
                          "bytes there") == 0);
  gmem_problem_destroy(problem);
}

static void fits_exactly(const char *name) {
  gmem_problem_t *problem = one_pool_problem(16, 1, 0);
  add_buffer(problem, 0, 1, 10, 1);
  add_buffer(problem, 0, 1, 6, 1);
  CHECK(solve(problem, name) == GMEM_OK);
  CHECK(figures.peak == 16 && figures.optimal);
  gmem_problem_destroy(problem);
}

static void refuses_sums_above_the_largest_address(const char *name) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  add_buffer(problem, 0, 1, GMEM_MAX_ADDRESS, 1);
  add_buffer(problem, 0, 1, 1, GMEM_MAX_ALIGNMENT);
  CHECK(solve(problem, name) == GMEM_ERR_OVER_BUDGET);
  gmem_problem_destroy(problem);
}

static void reports_fixed_buffers_that_overlap(const char *name) {
  gmem_problem_t *problem = one_pool_problem(64, 1, 0);
  add_fixed(problem, 0, 2, 8, 0);
  add_fixed(problem, 1, 3, 8, 4);
  CHECK(solve(problem, name) == GMEM_ERR_OVERLAP);
  add_fixed(problem, 5, 6, 8, 60);
  CHECK(solve(problem, name) == GMEM_ERR_OVER_BUDGET);
  gmem_problem_destroy(problem);
}

static void aligns_addresses_and_not_offsets(const char *name) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 8, 24);
  add_buffer(problem, 0, 1, 8, 64);
  CHECK(solve(problem, name) == GMEM_OK);
  CHECK(plan[0].offset == 40); // address 64
  CHECK(figures.peak == 48 && figures.optimal);
  gmem_problem_destroy(problem);
}

static void puts_empty_buffers_at_the_bottom(const char *name) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  add_buffer(problem, 0, 1, 8, 1);
  add_buffer(problem, 0, 1, 0, 64);
  add_buffer(problem, 0, 1, 8, 1);
  CHECK(solve(problem, name) == GMEM_OK);
  CHECK(plan[1].offset == 0 && figures.peak == 16);
  gmem_problem_destroy(problem);
}

static void solves_an_empty_problem(const char *name) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  CHECK(solve(problem, name) == GMEM_OK);
  CHECK(figures.peak == 0 && figures.lower_bound == 0 && figures.optimal);
  gmem_problem_destroy(problem);
}

// Whether the fixed buffers alone make |problem| impossible: one is outside its
// pool, or two of them overlap.
static gmem_violation_t violation_of_fixed(const gmem_problem_t *problem) {
  uint32_t count = gmem_problem_buffer_count(problem);
  gmem_placement_t fixed[MOST] = {{0, 0}};
  gmem_violation_t worst = GMEM_VIOLATION_NONE;
  for (uint32_t i = 0; i < count; ++i) {
    const gmem_buffer_spec_t *spec = gmem_problem_buffer(problem, i);
    fixed[i] = (gmem_placement_t){spec->fixed_offset, spec->pools[0]};
    if (!spec->has_fixed_offset)
      continue;
    if (reference_alone(spec, problem, fixed[i]) == GMEM_VIOLATION_CAPACITY)
      return GMEM_VIOLATION_CAPACITY;
    for (uint32_t k = 0; k < i; ++k)
      if (gmem_problem_buffer(problem, k)->has_fixed_offset &&
          reference_pair(problem, fixed, k, i).violation ==
              GMEM_VIOLATION_OVERLAP)
        worst = GMEM_VIOLATION_OVERLAP;
  }
  return worst;
}

// No overlap, all in their pools, never below the bound, the same twice.
static void solves_random_problems(const char *name, uint32_t problems) {
  uint32_t solved = 0;
  uint64_t seed = 1;
  for (uint32_t i = 0; i < problems; ++i) {
    gmem_problem_t *problem = random_problem(&seed, 24);
    gmem_status_t status = solve(problem, name);
    // Random fixed offsets may overlap or lie outside; nothing else may fail.
    gmem_violation_t violation = violation_of_fixed(problem);
    CHECK((status == GMEM_OK) == (violation == GMEM_VIOLATION_NONE));
    CHECK((status == GMEM_ERR_OVER_BUDGET) ==
          (violation == GMEM_VIOLATION_CAPACITY));
    CHECK((status == GMEM_ERR_OVERLAP) ==
          (violation == GMEM_VIOLATION_OVERLAP));
    if (status == GMEM_OK) {
      gmem_check_result_t result = reference_check(problem, plan);
      CHECK(result.violation == GMEM_VIOLATION_NONE);
      CHECK(figures.peak >= figures.lower_bound);
      gmem_placement_t first[MOST];
      memcpy(first, plan, sizeof first);
      CHECK(solve(problem, name) == GMEM_OK);
      CHECK(memcmp(first, plan, sizeof first) == 0);
      ++solved;
    }
    gmem_problem_destroy(problem);
  }
  CHECK(solved > problems / 2);
}

// One pool without a limit, many buffers that are live together.
static void solves_crowded_problems(const char *name, uint32_t problems) {
  uint64_t seed = 7;
  for (uint32_t i = 0; i < problems; ++i) {
    gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
    for (uint32_t k = random_below(&seed, 30); k; --k) {
      int64_t begin = random_below(&seed, 9);
      add_buffer(problem, begin, begin + 1 + random_below(&seed, 4),
                 random_below(&seed, 40),
                 UINT64_C(1) << random_below(&seed, 4));
    }
    CHECK(solve(problem, name) == GMEM_OK);
    CHECK(reference_check(problem, plan).violation == GMEM_VIOLATION_NONE);
    gmem_problem_destroy(problem);
  }
}

static gmem_status_t place_all_at_zero(const gmem_problem_t *problem,
                                       gmem_search_t *search,
                                       gmem_placement_t *placements, void *user,
                                       gmem_diag_t *diag) {
  (void)diag;
  for (uint32_t i = 0; i < gmem_problem_buffer_count(problem); ++i)
    placements[i] = (gmem_placement_t){0, 0};
  gmem_search_spend(search, *(const uint64_t *)user);
  return GMEM_OK;
}

static void believes_no_algorithm(void) {
  uint64_t steps = 42;
  gmem_algorithm_t mine = {"mine", "wrong", place_all_at_zero, &steps};
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  gmem_diag_t diag = {0};
  add_buffer(problem, 0, 1, 8, 1);
  CHECK(gmem_solve(problem, &(gmem_solve_options_t){.algorithm = &mine}, plan,
                   &figures, &diag) == GMEM_OK);
  CHECK(figures.steps == 42);
  add_buffer(problem, 0, 1, 8, 1);
  CHECK(gmem_solve(problem, &(gmem_solve_options_t){.algorithm = &mine}, plan,
                   &figures, &diag) == GMEM_ERR_OVERLAP);
  CHECK(gmem_solve(problem,
                   &(gmem_solve_options_t){
                       .algorithm = &(gmem_algorithm_t){.name = "empty"}},
                   plan, &figures, &diag) == GMEM_ERR_INVALID_ARGUMENT);
  gmem_problem_destroy(problem);
}

static void finds_algorithms_by_name(void) {
  static const char *const names[] = {
      "auto",       "none",           "ref-count", "first-fit",
      "best-fit",   "greedy-by-size", "sweep",     "greedy-by-conflicts",
      "hill-climb", "exact",          "blobs"};
  CHECK(gmem_algorithm_count() == sizeof names / sizeof *names);
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    CHECK(gmem_algorithm_find(names[i]));
  for (size_t i = 0; i < gmem_algorithm_count(); ++i)
    CHECK(gmem_algorithm_find(gmem_algorithm_at(i)->name) ==
          gmem_algorithm_at(i));
  CHECK(!gmem_algorithm_find("no-such-algorithm"));
  CHECK(!gmem_algorithm_find(NULL));
  CHECK(!gmem_algorithm_at(gmem_algorithm_count()));
}

static void holds_for_all(const char *name, uint32_t problems) {
  falls_back_to_the_next_candidate_only_when_full(name);
  names_the_buffer_that_does_not_fit(name);
  fits_exactly(name);
  refuses_sums_above_the_largest_address(name);
  reports_fixed_buffers_that_overlap(name);
  aligns_addresses_and_not_offsets(name);
  puts_empty_buffers_at_the_bottom(name);
  solves_an_empty_problem(name);
  solves_random_problems(name, problems);
  solves_crowded_problems(name, problems / 3);
}

// The arms of a choice count as live together in the numbers of conflicts, so
// no order was tried, and the plan was as if none shared bytes.
static void many_arms_share_bytes(void) {
  enum { COUNT = 4000 }; // too many for the exact search
  static gmem_placement_t places[COUNT];
  gmem_plan_figures_t found = {0};
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  for (uint32_t i = 0; i < COUNT; ++i) {
    gmem_branch_t branch = {0, i};
    gmem_buffer_spec_t spec = {.name = "b",
                               .size = 1 + i % 7,
                               .alignment = 1,
                               .ranges = &(gmem_live_range_t){0, 1},
                               .range_count = 1,
                               .branches = &branch,
                               .branch_count = 1};
    uint32_t index;
    CHECK(gmem_problem_add_buffer(problem, &spec, &index, NULL) == GMEM_OK);
  }
  CHECK(gmem_solve(problem, NULL, places, &found, NULL) == GMEM_OK);
  CHECK(found.peak == 7);
  gmem_problem_destroy(problem);
}

// planner_algorithms_test [problems]: how many random ones each algorithm gets.
int main(int argc, char **argv) {
  uint32_t problems = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1000;
  none_reuses_nothing();
  none_steps_around_fixed_buffers();
  ref_count_takes_the_first_slot_that_is_large_enough();
  ref_count_keeps_the_inputs_of_an_op();
  ref_count_knows_no_gaps();
  ref_count_keeps_the_size_of_a_slot();
  ref_count_passes_over_misaligned_slots();
  greedy_prefers_the_smallest_gap();
  greedy_prefers_the_lowest_of_equal_gaps();
  greedy_prefers_a_gap_to_the_top();
  greedy_places_large_then_early_then_first();
  greedy_is_optimal_on_equal_sizes();
  greedy_reuses_what_has_just_ended();
  greedy_honours_gaps_in_time();
  believes_no_algorithm();
  finds_algorithms_by_name();
  many_arms_share_bytes();
  for (size_t i = 0; i < gmem_algorithm_count(); ++i)
    holds_for_all(gmem_algorithm_at(i)->name, problems);
  return CHECK_RESULT();
}
