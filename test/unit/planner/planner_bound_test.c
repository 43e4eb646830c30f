// planner_bound_test.c - no plan is ever below the lower bound.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %unit/planner_bound_test

#include <inttypes.h>
#include <string.h>

#include "check.h"
#include "planner_reference.h"

static uint64_t bound_of(const gmem_problem_t *problem) {
  uint64_t bytes = 0;
  CHECK(gmem_lower_bound(problem, &bytes, NULL) == GMEM_OK);
  return bytes;
}

//===--- the best plan there is -------------------------------------------===//

enum { MOST = 5 };

// A choice of pools and an order in which to stack the buffers. Stacking the
// buffers of a best plan in the order of their offsets gives no higher plan, so
// the best of all orders is the optimum.
typedef struct stack_s {
  uint32_t order[MOST];
  gmem_placement_t plan[MOST];
} stack_t;

static void put_on_top(const gmem_problem_t *problem, stack_t *stack,
                       uint32_t position) {
  uint32_t self = stack->order[position];
  const gmem_buffer_spec_t *spec = gmem_problem_buffer(problem, self);
  const gmem_pool_spec_t *pool =
      gmem_problem_pool(problem, stack->plan[self].pool);
  uint64_t offset = 0;
  for (uint32_t i = 0; i < position; ++i) {
    uint32_t other = stack->order[i];
    const gmem_buffer_spec_t *below = gmem_problem_buffer(problem, other);
    uint64_t end = stack->plan[other].offset + below->size;
    int64_t time = 0;
    if (stack->plan[other].pool == stack->plan[self].pool && end > offset &&
        reference_meeting(spec, below, &time))
      offset = end;
  }
  while ((pool->base + offset) % spec->alignment ||
         (pool->base + offset) % pool->alignment)
    ++offset;
  stack->plan[self].offset = offset;
}

static uint64_t height_of(const gmem_problem_t *problem, stack_t *stack) {
  uint32_t count = gmem_problem_buffer_count(problem);
  uint64_t height = 0;
  for (uint32_t i = 0; i < count; ++i)
    put_on_top(problem, stack, i);
  for (uint32_t i = 0; i < gmem_problem_pool_count(problem); ++i)
    height += gmem_plan_pool_size(problem, stack->plan, i);
  return height;
}

static void swap(uint32_t *a, uint32_t *b) {
  uint32_t kept = *a;
  *a = *b;
  *b = kept;
}

// The next order, as sorted; false after the last.
static bool next_order(uint32_t *order, uint32_t count) {
  uint32_t i = count, k = count;
  while (i > 1 && order[i - 2] >= order[i - 1])
    --i;
  if (i <= 1)
    return false;
  while (order[k - 1] <= order[i - 2])
    --k;
  swap(&order[i - 2], &order[k - 1]);
  for (k = count; i < k; ++i, --k)
    swap(&order[i - 1], &order[k - 1]);
  return true;
}

static uint64_t best_in_pools(const gmem_problem_t *problem, stack_t *stack) {
  uint32_t count = gmem_problem_buffer_count(problem);
  for (uint32_t i = 0; i < count; ++i)
    stack->order[i] = i;
  uint64_t best = UINT64_MAX;
  do {
    uint64_t height = height_of(problem, stack);
    best = height < best ? height : best;
  } while (next_order(stack->order, count));
  return best;
}

// The next choice of candidates, like counting; false after the last.
static bool next_choice(const gmem_problem_t *problem, uint32_t *choice) {
  for (uint32_t i = 0; i < gmem_problem_buffer_count(problem); ++i) {
    if (++choice[i] < gmem_problem_buffer(problem, i)->pool_count)
      return true;
    choice[i] = 0;
  }
  return false;
}

static uint64_t optimum_of(const gmem_problem_t *problem) {
  uint32_t choice[MOST] = {0};
  uint64_t best = UINT64_MAX;
  do {
    stack_t stack = {{0}, {{0, 0}}};
    for (uint32_t i = 0; i < gmem_problem_buffer_count(problem); ++i)
      stack.plan[i].pool = gmem_problem_buffer(problem, i)->pools[choice[i]];
    uint64_t height = best_in_pools(problem, &stack);
    best = height < best ? height : best;
  } while (next_choice(problem, choice));
  return best;
}

