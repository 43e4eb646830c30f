// planner_optimum_test.c - auto and exact find the optimum of every small
// problem, and prove it; a look at every order of the buffers says what it is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// UNSUPPORTED: sanitizer-address && !nightly
// RUN: %unit/planner_optimum_test

#include <inttypes.h>
#include <string.h>

#include "check.h"
#include "planner_reference.h"

enum { MOST = 7, MOST_SIZE = 4, MOST_INTERVALS = MOST * (MOST + 1) / 2 };

//===--- the optimum, by a look at every order ----------------------------===//

// Buffers of a valid plan in the order of their offsets: when each of them in
// turn moves down onto the highest of those that it conflicts with, none moves
// up. So the best plan is among those that pile the buffers up in some order.
typedef struct pile_s {
  uint32_t count;
  uint32_t conflicts[MOST]; // bit k of conflicts[i]: i and k share no bytes
  uint64_t sizes[MOST], alignments[MOST], base;
  uint64_t fixed[MOST]; // offset, or GMEM_UNLIMITED
  uint64_t ends[MOST];  // of those that are placed
  uint64_t best;        // peak; GMEM_UNLIMITED: none yet
} pile_t;

static bool place(pile_t *pile, uint32_t buffer, uint32_t placed) {
  uint64_t offset = 0;
  for (uint32_t k = 0; k < pile->count; ++k)
    if (pile->conflicts[buffer] & placed & 1u << k && pile->ends[k] > offset)
      offset = pile->ends[k];
  while ((pile->base + offset) % pile->alignments[buffer])
    ++offset;
  if (pile->fixed[buffer] != GMEM_UNLIMITED) {
    if (offset > pile->fixed[buffer])
      return false;
    offset = pile->fixed[buffer];
  }
  pile->ends[buffer] = offset + pile->sizes[buffer];
  return true;
}

// Goes on with every buffer that is not placed yet.
static void pile_up(pile_t *pile, uint32_t placed, uint64_t peak) {
  if (peak >= pile->best)
    return;
  if (placed + 1 == 1u << pile->count)
    pile->best = peak;
  for (uint32_t i = 0; i < pile->count; ++i) {
    if (placed & 1u << i || !place(pile, i, placed))
      continue;
    uint64_t end = pile->ends[i];
    pile_up(pile, placed | 1u << i, end > peak ? end : peak);
  }
}

// Whether one of the two is in an arm of a choice that excludes the other.
static bool exclude_each_other(const gmem_buffer_spec_t *a,
                               const gmem_buffer_spec_t *b) {
  for (size_t i = 0; i < a->branch_count; ++i)
    for (size_t k = 0; k < b->branch_count; ++k)
      if (a->branches[i].choice == b->branches[k].choice &&
          a->branches[i].arm != b->branches[k].arm)
        return true;
  return false;
}

static void find_conflicts(pile_t *pile, const gmem_problem_t *problem) {
  int64_t time = 0;
  for (uint32_t i = 0; i < pile->count; ++i)
    for (uint32_t k = 0; k < pile->count; ++k) {
      const gmem_buffer_spec_t *a = gmem_problem_buffer(problem, i);
      const gmem_buffer_spec_t *b = gmem_problem_buffer(problem, k);
      if (i != k && reference_meeting(a, b, &time) && !exclude_each_other(a, b))
        pile->conflicts[i] |= 1u << k;
    }
  for (size_t i = 0; i < gmem_problem_conflict_count(problem); ++i) {
    uint32_t first, second;
    gmem_problem_conflict(problem, i, &first, &second);
    pile->conflicts[first] |= 1u << second;
    pile->conflicts[second] |= 1u << first;
  }
}

// The lowest peak of all plans of a problem of one pool without aliases and
// blocks; GMEM_UNLIMITED when there is no plan.
static uint64_t optimum_of(const gmem_problem_t *problem) {
  const gmem_pool_spec_t *pool = gmem_problem_pool(problem, 0);
  pile_t pile = {.count = gmem_problem_buffer_count(problem),
                 .base = pool->base,
                 .best = GMEM_UNLIMITED};
  for (uint32_t i = 0; i < pile.count; ++i) {
    const gmem_buffer_spec_t *spec = gmem_problem_buffer(problem, i);
    pile.sizes[i] = spec->size;
    pile.alignments[i] =
        spec->alignment > pool->alignment ? spec->alignment : pool->alignment;
    pile.fixed[i] =
        spec->has_fixed_offset ? spec->fixed_offset : GMEM_UNLIMITED;
  }
  find_conflicts(&pile, problem);
  pile_up(&pile, 0, 0);
  return pile.best;
}

