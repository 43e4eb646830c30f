// planner_forms_test.c - the same problem in other words has as good a plan,
// and more effort never a larger one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: long_tests
// UNSUPPORTED: sanitizer-address && !nightly
// RUN: %unit/planner_forms_test

#include <string.h>

#include "check.h"
#include "planner_reference.h"

enum { PIECES = 400, UNIT = 1024, SIDE = 1024 };

typedef struct piece_s {
  int64_t begin, end;
  uint64_t size; // bytes
} piece_t;

// A square cut into rectangles: nothing is left over. Sizes are multiples of
// UNIT.
static void cut_square(uint64_t seed, piece_t pieces[PIECES]) {
  pieces[0] = (piece_t){0, SIDE, (uint64_t)SIDE * UNIT};
  for (uint32_t count = 1; count < PIECES;) {
    piece_t *whole = &pieces[random_below(&seed, count)], rest = *whole;
    int64_t life = whole->end - whole->begin;
    uint32_t units = (uint32_t)(whole->size / UNIT);
    if (random_below(&seed, 2) ? life < 2 : units < 2)
      continue;
    if (life >= 2 && (units < 2 || random_below(&seed, 2))) {
      rest.begin = whole->end =
          whole->begin + 1 + random_below(&seed, (uint32_t)life - 1);
    } else {
      whole->size = UNIT * (uint64_t)(1 + random_below(&seed, units - 1));
      rest.size -= whole->size;
    }
    pieces[count++] = rest;
  }
}

typedef enum form_e {
  AS_IT_IS,
  MIRRORED,  // in time
  STRETCHED, // in time, unevenly
  SHUFFLED,
  TRIPLED, // sizes
  LARGER,  // by one byte each
  SMALLER,
  FEWER,  // one in a hundred is left out
  UNEVEN, // by up to a half percent each
  FORMS
} form_t;

static piece_t in_form(piece_t piece, form_t form) {
  switch (form) {
  case MIRRORED:
    return (piece_t){SIDE - piece.end, SIDE - piece.begin, piece.size};
  case STRETCHED:
    piece.begin *= piece.begin;
    piece.end *= piece.end;
    return piece;
  case TRIPLED:
    piece.size *= 3;
    return piece;
  case LARGER:
    ++piece.size;
    return piece;
  case SMALLER:
    --piece.size;
    return piece;
  case UNEVEN:
    piece.size -= (uint64_t)piece.begin * 7919 % (piece.size / 200 + 1);
    return piece;
  default:
    return piece;
  }
}

static gmem_problem_t *problem_in_form(const piece_t pieces[PIECES],
                                       form_t form) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  for (uint32_t i = 0; i < PIECES; ++i) {
    uint32_t at = form == SHUFFLED ? i * 7 % PIECES : i;
    piece_t piece = in_form(pieces[at], form);
    if (form != FEWER || i % 100 != 50)
      add_buffer(problem, piece.begin, piece.end, piece.size, 1);
  }
  return problem;
}

static gmem_plan_figures_t solve(const gmem_problem_t *problem,
                                 gmem_effort_t effort) {
  uint32_t count = gmem_problem_buffer_count(problem);
  gmem_placement_t *plan = calloc((size_t)count + 1, sizeof *plan);
  gmem_plan_figures_t figures = {0};
  gmem_solve_options_t options = {.effort = effort};
  CHECK(gmem_solve(problem, &options, plan, &figures, NULL) == GMEM_OK);
  free(plan);
  return figures;
}

// One unit up or down leaves no rectangles to merge; before sizes were rounded,
// a larger form was 0.6 % above the bound.
static void forms_have_as_good_plans(void) {
  piece_t pieces[PIECES];
  cut_square(1, pieces);
  for (form_t form = AS_IT_IS; form < FORMS; ++form) {
    gmem_problem_t *problem = problem_in_form(pieces, form);
    gmem_plan_figures_t figures = solve(problem, GMEM_EFFORT_NORMAL);
    uint64_t share = form == UNEVEN ? 100 : 1000;
    CHECK(figures.peak - figures.lower_bound <= figures.lower_bound / share);
    CHECK(figures.optimal || form == LARGER || form == SMALLER ||
          form == UNEVEN);
    gmem_problem_destroy(problem);
  }
}

