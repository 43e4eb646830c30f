// planner_worth_test.c - which buffers get the fast memory: speeds, chains of
// pools, small problems against all plans, and two simple rules that are never
// better.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// UNSUPPORTED: sanitizer && !nightly
// REQUIRES: long_tests
// RUN: %unit/planner_worth_test | FileCheck %s
// CHECK: at fast, 200 at normal, 200 at exhaustive
// CHECK: with a plan: missed 0 at normal, 0 at exhaustive

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "planner_reference.h"

enum { MOST = 64 };

static uint32_t add_pool(gmem_problem_t *problem, const char *name,
                         uint64_t capacity, uint32_t speed) {
  uint32_t index;
  gmem_pool_spec_t pool = {
      .name = name, .capacity = capacity, .alignment = 1, .speed = speed};
  CHECK(gmem_problem_add_pool(problem, &pool, &index, NULL) == GMEM_OK);
  return index;
}

// Without |pools| it may go to all of them.
static uint32_t add(gmem_problem_t *problem, gmem_live_range_t range,
                    uint64_t size, uint64_t uses, const uint32_t *pools,
                    size_t pool_count) {
  uint32_t index;
  gmem_buffer_spec_t spec = {.size = size,
                             .alignment = 1,
                             .ranges = &range,
                             .range_count = 1,
                             .uses = uses,
                             .pools = pools,
                             .pool_count = pool_count};
  CHECK(gmem_problem_add_buffer(problem, &spec, &index, NULL) == GMEM_OK);
  return index;
}

static gmem_problem_t *no_problem(void) {
  gmem_problem_t *problem = NULL;
  CHECK(gmem_problem_create(NULL, &problem, NULL) == GMEM_OK);
  return problem;
}

static void expect(const gmem_problem_t *problem, const uint32_t *pools) {
  gmem_placement_t plan[MOST];
  for (size_t i = 0; i < gmem_algorithm_count(); ++i) {
    CHECK(gmem_solve(problem,
                     &(gmem_solve_options_t){.algorithm = gmem_algorithm_at(i)},
                     plan, NULL, NULL) == GMEM_OK);
    for (uint32_t k = 0; k < gmem_problem_buffer_count(problem); ++k)
      CHECK(plan[k].pool == pools[k]);
  }
}

//===--- speeds -----------------------------------------------------------===//

// Both are used as often; the one that would have to go further stays.
static void what_loses_most_stays(void) {
  const gmem_live_range_t all = {0, 4};
  gmem_problem_t *problem = no_problem();
  add_pool(problem, "fast", 16, 100);
  add_pool(problem, "middle", GMEM_UNLIMITED, 90);
  add_pool(problem, "slow", GMEM_UNLIMITED, 10);
  add(problem, all, 16, 5, (uint32_t[]){0, 1}, 2);
  add(problem, all, 16, 5, (uint32_t[]){0, 2}, 2);
  expect(problem, (uint32_t[]){1, 0});
  // Used nine times as often, it loses as much as the other.
  add(problem, all, 16, 46, (uint32_t[]){0, 1}, 2);
  expect(problem, (uint32_t[]){1, 0 + 2, 0});
  gmem_problem_destroy(problem);
}

// Where one speed is not said, uses alone decide.
static void what_is_not_said_does_not_count(void) {
  const gmem_live_range_t all = {0, 4};
  gmem_problem_t *problem = no_problem();
  add_pool(problem, "fast", 16, 100);
  add_pool(problem, "middle", GMEM_UNLIMITED, 0);
  add_pool(problem, "slow", GMEM_UNLIMITED, 0);
  add(problem, all, 16, 5, (uint32_t[]){0, 1}, 2);
  add(problem, all, 16, 4, (uint32_t[]){0, 2}, 2);
  expect(problem, (uint32_t[]){0, 2});
  gmem_problem_destroy(problem);
}