// The same, by a look at every offset of every buffer.
static uint64_t optimum_of_offsets(const gmem_problem_t *problem) {
  uint32_t count = gmem_problem_buffer_count(problem);
  gmem_placement_t plan[MOST] = {{0, 0}};
  uint64_t best = GMEM_UNLIMITED, sum = 0;
  for (uint32_t i = 0; i < count; ++i)
    sum += gmem_problem_buffer(problem, i)->size;
  for (uint32_t i = 0; i < count;) {
    uint64_t peak = gmem_plan_pool_size(problem, plan, 0);
    if (peak < best &&
        reference_check(problem, plan).violation == GMEM_VIOLATION_NONE)
      best = peak;
    for (i = 0; i < count; plan[i++].offset = 0)
      if (++plan[i].offset + gmem_problem_buffer(problem, i)->size <= sum)
        break;
  }
  return best;
}

//===--- what is asked of a plan ------------------------------------------===//

static uint64_t problems;     // so far
static uint64_t step_limit;   // of a search; 0: that of its effort
static uint64_t worse[16];    // by algorithm: plans above the optimum
static uint64_t unproved[16]; // by algorithm: optima without a proof

static void describe(const gmem_problem_t *problem, const char *name,
                     uint64_t optimum, const gmem_plan_figures_t *figures) {
  fprintf(stderr, "%s: peak %" PRIu64 ", bound %" PRIu64 ", optimum %" PRIu64,
          name, figures->peak, figures->lower_bound, optimum);
  for (uint32_t i = 0; i < gmem_problem_buffer_count(problem); ++i) {
    const gmem_buffer_spec_t *spec = gmem_problem_buffer(problem, i);
    fprintf(stderr, "; %" PRIu64 " bytes", spec->size);
    for (size_t k = 0; k < spec->range_count; ++k)
      fprintf(stderr, " [%" PRId64 ", %" PRId64 ")", spec->ranges[k].begin,
              spec->ranges[k].end);
  }
  fprintf(stderr, "\n");
}

static gmem_plan_figures_t solve(const gmem_problem_t *problem,
                                 const gmem_algorithm_t *algorithm,
                                 gmem_effort_t effort, uint64_t optimum) {
  gmem_placement_t plan[MOST];
  gmem_plan_figures_t figures = {0};
  CHECK(gmem_solve(problem,
                   &(gmem_solve_options_t){.algorithm = algorithm,
                                           .effort = effort,
                                           .step_limit = step_limit},
                   plan, &figures, NULL) == GMEM_OK);
  CHECK(gmem_check(problem, plan, NULL, NULL) == GMEM_OK);
  bool holds = figures.peak >= optimum && figures.lower_bound <= optimum &&
               (!figures.optimal || figures.peak == optimum);
  CHECK(holds);
  if (!holds)
    describe(problem, algorithm->name, optimum, &figures);
  return figures;
}

static void expect_optimum(const gmem_problem_t *problem, const char *name,
                           gmem_effort_t effort, uint64_t optimum) {
  gmem_plan_figures_t figures =
      solve(problem, gmem_algorithm_find(name), effort, optimum);
  bool proved = figures.peak == optimum && figures.lower_bound == optimum &&
                figures.optimal;
  CHECK(proved);
  if (!proved)
    describe(problem, name, optimum, &figures);
}

static void expect_optimum_of_searches(const gmem_problem_t *problem,
                                       uint64_t optimum) {
  expect_optimum(problem, "exact", GMEM_EFFORT_NORMAL, optimum);
  expect_optimum(problem, "auto", GMEM_EFFORT_NORMAL, optimum);
  expect_optimum(problem, "auto", GMEM_EFFORT_EXHAUSTIVE, optimum);
}

// No algorithm goes below the optimum or proves what is not so.
static void count_worse(const gmem_problem_t *problem, gmem_effort_t effort,
                        uint64_t optimum) {
  for (size_t i = 0; i < gmem_algorithm_count(); ++i) {
    gmem_plan_figures_t figures =
        solve(problem, gmem_algorithm_at(i), effort, optimum);
    worse[i] += figures.peak > optimum;
    unproved[i] += figures.peak == optimum && !figures.optimal;
  }
}

static void report(const char *what) {
  printf("%s: %" PRIu64 " problems; above the optimum, and not proved:", what,
         problems);
  for (size_t i = 0; i < gmem_algorithm_count(); ++i)
    printf(" %s %" PRIu64 " %" PRIu64, gmem_algorithm_at(i)->name, worse[i],
           unproved[i]);
  printf("\n");
}