// Random problems of every kind, and dense ones with fixed buffers.
static gmem_problem_t *some_problem(uint64_t *seed, uint32_t round) {
  if (round % 8)
    return random_problem(seed, 12);
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  uint64_t top = 0;
  for (int i = 0; i < 3000; ++i) {
    int64_t begin = random_below(seed, 1000);
    int64_t end = begin + 1 + random_below(seed, 60);
    uint64_t size = 1 + random_below(seed, 99);
    if (random_below(seed, 100))
      add_buffer(problem, begin, end, size,
                 UINT64_C(1) << random_below(seed, 4));
    else
      add_fixed(problem, begin, end, size, top++ * 100);
  }
  return problem;
}

static uint64_t peak_of(const gmem_problem_t *problem, gmem_effort_t effort,
                        const gmem_algorithm_t *algorithm) {
  uint32_t count = gmem_problem_buffer_count(problem);
  gmem_placement_t *plan = calloc((size_t)count + 1, sizeof *plan);
  gmem_plan_figures_t figures = {0};
  gmem_solve_options_t options = {
      .effort = effort, .algorithm = algorithm, .step_limit = 0};
  gmem_status_t status = gmem_solve(problem, &options, plan, &figures, NULL);
  free(plan);
  return status == GMEM_OK ? figures.peak : UINT64_MAX;
}

// In problems of one pool: with several, the benefit comes before the peak.
static void effort_and_rules_never_win(void) {
  static const char *const rules[] = {"greedy-by-size", "best-fit",
                                      "first-fit"};
  uint64_t seed = 5;
  for (uint32_t round = 0; round < 17; ++round) {
    gmem_problem_t *problem = some_problem(&seed, round);
    if (gmem_problem_pool_count(problem) == 1) {
      uint64_t fast = peak_of(problem, GMEM_EFFORT_FAST, NULL);
      uint64_t normal = peak_of(problem, GMEM_EFFORT_NORMAL, NULL);
      CHECK(normal <= fast);
      for (size_t i = 0; i < sizeof rules / sizeof *rules; ++i)
        CHECK(normal <= peak_of(problem, GMEM_EFFORT_NORMAL,
                                gmem_algorithm_find(rules[i])));
    }
    gmem_problem_destroy(problem);
  }
}

// Buffers of all alignments up to 4096.
static gmem_problem_t *aligned_problem(uint64_t *seed) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  for (int i = 0; i < 24; ++i) {
    int64_t begin = random_below(seed, 24);
    add_buffer(problem, begin, begin + 1 + random_below(seed, 24),
               1 + random_below(seed, 5000),
               UINT64_C(1) << 3 * random_below(seed, 5));
  }
  return problem;
}

// Buffers that are live again and again.
static gmem_problem_t *gaps_problem(uint64_t *seed) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  for (int i = 0; i < 40; ++i) {
    gmem_live_range_t ranges[6];
    int64_t time = random_below(seed, 10);
    size_t count = 0;
    while (time < 40 && count < 6) {
      ranges[count] =
          (gmem_live_range_t){time, time + 1 + random_below(seed, 4)};
      time = ranges[count++].end + 1 + random_below(seed, 14);
    }
    gmem_buffer_spec_t spec = {.size = 1 + random_below(seed, 1000),
                               .alignment = 1,
                               .ranges = ranges,
                               .range_count = count};
    uint32_t index;
    CHECK(gmem_problem_add_buffer(problem, &spec, &index, NULL) == GMEM_OK);
  }
  return problem;
}

static int64_t time_in_form(int64_t time, form_t form) {
  return form == MIRRORED ? -time : form == STRETCHED ? time * time : time;
}

