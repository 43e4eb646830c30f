// runtime_window_test.c - windows and their parts: the rules hold for every way
// to split, and a checker of the rules finds splits that break them.
// RUN: %unit/runtime_window_test
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <string.h>

#include "check.h"
#include "gmem/parallel.h"

typedef gmem_status_t (*split_fn)(const gmem_window_t *window,
                                  uint32_t dimension, uint32_t parts,
                                  uint32_t index, gmem_window_t *out_part);

static uint64_t random_state = 0x9E3779B97F4A7C15;

static uint64_t random_below(uint64_t bound) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state % bound;
}

//===--- the rules, stated on their own -----------------------------------===//

// max is the whole window's dimension, sub that of a part.
static bool part_follows_rules(gmem_dimension_t max, gmem_dimension_t sub) {
  return max.begin <= sub.begin && sub.begin < max.end && //
         sub.begin < sub.end && sub.end <= max.end &&     //
         max.step == sub.step &&                          //
         (sub.begin - max.begin) % max.step == 0 &&       //
         (sub.end - sub.begin) % max.step == 0;
}

static bool are_equal(const gmem_window_t *a, const gmem_window_t *b) {
  return a->dimension_count == b->dimension_count &&
         memcmp(a->dimensions, b->dimensions, sizeof a->dimensions) == 0;
}

// Whether nothing but |dimension| differs.
static bool others_are_equal(const gmem_window_t *a, const gmem_window_t *b,
                             uint32_t dimension) {
  gmem_window_t copy = *b;
  copy.dimensions[dimension] = a->dimensions[dimension];
  return are_equal(a, &copy);
}

// Whether all parts that |split| gives follow the rules, are the window when
// they are put together, and differ by one step at most. There must be
// |wanted| of them.
static bool split_is_right(const gmem_window_t *window, uint32_t dimension,
                           uint32_t parts, uint32_t wanted, split_fn split) {
  gmem_dimension_t max = window->dimensions[dimension];
  uint64_t reached = max.begin, fewest = UINT64_MAX, most = 0;
  for (uint32_t i = 0; i < wanted; ++i) {
    gmem_window_t part;
    if (split(window, dimension, parts, i, &part) != GMEM_OK ||
        !others_are_equal(window, &part, dimension))
      return false;
    gmem_dimension_t sub = part.dimensions[dimension];
    if (!part_follows_rules(max, sub) || sub.begin != reached)
      return false;
    reached = sub.end;
    uint64_t steps = (sub.end - sub.begin) / sub.step;
    fewest = steps < fewest ? steps : fewest;
    most = steps > most ? steps : most;
  }
  gmem_window_t untouched = *window;
  return reached == max.end && most - fewest <= 1 &&
         split(window, dimension, parts, wanted, &untouched) ==
             GMEM_ERR_OUT_OF_RANGE &&
         are_equal(&untouched, window);
}

static gmem_window_t line(uint64_t begin, uint64_t end, uint64_t step) {
  return (gmem_window_t){1, {{begin, end, step}}};
}

static uint32_t smaller(uint64_t a, uint32_t b) {
  return a < b ? (uint32_t)a : b;
}

//===--- every small window -----------------------------------------------===//

static void test_small_windows(void) {
  for (uint64_t begin = 0; begin < 4; ++begin)
    for (uint64_t step = 1; step < 5; ++step)
      for (uint64_t steps = 1; steps < 20; ++steps)
        for (uint32_t parts = 1; parts < 24; ++parts) {
          gmem_window_t window = line(begin, begin + steps * step, step);
          uint32_t wanted = smaller(steps, parts);
          CHECK(gmem_window_steps(&window, 0) == steps);
          CHECK(gmem_window_parts(&window, 0, parts) == wanted);
          CHECK(split_is_right(&window, 0, parts, wanted, gmem_window_split));
        }
}

//===--- many large ones --------------------------------------------------===//

// Dimensions near the ends of what 64 bits hold, and in between.
static gmem_dimension_t random_dimension(void) {
  uint64_t step = 1 + random_below(UINT64_C(1) << random_below(40));
  uint64_t most = UINT64_MAX / step;
  uint64_t bound = UINT64_C(1) << random_below(63);
  uint64_t steps = 1 + random_below(most < bound ? most : bound);
  uint64_t room = UINT64_MAX - steps * step;
  uint64_t begin = random_below(3) == 0 ? room
                   : room == 0          ? 0
                                        : random_below(room);
  return (gmem_dimension_t){begin, begin + steps * step, step};
}

