// planner_relations_test.c - conflicts, aliases, blocks and branches: what is
// refused, and what plans make of the rest.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %unit/planner_relations_test

#include <string.h>

#include "check.h"
#include "planner_reference.h"

enum { MOST = 64 };

static gmem_placement_t plan[MOST];
static gmem_plan_figures_t figures;
static gmem_diag_t diag;

static uint64_t peak_of(const gmem_problem_t *problem) {
  memset(&figures, 0, sizeof figures);
  CHECK(gmem_solve(problem, NULL, plan, &figures, &diag) == GMEM_OK);
  CHECK(reference_check(problem, plan).violation == GMEM_VIOLATION_NONE);
  return figures.peak;
}

static gmem_status_t alias(gmem_problem_t *problem, uint32_t child,
                           uint32_t parent, uint64_t offset, bool is_optional) {
  diag.text[0] = '\0';
  return gmem_problem_add_alias(
      problem,
      &(gmem_alias_spec_t){child, parent, offset, .is_optional = is_optional},
      &diag);
}

static gmem_status_t block(gmem_problem_t *problem, const uint32_t *buffers,
                           size_t count) {
  return gmem_problem_add_block(problem, &(gmem_block_spec_t){buffers, count},
                                &diag);
}

static uint32_t add_in_branch(gmem_problem_t *problem, uint64_t size,
                              const gmem_branch_t *branches, size_t count) {
  gmem_live_range_t range = {0, 4};
  gmem_buffer_spec_t spec = {.name = "b",
                             .size = size,
                             .alignment = 1,
                             .ranges = &range,
                             .range_count = 1,
                             .branches = branches,
                             .branch_count = count};
  uint32_t index;
  CHECK(gmem_problem_add_buffer(problem, &spec, &index, &diag) == GMEM_OK);
  return index;
}

//===--- conflicts --------------------------------------------------------===//

static void conflicts_keep_apart_what_is_never_live_together(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  add_buffer(problem, 0, 1, 8, 1);
  add_buffer(problem, 5, 6, 8, 1);
  CHECK(peak_of(problem) == 8);
  CHECK(gmem_problem_add_conflict(problem, 1, 0, &diag) == GMEM_OK);
  CHECK(peak_of(problem) == 16);
  CHECK(gmem_problem_conflict_count(problem) == 1);
  CHECK(gmem_problem_add_conflict(problem, 0, 0, &diag) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_problem_add_conflict(problem, 0, 2, &diag) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_problem_conflict_count(problem) == 1);
  gmem_problem_destroy(problem);
}

//===--- aliases ----------------------------------------------------------===//

static void views_lie_in_their_parent_at_no_cost(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 8, 0);
  add_buffer(problem, 0, 4, 32, 8);
  add_buffer(problem, 0, 4, 16, 1);
  add_buffer(problem, 2, 9, 8, 4);
  add_buffer(problem, 3, 4, 8, 1);
  CHECK(alias(problem, 1, 0, 3, false) == GMEM_OK);
  CHECK(alias(problem, 2, 0, 20, false) == GMEM_OK);
  CHECK(peak_of(problem) == 40 && figures.optimal);
  CHECK(plan[1].offset == plan[0].offset + 3);
  CHECK(plan[2].offset == plan[0].offset + 20);
  gmem_problem_destroy(problem);
}

// The storage of a view outlives the others, but only where the view is.
static void only_the_bytes_of_live_views_are_kept(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  add_buffer(problem, 0, 2, 32, 1);
  add_buffer(problem, 0, 8, 8, 1); // its last bytes
  add_buffer(problem, 3, 6, 24, 1);
  CHECK(alias(problem, 1, 0, 24, false) == GMEM_OK);
  CHECK(peak_of(problem) == 32 && figures.optimal);
  gmem_problem_destroy(problem);
}