// A chain of four: what is used most is in front, each behind as it is used.
static void chains_are_in_the_order_of_uses(void) {
  const gmem_live_range_t all = {0, 4};
  gmem_problem_t *problem = no_problem();
  add_pool(problem, "a", 8, 0);
  add_pool(problem, "b", 8, 0);
  add_pool(problem, "c", 8, 0);
  add_pool(problem, "d", GMEM_UNLIMITED, 0);
  for (uint64_t uses = 1; uses <= 4; ++uses)
    add(problem, all, 8, uses, NULL, 0);
  expect(problem, (uint32_t[]){3, 2, 1, 0});
  gmem_problem_destroy(problem);
}

// Two that are tied go together; alone, the view would have stayed.
static void what_is_tied_is_worth_its_sum(void) {
  const gmem_live_range_t all = {0, 4};
  gmem_problem_t *problem = no_problem();
  add_pool(problem, "fast", 16, 3);
  add_pool(problem, "slow", GMEM_UNLIMITED, 1);
  uint32_t parent = add(problem, all, 16, 1, NULL, 0);
  uint32_t view = add(problem, all, 4, 9, NULL, 0); // 36 + 16 in 16 bytes
  uint32_t other = add(problem, all, 16, 3, NULL, 0);
  CHECK(gmem_problem_add_alias(
            problem,
            &(gmem_alias_spec_t){view, parent, 8, .is_optional = false},
            NULL) == GMEM_OK);
  expect(problem, (uint32_t[]){0, 0, 1});
  add(problem, all, 16, 4, NULL, 0);
  CHECK(other == 2);
  expect(problem, (uint32_t[]){1, 1, 1, 0});
  gmem_problem_destroy(problem);
}

//===--- two pools against all plans --------------------------------------===//

enum { SMALL = 10, FAST_SIZE = 12, PROBLEMS = 200 };

typedef struct packer_s {
  const gmem_problem_t *problem;
  uint32_t items[SMALL], count;
  uint64_t offset[SMALL];
} packer_t;

static bool meets(const packer_t *packer, uint32_t i, uint64_t offset) {
  const gmem_buffer_spec_t *a =
      gmem_problem_buffer(packer->problem, packer->items[i]);
  for (uint32_t k = 0; k < i; ++k) {
    const gmem_buffer_spec_t *b =
        gmem_problem_buffer(packer->problem, packer->items[k]);
    if (a->ranges[0].begin < b->ranges[0].end &&
        b->ranges[0].begin < a->ranges[0].end &&
        offset < packer->offset[k] + b->size &&
        packer->offset[k] < offset + a->size)
      return true;
  }
  return false;
}

// Every offset of every buffer: there are few. The depth is that of the items.
static bool can_pack(packer_t *packer, uint32_t i) {
  if (i == packer->count)
    return true;
  uint64_t size = gmem_problem_buffer(packer->problem, packer->items[i])->size;
  for (uint64_t offset = 0; offset + size <= FAST_SIZE; ++offset) {
    packer->offset[i] = offset;
    if (!meets(packer, i, offset) && can_pack(packer, i + 1))
      return true;
  }
  return false;
}

static uint64_t traffic_of(const gmem_problem_t *problem, uint32_t mask) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < gmem_problem_buffer_count(problem); ++i) {
    const gmem_buffer_spec_t *spec = gmem_problem_buffer(problem, i);
    sum += mask >> i & 1 ? spec->size * spec->uses : 0;
  }
  return sum;
}

// The most bytes x uses that fit into the fast pool.
static uint64_t optimum_of(const gmem_problem_t *problem) {
  uint64_t best = 0;
  uint32_t count = gmem_problem_buffer_count(problem);
  for (uint32_t mask = 0; mask < UINT32_C(1) << count; ++mask) {
    packer_t packer = {.problem = problem};
    if (traffic_of(problem, mask) <= best)
      continue;
    for (uint32_t i = 0; i < count; ++i)
      if (mask >> i & 1)
        packer.items[packer.count++] = i;
    if (can_pack(&packer, 0))
      best = traffic_of(problem, mask);
  }
  return best;
}

