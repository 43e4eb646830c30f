// planner_stack_test.c - a training step: weights that are converted one after
// the other into parts of the result, which are many optional aliases. At one
// time nothing is free below the bound.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %unit/planner_stack_test

#include "check.h"
#include "planner_reference.h"

enum {
  WEIGHTS = 24,
  STEPS = 6, // times for each weight
  NORMS = 2, // buffers for each weight that live for long
  UNIT = 4096,
};

static uint32_t add(gmem_problem_t *problem, uint64_t units, int64_t begin,
                    int64_t end) {
  gmem_live_range_t range = {begin, end};
  gmem_buffer_spec_t spec = {.name = "b",
                             .size = units * UNIT,
                             .alignment = 64,
                             .ranges = &range,
                             .range_count = 1};
  uint32_t id;
  CHECK(gmem_problem_add_buffer(problem, &spec, &id, NULL) == GMEM_OK);
  return id;
}

static void add_part(gmem_problem_t *problem, uint32_t part, uint32_t whole,
                     uint64_t *offset) {
  gmem_alias_spec_t alias = {part, whole, *offset, .is_optional = true};
  CHECK(gmem_problem_add_alias(problem, &alias, NULL) == GMEM_OK);
  *offset += gmem_problem_buffer(problem, part)->size;
}

static gmem_problem_t *training_step(uint64_t seed) {
  gmem_problem_t *problem;
  gmem_pool_spec_t pool = {
      .name = "pool", .capacity = GMEM_UNLIMITED, .alignment = 64};
  uint64_t halves[WEIGHTS], all = 0, offset = 0;
  uint32_t parts[WEIGHTS], id;
  const int64_t last = STEPS * (WEIGHTS * 2 + 2);
  CHECK(gmem_problem_create(NULL, &problem, NULL) == GMEM_OK);
  CHECK(gmem_problem_add_pool(problem, &pool, &id, NULL) == GMEM_OK);
  for (int i = 0; i < WEIGHTS; ++i) {
    int64_t now = STEPS * (i + 1);
    halves[i] = UINT64_C(1) << (i / 4) << random_below(&seed, 2);
    all += halves[i];
    add(problem, 2 * halves[i], 0, now + 1);
    parts[i] = add(problem, halves[i], now, last);
    for (int k = 0; k < NORMS; ++k) {
      add(problem, 1 + random_below(&seed, 3), now + k, last - now - k);
      add(problem, 2 + random_below(&seed, 5), now + k, now + k + 2);
    }
  }
  add(problem, all / 10, 1, 3);
  uint32_t whole = add(problem, all, last - 1, last + 1);
  for (int i = 0; i < WEIGHTS; ++i)
    add_part(problem, parts[i], whole, &offset);
  return problem;
}

int main(void) {
  enum { ROUNDS = 12, MOST_BUFFERS = 512, MOST_STEPS = 150000000 };
  uint64_t steps = 0;
  for (uint64_t round = 1; round <= ROUNDS; ++round) {
    gmem_problem_t *problem = training_step(round * 7919);
    gmem_placement_t plan[MOST_BUFFERS];
    gmem_plan_figures_t figures;
    CHECK(gmem_problem_buffer_count(problem) <= MOST_BUFFERS);
    CHECK(gmem_solve(problem, NULL, plan, &figures, NULL) == GMEM_OK);
    CHECK(figures.peak - figures.lower_bound <= figures.lower_bound / 1024);
    steps += figures.steps;
    gmem_problem_destroy(problem);
  }
  CHECK(steps <= MOST_STEPS);
  return CHECK_RESULT();
}
