// planner_problem_test.c - building a problem: what is refused, what is kept.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %unit/planner_problem_test

#include <inttypes.h>
#include <string.h>

#include "check.h"
#include "planner_reference.h"

static const gmem_live_range_t one_range = {0, 2};

static gmem_buffer_spec_t good_buffer(void) {
  return (gmem_buffer_spec_t){.name = "a",
                              .size = 8,
                              .alignment = 4,
                              .ranges = &one_range,
                              .range_count = 1};
}

static gmem_pool_spec_t good_pool(void) {
  return (gmem_pool_spec_t){.name = "other",
                            .capacity = GMEM_UNLIMITED,
                            .alignment = 64,
                            .base = 128};
}

static void expect_pool(gmem_pool_spec_t spec, gmem_status_t expected) {
  gmem_problem_t *problem = one_pool_problem(1024, 16, 0);
  gmem_diag_t diag = {0};
  uint32_t index;
  CHECK(gmem_problem_add_pool(problem, &spec, &index, &diag) == expected);
  CHECK(diag.status == expected);
  CHECK((expected == GMEM_OK) == (diag.text[0] == '\0'));
  // The problem is unchanged by what it refuses.
  CHECK(gmem_problem_pool_count(problem) == (expected == GMEM_OK ? 2 : 1));
  gmem_problem_destroy(problem);
}

static void refuses_bad_pools(void) {
  gmem_pool_spec_t spec = good_pool();
  expect_pool(spec, GMEM_OK);
  spec.name = NULL;
  expect_pool(spec, GMEM_ERR_INVALID_ARGUMENT);
  spec.name = "";
  expect_pool(spec, GMEM_ERR_INVALID_ARGUMENT);
  spec.name = "memory"; // taken
  expect_pool(spec, GMEM_ERR_INVALID_ARGUMENT);
  spec = good_pool();
  spec.alignment = 0;
  expect_pool(spec, GMEM_ERR_INVALID_ARGUMENT);
  spec.alignment = 48;
  expect_pool(spec, GMEM_ERR_INVALID_ARGUMENT);
  spec.alignment = GMEM_MAX_ALIGNMENT * 2;
  expect_pool(spec, GMEM_ERR_OUT_OF_RANGE);
  spec = good_pool();
  spec.capacity = 0;
  expect_pool(spec, GMEM_ERR_INVALID_ARGUMENT);
  spec = good_pool();
  spec.base = 32; // no multiple of 64
  expect_pool(spec, GMEM_ERR_INVALID_ARGUMENT);
  spec.base = UINT64_C(1) << 63;
  expect_pool(spec, GMEM_ERR_OUT_OF_RANGE);
  spec.base = 64;
  spec.capacity = GMEM_MAX_ADDRESS - 63;
  expect_pool(spec, GMEM_ERR_OUT_OF_RANGE);
  spec.capacity = GMEM_MAX_ADDRESS - 64;
  expect_pool(spec, GMEM_OK);
}

static void expect_buffer(gmem_buffer_spec_t spec, gmem_status_t expected) {
  gmem_problem_t *problem = one_pool_problem(1024, 16, 0);
  gmem_diag_t diag = {0};
  uint32_t index;
  CHECK(gmem_problem_add_buffer(problem, &spec, &index, &diag) == expected);
  CHECK(diag.status == expected);
  CHECK((expected == GMEM_OK) == (diag.text[0] == '\0'));
  CHECK(gmem_problem_buffer_count(problem) == (expected == GMEM_OK));
  gmem_problem_destroy(problem);
}

static void refuses_bad_ranges(void) {
  gmem_live_range_t ranges[] = {{0, 2}, {2, 4}};
  gmem_buffer_spec_t spec = good_buffer();
  spec.ranges = ranges;
  spec.range_count = 2;
  expect_buffer(spec, GMEM_OK); // touching is disjoint
  ranges[1].begin = 1;
  expect_buffer(spec, GMEM_ERR_INVALID_ARGUMENT);
  ranges[1] = (gmem_live_range_t){3, 3};
  expect_buffer(spec, GMEM_ERR_INVALID_ARGUMENT);
  ranges[1] = (gmem_live_range_t){-5, -3};
  expect_buffer(spec, GMEM_ERR_INVALID_ARGUMENT);
  spec.range_count = 0;
  expect_buffer(spec, GMEM_ERR_INVALID_ARGUMENT);
  spec.ranges = NULL;
  spec.range_count = 1;
  expect_buffer(spec, GMEM_ERR_INVALID_ARGUMENT);
}

static void refuses_bad_buffers(void) {
  gmem_buffer_spec_t spec = good_buffer();
  expect_buffer(spec, GMEM_OK);
  spec.size = GMEM_MAX_ADDRESS + 1;
  expect_buffer(spec, GMEM_ERR_OUT_OF_RANGE);
  spec.size = GMEM_MAX_ADDRESS;
  expect_buffer(spec, GMEM_OK); // whether it fits is a question of the plan
  spec = good_buffer();
  spec.alignment = 0;
  expect_buffer(spec, GMEM_ERR_INVALID_ARGUMENT);
  spec.alignment = 3;
  expect_buffer(spec, GMEM_ERR_INVALID_ARGUMENT);
  spec.alignment = GMEM_MAX_ALIGNMENT * 2;
  expect_buffer(spec, GMEM_ERR_OUT_OF_RANGE);
}

static void refuses_bad_candidates(void) {
  uint32_t pools[] = {0, 0};
  gmem_buffer_spec_t spec = good_buffer();
  spec.pools = pools;
  spec.pool_count = 1;
  expect_buffer(spec, GMEM_OK);
  spec.pool_count = 0;
  expect_buffer(spec, GMEM_ERR_INVALID_ARGUMENT);
  spec.pool_count = 2; // twice the same
  expect_buffer(spec, GMEM_ERR_INVALID_ARGUMENT);
  pools[1] = 1; // there is none
  expect_buffer(spec, GMEM_ERR_INVALID_ARGUMENT);
}