static uint64_t stays(const gmem_problem_t *problem,
                      const gmem_solve_options_t *options) {
  gmem_placement_t plan[MOST];
  uint32_t mask = 0;
  CHECK(gmem_solve(problem, options, plan, NULL, NULL) == GMEM_OK);
  for (uint32_t i = 0; i < gmem_problem_buffer_count(problem); ++i)
    mask |= (uint32_t)(plan[i].pool == 0) << i;
  return traffic_of(problem, mask);
}

// First come, first served: in the order in which they become live, each at the
// lowest free bytes of the fast pool, or else of the slow one.
static bool place_first(gmem_pieces_t *pieces, uint32_t index, uint32_t pool,
                        const bool *is_placed) {
  gmem_piece_t *piece = &pieces->at[index];
  piece->pool = pool;
  for (piece->offset = 0; gmem_piece_align(pieces, index, pool, &piece->offset);
       ++piece->offset) {
    bool is_free = true;
    for (size_t i = 0; i < piece->conflict_count; ++i) {
      const gmem_piece_t *other = &pieces->at[piece->conflicts[i]];
      if (is_placed[piece->conflicts[i]] && other->pool == pool &&
          other->offset < piece->offset + piece->size &&
          piece->offset < other->offset + other->size)
        is_free = false;
    }
    if (is_free)
      return true;
  }
  return false;
}

static gmem_status_t run_in_order(const gmem_problem_t *problem,
                                  gmem_search_t *search, gmem_placement_t *plan,
                                  void *user, gmem_diag_t *diag) {
  gmem_pieces_t pieces;
  bool is_placed[MOST] = {false};
  (void)search, (void)user;
  CHECK(gmem_pieces_create(problem, 1000, &pieces, diag) == GMEM_OK);
  for (int64_t time = 0; time < 100; ++time)
    for (uint32_t i = 0; i < pieces.count; ++i) {
      uint32_t buffer = pieces.at[i].buffer;
      if (gmem_problem_buffer(problem, buffer)->ranges[0].begin != time)
        continue;
      CHECK(place_first(&pieces, i, 0, is_placed) ||
            place_first(&pieces, i, 1, is_placed));
      is_placed[i] = true;
    }
  gmem_status_t status = gmem_pieces_write(&pieces, plan, diag);
  gmem_pieces_destroy(&pieces);
  return status;
}

static void is_never_below_simple_rules(const gmem_problem_t *problem,
                                        uint64_t ours) {
  static const gmem_algorithm_t in_order = {"in-order", "", run_in_order, NULL};
  const gmem_algorithm_t *by_size =
      gmem_algorithm_load(GMEM_ALGORITHM_VERSION, 0);
  CHECK(ours >=
        stays(problem, &(gmem_solve_options_t){.algorithm = &in_order}));
  CHECK(ours >= stays(problem, &(gmem_solve_options_t){.algorithm = by_size}));
}

static gmem_problem_t *random_two_pools(uint64_t *seed, uint32_t count,
                                        uint32_t times, uint64_t fast) {
  gmem_problem_t *problem = no_problem();
  add_pool(problem, "fast", fast, 0);
  add_pool(problem, "slow", GMEM_UNLIMITED, 0);
  for (uint32_t i = 0; i < count; ++i) {
    int64_t begin = random_below(seed, times);
    gmem_live_range_t range = {begin, begin + 1 + random_below(seed, 5)};
    add(problem, range, 1 + random_below(seed, 7), 1 + random_below(seed, 6),
        NULL, 0);
  }
  return problem;
}

