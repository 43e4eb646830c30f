// planner_limits_test.c - a search that ends early, at any step, by a limit or
// by its user, still has a plan.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// UNSUPPORTED: sanitizer-address && !nightly
// RUN: %unit/planner_limits_test

#include <string.h>

#include "check.h"
#include "planner_reference.h"

enum { MOST = 64, EFFORTS = 3 };

static gmem_placement_t plan[MOST];
static gmem_plan_figures_t figures;

// A search looks at its limit at least this often.
static const uint64_t MOST_OVERSHOOT = 20000;

//===--- problems ---------------------------------------------------------===//

// One that auto does not finish in a million steps.
static gmem_problem_t *hard_problem(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  uint64_t seed = 22;
  for (uint32_t i = 0; i < 24; ++i) {
    int64_t begin = random_below(&seed, 20);
    uint32_t length = 1 + random_below(&seed, 9);
    add_buffer(problem, begin, begin + length, 11 + random_below(&seed, 90), 1);
  }
  return problem;
}

// Two that have most of what there can be in a problem.
static gmem_problem_t *odd_problem(uint64_t seed) {
  for (;; ++seed) {
    gmem_problem_t *problem = random_related_problem(&seed, 20);
    if (gmem_problem_buffer_count(problem) > 10 &&
        gmem_problem_pool_count(problem) > 1 &&
        gmem_problem_alias_count(problem) > 0 &&
        gmem_solve(problem, NULL, plan, NULL, NULL) == GMEM_OK)
      return problem;
    gmem_problem_destroy(problem);
  }
}

static gmem_solve_options_t options_of(size_t algorithm, gmem_effort_t effort) {
  return (gmem_solve_options_t){.algorithm = gmem_algorithm_at(algorithm),
                                .effort = effort};
}

static void expect_plan(const gmem_problem_t *problem,
                        const gmem_solve_options_t *options) {
  memset(plan, 0xEE, sizeof plan);
  CHECK(gmem_solve(problem, options, plan, &figures, NULL) == GMEM_OK);
  CHECK(reference_check(problem, plan).violation == GMEM_VIOLATION_NONE);
  CHECK(figures.lower_bound <= figures.peak);
  CHECK(figures.optimal == (figures.lower_bound == figures.peak));
}

//===--- limits -----------------------------------------------------------===//

static void every_limit_gives_a_plan(const gmem_problem_t *problem,
                                     size_t algorithm, gmem_effort_t effort) {
  gmem_solve_options_t options = options_of(algorithm, effort);
  for (uint64_t limit = 1; limit <= 1000000; limit += 1 + limit / 3) {
    options.step_limit = limit;
    expect_plan(problem, &options);
    CHECK(!figures.cancelled);
    CHECK(figures.steps <= limit + MOST_OVERSHOOT);
  }
}

// More steps are of use: else the limits above would not be where it matters.
static void more_steps_give_better_plans(const gmem_problem_t *problem) {
  gmem_solve_options_t options = {.step_limit = 1};
  expect_plan(problem, &options);
  uint64_t first = figures.peak;
  CHECK(!figures.optimal);
  options.step_limit = 0;
  expect_plan(problem, &options);
  CHECK(figures.peak < first);
}

// Crowded enough that a few orders are tried on all buffers before the repair.
static gmem_problem_t *crowded_problem(uint64_t seed) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  for (uint32_t i = 0; i < 2500; ++i) {
    int64_t begin = random_below(&seed, 2500);
    add_buffer(problem, begin, begin + 1 + random_below(&seed, 160),
               1 + random_below(&seed, 1000), 1);
  }
  return problem;
}

// Each effort at least as good as the one below, and as simple rules.
static void more_effort_is_never_worse(void) {
  static const char *const rules[] = {"best-fit", "first-fit",
                                      "greedy-by-size"};
  static gmem_placement_t places[2500];
  bool improves = false;
  for (uint64_t seed = 1; seed <= 2; ++seed) {
    gmem_problem_t *problem = crowded_problem(seed);
    gmem_plan_figures_t fast, normal, rule;
    gmem_solve_options_t options = {.effort = GMEM_EFFORT_FAST};
    CHECK(gmem_solve(problem, &options, places, &fast, NULL) == GMEM_OK);
    CHECK(gmem_solve(problem, NULL, places, &normal, NULL) == GMEM_OK);
    CHECK(normal.peak <= fast.peak);
    improves = improves || normal.peak < fast.peak;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; ++i) {
      options =
          (gmem_solve_options_t){.algorithm = gmem_algorithm_find(rules[i])};
      CHECK(gmem_solve(problem, &options, places, &rule, NULL) == GMEM_OK);
      CHECK(normal.peak <= rule.peak);
    }
    gmem_problem_destroy(problem);
  }
  CHECK(improves);
}

// A caller that was compiled with other options is noticed, not misread.
static void options_of_another_size_are_refused(const gmem_problem_t *problem) {
  gmem_solve_options_t options = {.struct_size = sizeof options};
  expect_plan(problem, &options);
  const size_t sizes[] = {1, sizeof options - 1, sizeof options + 8};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    gmem_diag_t diag = {.status = GMEM_OK};
    options.struct_size = (uint32_t)sizes[i];
    CHECK(gmem_solve(problem, &options, plan, NULL, &diag) ==
          GMEM_ERR_INVALID_ARGUMENT);
    CHECK(strstr(diag.text, "struct_size"));
  }
}