//===--- rules ------------------------------------------------------------===//

static void the_topmost_buffer_needs_no_padding(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 64, 0);
  add_buffer(problem, 0, 1, 100, 1);
  CHECK(bound_of(problem) == 100); // not 128
  add_buffer(problem, 0, 1, 100, 1);
  CHECK(bound_of(problem) == 228);
  add_buffer(problem, 1, 2, 228, 1); // not live with them
  CHECK(bound_of(problem) == 228);
  gmem_problem_destroy(problem);
}

static void the_padding_of_what_has_ended_is_no_slack(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 64, 0);
  add_buffer(problem, 0, 1, 1, 1); // 63 bytes of padding, until time 1
  add_buffer(problem, 1, 2, 64, 1);
  add_buffer(problem, 1, 2, 64, 1);
  CHECK(bound_of(problem) == 128);
  gmem_problem_destroy(problem);
}

static void the_base_counts(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 8, 8);
  add_buffer(problem, 0, 1, 4, 32);
  CHECK(bound_of(problem) == 28); // the first aligned address is 32
  gmem_problem_destroy(problem);
}

static void fixed_buffers_count_with_their_ends(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  add_fixed(problem, 0, 1, 4, 96);
  CHECK(bound_of(problem) == 100);
  gmem_problem_destroy(problem);
}

static void add_with_gap(gmem_problem_t *problem, int64_t first, int64_t second,
                         uint64_t size) {
  gmem_live_range_t ranges[] = {{first, first + 1}, {second, second + 1}};
  gmem_buffer_spec_t spec = {
      .ranges = ranges, .range_count = 2, .size = size, .alignment = 1};
  uint32_t index;
  CHECK(gmem_problem_add_buffer(problem, &spec, &index, NULL) == GMEM_OK);
}

// No two of three can share bytes, though never more than two are live.
static void buffers_that_meet_in_pairs_add_up(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  add_with_gap(problem, 0, 2, 8);
  add_with_gap(problem, 0, 4, 8);
  add_with_gap(problem, 6, 8, 8);
  CHECK(bound_of(problem) == 16);
  add_with_gap(problem, 2, 4, 8);
  CHECK(bound_of(problem) == 24);
  gmem_problem_destroy(problem);
}

// Those that raise it most are looked at first: the others would take more work
// than there is.
static void the_heaviest_of_many_add_up(void) {
  enum { MANY = 4000, APART = 200, LAST = MANY + APART + 1 };
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  for (int64_t i = 0; i < MANY; ++i)
    add_with_gap(problem, i, i + APART, 12);
  add_with_gap(problem, LAST, LAST + 2, 1000);
  add_with_gap(problem, LAST, LAST + 4, 1000);
  CHECK(bound_of(problem) == 2000);
  add_with_gap(problem, LAST + 2, LAST + 4, 1000);
  CHECK(bound_of(problem) == 3000);
  gmem_problem_destroy(problem);
}

static void a_gap_that_nothing_fits_into_counts(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  add_fixed(problem, 0, 1, 10, 10);
  add_buffer(problem, 0, 1, 8, 1);
  CHECK(bound_of(problem) == 20);
  add_buffer(problem, 0, 1, 8, 1);
  CHECK(bound_of(problem) == 28); // two bytes below the fixed one are lost
  gmem_problem_destroy(problem);
}

