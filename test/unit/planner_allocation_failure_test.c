// planner_allocation_failure_test.c - every allocation fails once: no leak, no
// crash.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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

static gmem_status_t run_solve(gmem_allocator_t *allocator) {
  gmem_problem_t *problem = NULL;
  gmem_placement_t plan[64];
  gmem_plan_figures_t figures;
  gmem_status_t status = build(allocator, &problem);
  for (size_t i = 0; status == GMEM_OK && i < gmem_algorithm_count(); ++i)
    status =
        gmem_solve(problem,
                   &(gmem_solve_options_t){.algorithm = gmem_algorithm_at(i),
                                           .step_limit = 2000},
                   plan, &figures, NULL);
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

// Pools that are too small, and everything that ties buffers together.
static gmem_status_t build_relations(gmem_allocator_t *allocator,
                                     gmem_problem_t **problem) {
  uint64_t capacities[] = {20, GMEM_UNLIMITED};
  gmem_live_range_t ranges[] = {{0, 2}, {4, 5}};
  gmem_branch_t branch = {1, 0};
  uint32_t index, row[] = {4, 5};
  gmem_status_t status = gmem_problem_create(allocator, problem, NULL);
  for (int i = 0; status == GMEM_OK && i < 2; ++i) {
    gmem_pool_spec_t pool = {
        .name = i ? "b" : "a", .capacity = capacities[i], .alignment = 4};
    status = gmem_problem_add_pool(*problem, &pool, &index, NULL);
  }
  for (uint32_t i = 0; status == GMEM_OK && i < 8; ++i) {
    branch.arm = i % 2;
    gmem_buffer_spec_t spec = {.name = "x",
                               .size = 8,
                               .alignment = 4,
                               .ranges = ranges,
                               .range_count = 2,
                               .branches = &branch,
                               .branch_count = i > 5};
    status = gmem_problem_add_buffer(*problem, &spec, &index, NULL);
  }
  for (uint32_t i = 0; status == GMEM_OK && i < 2; ++i)
    status = gmem_problem_add_alias(
        *problem, &(gmem_alias_spec_t){i, i + 1, 0, i == 1}, NULL);
  if (status == GMEM_OK)
    status =
        gmem_problem_add_block(*problem, &(gmem_block_spec_t){row, 2}, NULL);
  if (status == GMEM_OK)
    status = gmem_problem_add_conflict(*problem, 3, 6, NULL);
  return status;
}

static gmem_status_t run_relations(gmem_allocator_t *allocator) {
  gmem_problem_t *problem = NULL;
  gmem_placement_t plan[64];
  gmem_infeasible_t infeasible;
  gmem_peak_t peak;
  uint32_t buffers[64];
  gmem_solve_options_t options = {.effort = GMEM_EFFORT_FAST,
                                  .step_limit = 10000};
  gmem_status_t status = build_relations(allocator, &problem);
  if (status == GMEM_OK)
    status = gmem_solve(problem, &options, plan, NULL, NULL);
  if (status == GMEM_OK)
    status = gmem_find_peak(problem, plan, 0, buffers, &peak, NULL);
  if (status == GMEM_OK)
    status =
        gmem_find_infeasible(problem, 0, &options, buffers, &infeasible, NULL);
  gmem_problem_destroy(problem);
  return status;
}

static gmem_status_t run_infeasible(gmem_allocator_t *allocator) {
  gmem_pool_spec_t pool = {.name = "a", .capacity = 20, .alignment = 1};
  gmem_problem_t *problem = NULL;
  gmem_infeasible_t infeasible;
  uint32_t buffers[8], index;
  gmem_status_t status = gmem_problem_create(allocator, &problem, NULL);
  if (status == GMEM_OK)
    status = gmem_problem_add_pool(problem, &pool, &index, NULL);
  for (int64_t i = 0; status == GMEM_OK && i < 8; ++i) {
    gmem_live_range_t range = {i, i + 3};
    gmem_buffer_spec_t spec = {
        .size = 8, .alignment = 1, .ranges = &range, .range_count = 1};
    status = gmem_problem_add_buffer(problem, &spec, &index, NULL);
  }
  gmem_solve_options_t options = {.step_limit = 10000};
  if (status == GMEM_OK)
    status =
        gmem_find_infeasible(problem, 0, &options, buffers, &infeasible, NULL);
  CHECK(status != GMEM_OK || infeasible.count == 3);
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
  fail_each_once(run_solve, 20);
  fail_each_once(run_check_and_bound, 14);
  fail_each_once(run_csv, 8);
  fail_each_once(run_relations, 40);
  fail_each_once(run_infeasible, 40);
  an_addition_can_be_tried_again();
  return CHECK_RESULT();
}
