// fuzz_problem.c - makes a small problem with everything in it out of any bytes
// and solves it with every algorithm: plans hold, and no algorithm is better
// than one that says it is the best.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %fuzz/fuzz_problem_replay %S/corpus/fuzz_problem

#include "fuzz_text.h"

enum { MOST_BUFFERS = 10, MOST_STEPS = 1 << 14 };

// The input as a stream of decisions; zeros at its end.
typedef struct source_s {
  const uint8_t *next, *end;
} source_t;

static uint32_t below(source_t *source, uint32_t limit) {
  return source->next < source->end ? *source->next++ % limit : 0;
}

static bool one_in(source_t *source, uint32_t n) {
  return below(source, n) == n - 1;
}

//===--- the problem ------------------------------------------------------===//

static void add_pools(gmem_problem_t *problem, source_t *source) {
  static const char *const names[] = {"fast", "middle", "slow"};
  uint32_t count = 1 + below(source, 3), index;
  for (uint32_t i = 0; i < count; ++i) {
    uint64_t alignment = UINT64_C(1) << below(source, 4);
    gmem_pool_spec_t spec = {.name = names[i],
                             .capacity = 16 + below(source, 128),
                             .alignment = alignment,
                             .base = alignment * below(source, 5)};
    if (i + 1 == count && !one_in(source, 4))
      spec.capacity = GMEM_UNLIMITED;
    require(gmem_problem_add_pool(problem, &spec, &index, NULL) == GMEM_OK);
  }
}

static size_t make_ranges(source_t *source, gmem_live_range_t *ranges) {
  size_t count = one_in(source, 4) ? 1 + below(source, 3) : 1;
  int64_t time = (int64_t)below(source, 12) - 4;
  for (size_t i = 0; i < count; ++i) {
    int64_t end = time + 1 + below(source, 6);
    ranges[i] = (gmem_live_range_t){time, end};
    time = end + below(source, 3);
  }
  return count;
}

static size_t make_candidates(source_t *source, uint32_t pool_count,
                              uint32_t *pools) {
  uint32_t first = below(source, pool_count), count = 0;
  for (uint32_t i = 0; i < pool_count; ++i)
    if (i == 0 || one_in(source, 2))
      pools[count++] = (first + i) % pool_count;
  return count;
}

static size_t make_branches(source_t *source, gmem_branch_t *branches) {
  size_t count = 0;
  for (uint32_t choice = 0; choice < 2; ++choice)
    if (one_in(source, 6))
      branches[count++] = (gmem_branch_t){choice, below(source, 3)};
  return count;
}

static bool may_refuse(gmem_status_t status) {
  return status == GMEM_ERR_INVALID_ARGUMENT || status == GMEM_ERR_OUT_OF_RANGE;
}

static void add_buffer(gmem_problem_t *problem, source_t *source) {
  gmem_live_range_t ranges[3];
  gmem_branch_t branches[2];
  uint32_t pools[3], index;
  gmem_buffer_spec_t spec = {.name = "b", .ranges = ranges};
  spec.size = below(source, 32);
  spec.alignment = one_in(source, 3) ? UINT64_C(1) << below(source, 5) : 1;
  spec.range_count = make_ranges(source, ranges);
  if (one_in(source, 2)) {
    spec.pools = pools;
    spec.pool_count =
        make_candidates(source, gmem_problem_pool_count(problem), pools);
  }
  spec.uses = below(source, 4);
  spec.branches = branches;
  spec.branch_count = make_branches(source, branches);
  spec.has_fixed_offset = one_in(source, 8);
  spec.fixed_offset = UINT64_C(4) * below(source, 16);
  gmem_status_t status = gmem_problem_add_buffer(problem, &spec, &index, NULL);
  require(status == GMEM_OK ||
          (spec.has_fixed_offset && may_refuse(status))); // misaligned
}

static void add_block(gmem_problem_t *problem, source_t *source,
                      uint32_t count) {
  uint32_t buffers[3];
  gmem_block_spec_t spec = {.buffers = buffers, .count = 2 + below(source, 2)};
  for (size_t i = 0; i < spec.count; ++i)
    buffers[i] = below(source, count);
  gmem_status_t status = gmem_problem_add_block(problem, &spec, NULL);
  require(status == GMEM_OK || may_refuse(status));
}

static void add_alias(gmem_problem_t *problem, source_t *source,
                      uint32_t count) {
  gmem_alias_spec_t spec = {.child = below(source, count),
                            .parent = below(source, count),
                            .offset = one_in(source, 2) ? below(source, 16) : 0,
                            .is_optional = one_in(source, 2)};
  gmem_status_t status = gmem_problem_add_alias(problem, &spec, NULL);
  require(status == GMEM_OK || may_refuse(status));
}

static void add_conflict(gmem_problem_t *problem, source_t *source,
                         uint32_t count) {
  uint32_t first = below(source, count), second = below(source, count);
  gmem_status_t status =
      gmem_problem_add_conflict(problem, first, second, NULL);
  require(status == GMEM_OK || may_refuse(status));
}