static void buffers_with_a_choice_count_only_in_the_sum(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  uint32_t other;
  uint64_t bytes;
  gmem_pool_spec_t pool = {
      .name = "b", .capacity = GMEM_UNLIMITED, .alignment = 1};
  add_buffer(problem, 0, 1, 10, 1); // before there is another pool
  CHECK(gmem_problem_add_pool(problem, &pool, &other, NULL) == GMEM_OK);
  add_buffer(problem, 0, 1, 5, 1);
  CHECK(gmem_lower_bound_of_pool(problem, 0, &bytes, NULL) == GMEM_OK);
  CHECK(bytes == 10);
  CHECK(gmem_lower_bound_of_pool(problem, other, &bytes, NULL) == GMEM_OK);
  CHECK(bytes == 0);
  CHECK(bound_of(problem) == 15);
  CHECK(gmem_lower_bound_of_pool(problem, 2, &bytes, NULL) ==
        GMEM_ERR_OUT_OF_RANGE);
  gmem_problem_destroy(problem);
}

static void impossible_sums_do_not_wrap(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  for (int i = 0; i < 5; ++i)
    add_buffer(problem, 0, 1, GMEM_MAX_ADDRESS, GMEM_MAX_ALIGNMENT);
  CHECK(bound_of(problem) == GMEM_UNLIMITED);
  gmem_problem_destroy(problem);
  // One byte beyond every address, but far from the largest number.
  problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  add_buffer(problem, 0, 1, GMEM_MAX_ADDRESS, 1);
  CHECK(bound_of(problem) == GMEM_MAX_ADDRESS);
  add_buffer(problem, 0, 1, 1, 1);
  uint64_t bytes = 0;
  CHECK(gmem_lower_bound_of_pool(problem, 0, &bytes, NULL) == GMEM_OK);
  CHECK(bytes == GMEM_UNLIMITED && bound_of(problem) == GMEM_UNLIMITED);
  gmem_problem_destroy(problem);
}

// The sum of two pools was above every address, but not unlimited.
static void sums_of_pools_saturate(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  gmem_pool_spec_t pool = {
      .name = "b", .capacity = GMEM_UNLIMITED, .alignment = 1};
  gmem_live_range_t range = {0, 1};
  uint32_t other, index;
  uint64_t bytes;
  CHECK(gmem_problem_add_pool(problem, &pool, &other, NULL) == GMEM_OK);
  gmem_buffer_spec_t spec = {.name = "",
                             .size = GMEM_MAX_ADDRESS / 2 + 1,
                             .alignment = 1,
                             .ranges = &range,
                             .range_count = 1,
                             .pool_count = 1};
  // Never live together, so that they add up by their pools only.
  for (uint32_t i = 0; i < 2; ++i) {
    range = (gmem_live_range_t){i, i + 1};
    spec.pools = &i;
    CHECK(gmem_problem_add_buffer(problem, &spec, &index, NULL) == GMEM_OK);
  }
  CHECK(gmem_lower_bound_of_pool(problem, other, &bytes, NULL) == GMEM_OK);
  CHECK(bytes == GMEM_MAX_ADDRESS / 2 + 1);
  CHECK(bound_of(problem) == GMEM_MAX_ADDRESS);
  gmem_problem_destroy(problem);
}

// The bound of what two pools can hold together was above every peak.
static void no_bound_is_above_a_peak_of_two_pools(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  gmem_pool_spec_t pool = {
      .name = "b", .capacity = GMEM_UNLIMITED, .alignment = 1};
  uint32_t other;
  gmem_placement_t plan[2];
  gmem_plan_figures_t figures;
  CHECK(gmem_problem_add_pool(problem, &pool, &other, NULL) == GMEM_OK);
  for (int i = 0; i < 2; ++i)
    add_buffer(problem, 0, 1, GMEM_MAX_ADDRESS, 1);
  CHECK(bound_of(problem) == GMEM_MAX_ADDRESS);
  CHECK(gmem_solve(problem, NULL, plan, &figures, NULL) == GMEM_OK);
  CHECK(figures.peak == 2 * GMEM_MAX_ADDRESS);
  CHECK(figures.lower_bound <= figures.peak);
  gmem_problem_destroy(problem);
}

//===--- every small problem ----------------------------------------------===//

