// planner_pieces_test.c - what a user's algorithm is given, against a look at
// every pair of buffers, and the example of such an algorithm.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// UNSUPPORTED: sanitizer && !nightly
// RUN: %unit/planner_pieces_test | FileCheck %s
// CHECK: by-size: {{[0-9]+}} of 1500 problems planned

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "failing_heap.h"
#include "planner_reference.h"

enum { MOST = 12, PROBLEMS = 1500 };

//===--- conflicts --------------------------------------------------------===//

static bool are_explicit(const gmem_problem_t *problem, uint32_t a,
                         uint32_t b) {
  for (size_t i = 0; i < gmem_problem_conflict_count(problem); ++i) {
    uint32_t first, second;
    gmem_problem_conflict(problem, i, &first, &second);
    if ((first == a && second == b) || (first == b && second == a))
      return true;
  }
  return false;
}

static bool may_share_nothing(const gmem_problem_t *problem,
                              const reference_facts_t *facts,
                              const gmem_placement_t *apart, uint32_t a,
                              uint32_t b) {
  const gmem_buffer_spec_t *x = gmem_problem_buffer(problem, a);
  const gmem_buffer_spec_t *y = gmem_problem_buffer(problem, b);
  int64_t time = 0;
  if (a == b || !x->size || !y->size)
    return false;
  return are_explicit(problem, a, b) ||
         (reference_meeting(x, y, &time) &&
          !reference_may_share(problem, apart, facts, a, b));
}

static void compare_with_pairs(const gmem_problem_t *problem) {
  gmem_placement_t apart[MOST]; // so that no optional alias holds
  gmem_conflicts_t conflicts;
  uint32_t count = gmem_problem_buffer_count(problem);
  for (uint32_t i = 0; i < count; ++i)
    apart[i] = (gmem_placement_t){0, i};
  reference_facts_t facts = reference_facts(problem, apart);
  CHECK(gmem_conflicts_create(problem, UINT64_MAX, &conflicts, NULL) ==
        GMEM_OK);
  CHECK(conflicts.count == count);
  for (uint32_t i = 0; i < count; ++i) {
    size_t next = conflicts.starts[i];
    for (uint32_t k = 0; k < count; ++k)
      if (may_share_nothing(problem, &facts, apart, i, k))
        CHECK(next < conflicts.starts[i + 1] && conflicts.others[next++] == k);
    CHECK(next == conflicts.starts[i + 1]);
  }
  size_t pairs = conflicts.starts[count] / 2;
  gmem_conflicts_destroy(problem, &conflicts);
  CHECK(gmem_conflicts_create(problem, pairs, &conflicts, NULL) == GMEM_OK);
  gmem_conflicts_destroy(problem, &conflicts);
  if (pairs > 0)
    CHECK(gmem_conflicts_create(problem, pairs - 1, &conflicts, NULL) ==
          GMEM_ERR_OUT_OF_RANGE);
  gmem_conflicts_destroy(problem, &conflicts);
  reference_free(&facts);
}

static void conflicts_are_those_of_every_pair(void) {
  uint64_t seed = 7;
  for (int i = 0; i < PROBLEMS; ++i) {
    gmem_problem_t *problem = random_related_problem(&seed, MOST);
    compare_with_pairs(problem);
    gmem_problem_destroy(problem);
  }
}

//===--- pieces -----------------------------------------------------------===//

static uint32_t add(gmem_problem_t *problem, int64_t begin, uint64_t size,
                    uint64_t alignment) {
  gmem_live_range_t range = {begin, begin + 2};
  gmem_buffer_spec_t spec = {.name = "",
                             .size = size,
                             .alignment = alignment,
                             .ranges = &range,
                             .range_count = 1,
                             .uses = 3};
  uint32_t index;
  CHECK(gmem_problem_add_buffer(problem, &spec, &index, NULL) == GMEM_OK);
  return index;
}

// A view at 8 in a parent, behind which a third lies; the third wants 16.
static void what_is_tied_moves_as_one(void) {
  gmem_problem_t *problem = one_pool_problem(1000, 1, 0);
  uint32_t parent = add(problem, 0, 20, 4), view = add(problem, 1, 8, 8);
  uint32_t behind = add(problem, 2, 8, 16), alone = add(problem, 1, 100, 1);
  add(problem, 0, 0, 1); // no piece
  uint32_t block[] = {parent, behind};
  CHECK(gmem_problem_add_alias(
            problem,
            &(gmem_alias_spec_t){view, parent, 8, .is_optional = false},
            NULL) == GMEM_OK);
  CHECK(gmem_problem_add_block(problem, &(gmem_block_spec_t){block, 2}, NULL) ==
        GMEM_OK);
  gmem_pieces_t pieces;
  gmem_placement_t plan[5];
  CHECK(gmem_pieces_create(problem, 100, &pieces, NULL) == GMEM_OK);
  CHECK(pieces.count == 2);
  gmem_piece_t *tied = &pieces.at[0], *other = &pieces.at[1];
  CHECK(tied->buffer == parent && tied->size == 40 && tied->alignment == 16);
  CHECK(tied->traffic == 3 * (20 + 8 + 8) && tied->pool_count == 1);
  CHECK(other->buffer == alone && other->size == 100 && !other->is_fixed);
  CHECK(tied->conflict_count == 1 && tied->conflicts[0] == 1);
  CHECK(other->conflict_count == 1 && other->conflicts[0] == 0);
  tied->offset = 100;
  CHECK(gmem_piece_align(&pieces, 0, 0, &tied->offset) && tied->offset == 112);
  uint64_t last = 960;
  CHECK(gmem_piece_align(&pieces, 0, 0, &last) && last == 960);
  last = 961;
  CHECK(!gmem_piece_align(&pieces, 0, 0, &last));
  CHECK(gmem_pieces_write(&pieces, plan, NULL) == GMEM_OK);
  CHECK(plan[view].offset == 120 && plan[behind].offset == 144);
  CHECK(gmem_check(problem, plan, NULL, NULL) == GMEM_OK);
  gmem_pieces_destroy(&pieces);
  gmem_problem_destroy(problem);
}

