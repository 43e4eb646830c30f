// planner_blobs_test.c - plans of whole slots, and their bound.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %unit/planner_blobs_test

#include "check.h"
#include "failing_heap.h"
#include "planner_reference.h"

enum { MOST = 12000 };

static gmem_placement_t plan[MOST];
static gmem_blob_t blobs[MOST];
static uint32_t blob_of[MOST];

static void solve(const gmem_problem_t *problem, const char *algorithm,
                  gmem_effort_t effort) {
  gmem_solve_options_t options = {.algorithm = gmem_algorithm_find(algorithm),
                                  .effort = effort};
  CHECK(gmem_solve(problem, &options, plan, NULL, NULL) == GMEM_OK);
}

static gmem_blobs_t list(const gmem_problem_t *problem) {
  gmem_blobs_t sums;
  gmem_diag_t diag = {0};
  CHECK(gmem_find_blobs(problem, plan, 0, blobs, blob_of, &sums, &diag) ==
        GMEM_OK);
  return sums;
}

static bool are_live_together(const gmem_buffer_spec_t *a,
                              const gmem_buffer_spec_t *b) {
  return a->ranges[0].begin < b->ranges[0].end &&
         b->ranges[0].begin < a->ranges[0].end;
}

// Of plain buffers: each is in a blob that is large enough, from its start, and
// alone while it is live.
static void is_one_of_blobs(const gmem_problem_t *problem,
                            const gmem_blobs_t *sums) {
  uint32_t count = gmem_problem_buffer_count(problem);
  uint64_t bytes = 0;
  for (size_t k = 0; k < sums->count; ++k)
    bytes += blobs[k].size;
  CHECK(bytes == sums->bytes && sums->lower_bound <= bytes);
  for (uint32_t i = 0; i < count; ++i) {
    const gmem_buffer_spec_t *buffer = gmem_problem_buffer(problem, i);
    CHECK(blob_of[i] < sums->count);
    CHECK(plan[i].offset == blobs[blob_of[i]].offset);
    CHECK(buffer->size <= blobs[blob_of[i]].size);
    CHECK(plan[i].offset % blobs[blob_of[i]].alignment == 0);
    for (uint32_t k = 0; k < i; ++k)
      CHECK(blob_of[k] != blob_of[i] ||
            !are_live_together(buffer, gmem_problem_buffer(problem, k)));
  }
}

//===--- the least bytes, by all assignments ------------------------------===//

typedef struct all_s {
  const gmem_problem_t *problem;
  uint32_t blob[16];
  uint64_t sizes[16];
  uint64_t least;
} all_t;

static void try_all(all_t *all, uint32_t next, uint32_t used) {
  if (next == gmem_problem_buffer_count(all->problem)) {
    uint64_t bytes = 0;
    for (uint32_t k = 0; k < used; ++k)
      bytes += all->sizes[k];
    all->least = bytes < all->least ? bytes : all->least;
    return;
  }
  const gmem_buffer_spec_t *buffer = gmem_problem_buffer(all->problem, next);
  for (uint32_t k = 0; k <= used; ++k) {
    bool fits = true;
    for (uint32_t i = 0; i < next && fits; ++i)
      fits = all->blob[i] != k ||
             !are_live_together(buffer, gmem_problem_buffer(all->problem, i));
    if (!fits)
      continue;
    uint64_t before = k < used ? all->sizes[k] : 0;
    all->blob[next] = k;
    all->sizes[k] = before > buffer->size ? before : buffer->size;
    try_all(all, next + 1, k == used ? used + 1 : used);
    all->sizes[k] = before;
  }
}

static void finds_the_least(int problems) {
  uint64_t seed = 5;
  int at_bound = 0, above = 0;
  for (int i = 0; i < problems; ++i) {
    gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
    uint32_t count = 2 + random_below(&seed, 7);
    for (uint32_t k = 0; k < count; ++k) {
      int64_t begin = random_below(&seed, 9);
      add_buffer(problem, begin, begin + 1 + random_below(&seed, 5),
                 1 + random_below(&seed, 9), 1);
    }
    all_t all = {.problem = problem, .least = UINT64_MAX};
    try_all(&all, 0, 0);
    solve(problem, "blobs", GMEM_EFFORT_NORMAL);
    gmem_blobs_t sums = list(problem);
    is_one_of_blobs(problem, &sums);
    CHECK(sums.bytes == all.least);
    CHECK(sums.lower_bound <= all.least);
    at_bound += sums.lower_bound == all.least;
    above += sums.lower_bound != all.least;
    gmem_problem_destroy(problem);
  }
  CHECK(at_bound > 0 && above > 0);
}

//===--- larger ones ------------------------------------------------------===//

static gmem_problem_t *crowd(uint64_t seed, uint32_t count, uint32_t steps,
                             uint32_t longest) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 16, 0);
  for (uint32_t k = 0; k < count; ++k) {
    int64_t begin = random_below(&seed, steps);
    add_buffer(problem, begin, begin + 1 + random_below(&seed, longest),
               1 + random_below(&seed, 1000), 1u << random_below(&seed, 7));
  }
  return problem;
}

