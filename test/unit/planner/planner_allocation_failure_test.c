// planner_allocation_failure_test.c - every allocation fails once: no leak, no
// crash.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: long_tests
// RUN: %unit/planner_allocation_failure_test

#include <inttypes.h>
#include <string.h>

#include "check.h"
#include "failing_heap.h"
#include "planner_reference.h"

static const char text[] =
    "id,lower,upper,size,alignment,gaps,pools,offset,pool\n"
    "a,0,9,100,8,2-3 5-6 7-8,p,0,p\n"
    "a rather long name that needs more room than the first "
    "one,1,9,8,1,,,104,p\n"
    "c,0,4,8,8,1-2,,112,p\n";

static gmem_status_t discard(void *user, const char *bytes, size_t length) {
  (void)user;
  (void)bytes;
  (void)length;
  return GMEM_OK;
}

//===--- scenarios: each uses part of the library -------------------------===//

static gmem_status_t build(gmem_allocator_t *allocator,
                           gmem_problem_t **problem) {
  gmem_pool_spec_t pool = {
      .name = "p", .capacity = GMEM_UNLIMITED, .alignment = 4};
  gmem_live_range_t range = {0, 3};
  uint32_t index;
  gmem_status_t status = gmem_problem_create(allocator, problem, NULL);
  for (char name[] = "a"; status == GMEM_OK && *name < 'h'; ++*name) {
    pool.name = name;
    status = gmem_problem_add_pool(*problem, &pool, &index, NULL);
  }
  for (int i = 0; status == GMEM_OK && i < 40; ++i) {
    gmem_buffer_spec_t spec = {.name = "buffer",
                               .size = 10,
                               .alignment = 1,
                               .ranges = &range,
                               .range_count = 1,
                               .has_fixed_offset = i == 7,
                               .fixed_offset = 64};
    status = gmem_problem_add_buffer(*problem, &spec, &index, NULL);
  }
  return status;
}

static gmem_status_t run_build(gmem_allocator_t *allocator) {
  gmem_problem_t *problem = NULL;
  gmem_status_t status = build(allocator, &problem);
  gmem_problem_destroy(problem);
  return status;
}

// Rows of buffers that no simple order packs well, so that every stage of a
// search runs; with an optional alias when |is_related|, in two pools.
static gmem_status_t build_hard(gmem_allocator_t *allocator, bool is_related,
                                gmem_problem_t **problem) {
  gmem_pool_spec_t pool = {.name = "p", .capacity = 300, .alignment = 1};
  uint64_t seed = 22;
  uint32_t index;
  if (!is_related)
    pool.capacity = GMEM_UNLIMITED;
  gmem_status_t status = gmem_problem_create(allocator, problem, NULL);
  if (status == GMEM_OK)
    status = gmem_problem_add_pool(*problem, &pool, &index, NULL);
  pool = (gmem_pool_spec_t){
      .name = "q", .capacity = GMEM_UNLIMITED, .alignment = 1};
  if (status == GMEM_OK && is_related)
    status = gmem_problem_add_pool(*problem, &pool, &index, NULL);
  for (uint32_t i = 0; status == GMEM_OK && i < 24; ++i) {
    int64_t begin = random_below(&seed, 20);
    gmem_live_range_t range = {begin, begin + 1 + random_below(&seed, 9)};
    gmem_branch_t branch = {1, i & 1};
    gmem_buffer_spec_t spec = {.name = "",
                               .size = 11 + random_below(&seed, 90),
                               .alignment = 1,
                               .ranges = &range,
                               .range_count = 1,
                               .branches = &branch,
                               .branch_count = is_related && i < 4};
    status = gmem_problem_add_buffer(*problem, &spec, &index, NULL);
  }
  return status;
}

static gmem_status_t relate(gmem_problem_t *problem) {
  uint32_t buffers[] = {6, 7, 8};
  gmem_status_t status = GMEM_OK;
  for (uint32_t child = 10; status == GMEM_OK && child < 14; ++child) {
    gmem_alias_spec_t alias = {
        .child = child, .parent = child + 4, .is_optional = child & 1};
    status = gmem_problem_add_alias(problem, &alias, NULL);
    if (status == GMEM_ERR_INVALID_ARGUMENT) { // the child is the larger one
      alias.child = child + 4;
      alias.parent = child;
      status = gmem_problem_add_alias(problem, &alias, NULL);
    }
  }
  if (status == GMEM_OK)
    status = gmem_problem_add_block(
        problem, &(gmem_block_spec_t){.buffers = buffers, .count = 3}, NULL);
  for (uint32_t i = 0; status == GMEM_OK && i < 4; ++i)
    status = gmem_problem_add_conflict(problem, i, 20 + i, NULL);
  return status;
}

// The algorithm that is tried now.
static size_t tried;

static gmem_status_t solve(const gmem_problem_t *problem) {
  gmem_placement_t plan[64];
  gmem_plan_figures_t figures;
  return gmem_solve(
      problem,
      &(gmem_solve_options_t){.algorithm = gmem_algorithm_at(tried),
                              .step_limit = 20000},
      plan, &figures, NULL);
}