static void test_random_windows(void) {
  for (uint32_t round = 0; round < 20000; ++round) {
    gmem_window_t window = {1 + (uint32_t)random_below(6), {{0}}};
    for (uint32_t i = 0; i < window.dimension_count; ++i)
      window.dimensions[i] = random_dimension();
    uint32_t dimension = (uint32_t)random_below(window.dimension_count);
    uint32_t parts = 1 + (uint32_t)random_below(40);
    uint64_t steps = gmem_window_steps(&window, dimension);
    gmem_dimension_t of = window.dimensions[dimension];
    CHECK(gmem_window_is_legal(&window));
    CHECK(of.begin + steps * of.step == of.end);
    CHECK(split_is_right(&window, dimension, parts, smaller(steps, parts),
                         gmem_window_split));
  }
}

static void test_corners(void) {
  // All of 64 bits, in the most parts that there are.
  gmem_window_t window = line(0, UINT64_MAX, 1), part, last;
  CHECK(gmem_window_steps(&window, 0) == UINT64_MAX);
  CHECK(gmem_window_parts(&window, 0, UINT32_MAX) == UINT32_MAX);
  CHECK(gmem_window_split(&window, 0, UINT32_MAX, UINT32_MAX - 1, &last) ==
        GMEM_OK);
  CHECK(last.dimensions[0].end == UINT64_MAX);
  CHECK(gmem_window_split(&window, 0, UINT32_MAX, UINT32_MAX - 2, &part) ==
        GMEM_OK);
  CHECK(part.dimensions[0].end == last.dimensions[0].begin);
  // One step that is all of it.
  window = line(0, UINT64_MAX, UINT64_MAX);
  CHECK(split_is_right(&window, 0, 7, 1, gmem_window_split));
  window = line(UINT64_MAX - 1, UINT64_MAX, 1);
  CHECK(split_is_right(&window, 0, 7, 1, gmem_window_split));
  // A part can take the place of its window, and be split in its turn.
  window = line(10, 30, 2);
  CHECK(gmem_window_split(&window, 0, 3, 0, &window) == GMEM_OK);
  CHECK(window.dimensions[0].begin == 10 && window.dimensions[0].end == 18);
  CHECK(split_is_right(&window, 0, 4, 4, gmem_window_split));
}

//===--- what is refused --------------------------------------------------===//