// A buffer with its live ranges in the form; the ranges stay in order of time.
static void add_in_form(gmem_problem_t *problem, const gmem_buffer_spec_t *spec,
                        form_t form) {
  gmem_live_range_t ranges[6];
  gmem_buffer_spec_t copy = *spec;
  for (size_t i = 0; i < spec->range_count; ++i) {
    size_t to = form == MIRRORED ? spec->range_count - 1 - i : i;
    int64_t begin = time_in_form(spec->ranges[i].begin, form);
    int64_t end = time_in_form(spec->ranges[i].end, form);
    ranges[to] = begin < end ? (gmem_live_range_t){begin, end}
                             : (gmem_live_range_t){end, begin};
  }
  copy.ranges = ranges;
  copy.name = form == SHUFFLED ? "a" : "b";
  uint32_t index;
  CHECK(gmem_problem_add_buffer(problem, &copy, &index, NULL) == GMEM_OK);
}

static gmem_problem_t *copy_in_form(const gmem_problem_t *problem,
                                    form_t form) {
  gmem_problem_t *copy = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  uint32_t count = gmem_problem_buffer_count(problem);
  for (uint32_t i = 0; i < count; ++i)
    add_in_form(
        copy,
        gmem_problem_buffer(problem, form == SHUFFLED ? count - 1 - i : i),
        form);
  return copy;
}

// Also where the bound is out of reach: the search is the same.
static void forms_have_the_same_peak(void) {
  gmem_problem_t *(*const kinds[])(uint64_t *) = {aligned_problem,
                                                  gaps_problem};
  uint64_t seed = 7;
  for (uint32_t round = 0; round < 6; ++round) {
    gmem_problem_t *problem = kinds[round % 2](&seed);
    gmem_plan_figures_t figures = solve(problem, GMEM_EFFORT_FAST);
    for (form_t form = MIRRORED; form <= SHUFFLED; ++form) {
      gmem_problem_t *other = copy_in_form(problem, form);
      gmem_plan_figures_t others = solve(other, GMEM_EFFORT_FAST);
      CHECK(others.peak == figures.peak);
      CHECK(others.lower_bound == figures.lower_bound);
      gmem_problem_destroy(other);
    }
    gmem_problem_destroy(problem);
  }
}

// More than fifty conflicts per buffer.
static gmem_problem_t *dense_problem(uint64_t *seed) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  for (int i = 0; i < 2400; ++i) {
    int64_t begin = random_below(seed, 2400);
    add_buffer(problem, begin, begin + 1 + random_below(seed, 200),
               1 + random_below(seed, 1000), 1);
  }
  return problem;
}

// The default algorithm runs what the named ones do, and keeps the best. Of
// dense problems it has other searches than the climb, which may be better.
static void no_algorithm_wins(void) {
  gmem_problem_t *(*const kinds[])(uint64_t *) = {aligned_problem, gaps_problem,
                                                  dense_problem};
  uint64_t seed = 3;
  for (size_t round = 0; round < 3; ++round) {
    gmem_problem_t *problem = kinds[round % 3](&seed);
    uint64_t normal = peak_of(problem, GMEM_EFFORT_NORMAL, NULL);
    for (size_t i = 0; i < gmem_algorithm_count(); ++i) {
      const gmem_algorithm_t *algorithm = gmem_algorithm_at(i);
      bool is_rule = strcmp(algorithm->name, "exact") != 0 &&
                     (round % 3 < 2 || strcmp(algorithm->name, "hill-climb"));
      if (is_rule)
        CHECK(normal <= peak_of(problem, GMEM_EFFORT_NORMAL, algorithm));
    }
    CHECK(normal <= peak_of(problem, GMEM_EFFORT_FAST, NULL));
    gmem_problem_destroy(problem);
  }
}

int main(void) {
  forms_have_as_good_plans();
  forms_have_the_same_peak();
  no_algorithm_wins();
  effort_and_rules_never_win();
  return CHECK_RESULT();
}