static gmem_status_t run_easy(gmem_allocator_t *allocator) {
  gmem_problem_t *problem = NULL;
  gmem_status_t status = build(allocator, &problem);
  if (status == GMEM_OK)
    status = solve(problem);
  gmem_problem_destroy(problem);
  return status;
}

static gmem_status_t run_hard(gmem_allocator_t *allocator) {
  gmem_problem_t *problem = NULL;
  gmem_status_t status = build_hard(allocator, false, &problem);
  if (status == GMEM_OK)
    status = solve(problem);
  gmem_problem_destroy(problem);
  return status;
}

static gmem_status_t run_related(gmem_allocator_t *allocator) {
  gmem_problem_t *problem = NULL;
  uint8_t digest[32];
  gmem_status_t status = build_hard(allocator, true, &problem);
  if (status == GMEM_OK)
    status = relate(problem);
  if (status == GMEM_OK)
    status = gmem_problem_digest(problem, digest, NULL);
  if (status == GMEM_OK)
    status = solve(problem);
  gmem_problem_destroy(problem);
  return status;
}

// Two pools, the first too small: which buffer goes where is searched.
static gmem_status_t run_pools(gmem_allocator_t *allocator) {
  gmem_problem_t *problem = NULL;
  gmem_placement_t plan[64];
  gmem_status_t status = build_hard(allocator, true, &problem);
  if (status == GMEM_OK)
    status = gmem_solve(problem, &(gmem_solve_options_t){.step_limit = 1 << 16},
                        plan, NULL, NULL);
  gmem_problem_destroy(problem);
  return status;
}

// All kinds of constraints, hard and soft.
static gmem_status_t run_constraints(gmem_allocator_t *allocator) {
  gmem_problem_t *problem = NULL;
  gmem_placement_t plan[64];
  uint8_t digest[32];
  gmem_status_t status = build_hard(allocator, false, &problem);
  for (uint32_t i = 0; status == GMEM_OK && i < 12; ++i)
    status = gmem_problem_add_constraint(
        problem,
        &(gmem_constraint_t){.kind = (gmem_constraint_kind_t)(i % 5),
                             .first = i,
                             .second = i + 12,
                             .bytes = 64 + i,
                             .banks = 6,
                             .penalty = i == 2 ? GMEM_HARD : 1 + i},
        NULL);
  if (status == GMEM_OK)
    status = gmem_problem_digest(problem, digest, NULL);
  if (status == GMEM_OK)
    status = gmem_solve(
        problem,
        &(gmem_solve_options_t){.algorithm = gmem_algorithm_find("auto"),
                                .step_limit = 1 << 16},
        plan, NULL, NULL);
  gmem_problem_destroy(problem);
  return status;
}

static gmem_status_t run_check_and_bound(gmem_allocator_t *allocator) {
  gmem_problem_t *problem = NULL;
  gmem_placement_t plan[64] = {{0, 0}};
  uint64_t bytes;
  gmem_status_t status = build(allocator, &problem);
  for (uint32_t i = 0; i < 64; ++i)
    plan[i].offset = i == 7 ? 64 : 128 + 12 * i;
  if (status == GMEM_OK)
    status = gmem_check(problem, plan, NULL, NULL);
  if (status == GMEM_OK)
    status = gmem_lower_bound_of_pool(problem, 0, &bytes, NULL);
  if (status == GMEM_OK)
    status = gmem_lower_bound(problem, &bytes, NULL);
  gmem_problem_destroy(problem);
  return status;
}

// Results that may be written over each other, or into each other, not both.
static gmem_status_t run_bound_below(gmem_allocator_t *allocator) {
  const int64_t times[][2] = {{0, 4}, {2, 5}, {3, 6}, {4, 6}, {5, 7}};
  const gmem_alias_spec_t aliases[] = {{1, 3, 0, .is_optional = true},
                                       {2, 4, 49, .is_optional = true},
                                       {4, 3, 0, .is_optional = true}};
  gmem_problem_t *problem = NULL;
  gmem_pool_spec_t pool = {
      .name = "m", .capacity = GMEM_UNLIMITED, .alignment = 16};
  uint64_t bytes = 0;
  uint32_t index;
  gmem_status_t status = gmem_problem_create(allocator, &problem, NULL);
  if (status == GMEM_OK)
    status = gmem_problem_add_pool(problem, &pool, &index, NULL);
  for (int i = 0; status == GMEM_OK && i < 5; ++i) {
    gmem_live_range_t range = {times[i][0], times[i][1]};
    gmem_buffer_spec_t spec = {.size = i < 3 ? 49 : 98,
                               .alignment = 1,
                               .ranges = &range,
                               .range_count = 1};
    status = gmem_problem_add_buffer(problem, &spec, &index, NULL);
  }
  for (int i = 0; status == GMEM_OK && i < 3; ++i)
    status = gmem_problem_add_alias(problem, &aliases[i], NULL);
  if (status == GMEM_OK)
    status = gmem_lower_bound_below(problem, 1000, &bytes, NULL);
  CHECK(status != GMEM_OK || bytes == 177);
  gmem_problem_destroy(problem);
  return status;
}