static void two_pools_are_at_the_optimum(void) {
  static const gmem_effort_t efforts[] = {GMEM_EFFORT_FAST, GMEM_EFFORT_NORMAL,
                                          GMEM_EFFORT_EXHAUSTIVE};
  uint64_t seed = 3;
  double ratio[3] = {0}, worst[3] = {1, 1, 1};
  int reached[3] = {0};
  for (int i = 0; i < PROBLEMS; ++i) {
    gmem_problem_t *problem = random_two_pools(
        &seed, 8 + random_below(&seed, SMALL - 7), 6, FAST_SIZE);
    uint64_t best = optimum_of(problem);
    for (int k = 0; k < 3; ++k) {
      uint64_t ours =
          stays(problem, &(gmem_solve_options_t){.effort = efforts[k]});
      double part = (double)ours / (double)best;
      CHECK(ours <= best);
      ratio[k] += part / PROBLEMS;
      worst[k] = part < worst[k] ? part : worst[k];
      reached[k] += ours == best;
      is_never_below_simple_rules(problem, ours);
    }
    gmem_problem_destroy(problem);
  }
  printf("%d problems of two pools: %d at the optimum at fast, %d at normal, "
         "%d at exhaustive\n"
         "bytes x uses as against the optimum, mean and worst: fast %.4f %.4f, "
         "normal %.4f %.4f\n",
         PROBLEMS, reached[0], reached[1], reached[2], ratio[0], worst[0],
         ratio[1], worst[1]);
  CHECK(reached[1] == PROBLEMS && reached[2] == PROBLEMS);
}

// Too many to look at every plan.
static void larger_ones_are_never_below_simple_rules(void) {
  uint64_t seed = 4;
  for (int i = 0; i < 60; ++i) {
    gmem_problem_t *problem = random_two_pools(&seed, 30, 20, FAST_SIZE);
    is_never_below_simple_rules(problem, stays(problem, NULL));
    gmem_problem_destroy(problem);
  }
}

//===--- is there a plan? -------------------------------------------------===//

enum { TINY = 5, TINY_PROBLEMS = 1000 };

typedef struct finder_s {
  const gmem_problem_t *problem;
  gmem_placement_t plan[TINY];
} finder_t;

// What |buffer| does to those before it. The last look is the checker's.
static bool suits(const finder_t *finder, uint32_t buffer) {
  const gmem_problem_t *problem = finder->problem;
  for (size_t i = 0; i < gmem_problem_alias_count(problem); ++i) {
    const gmem_alias_spec_t *alias = gmem_problem_alias(problem, i);
    uint32_t later =
        alias->child > alias->parent ? alias->child : alias->parent;
    if (later == buffer && !alias->is_optional &&
        gmem_problem_buffer(problem, alias->child)->size &&
        !reference_in_place(alias, finder->plan))
      return false;
  }
  return true;
}

static bool can_place(finder_t *finder, uint32_t buffer) {
  const gmem_problem_t *problem = finder->problem;
  if (buffer == gmem_problem_buffer_count(problem))
    return reference_check(problem, finder->plan).violation ==
           GMEM_VIOLATION_NONE;
  const gmem_buffer_spec_t *spec = gmem_problem_buffer(problem, buffer);
  size_t pools = spec->has_fixed_offset ? 1 : spec->pool_count;
  for (size_t i = 0; i < pools; ++i) {
    uint64_t capacity = gmem_problem_pool(problem, spec->pools[i])->capacity;
    for (uint64_t offset = 0; offset + spec->size <= capacity; ++offset) {
      finder->plan[buffer] = (gmem_placement_t){offset, spec->pools[i]};
      if (reference_alone_in(spec, problem, finder->plan[buffer], true) ==
              GMEM_VIOLATION_NONE &&
          suits(finder, buffer) && can_place(finder, buffer + 1))
        return true;
    }
  }
  return false;
}

// Bases suit all alignments: what is tied is framed down to an aligned address,
// which must not be below the pool.
static void add_tiny_pools(gmem_problem_t *problem, uint64_t *seed) {
  static const char *const names[] = {"a", "b", "c", "d"};
  uint32_t count = 1 + random_below(seed, 4), index;
  for (uint32_t i = 0; i < count; ++i) {
    gmem_pool_spec_t pool = {.name = names[i],
                             .capacity = 2 + random_below(seed, 7),
                             .alignment = UINT64_C(1) << random_below(seed, 2),
                             .base = 4 * random_below(seed, 3),
                             .speed = random_below(seed, 3)};
    CHECK(gmem_problem_add_pool(problem, &pool, &index, NULL) == GMEM_OK);
  }
}