// Without this, a wrong optimum would not be noticed: all could be at it.
static void simple_rules_were_worse(void) {
  static const char *const rules[] = {"none", "ref-count", "greedy-by-size"};
  for (size_t i = 0; i < gmem_algorithm_count(); ++i)
    for (size_t k = 0; k < sizeof rules / sizeof *rules; ++k)
      CHECK(strcmp(gmem_algorithm_at(i)->name, rules[k]) != 0 || worse[i] > 0);
  memset(worse, 0, sizeof worse);
  memset(unproved, 0, sizeof unproved);
  problems = 0;
}

//===--- every problem of few buffers -------------------------------------===//

// Time cut into the largest sets that are live together: buffer i is live in
// [begin, end) of |sections|. In each of them a buffer begins and one ends, or
// it would be part of the next or of the one before.
typedef struct shape_s {
  uint32_t count, sections;
  gmem_live_range_t ranges[MOST]; // sorted
} shape_t;

static bool is_shape(const shape_t *shape) {
  uint32_t begins = 0, ends = 0;
  for (uint32_t i = 0; i < shape->count; ++i) {
    begins |= 1u << shape->ranges[i].begin;
    ends |= 1u << (shape->ranges[i].end - 1);
  }
  return (begins & ends) + 1 == 1u << shape->sections;
}

static bool same_range(const shape_t *shape, uint32_t a, uint32_t b) {
  return shape->ranges[a].begin == shape->ranges[b].begin &&
         shape->ranges[a].end == shape->ranges[b].end;
}

static void try_sizes(const shape_t *shape, const uint32_t *sizes) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  for (uint32_t i = 0; i < shape->count; ++i)
    add_buffer(problem, shape->ranges[i].begin, shape->ranges[i].end, sizes[i],
               1);
  uint64_t optimum = optimum_of(problem);
  if (shape->count < 4)
    CHECK(optimum == optimum_of_offsets(problem));
  expect_optimum_of_searches(problem, optimum);
  if (++problems % 5 == 0)
    count_worse(problem, GMEM_EFFORT_FAST, optimum);
  gmem_problem_destroy(problem);
}

// All sizes; those of buffers that are live alike in increasing order.
static void try_all_sizes(const shape_t *shape) {
  uint32_t sizes[MOST], i = 0;
  for (; i < shape->count; ++i)
    sizes[i] = 1;
  while (i > 0) {
    try_sizes(shape, sizes);
    for (i = shape->count; i > 0 && sizes[i - 1] == MOST_SIZE; --i)
      ;
    if (i > 0)
      ++sizes[i - 1];
    for (uint32_t k = i; i > 0 && k < shape->count; ++k)
      sizes[k] = same_range(shape, k - 1, k) ? sizes[k - 1] : 1;
  }
}

static uint32_t list_ranges(uint32_t sections, gmem_live_range_t *ranges) {
  uint32_t count = 0;
  for (uint32_t begin = 0; begin < sections; ++begin)
    for (uint32_t end = begin + 1; end <= sections; ++end)
      ranges[count++] = (gmem_live_range_t){begin, end};
  return count;
}

// All multisets of |count| ranges in |sections| sections.
static uint32_t try_shapes_of(uint32_t count, uint32_t sections) {
  shape_t shape = {.count = count, .sections = sections};
  gmem_live_range_t ranges[MOST_INTERVALS];
  uint32_t all = list_ranges(sections, ranges), picks[MOST] = {0}, shapes = 0;
  for (uint32_t i = count; i > 0;) {
    for (uint32_t k = 0; k < count; ++k)
      shape.ranges[k] = ranges[picks[k]];
    if (is_shape(&shape)) {
      ++shapes;
      try_all_sizes(&shape);
    }
    for (i = count; i > 0 && picks[i - 1] == all - 1; --i)
      ;
    if (i > 0)
      ++picks[i - 1];
    for (uint32_t k = i; i > 0 && k < count; ++k)
      picks[k] = picks[k - 1];
  }
  return shapes;
}

// All interval orders of |count| elements; how many there are is known: the
// Fishburn numbers (Bousquet-Melou, Claesson, Dukes, Kitaev, "(2+2)-free
// posets, ascent sequences and pattern avoiding permutations", 2010).
static void try_every_problem_of(uint32_t count) {
  static const uint32_t fishburn[MOST + 1] = {1, 1, 2, 5, 15, 53, 217, 1014};
  uint32_t shapes = 0;
  for (uint32_t sections = 1; sections <= count; ++sections)
    shapes += try_shapes_of(count, sections);
  CHECK(shapes == fishburn[count]);
}