// The |number|-th of all problems of three buffers of sizes 1 to 3, alignments
// 1 or 2, and lives [0, 1), [1, 2) or [0, 2).
static gmem_problem_t *small_problem(uint32_t number, uint64_t base) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, base);
  for (int i = 0; i < 3; ++i, number /= 18) {
    uint32_t kind = number % 18, life = kind / 6;
    add_buffer(problem, life == 1, life == 0 ? 1 : 2, 1 + kind % 3,
               kind / 3 % 2 ? 2 : 1);
  }
  return problem;
}

static void holds_for_every_small_problem(void) {
  uint32_t tight = 0;
  for (uint32_t number = 0; number < 18 * 18 * 18; ++number)
    for (uint64_t base = 0; base < 2; ++base) {
      gmem_problem_t *problem = small_problem(number, base);
      uint64_t bound = bound_of(problem), optimum = optimum_of(problem);
      CHECK(bound <= optimum);
      tight += bound == optimum;
      gmem_problem_destroy(problem);
    }
  CHECK(tight > 5000); // of 11,664: the bound is not empty words
}

static gmem_problem_t *random_stackable(uint64_t *seed) {
  gmem_problem_t *problem =
      one_pool_problem(GMEM_UNLIMITED, UINT64_C(1) << random_below(seed, 3), 8);
  uint32_t other;
  gmem_pool_spec_t pool = {.name = "b",
                           .capacity = GMEM_UNLIMITED,
                           .alignment = UINT64_C(1) << random_below(seed, 4),
                           .base = 16};
  for (uint32_t i = 0; i < MOST; ++i) {
    gmem_live_range_t ranges[3];
    gmem_buffer_spec_t spec = {.ranges = ranges,
                               .size = random_below(seed, 12),
                               .alignment = UINT64_C(1)
                                            << random_below(seed, 4)};
    spec.range_count = random_ranges(ranges, seed);
    uint32_t index;
    CHECK(gmem_problem_add_buffer(problem, &spec, &index, NULL) == GMEM_OK);
    if (i == 2 && random_below(seed, 3) == 0)
      CHECK(gmem_problem_add_pool(problem, &pool, &other, NULL) == GMEM_OK);
  }
  return problem;
}

static void holds_for_random_problems(void) {
  uint64_t seed = 5;
  uint32_t tight = 0;
  for (int i = 0; i < 1500; ++i) {
    gmem_problem_t *problem = random_stackable(&seed);
    uint64_t bound = bound_of(problem), optimum = optimum_of(problem);
    CHECK(bound <= optimum);
    tight += bound == optimum;
    gmem_problem_destroy(problem);
  }
  CHECK(tight > 300);
}

// A problem of one pool is given the bound of its packing, not a second one.
static void figures_have_the_same_bound(void) {
  uint64_t seed = 9, stated;
  gmem_solve_options_t options = {.struct_size = sizeof options,
                                  .algorithm = gmem_algorithm_find("none"),
                                  .problem_bound = &stated};
  for (int i = 0; i < 500; ++i) {
    gmem_problem_t *problem = random_stackable(&seed);
    gmem_placement_t plan[16];
    gmem_plan_figures_t figures;
    CHECK(gmem_problem_buffer_count(problem) <= 16);
    CHECK(gmem_solve(problem, &options, plan, &figures, NULL) == GMEM_OK);
    CHECK(figures.lower_bound == bound_of(problem));
    CHECK(stated == bound_of(problem));
    gmem_problem_destroy(problem);
  }
}

//===--- the same problem -------------------------------------------------===//

enum { RANGES = 6, SAME = 90 };

typedef enum form_e {
  AS_IT_IS,
  MIRRORED,
  STRETCHED,
  SHUFFLED,
  CUT,
  FORMS
} form_t;