//===--- cancellation -----------------------------------------------------===//

typedef struct watch_s {
  uint64_t calls, cancel_at; // the call that cancels; 0: none does
  uint64_t calls_after;
} watch_t;

static bool watch_progress(void *user, const gmem_progress_t *progress) {
  watch_t *watch = user;
  watch->calls_after += watch->cancel_at && watch->calls >= watch->cancel_at;
  CHECK(progress->stage && progress->stage[0]);
  CHECK(progress->lower_bound <= progress->peak);
  return ++watch->calls != watch->cancel_at;
}

// Steps between two calls of the progress function.
static const uint64_t BETWEEN_CALLS = UINT64_C(1) << 24;

// Another algorithm that first spends so much that the second call comes when
// the other has done |delay| steps.
typedef struct delayed_s {
  const gmem_algorithm_t *algorithm;
  uint64_t delay;
} delayed_t;

static gmem_status_t run_delayed(const gmem_problem_t *problem,
                                 gmem_search_t *search,
                                 gmem_placement_t *placements, void *user,
                                 gmem_diag_t *diag) {
  const delayed_t *delayed = user;
  CHECK(gmem_search_spend(search, 1));
  CHECK(gmem_search_spend(search, BETWEEN_CALLS - delayed->delay));
  return delayed->algorithm->run(problem, search, placements,
                                 delayed->algorithm->user, diag);
}

static void cancel_after(const gmem_problem_t *problem, delayed_t delayed,
                         gmem_effort_t effort) {
  gmem_algorithm_t algorithm = {"delayed", "", run_delayed, &delayed};
  watch_t watch = {.cancel_at = 2};
  gmem_solve_options_t options = {.algorithm = &algorithm,
                                  .effort = effort,
                                  .step_limit =
                                      BETWEEN_CALLS + UINT64_C(1000000),
                                  .progress = watch_progress,
                                  .progress_user = &watch};
  expect_plan(problem, &options);
  CHECK(watch.calls == 1 || watch.calls == 2);
  CHECK(watch.calls_after == 0);
  CHECK(figures.cancelled == (watch.calls == 2));
  if (figures.cancelled)
    CHECK(figures.steps <= BETWEEN_CALLS + 1 + MOST_OVERSHOOT);
}

static void every_cancellation_gives_a_plan(const gmem_problem_t *problem,
                                            size_t algorithm,
                                            gmem_effort_t effort) {
  for (uint64_t delay = 1; delay <= 500000; delay += 1 + delay / 3)
    cancel_after(problem, (delayed_t){gmem_algorithm_at(algorithm), delay},
                 effort);
}

static void watching_changes_nothing(const gmem_problem_t *problem,
                                     size_t algorithm) {
  watch_t watch = {0};
  gmem_placement_t alone[MOST];
  gmem_solve_options_t options = options_of(algorithm, GMEM_EFFORT_NORMAL);
  options.step_limit = 100000;
  expect_plan(problem, &options);
  memcpy(alone, plan, sizeof plan);
  options.progress = watch_progress;
  options.progress_user = &watch;
  expect_plan(problem, &options);
  CHECK(watch.calls > 0 && !figures.cancelled);
  for (uint32_t i = 0; i < gmem_problem_buffer_count(problem); ++i)
    CHECK(plan[i].offset == alone[i].offset && plan[i].pool == alone[i].pool);
}

// The first calls of a long search, each of which cancels once.
static void every_call_can_cancel(const gmem_problem_t *problem) {
  for (uint64_t call = 1; call <= 4; ++call) {
    watch_t watch = {.cancel_at = call};
    gmem_solve_options_t options = {.effort = GMEM_EFFORT_EXHAUSTIVE,
                                    .progress = watch_progress,
                                    .progress_user = &watch};
    expect_plan(problem, &options);
    CHECK(figures.cancelled == (watch.calls >= call));
  }
}

int main(void) {
  gmem_problem_t *hard = hard_problem();
  gmem_problem_t *all[] = {hard, odd_problem(1), odd_problem(100)};
  more_steps_give_better_plans(hard);
  options_of_another_size_are_refused(hard);
  more_effort_is_never_worse();
  every_call_can_cancel(hard);
  for (size_t i = 0; i < gmem_algorithm_count(); ++i)
    for (size_t k = 0; k < sizeof all / sizeof *all; ++k) {
      for (int effort = 0; effort < EFFORTS; ++effort) {
        every_limit_gives_a_plan(all[k], i, (gmem_effort_t)effort);
        every_cancellation_gives_a_plan(all[k], i, (gmem_effort_t)effort);
      }
      watching_changes_nothing(all[k], i);
    }
  for (size_t k = 0; k < sizeof all / sizeof *all; ++k)
    gmem_problem_destroy(all[k]);
  return CHECK_RESULT();
}