static void add_constraint(gmem_problem_t *problem, source_t *source,
                           uint32_t count) {
  gmem_constraint_t spec = {.kind = (gmem_constraint_kind_t)below(source, 5),
                            .first = below(source, count),
                            .second = below(source, count),
                            .bytes = 1 + below(source, 40),
                            .banks = 2 + below(source, 3),
                            .pool =
                                below(source, gmem_problem_pool_count(problem)),
                            .penalty = 1 + below(source, 9)};
  if (one_in(source, 8))
    spec.penalty = GMEM_HARD;
  gmem_status_t status = gmem_problem_add_constraint(problem, &spec, NULL);
  require(status == GMEM_OK || may_refuse(status));
}

static void add_relations(gmem_problem_t *problem, source_t *source) {
  uint32_t count = gmem_problem_buffer_count(problem);
  for (uint32_t left = below(source, 8); count && left > 0; --left) {
    uint32_t kind = below(source, 6);
    if (kind == 0)
      add_block(problem, source, count);
    else if (kind == 1)
      add_conflict(problem, source, count);
    else if (kind >= 4)
      add_constraint(problem, source, count);
    else
      add_alias(problem, source, count);
  }
}

//===--- its plans --------------------------------------------------------===//

typedef struct results_s {
  uint64_t least_peak; // of all plans
  uint64_t most_bound; // of all lower bounds
  bool any;
} results_t;

static void require_in_cache(const gmem_problem_t *problem,
                             const gmem_placement_t *plan,
                             const gmem_plan_figures_t *figures) {
  text_t text = {NULL, 0, 0};
  gmem_placement_t found[MOST_BUFFERS];
  gmem_cached_plan_t about = {.algorithm = "fuzz", .figures = *figures};
  require(gmem_plan_cache_add(problem, plan, &about, NULL, 0, append, &text,
                              NULL) == GMEM_OK);
  require(gmem_plan_cache_find(problem, text.bytes, text.length, found, &about,
                               NULL) == GMEM_OK);
  require(about.figures.peak == figures->peak);
  for (uint32_t i = 0; i < gmem_problem_buffer_count(problem); ++i)
    require(found[i].pool == plan[i].pool && found[i].offset == plan[i].offset);
  free(text.bytes);
}

static void require_penalties(const gmem_problem_t *problem,
                              const gmem_placement_t *plan,
                              const gmem_penalty_figures_t *paid) {
  require(paid->penalty == gmem_plan_penalty(problem, plan));
  require(paid->lower_bound <= paid->penalty);
}

static void solve_with(const gmem_problem_t *problem,
                       const gmem_algorithm_t *algorithm,
                       gmem_objective_t objective, uint64_t steps,
                       results_t *results) {
  gmem_placement_t plan[MOST_BUFFERS];
  gmem_plan_figures_t figures;
  gmem_penalty_figures_t paid;
  gmem_status_t status = gmem_solve(
      problem,
      &(gmem_solve_options_t){.struct_size = sizeof(gmem_solve_options_t),
                              .algorithm = algorithm,
                              .objective = objective,
                              .peak_slack = objective,
                              .penalty_bytes = 3,
                              .step_limit = steps,
                              .penalties = &paid},
      plan, &figures, NULL);
  // Small pools, fixed buffers that share bytes, and views that no offset of a
  // pool can align.
  require(status == GMEM_OK || status == GMEM_ERR_OVER_BUDGET ||
          status == GMEM_ERR_OVERLAP || status == GMEM_ERR_INVALID_ARGUMENT);
  if (status != GMEM_OK)
    return;
  require(gmem_check(problem, plan, NULL, NULL) == GMEM_OK);
  require(figures.lower_bound <= figures.peak && !figures.cancelled);
  require_penalties(problem, plan, &paid);
  require_in_cache(problem, plan, &figures);
  uint64_t bound = figures.optimal ? figures.peak : figures.lower_bound;
  if (!results->any || figures.peak < results->least_peak)
    results->least_peak = figures.peak;
  if (!results->any || bound > results->most_bound)
    results->most_bound = bound;
  results->any = true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  source_t source = {data, data + size};
  gmem_problem_t *problem = NULL;
  results_t results = {.any = false};
  require(gmem_problem_create(NULL, &problem, NULL) == GMEM_OK);
  add_pools(problem, &source);
  for (uint32_t left = below(&source, MOST_BUFFERS + 1); left > 0; --left)
    add_buffer(problem, &source);
  add_relations(problem, &source);
  uint64_t steps = MOST_STEPS >> below(&source, 15);
  gmem_objective_t objective = (gmem_objective_t)below(&source, 3);
  for (size_t i = 0; i < gmem_algorithm_count(); ++i)
    solve_with(problem, gmem_algorithm_at(i), objective, steps, &results);
  // No plan is below a bound, and none below one that was proved the best.
  require(!results.any || results.most_bound <= results.least_peak);
  gmem_problem_destroy(problem);
  return 0;
}
