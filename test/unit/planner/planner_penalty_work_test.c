// planner_penalty_work_test.c - the search for lower penalties had loops that
// counted no work, and ran for minutes on 250 buffers. Every part counts at
// least one unit for each constraint and each pair that it looks at, and stops
// soon after its limit.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %unit/planner_penalty_work_test

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "penalty_bound.h"
#include "penalty_climb.h"
#include "penalty_start.h"
#include "penalty_tree.h"
#include "unit_places.h"
#include "units.h"
#include "units_cost.h"

enum { COUNT = 200 };

// A half of the buffers is live at one time, the other half after it; each two
// of different halves should be apart, and |kind| also concerns each.
static gmem_problem_t *make(uint32_t count, bool has_places) {
  gmem_problem_t *problem = NULL;
  uint32_t index;
  CHECK(gmem_problem_create(NULL, &problem, NULL) == GMEM_OK);
  CHECK(gmem_problem_add_pool(problem,
                              &(gmem_pool_spec_t){.name = "m",
                                                  .capacity = GMEM_UNLIMITED,
                                                  .alignment = 1},
                              &index, NULL) == GMEM_OK);
  for (uint32_t i = 0; i < count; ++i) {
    gmem_live_range_t range = {i % 2, i % 2 + 1};
    CHECK(gmem_problem_add_buffer(problem,
                                  &(gmem_buffer_spec_t){.name = "b",
                                                        .size = 1 + i % 7,
                                                        .alignment = 1,
                                                        .ranges = &range,
                                                        .range_count = 1},
                                  &index, NULL) == GMEM_OK);
  }
  for (uint32_t i = 0; i < count; i += 2)
    for (uint32_t k = 1; k < count; k += 2)
      CHECK(gmem_problem_add_constraint(
                problem,
                &(gmem_constraint_t){
                    .kind = GMEM_APART, .first = i, .second = k, .penalty = 1},
                NULL) == GMEM_OK);
  for (uint32_t i = 0; has_places && i < count; ++i)
    CHECK(gmem_problem_add_constraint(
              problem,
              &(gmem_constraint_t){
                  .kind = GMEM_AT, .first = i, .bytes = i, .penalty = 1},
              NULL) == GMEM_OK);
  return problem;
}

typedef struct state_s {
  gmem_problem_t *problem;
  gmem_search_t search;
  gmem_units_t units;
  gmem_placement_t *plan;
} state_t;

static void begin(state_t *state, uint32_t count, bool has_places) {
  state->problem = make(count, has_places);
  state->plan = calloc(count, sizeof *state->plan);
  CHECK(gmem_solve(state->problem,
                   &(gmem_solve_options_t){.algorithm =
                                               gmem_algorithm_find("best-fit")},
                   state->plan, NULL, NULL) == GMEM_OK);
  state->search =
      gmem_search_start(&(gmem_solve_options_t){.algorithm = NULL}, "test", 0);
  state->search.stage_limit = state->search.step_limit = UINT64_MAX;
  CHECK(gmem_units_create(state->problem, &state->search, state->plan,
                          &state->units, NULL) == GMEM_OK);
  // Room for a few buffers more than the peak; none where places are named, so
  // that buffers must make way.
  state->units.ceiling[0] =
      gmem_plan_peak(state->problem, state->plan) + (has_places ? 0 : 20);
}

static void end(state_t *state) {
  gmem_units_destroy(&state->units);
  gmem_problem_destroy(state->problem);
  free(state->plan);
}

//===--- one unit ---------------------------------------------------------===//

static void one_unit_counts(void) {
  state_t state;
  begin(&state, COUNT, false);
  gmem_units_t *units = &state.units;
  uint64_t before = state.search.steps, offset = units->offset[0];
  gmem_unit_lift(units, 0);
  CHECK(state.search.steps >= before + COUNT / 2);
  before = state.search.steps;
  size_t places = gmem_unit_places(units, 0);
  CHECK(state.search.steps >= before + COUNT - 1);
  CHECK(places > 2);
  before = state.search.steps;
  CHECK(gmem_unit_place_cheapest(units, 0, places, NULL));
  CHECK(state.search.steps >= before + places + COUNT / 2);
  gmem_unit_lift(units, 0);
  places = gmem_unit_places(units, 0);
  state.search.stage_limit = before = state.search.steps; // one place is tried
  CHECK(gmem_unit_place_cheapest(units, 0, places, NULL));
  CHECK(state.search.steps <= before + COUNT + 3);
  gmem_unit_lift(units, 0);
  gmem_unit_place(units, 0, offset);
  end(&state);
}

//===--- searches ---------------------------------------------------------===//

enum { BOUND, CLIMB, START, TREE, PARTS };

static void run(state_t *state, int part, uint64_t steps) {
  uint64_t bound;
  bool flag;
  gmem_units_t *units = &state->units;
  const gmem_penalty_tree_t tree = {.penalty_weight = 1, .steps = steps};
  gmem_status_t status =
      part == BOUND   ? gmem_penalty_bound(units, steps, &bound)
      : part == CLIMB ? gmem_penalty_climb(units, 0, steps)
      : part == START ? gmem_penalty_start(units, steps, &flag)
                      : gmem_penalty_search(units, &tree, &flag);
  CHECK(status == GMEM_OK);
}

// Uses its limit, and at most |more| above it.
static void stops(int part, uint32_t count, uint64_t steps, uint64_t more) {
  state_t state;
  begin(&state, count, part == START);
  uint64_t before = state.search.steps;
  run(&state, part, steps);
  uint64_t used = state.search.steps - before;
  if (used < steps || used > steps + more)
    fprintf(stderr, "part %d: %llu of %llu\n", part, (unsigned long long)used,
            (unsigned long long)steps);
  CHECK(used >= steps && used <= steps + more);
  CHECK(state.search.stage_limit == UINT64_MAX);
  end(&state);
}

int main(void) {
  one_unit_counts();
  // A climb ends between its moves, each of some 30 units and their
  // constraints.
  stops(BOUND, COUNT, 10000, 2 * COUNT);
  stops(CLIMB, COUNT, 1000000, 100 * COUNT);
  stops(TREE, 40, 100000, 10000);
  stops(START, COUNT, 2000000, 20000);
  return CHECK_RESULT();
}