// With lists of conflicts, with a search and without, and without lists.
static void places_many(void) {
  gmem_problem_t *problem = crowd(1, 2000, 5000, 100);
  solve(problem, "blobs", GMEM_EFFORT_FAST);
  gmem_blobs_t fast = list(problem);
  is_one_of_blobs(problem, &fast);
  solve(problem, "blobs", GMEM_EFFORT_NORMAL);
  gmem_blobs_t normal = list(problem);
  is_one_of_blobs(problem, &normal);
  CHECK(normal.bytes <= fast.bytes);
  CHECK(normal.bytes <= normal.lower_bound + normal.lower_bound / 5);
  gmem_problem_destroy(problem);
  problem = crowd(2, MOST, 100, 100);
  solve(problem, "blobs", GMEM_EFFORT_FAST);
  gmem_blobs_t dense = list(problem);
  is_one_of_blobs(problem, &dense);
  CHECK(dense.bytes <= dense.lower_bound + dense.lower_bound / 2);
  gmem_problem_destroy(problem);
}

// A plan by offsets is none of blobs.
static void refuses_other_plans(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  gmem_blobs_t sums;
  gmem_diag_t diag = {0};
  add_buffer(problem, 0, 2, 8, 1);
  add_buffer(problem, 2, 4, 4, 1);
  add_buffer(problem, 2, 4, 4, 1);
  solve(problem, "auto", GMEM_EFFORT_NORMAL);
  CHECK(gmem_plan_pool_size(problem, plan, 0) == 8);
  CHECK(gmem_find_blobs(problem, plan, 0, blobs, blob_of, &sums, &diag) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(diag.object == 1 || diag.object == 2);
  CHECK(gmem_find_blobs(problem, plan, 1, blobs, blob_of, &sums, &diag) ==
        GMEM_ERR_OUT_OF_RANGE);
  solve(problem, "blobs", GMEM_EFFORT_NORMAL);
  sums = list(problem);
  CHECK(sums.count == 2 && sums.bytes == 12 && sums.lower_bound == 12);
  gmem_problem_destroy(problem);
}

// Views lie in the blob of what they are views of; fixed buffers stay.
static void keeps_views_and_fixed_ones(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  add_buffer(problem, 0, 2, 8, 1);
  add_buffer(problem, 1, 4, 3, 1); // a view of it, which lives on
  add_buffer(problem, 2, 4, 8, 1);
  uint32_t fixed = add_fixed(problem, 0, 4, 2, 1);
  CHECK(gmem_problem_add_alias(problem, &(gmem_alias_spec_t){1, 0, 5, false, 0},
                               NULL) == GMEM_OK);
  solve(problem, "blobs", GMEM_EFFORT_NORMAL);
  gmem_blobs_t sums = list(problem);
  CHECK(plan[fixed].offset == 1 && sums.count == 3);
  CHECK(blob_of[1] == blob_of[0] && plan[1].offset == plan[0].offset + 5);
  CHECK(blob_of[2] != blob_of[0] && blob_of[fixed] != blob_of[0]);
  gmem_problem_destroy(problem);
}

// Sizes whose sum no address space holds fail with a message, or are placed.
static void survives_large_sizes(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  gmem_diag_t diag = {0};
  for (int i = 0; i < 5; ++i)
    add_buffer(problem, 0, 1, GMEM_MAX_ADDRESS / 3, 1);
  gmem_solve_options_t options = {.algorithm = gmem_algorithm_find("blobs")};
  CHECK(gmem_solve(problem, &options, plan, NULL, &diag) ==
        GMEM_ERR_OVER_BUDGET);
  gmem_problem_destroy(problem);
}

static gmem_status_t list_with(gmem_allocator_t *allocator) {
  gmem_problem_t *problem = NULL;
  gmem_blobs_t sums;
  uint32_t index;
  const gmem_pool_spec_t pool = {
      .name = "p", .capacity = GMEM_UNLIMITED, .alignment = 1};
  gmem_status_t status = gmem_problem_create(allocator, &problem, NULL);
  if (status == GMEM_OK)
    status = gmem_problem_add_pool(problem, &pool, &index, NULL);
  for (int i = 0; status == GMEM_OK && i < 6; ++i)
    status = gmem_problem_add_buffer(
        problem,
        &(gmem_buffer_spec_t){.name = "b",
                              .size = 1 + (uint64_t)i,
                              .alignment = 1,
                              .ranges = &(gmem_live_range_t){i, i + 3},
                              .range_count = 1},
        &index, NULL);
  if (status == GMEM_OK)
    status = gmem_solve(
        problem,
        &(gmem_solve_options_t){.algorithm = gmem_algorithm_find("blobs"),
                                .effort = GMEM_EFFORT_FAST},
        plan, NULL, NULL);
  if (status == GMEM_OK)
    status = gmem_find_blobs(problem, plan, 0, blobs, blob_of, &sums, NULL);
  gmem_problem_destroy(problem);
  return status;
}

static void survives_failing_allocations(void) {
  for (size_t at = 1;; ++at) {
    heap_t heap = {.fail_at = at};
    gmem_status_t status = list_with(&(gmem_allocator_t){
        .user = &heap, .alloc = heap_alloc, .free = heap_free});
    CHECK(heap.live_blocks == 0 && heap.live_bytes == 0);
    if (status == GMEM_OK) {
      CHECK(at > 10);
      return;
    }
    CHECK(status == GMEM_ERR_OUT_OF_MEMORY);
  }
}

int main(void) {
  finds_the_least(400);
  places_many();
  refuses_other_plans();
  keeps_views_and_fixed_ones();
  survives_large_sizes();
  survives_failing_allocations();
  return 0;
}