static void refuses_bad_fixed_offsets(void) {
  gmem_buffer_spec_t spec = good_buffer();
  spec.has_fixed_offset = true;
  spec.fixed_offset = 32;
  expect_buffer(spec, GMEM_OK);
  spec.fixed_offset = 36; // suits the buffer, not the pool
  expect_buffer(spec, GMEM_ERR_INVALID_ARGUMENT);
  spec.fixed_offset = GMEM_MAX_ADDRESS - 7;
  expect_buffer(spec, GMEM_ERR_OUT_OF_RANGE);
  spec.fixed_offset = UINT64_MAX - 15;
  expect_buffer(spec, GMEM_ERR_OUT_OF_RANGE);
}

static void refuses_a_buffer_without_pools(void) {
  gmem_problem_t *problem = NULL;
  gmem_buffer_spec_t spec = good_buffer();
  uint32_t index;
  CHECK(gmem_problem_create(NULL, &problem, NULL) == GMEM_OK);
  CHECK(gmem_problem_add_buffer(problem, &spec, &index, NULL) ==
        GMEM_ERR_INVALID_ARGUMENT);
  gmem_problem_destroy(problem);
}

static void copies_what_it_is_given(void) {
  gmem_problem_t *problem = one_pool_problem(1024, 1, 0);
  char name[] = "kept";
  gmem_live_range_t ranges[] = {{0, 1}, {4, 9}};
  gmem_buffer_spec_t spec = good_buffer();
  spec.name = name;
  spec.ranges = ranges;
  spec.range_count = 2;
  uint32_t index;
  CHECK(gmem_problem_add_buffer(problem, &spec, &index, NULL) == GMEM_OK);
  memset(name, 'x', sizeof name - 1);
  memset(ranges, 0, sizeof ranges);
  const gmem_buffer_spec_t *view = gmem_problem_buffer(problem, index);
  CHECK(strcmp(view->name, "kept") == 0);
  CHECK(view->range_count == 2 && view->ranges[1].end == 9);
  CHECK(view->pools && view->pool_count == 1 && view->pools[0] == 0);
  gmem_problem_destroy(problem);
}

static void lists_the_pools_of_that_time(void) {
  gmem_problem_t *problem = one_pool_problem(1024, 1, 0);
  uint32_t early = add_buffer(problem, 0, 1, 1, 1), index;
  char name[16];
  for (int i = 0; i < 20; ++i) {
    gmem_pool_spec_t pool = good_pool();
    pool.name = name;
    snprintf(name, sizeof name, "pool%d", i);
    CHECK(gmem_problem_add_pool(problem, &pool, &index, NULL) == GMEM_OK);
  }
  uint32_t late = add_buffer(problem, 0, 1, 1, 1);
  CHECK(gmem_problem_buffer(problem, early)->pool_count == 1);
  CHECK(gmem_problem_buffer(problem, late)->pool_count == 21);
  for (uint32_t i = 0; i < 21; ++i)
    CHECK(gmem_problem_buffer(problem, late)->pools[i] == i);
  CHECK(strcmp(gmem_problem_pool(problem, 20)->name, "pool19") == 0);
  gmem_problem_destroy(problem);
}

static void borrows_arrays(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  gmem_buffer_spec_t spec = good_buffer();
  const gmem_branch_t branch = {1, 2};
  const uint32_t pool = 0;
  char name[] = "a";
  uint32_t copied, borrowed, unlisted;
  spec.name = name;
  spec.pools = &pool;
  spec.pool_count = 1;
  spec.branches = &branch;
  spec.branch_count = 1;
  CHECK(gmem_problem_add_buffer(problem, &spec, &copied, NULL) == GMEM_OK);
  gmem_problem_borrow(problem);
  CHECK(gmem_problem_add_buffer(problem, &spec, &borrowed, NULL) == GMEM_OK);
  spec.pools = NULL;
  CHECK(gmem_problem_add_buffer(problem, &spec, &unlisted, NULL) == GMEM_OK);
  name[0] = 'b';
  const gmem_buffer_spec_t *view = gmem_problem_buffer(problem, copied);
  CHECK(view->ranges != &one_range && view->pools != &pool &&
        view->branches != &branch);
  view = gmem_problem_buffer(problem, borrowed);
  CHECK(view->ranges == &one_range && view->pools == &pool &&
        view->branches == &branch && strcmp(view->name, "a") == 0);
  view = gmem_problem_buffer(problem, unlisted);
  CHECK(view->pool_count == 1 && view->pools[0] == 0);
  gmem_problem_destroy(problem);
}

static void keeps_many_buffers(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  for (uint32_t i = 0; i < 20000; ++i)
    CHECK(add_buffer(problem, i, i + 2, i, 1) == i);
  CHECK(gmem_problem_buffer_count(problem) == 20000);
  for (uint32_t i = 0; i < 20000; ++i)
    CHECK(gmem_problem_buffer(problem, i)->ranges[0].begin == (int64_t)i);
  gmem_problem_destroy(problem);
}

int main(void) {
  refuses_bad_pools();
  refuses_bad_ranges();
  refuses_bad_buffers();
  refuses_bad_candidates();
  refuses_bad_fixed_offsets();
  refuses_a_buffer_without_pools();
  copies_what_it_is_given();
  lists_the_pools_of_that_time();
  borrows_arrays();
  keeps_many_buffers();
  gmem_problem_destroy(NULL);
  return CHECK_RESULT();
}