// Writes |count| ranges in another form; returns how many there are.
static size_t write_ranges(const gmem_live_range_t *ranges, size_t count,
                           form_t form, gmem_live_range_t *out) {
  size_t written = 0;
  for (size_t i = 0; i < count; ++i) {
    gmem_live_range_t range = ranges[form == MIRRORED ? count - 1 - i : i];
    if (form == MIRRORED)
      range = (gmem_live_range_t){SAME * 2 - range.end, SAME * 2 - range.begin};
    if (form == STRETCHED)
      range =
          (gmem_live_range_t){range.begin * range.begin, range.end * range.end};
    if (form == CUT && range.end - range.begin > 1) {
      out[written++] = (gmem_live_range_t){range.begin, range.begin + 1};
      ++range.begin;
    }
    out[written++] = range;
  }
  return written;
}

// Buffers that are live again and again until the end.
static gmem_problem_t *same_problem(uint64_t seed, form_t form) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  gmem_live_range_t ranges[SAME][RANGES], written[2 * RANGES];
  size_t counts[SAME] = {0};
  uint64_t sizes[SAME];
  for (uint32_t i = 0; i < SAME; ++i) {
    int64_t time = random_below(&seed, 10);
    for (; time < SAME && counts[i] < RANGES; ++counts[i]) {
      int64_t end = time + 1 + random_below(&seed, 4);
      ranges[i][counts[i]] = (gmem_live_range_t){time, end};
      time = end + 1 + random_below(&seed, SAME / 3);
    }
    sizes[i] =
        (UINT64_C(1) << random_below(&seed, 10)) + random_below(&seed, 64);
  }
  for (uint32_t i = 0; i < SAME; ++i) {
    uint32_t at = form == SHUFFLED ? i * 7 % SAME : i, index;
    gmem_buffer_spec_t spec = {
        .size = sizes[at],
        .alignment = 1,
        .ranges = written,
        .range_count = write_ranges(ranges[at], counts[at], form, written)};
    CHECK(gmem_problem_add_buffer(problem, &spec, &index, NULL) == GMEM_OK);
  }
  return problem;
}

// Also where the work ends the search for cliques.
static void the_same_problem_has_the_same_bound(void) {
  const uint64_t seeds[] = {1, 25, 32, 36};
  for (size_t i = 0; i < sizeof seeds / sizeof *seeds; ++i) {
    uint64_t first = 0, bound;
    for (form_t form = AS_IT_IS; form < FORMS; ++form) {
      gmem_problem_t *problem = same_problem(seeds[i], form);
      CHECK(gmem_lower_bound(problem, &bound, NULL) == GMEM_OK);
      first = form == AS_IT_IS ? bound : first;
      CHECK(bound == first);
      gmem_problem_destroy(problem);
    }
  }
}

// So that every search sees the same.
static void ranges_that_touch_are_one(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  const gmem_live_range_t ranges[] = {{0, 1}, {1, 4}, {5, 6}, {6, 7}, {7, 9}};
  gmem_buffer_spec_t spec = {
      .size = 1, .alignment = 1, .ranges = ranges, .range_count = 5};
  uint32_t index;
  CHECK(gmem_problem_add_buffer(problem, &spec, &index, NULL) == GMEM_OK);
  const gmem_buffer_spec_t *kept = gmem_problem_buffer(problem, index);
  CHECK(kept->range_count == 2);
  CHECK(kept->ranges[0].begin == 0 && kept->ranges[0].end == 4);
  CHECK(kept->ranges[1].begin == 5 && kept->ranges[1].end == 9);
  gmem_problem_destroy(problem);
}

int main(void) {
  the_same_problem_has_the_same_bound();
  ranges_that_touch_are_one();
  figures_have_the_same_bound();
  the_topmost_buffer_needs_no_padding();
  the_padding_of_what_has_ended_is_no_slack();
  the_base_counts();
  fixed_buffers_count_with_their_ends();
  buffers_that_meet_in_pairs_add_up();
  the_heaviest_of_many_add_up();
  a_gap_that_nothing_fits_into_counts();
  buffers_with_a_choice_count_only_in_the_sum();
  impossible_sums_do_not_wrap();
  sums_of_pools_saturate();
  no_bound_is_above_a_peak_of_two_pools();
  holds_for_every_small_problem();
  holds_for_random_problems();
  return CHECK_RESULT();
}