//===--- the example ------------------------------------------------------===//

static bool plan_with(const gmem_problem_t *problem,
                      const gmem_algorithm_t *algorithm) {
  gmem_placement_t plan[MOST];
  gmem_diag_t diag = {0};
  gmem_status_t status =
      gmem_solve(problem, &(gmem_solve_options_t){.algorithm = algorithm}, plan,
                 NULL, &diag);
  bool is_expected =
      status == GMEM_OK || status == GMEM_ERR_OVER_BUDGET ||
      status == GMEM_ERR_INVALID_ARGUMENT ||
      (status == GMEM_ERR_OVERLAP && gmem_problem_buffer_count(problem) > 1);
  CHECK(is_expected);
  if (!is_expected)
    fprintf(stderr, "  %s\n", diag.text);
  return status == GMEM_OK;
}

static bool has_fixed(const gmem_problem_t *problem) {
  for (uint32_t i = 0; i < gmem_problem_buffer_count(problem); ++i)
    if (gmem_problem_buffer(problem, i)->has_fixed_offset)
      return true;
  return false;
}

// Whatever the pieces say, the checker has the last word; and what the rule of
// the example can place, the default can.
static void the_example_makes_plans_that_hold(void) {
  const gmem_algorithm_t *by_size =
      gmem_algorithm_load(GMEM_ALGORITHM_VERSION, 0);
  CHECK(by_size && !gmem_algorithm_load(GMEM_ALGORITHM_VERSION, 1));
  CHECK(!gmem_algorithm_load(GMEM_ALGORITHM_VERSION + 1, 0));
  uint64_t seed = 11;
  int planned = 0;
  for (int i = 0; i < PROBLEMS; ++i) {
    gmem_problem_t *problem = random_related_problem(&seed, MOST);
    gmem_placement_t plan[MOST];
    bool is_planned = plan_with(problem, by_size);
    planned += is_planned;
    if (is_planned)
      CHECK(gmem_solve(problem, NULL, plan, NULL, NULL) == GMEM_OK);
    // The last pool has room for all: nothing but fixed buffers, and ties that
    // no address suits, is in the way.
    if (!is_planned && !has_fixed(problem))
      CHECK(gmem_solve(problem, NULL, plan, NULL, NULL) != GMEM_OK);
    gmem_problem_destroy(problem);
  }
  printf("by-size: %d of %d problems planned\n", planned, PROBLEMS);
  CHECK(planned > PROBLEMS / 2);
}

//===--- no memory --------------------------------------------------------===//

static void every_allocation_fails_once(void) {
  for (size_t fail_at = 0;; ++fail_at) {
    heap_t heap = {0};
    gmem_allocator_t allocator = {&heap, heap_alloc, heap_free};
    gmem_problem_t *problem = NULL;
    gmem_pieces_t pieces;
    uint32_t pool;
    CHECK(gmem_problem_create(&allocator, &problem, NULL) == GMEM_OK);
    gmem_pool_spec_t spec = {.name = "p", .capacity = 4096, .alignment = 16};
    CHECK(gmem_problem_add_pool(problem, &spec, &pool, NULL) == GMEM_OK);
    for (int i = 0; i < 60; ++i)
      add(problem, 0, 16, 1);
    gmem_alias_spec_t alias = {1, 0, 0, .is_optional = false};
    CHECK(gmem_problem_add_alias(problem, &alias, NULL) == GMEM_OK);
    size_t before = heap.live_blocks;
    heap.calls = 0;
    heap.fail_at = fail_at;
    gmem_status_t status = gmem_pieces_create(problem, 5000, &pieces, NULL);
    CHECK(status == GMEM_OK || status == GMEM_ERR_OUT_OF_MEMORY);
    CHECK((status == GMEM_OK) == (heap.calls < fail_at || fail_at == 0));
    size_t calls = heap.calls;
    gmem_pieces_destroy(&pieces);
    CHECK(heap.live_blocks == before);
    gmem_problem_destroy(problem);
    if (calls < fail_at)
      break;
  }
}

int main(void) {
  conflicts_are_those_of_every_pair();
  what_is_tied_moves_as_one();
  the_example_makes_plans_that_hold();
  every_allocation_fails_once();
  return CHECK_RESULT();
}