static void refuses_impossible_aliases(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  for (int i = 0; i < 4; ++i)
    add_buffer(problem, 0, 4, 16, 1);
  add_buffer(problem, 0, 4, 8, 8);
  CHECK(alias(problem, 0, 9, 0, false) == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(alias(problem, 0, 0, 0, false) == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(strstr(diag.text, "view of itself"));
  CHECK(alias(problem, 0, 1, 1, true) == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(strstr(diag.text, "ends past the end"));
  CHECK(alias(problem, 4, 0, 3, false) == GMEM_OK);
  CHECK(alias(problem, 4, 0, 4, false) == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(strstr(diag.text, "a different offset"));
  CHECK(alias(problem, 4, 1, 5, false) == GMEM_OK); // both hold it
  CHECK(alias(problem, 1, 0, 0, false) == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_problem_alias_count(problem) == 2);
  add_buffer(problem, 0, 4, 8, 16);
  CHECK(alias(problem, 5, 0, 4, false) == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(strstr(diag.text, "alignments are incompatible"));
  CHECK(peak_of(problem) > 0);
  gmem_problem_destroy(problem);
}

static void refuses_aliases_of_other_pools_and_places(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  gmem_live_range_t range = {0, 1};
  uint32_t pools[2] = {0}, index;
  gmem_pool_spec_t pool = {.name = "b", .capacity = 64, .alignment = 1};
  CHECK(gmem_problem_add_pool(problem, &pool, &pools[1], &diag) == GMEM_OK);
  gmem_buffer_spec_t spec = {.name = "x",
                             .size = 8,
                             .alignment = 1,
                             .ranges = &range,
                             .range_count = 1,
                             .pools = &pools[0],
                             .pool_count = 1};
  CHECK(gmem_problem_add_buffer(problem, &spec, &index, &diag) == GMEM_OK);
  spec.pools = &pools[1];
  CHECK(gmem_problem_add_buffer(problem, &spec, &index, &diag) == GMEM_OK);
  CHECK(alias(problem, 1, 0, 0, false) == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(strstr(diag.text, "no candidate pool in common"));
  add_fixed(problem, 0, 1, 8, 4);
  add_fixed(problem, 0, 1, 8, 5);
  CHECK(alias(problem, 3, 2, 0, false) == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(strstr(diag.text, "fixed offsets are incompatible"));
  add_buffer(problem, 0, 1, 16, 1);
  CHECK(alias(problem, 2, 4, 8, false) == GMEM_ERR_INVALID_ARGUMENT); // below 0
  CHECK(alias(problem, 2, 4, 4, false) == GMEM_OK);
  CHECK(gmem_problem_alias_count(problem) == 1);
  gmem_problem_destroy(problem);
}

static void takes_optional_aliases_that_help(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  for (int64_t i = 0; i < 5; ++i) // each op reads one and writes the next
    add_buffer(problem, i, i + 2, 16, 1);
  CHECK(peak_of(problem) == 32);
  for (uint32_t i = 1; i < 5; ++i)
    CHECK(alias(problem, i, i - 1, 0, true) == GMEM_OK);
  CHECK(peak_of(problem) == 16 && figures.optimal);
  CHECK(figures.lower_bound == 16);
  gmem_problem_destroy(problem);
}

// A value that is read after the op may not be overwritten through its view.
static void leaves_optional_aliases_that_do_harm(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  add_buffer(problem, 0, 6, 16, 1);
  add_buffer(problem, 1, 3, 16, 1); // a view of it
  add_buffer(problem, 2, 5, 16, 1);
  CHECK(alias(problem, 1, 0, 0, false) == GMEM_OK);
  CHECK(alias(problem, 2, 1, 0, true) == GMEM_OK);
  CHECK(peak_of(problem) == 32);
  gmem_problem_destroy(problem);
}

// "Either in place of the other" once left no one whose address counted.
static void two_that_may_replace_each_other_are_aligned(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 16, 8 * 16);
  add_fixed(problem, 0, 4, 24, 0);
  add_buffer(problem, 0, 2, 16, 1);
  add_buffer(problem, 1, 4, 16, 1);
  CHECK(alias(problem, 1, 2, 0, true) == GMEM_OK);
  CHECK(alias(problem, 2, 1, 0, true) == GMEM_OK);
  CHECK(peak_of(problem) == 48);
  plan[1].offset = plan[2].offset = 24;
  CHECK(gmem_check(problem, plan, NULL, NULL) == GMEM_ERR_ALIGNMENT);
  gmem_problem_destroy(problem);
}

//===--- blocks -----------------------------------------------------------===//

static void blocks_lie_in_a_row(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  add_buffer(problem, 0, 1, 5, 1);
  add_buffer(problem, 4, 5, 4, 4);
  add_buffer(problem, 8, 9, 0, 64); // has no bytes to put anywhere
  add_buffer(problem, 8, 9, 3, 1);
  CHECK(block(problem, (uint32_t[]){0, 1, 2, 3}, 4) == GMEM_OK);
  CHECK(peak_of(problem) == 15);
  CHECK(plan[1].offset == plan[0].offset + 8);
  CHECK(plan[3].offset == plan[0].offset + 12);
  CHECK(gmem_problem_block_count(problem) == 1);
  CHECK(gmem_problem_block(problem, 0)->count == 4);
  gmem_problem_destroy(problem);
}

static void a_refused_block_leaves_no_trace(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  for (int i = 0; i < 4; ++i)
    add_buffer(problem, i, i + 1, 8, 1);
  CHECK(alias(problem, 3, 2, 0, false) == GMEM_OK);
  CHECK(block(problem, (uint32_t[]){0, 1, 2, 3}, 4) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(block(problem, (uint32_t[]){0, 0}, 2) == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(block(problem, (uint32_t[]){0, 7}, 2) == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(block(problem, NULL, 0) == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_problem_block_count(problem) == 0);
  CHECK(peak_of(problem) == 8); // nothing is tied but the alias
  gmem_problem_destroy(problem);
}

// A buffer with |count| candidate pools, from |first| on.
static uint32_t add_in_pools(gmem_problem_t *problem, uint32_t first,
                             size_t count) {
  static const uint32_t pools[] = {0, 1};
  gmem_live_range_t range = {0, 1};
  gmem_buffer_spec_t spec = {.name = "x",
                             .size = 8,
                             .alignment = 1,
                             .ranges = &range,
                             .range_count = 1,
                             .pools = pools + first,
                             .pool_count = count};
  uint32_t index;
  CHECK(gmem_problem_add_buffer(problem, &spec, &index, &diag) == GMEM_OK);
  return index;
}

static void each_group_keeps_its_own_pools(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  gmem_pool_spec_t pool = {.name = "b", .capacity = 64, .alignment = 1};
  uint32_t ignored, few[2], many[3];
  CHECK(gmem_problem_add_pool(problem, &pool, &ignored, &diag) == GMEM_OK);
  for (int i = 0; i < 2; ++i)
    few[i] = add_in_pools(problem, 0, 1);
  for (int i = 0; i < 3; ++i)
    many[i] = add_in_pools(problem, 0, 2);
  uint32_t first = add_in_pools(problem, 0, 1);
  uint32_t second = add_in_pools(problem, 1, 1);
  CHECK(alias(problem, few[1], few[0], 0, false) == GMEM_OK);
  CHECK(alias(problem, many[1], many[0], 0, false) == GMEM_OK);
  CHECK(alias(problem, many[2], many[0], 0, false) == GMEM_OK);
  // Joins the two groups before it is refused.
  CHECK(block(problem, (uint32_t[]){many[0], few[0], second}, 3) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(alias(problem, second, few[1], 0, false) == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(alias(problem, second, many[1], 0, false) == GMEM_OK);
  CHECK(alias(problem, first, many[2], 0, false) == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(alias(problem, first, few[1], 0, false) == GMEM_OK);
  gmem_problem_destroy(problem);
}

//===--- branches ---------------------------------------------------------===//

static void arms_of_a_choice_share_bytes(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  add_in_branch(problem, 8, NULL, 0);
  add_in_branch(problem, 16, &(gmem_branch_t){1, 0}, 1);
  add_in_branch(problem, 8, &(gmem_branch_t){1, 1}, 1);
  add_in_branch(problem, 12, &(gmem_branch_t){1, 1}, 1);
  CHECK(peak_of(problem) == 28 && figures.optimal);
  CHECK(gmem_problem_add_conflict(problem, 1, 3, &diag) == GMEM_OK);
  CHECK(peak_of(problem) == 36); // a conflict counts all the same
  gmem_problem_destroy(problem);
}

// The bound of the packing, in which a block is in no branch, was reported as
// that of the problem.
static void a_block_across_branches_raises_no_bound(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  add_in_branch(problem, 2, (gmem_branch_t[]){{0, 1}, {1, 1}}, 2);
  add_in_branch(problem, 2, (gmem_branch_t[]){{0, 0}}, 1);
  add_in_branch(problem, 3, (gmem_branch_t[]){{0, 0}, {1, 1}}, 2);
  CHECK(block(problem, (uint32_t[]){1, 0}, 2) == GMEM_OK);
  CHECK(peak_of(problem) >= 5);
  CHECK(figures.lower_bound <= 5); // the third may share with the first
  gmem_problem_destroy(problem);
}

// Exact search refused packings with branches. The bound here is 12, which the
// alignments don't allow.
static void what_is_in_branches_is_proved_too(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  gmem_solve_options_t options = {.algorithm = gmem_algorithm_find("exact")};
  gmem_buffer_spec_t spec = {.name = "b",
                             .size = 2,
                             .alignment = 8,
                             .ranges = &(gmem_live_range_t){0, 4},
                             .range_count = 1,
                             .branches = &(gmem_branch_t){1, 0},
                             .branch_count = 1};
  uint32_t index;
  add_buffer(problem, 0, 4, 5, 8);
  add_buffer(problem, 0, 4, 3, 2);
  add_buffer(problem, 0, 4, 2, 1);
  CHECK(gmem_problem_add_buffer(problem, &spec, &index, &diag) == GMEM_OK);
  CHECK(gmem_solve(problem, &options, plan, &figures, &diag) == GMEM_OK);
  CHECK(figures.optimal && figures.peak == 13);
  gmem_problem_destroy(problem);
}

static void nested_choices_need_the_largest_way_through(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  add_in_branch(problem, 10, (gmem_branch_t[]){{1, 0}}, 1);
  add_in_branch(problem, 5, (gmem_branch_t[]){{1, 0}, {2, 0}}, 2);
  add_in_branch(problem, 9, (gmem_branch_t[]){{1, 0}, {2, 1}}, 2);
  add_in_branch(problem, 18, (gmem_branch_t[]){{1, 1}}, 1);
  uint64_t bound;
  CHECK(gmem_lower_bound(problem, &bound, NULL) == GMEM_OK);
  CHECK(bound == 19);
  CHECK(peak_of(problem) == 19 && figures.optimal);
  gmem_problem_destroy(problem);
}

static void refuses_unsorted_branches(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  gmem_live_range_t range = {0, 1};
  gmem_branch_t branches[2] = {{2, 0}, {2, 1}};
  uint32_t index;
  gmem_buffer_spec_t spec = {.size = 8,
                             .alignment = 1,
                             .ranges = &range,
                             .range_count = 1,
                             .branches = branches,
                             .branch_count = 2};
  spec.name = "b";
  CHECK(gmem_problem_add_buffer(problem, &spec, &index, &diag) ==
        GMEM_ERR_INVALID_ARGUMENT);
  branches[1].choice = 3;
  CHECK(gmem_problem_add_buffer(problem, &spec, &index, &diag) == GMEM_OK);
  spec.branches = NULL;
  CHECK(gmem_problem_add_buffer(problem, &spec, &index, &diag) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_problem_buffer(problem, 0)->branches[1].choice == 3);
  gmem_problem_destroy(problem);
}

//===--- many -------------------------------------------------------------===//

// Ties are near constant time: a chain of views, and a block of all roots.
static void ties_of_many_buffers_are_quick(void) {
  enum { MANY = 100000 };
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  static uint32_t roots[MANY / 2];
  for (uint32_t i = 0; i < MANY; ++i)
    add_buffer(problem, i, i + 2, 8, 1);
  for (uint32_t i = 1; i < MANY; i += 2)
    CHECK(alias(problem, i, i - 1, 0, false) == GMEM_OK);
  for (uint32_t i = 0; i < MANY / 2; ++i)
    roots[i] = 2 * i;
  CHECK(block(problem, roots, MANY / 2) == GMEM_OK);
  CHECK(alias(problem, MANY - 1, 0, 0, false) == GMEM_ERR_INVALID_ARGUMENT);
  gmem_problem_destroy(problem);
}

// Only the buffers of a conflict keep apart, not all that lies in a row with
// them.
static void a_conflict_is_one_of_two_buffers(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  uint32_t small = add_buffer(problem, 1, 2, 1, 1);
  uint32_t early = add_buffer(problem, 0, 1, 1, 1);
  uint32_t large = add_buffer(problem, 1, 2, 4, 1);
  uint32_t always = add_buffer(problem, 0, 2, 2, 1);
  CHECK(block(problem, (uint32_t[]){large, small, always}, 3) == GMEM_OK);
  CHECK(gmem_problem_add_conflict(problem, early, small, NULL) == GMEM_OK);
  CHECK(gmem_problem_add_conflict(problem, always, small, NULL) == GMEM_OK);
  CHECK(peak_of(problem) == 7); // |early| is where |large| will be
  gmem_problem_destroy(problem);
}

int main(void) {
  a_conflict_is_one_of_two_buffers();
  conflicts_keep_apart_what_is_never_live_together();
  views_lie_in_their_parent_at_no_cost();
  only_the_bytes_of_live_views_are_kept();
  refuses_impossible_aliases();
  refuses_aliases_of_other_pools_and_places();
  takes_optional_aliases_that_help();
  leaves_optional_aliases_that_do_harm();
  two_that_may_replace_each_other_are_aligned();
  blocks_lie_in_a_row();
  a_refused_block_leaves_no_trace();
  each_group_keeps_its_own_pools();
  arms_of_a_choice_share_bytes();
  a_block_across_branches_raises_no_bound();
  what_is_in_branches_is_proved_too();
  nested_choices_need_the_largest_way_through();
  refuses_unsorted_branches();
  ties_of_many_buffers_are_quick();
  return CHECK_RESULT();
}