static void check_illegal(gmem_window_t window) {
  gmem_window_t part = line(1, 2, 1), before = part;
  CHECK(!gmem_window_is_legal(&window));
  CHECK(gmem_window_steps(&window, 0) == 0);
  CHECK(gmem_window_parts(&window, 0, 4) == 0);
  CHECK(gmem_window_split(&window, 0, 4, 0, &part) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(are_equal(&part, &before));
}

static void test_refusals(void) {
  check_illegal(line(0, 0, 1));
  check_illegal(line(5, 5, 5));
  check_illegal(line(6, 5, 1));
  check_illegal(line(UINT64_MAX, 0, 1));
  check_illegal(line(0, 4, 0));
  check_illegal(line(0, 5, 2));
  check_illegal(line(0, 4, 8));
  check_illegal((gmem_window_t){0, {{0, 4, 1}}});
  check_illegal((gmem_window_t){7, {{0, 4, 1}}});
  check_illegal((gmem_window_t){UINT32_MAX, {{0, 4, 1}}});
  check_illegal((gmem_window_t){2, {{0, 4, 1}, {0, 0, 1}}});

  gmem_window_t window = line(0, 4, 1), part;
  CHECK(!gmem_window_is_legal(NULL));
  CHECK(gmem_window_steps(NULL, 0) == 0);
  CHECK(gmem_window_parts(NULL, 0, 1) == 0);
  CHECK(gmem_window_steps(&window, 1) == 0);
  CHECK(gmem_window_parts(&window, 1, 1) == 0);
  CHECK(gmem_window_parts(&window, 0, 0) == 0);
  CHECK(gmem_window_split(NULL, 0, 1, 0, &part) == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_window_split(&window, 0, 1, 0, NULL) == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_window_split(&window, 0, 0, 0, &part) ==
        GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_window_split(&window, 1, 1, 0, &part) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(gmem_window_split(&window, 0, 2, 2, &part) == GMEM_ERR_OUT_OF_RANGE);
  CHECK(gmem_window_split(&window, 0, 8, 4, &part) == GMEM_ERR_OUT_OF_RANGE);
}

//===--- the checker finds what it is for ---------------------------------===//

// Each of these spoils one part of a split that is otherwise right.
static gmem_status_t spoil(const gmem_window_t *window, uint32_t dimension,
                           uint32_t parts, uint32_t index, gmem_window_t *part,
                           uint32_t spoilt, uint64_t begin, uint64_t end) {
  gmem_status_t status =
      gmem_window_split(window, dimension, parts, index, part);
  if (status == GMEM_OK && index == spoilt) {
    part->dimensions[dimension].begin += begin;
    part->dimensions[dimension].end += end;
  }
  return status;
}

#define SPOILT_SPLIT(name, spoilt, begin, end)                                 \
  static gmem_status_t name(const gmem_window_t *window, uint32_t dimension,   \
                            uint32_t parts, uint32_t index,                    \
                            gmem_window_t *part) {                             \
    return spoil(window, dimension, parts, index, part, spoilt, begin, end);   \
  }
SPOILT_SPLIT(begins_late, 1, 4, 0)
SPOILT_SPLIT(begins_early, 1, UINT64_MAX - 3, 0)
SPOILT_SPLIT(begins_between, 1, 1, 0)
SPOILT_SPLIT(ends_late, 2, 0, 4)
SPOILT_SPLIT(ends_early, 2, 0, UINT64_MAX - 3)
SPOILT_SPLIT(ends_between, 2, 0, 1)

static gmem_status_t loses_the_rest(const gmem_window_t *window,
                                    uint32_t dimension, uint32_t parts,
                                    uint32_t index, gmem_window_t *part) {
  uint64_t steps = gmem_window_steps(window, dimension);
  gmem_dimension_t of = window->dimensions[dimension];
  *part = *window;
  if (index >= parts)
    return GMEM_ERR_OUT_OF_RANGE;
  of.begin += steps / parts * index * of.step;
  of.end = of.begin + steps / parts * of.step;
  part->dimensions[dimension] = of;
  return GMEM_OK;
}

// The last part takes what is left: complete, but one part may be far longer.
static gmem_status_t is_unfair(const gmem_window_t *window, uint32_t dimension,
                               uint32_t parts, uint32_t index,
                               gmem_window_t *part) {
  gmem_status_t status = loses_the_rest(window, dimension, parts, index, part);
  if (index + 1 == parts)
    part->dimensions[dimension].end = window->dimensions[dimension].end;
  return status;
}

static gmem_status_t changes_the_step(const gmem_window_t *window,
                                      uint32_t dimension, uint32_t parts,
                                      uint32_t index, gmem_window_t *part) {
  gmem_status_t status =
      gmem_window_split(window, dimension, parts, index, part);
  part->dimensions[dimension].step /= 2;
  return status;
}

static gmem_status_t changes_another(const gmem_window_t *window,
                                     uint32_t dimension, uint32_t parts,
                                     uint32_t index, gmem_window_t *part) {
  gmem_status_t status =
      gmem_window_split(window, dimension, parts, index, part);
  part->dimensions[1 - dimension].begin += index == 3;
  return status;
}

static void test_checker(void) {
  split_fn wrong[] = {begins_late,    begins_early,   begins_between,
                      ends_late,      ends_early,     ends_between,
                      is_unfair,      loses_the_rest, changes_the_step,
                      changes_another};
  gmem_window_t window = {2, {{8, 8 + 18 * 4, 4}, {0, 9, 1}}};
  CHECK(split_is_right(&window, 0, 5, 5, gmem_window_split));
  CHECK(!split_is_right(&window, 0, 5, 4, gmem_window_split));
  CHECK(!split_is_right(&window, 0, 5, 6, gmem_window_split));
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i)
    CHECK(!split_is_right(&window, 0, 5, 5, wrong[i]));
}

int main(void) {
  test_small_windows();
  test_random_windows();
  test_corners();
  test_refusals();
  test_checker();
  return CHECK_RESULT();
}