// Two pools with room for five of the forty that are live at one time.
static gmem_status_t run_shortage(gmem_allocator_t *allocator) {
  gmem_problem_t *problem = NULL;
  gmem_live_range_t range = {0, 3};
  uint32_t index, buffers[40], pools[2];
  gmem_infeasible_t found = {0};
  gmem_status_t status = gmem_problem_create(allocator, &problem, NULL);
  for (char name[] = "a"; status == GMEM_OK && *name < 'c'; ++*name)
    status = gmem_problem_add_pool(
        problem,
        &(gmem_pool_spec_t){.name = name, .capacity = 25, .alignment = 1},
        &index, NULL);
  for (int i = 0; status == GMEM_OK && i < 40; ++i)
    status = gmem_problem_add_buffer(
        problem,
        &(gmem_buffer_spec_t){
            .size = 10, .alignment = 1, .ranges = &range, .range_count = 1},
        &index, NULL);
  if (status == GMEM_OK)
    status = gmem_find_shortage(problem, NULL, buffers, pools, &found, NULL);
  if (status == GMEM_OK)
    CHECK(found.count == 6 && found.pool_count == 2);
  gmem_problem_destroy(problem);
  return status;
}

static gmem_status_t run_csv(gmem_allocator_t *allocator) {
  gmem_pool_spec_t pool = {
      .name = "p", .capacity = GMEM_UNLIMITED, .alignment = 1};
  gmem_problem_t *problem = NULL;
  gmem_placement_t *plan = NULL;
  gmem_diag_t diag = {0};
  gmem_status_t status = gmem_csv_read(text, sizeof text - 1, &pool, 1,
                                       allocator, &problem, &plan, &diag);
  CHECK((status == GMEM_OK) == (problem != NULL && plan != NULL));
  CHECK(diag.status == status);
  if (status == GMEM_OK)
    status = gmem_csv_write(problem, plan, 0, discard, NULL, NULL);
  gmem_plan_free(problem, plan);
  gmem_problem_destroy(problem);
  return status;
}

// Fails the first allocation, then the second, ... until none fails.
static void fail_each_once(gmem_status_t (*run)(gmem_allocator_t *),
                           size_t least) {
  gmem_status_t status = GMEM_ERR_OUT_OF_MEMORY;
  size_t fail_at = 0;
  while (status == GMEM_ERR_OUT_OF_MEMORY && fail_at < 10000) {
    heap_t heap = {.fail_at = ++fail_at};
    gmem_allocator_t allocator = {&heap, heap_alloc, heap_free};
    status = run(&allocator);
    CHECK(heap.live_blocks == 0 && heap.live_bytes == 0);
    CHECK((status == GMEM_OK) == (heap.calls < heap.fail_at));
  }
  CHECK(status == GMEM_OK);
  CHECK(fail_at > least); // there were allocations to fail
}

// A failed addition leaves the problem as it was, and it can be tried again.
static void an_addition_can_be_tried_again(void) {
  heap_t heap = {.fail_at = 0};
  gmem_allocator_t allocator = {&heap, heap_alloc, heap_free};
  gmem_problem_t *problem = NULL;
  gmem_pool_spec_t pool = {.name = "p", .capacity = 64, .alignment = 4};
  uint32_t index;
  CHECK(gmem_problem_create(&allocator, &problem, NULL) == GMEM_OK);
  heap.fail_at = heap.calls + 1;
  CHECK(gmem_problem_add_pool(problem, &pool, &index, NULL) ==
        GMEM_ERR_OUT_OF_MEMORY);
  CHECK(gmem_problem_pool_count(problem) == 0);
  CHECK(gmem_problem_add_pool(problem, &pool, &index, NULL) == GMEM_OK);
  heap.fail_at = heap.calls + 1;
  gmem_live_range_t range = {0, 3};
  gmem_buffer_spec_t spec = {
      .size = 10, .alignment = 1, .ranges = &range, .range_count = 1};
  CHECK(gmem_problem_add_buffer(problem, &spec, &index, NULL) ==
        GMEM_ERR_OUT_OF_MEMORY);
  CHECK(gmem_problem_buffer_count(problem) == 0);
  CHECK(gmem_problem_add_buffer(problem, &spec, &index, NULL) == GMEM_OK);
  CHECK(index == 0);
  gmem_problem_destroy(problem);
  CHECK(heap.live_blocks == 0);
}

int main(void) {
  fail_each_once(run_build, 4);
  for (; tried < gmem_algorithm_count(); ++tried) {
    fail_each_once(run_easy, 20);
    // auto, the first, runs all of its stages.
    fail_each_once(run_hard, tried == 0 ? 60 : 20);
    fail_each_once(run_related, 100);
  }
  fail_each_once(run_pools, 100);
  fail_each_once(run_constraints, 60);
  fail_each_once(run_check_and_bound, 14);
  fail_each_once(run_bound_below, 14);
  fail_each_once(run_shortage, 40);
  fail_each_once(run_csv, 8);
  an_addition_can_be_tried_again();
  return CHECK_RESULT();
}