static void add_tiny_buffer(gmem_problem_t *problem, uint64_t *seed) {
  uint32_t pools[4], count = 0, index;
  uint32_t pool_count = gmem_problem_pool_count(problem);
  uint32_t first = random_below(seed, pool_count);
  for (uint32_t i = 0; i < pool_count; ++i)
    if (i == 0 || random_below(seed, 2))
      pools[count++] = (first + i) % pool_count;
  int64_t begin = random_below(seed, 4);
  gmem_live_range_t range = {begin, begin + 1 + random_below(seed, 4)};
  gmem_buffer_spec_t spec = {.name = "",
                             .size = random_below(seed, 5),
                             .alignment = UINT64_C(1) << random_below(seed, 3),
                             .ranges = &range,
                             .range_count = 1,
                             .pools = pools,
                             .pool_count = count,
                             .has_fixed_offset = random_below(seed, 8) == 0,
                             .fixed_offset = random_below(seed, 4),
                             .uses = random_below(seed, 9)};
  // A misaligned fixed offset is refused, and left out.
  gmem_status_t status = gmem_problem_add_buffer(problem, &spec, &index, NULL);
  CHECK(status == GMEM_OK || spec.has_fixed_offset);
}

static gmem_problem_t *tiny_problem(uint64_t *seed) {
  gmem_problem_t *problem = no_problem();
  add_tiny_pools(problem, seed);
  for (uint32_t i = 1 + random_below(seed, TINY); i > 0; --i)
    add_tiny_buffer(problem, seed);
  if (gmem_problem_buffer_count(problem) == 0)
    return problem;
  for (uint32_t i = random_below(seed, 3); i > 0; --i)
    add_random_alias(problem, seed);
  if (random_below(seed, 3) == 0)
    add_random_block(problem, seed);
  if (random_below(seed, 3) == 0)
    add_random_conflict(problem, seed);
  return problem;
}

static bool has_plan(const gmem_problem_t *problem, gmem_effort_t effort) {
  gmem_placement_t plan[TINY];
  gmem_diag_t diag = {0};
  gmem_status_t status = gmem_solve(
      problem, &(gmem_solve_options_t){.effort = effort}, plan, NULL, &diag);
  bool is_expected = status == GMEM_OK || status == GMEM_ERR_OVER_BUDGET ||
                     status == GMEM_ERR_INVALID_ARGUMENT ||
                     status == GMEM_ERR_OVERLAP;
  CHECK(is_expected);
  if (!is_expected)
    fprintf(stderr, "  %s\n", diag.text);
  if (status == GMEM_OK)
    CHECK(reference_check(problem, plan).violation == GMEM_VIOLATION_NONE);
  return status == GMEM_OK;
}

// Pools of one to four, candidates, capacities, fixed buffers, aliases, blocks
// and conflicts at random: where there is a plan, it is found.
static void plans_are_found_where_there_are_any(void) {
  uint64_t seed = 5;
  int with_plan = 0, missed[2] = {0};
  for (int i = 0; i < TINY_PROBLEMS; ++i) {
    gmem_problem_t *problem = tiny_problem(&seed);
    finder_t finder = {.problem = problem};
    bool there_is = can_place(&finder, 0);
    bool normal = has_plan(problem, GMEM_EFFORT_NORMAL);
    bool exhaustive = has_plan(problem, GMEM_EFFORT_EXHAUSTIVE);
    CHECK(there_is || (!normal && !exhaustive));
    with_plan += there_is;
    missed[0] += there_is && !normal;
    missed[1] += there_is && !exhaustive;
    gmem_problem_destroy(problem);
  }
  printf(
      "%d tiny problems with relations, %d with a plan: missed %d at normal, "
      "%d at exhaustive\n",
      TINY_PROBLEMS, with_plan, missed[0], missed[1]);
  CHECK(missed[0] == 0 && missed[1] == 0);
}

int main(void) {
  what_loses_most_stays();
  what_is_not_said_does_not_count();
  chains_are_in_the_order_of_uses();
  what_is_tied_is_worth_its_sum();
  two_pools_are_at_the_optimum();
  larger_ones_are_never_below_simple_rules();
  plans_are_found_where_there_are_any();
  return CHECK_RESULT();
}