//===--- some with more to them -------------------------------------------===//

enum { ALIGNMENTS = 1, GAPS = 2, FIXED = 4, CONFLICTS = 8, BRANCHES = 16 };

static void add_one(gmem_problem_t *problem, uint64_t *seed, uint32_t kinds) {
  gmem_live_range_t ranges[2];
  gmem_branch_t branch = {5, random_below(seed, 3)};
  gmem_buffer_spec_t spec = {.name = "", .ranges = ranges, .range_count = 1};
  int64_t begin = random_below(seed, 8);
  ranges[0] = (gmem_live_range_t){begin, begin + 1 + random_below(seed, 4)};
  begin = ranges[0].end + 1 + random_below(seed, 3);
  ranges[1] = (gmem_live_range_t){begin, begin + 1 + random_below(seed, 3)};
  if (kinds & GAPS && random_below(seed, 2))
    spec.range_count = 2;
  spec.size = 1 + random_below(seed, 12);
  spec.alignment =
      kinds & ALIGNMENTS ? UINT64_C(1) << random_below(seed, 4) : 1;
  spec.has_fixed_offset = kinds & FIXED && random_below(seed, 4) == 0;
  spec.fixed_offset = random_below(seed, 16);
  spec.branches = &branch;
  spec.branch_count = kinds & BRANCHES && random_below(seed, 2);
  uint32_t index;
  gmem_status_t status = gmem_problem_add_buffer(problem, &spec, &index, NULL);
  CHECK(status == GMEM_OK || spec.has_fixed_offset); // misaligned
}

static gmem_problem_t *random_mixture(uint64_t *seed, uint32_t kinds) {
  bool is_aligned = kinds & ALIGNMENTS;
  uint64_t alignment = is_aligned ? UINT64_C(1) << random_below(seed, 3) : 1;
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, alignment,
                                             is_aligned ? alignment * 3 : 0);
  for (uint32_t i = 2 + random_below(seed, MOST - 1); i; --i)
    add_one(problem, seed, kinds);
  if (kinds & CONFLICTS && gmem_problem_buffer_count(problem))
    add_random_conflict(problem, seed);
  return problem;
}

// exact and auto find and prove all optima but those with branches, of which
// all that is asked is that nobody goes below, and that what is called optimal
// is so. auto takes a while before it comes to its last stage.
static void prove(const gmem_problem_t *problem, uint32_t kinds, bool with_auto,
                  uint64_t optimum) {
  step_limit = 0;
  if (kinds == 0)
    expect_optimum_of_searches(problem, optimum);
  if (!(kinds & BRANCHES))
    expect_optimum(problem, "exact", GMEM_EFFORT_NORMAL, optimum);
  if (!(kinds & BRANCHES) && with_auto)
    expect_optimum(problem, "auto", GMEM_EFFORT_NORMAL, optimum);
  step_limit = 5000;
  count_worse(problem, GMEM_EFFORT_NORMAL, optimum);
}

static void try_mixtures(uint32_t kinds, const char *what, uint32_t count) {
  uint64_t seed = kinds;
  for (uint32_t i = 0; i < count; ++i) {
    gmem_problem_t *problem = random_mixture(&seed, kinds);
    uint64_t optimum = optimum_of(problem);
    if (optimum != GMEM_UNLIMITED) {
      prove(problem, kinds, i % 32 == 0, optimum);
      ++problems;
    }
    gmem_problem_destroy(problem);
  }
  report(what);
  if (count > 100)
    simple_rules_were_worse();
}

// planner_optimum_test [buffers [mixtures]]: every problem of up to that many
// buffers, and that many random ones of each kind.
int main(int argc, char **argv) {
  uint32_t most = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 5;
  uint32_t mixtures = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 1000;
  for (uint32_t count = 1; count <= most && count <= MOST; ++count)
    try_every_problem_of(count);
  report("every problem");
  if (most > 4)
    simple_rules_were_worse();
  try_mixtures(0, "plain", mixtures);
  try_mixtures(ALIGNMENTS, "alignments", mixtures);
  try_mixtures(GAPS, "gaps", mixtures);
  try_mixtures(FIXED, "fixed", mixtures);
  try_mixtures(CONFLICTS, "conflicts", mixtures);
  try_mixtures(BRANCHES, "branches", mixtures);
  try_mixtures(15, "all but branches", mixtures);
  try_mixtures(31, "all of it", mixtures);
  return CHECK_RESULT();
}
