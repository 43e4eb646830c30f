// planner_choices_test.c - which optional aliases are taken: never worse than
// none, the optimum of small problems, and quickly where there are many.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %unit/planner_choices_test

#include <inttypes.h>
#include <string.h>

#include "check.h"
#include "planner_reference.h"

enum { MOST = 8, MOST_OPS = 6 };

//===--- the optimum, by a look at every place ----------------------------===//

typedef struct places_s {
  const gmem_problem_t *problem;
  gmem_placement_t plan[MOST];
  uint64_t best; // peak; the largest that is of interest, and 1, at first
} places_t;

// Whether the two may share bytes where they are, but for what the check of the
// whole plan finds: alignments.
static bool may_be_so(const places_t *places, uint32_t a, uint32_t b) {
  const gmem_buffer_spec_t *x = gmem_problem_buffer(places->problem, a);
  const gmem_buffer_spec_t *y = gmem_problem_buffer(places->problem, b);
  uint64_t a_offset = places->plan[a].offset, b_offset = places->plan[b].offset;
  int64_t time;
  if (a_offset + x->size <= b_offset || b_offset + y->size <= a_offset ||
      !reference_meeting(x, y, &time))
    return true;
  for (size_t i = 0; i < gmem_problem_alias_count(places->problem); ++i) {
    const gmem_alias_spec_t *alias = gmem_problem_alias(places->problem, i);
    bool is_this = (alias->child == a && alias->parent == b) ||
                   (alias->child == b && alias->parent == a);
    if (is_this && reference_in_place(alias, places->plan))
      return true;
  }
  return false;
}

static void look_at_places(places_t *places, uint32_t buffer, uint64_t peak) {
  const gmem_problem_t *problem = places->problem;
  if (buffer == gmem_problem_buffer_count(problem)) {
    if (reference_check(problem, places->plan).violation == GMEM_VIOLATION_NONE)
      places->best = peak;
    return;
  }
  const gmem_buffer_spec_t *spec = gmem_problem_buffer(problem, buffer);
  for (uint64_t offset = 0; offset + spec->size < places->best;
       offset += spec->alignment) {
    bool fits = true;
    places->plan[buffer] = (gmem_placement_t){offset, 0};
    for (uint32_t i = 0; fits && i < buffer; ++i)
      fits = may_be_so(places, i, buffer);
    uint64_t end = offset + spec->size;
    if (fits)
      look_at_places(places, buffer + 1, end > peak ? end : peak);
  }
}

// The lowest peak of all plans, at most |limit|.
static uint64_t optimum_of(const gmem_problem_t *problem, uint64_t limit) {
  places_t places = {.problem = problem, .best = limit + 1};
  look_at_places(&places, 0, 0);
  return places.best;
}

//===--- small networks ---------------------------------------------------===//

// Ops in their order; a value lives from its op to its last reader.
typedef struct network_s {
  uint64_t seed;
  uint32_t count, alias_count;
  int64_t begins[MOST], ends[MOST];
  uint64_t sizes[MOST], alignments[MOST];
  gmem_alias_spec_t aliases[4 * MOST];
} network_t;

static uint32_t make(network_t *network, int64_t time, uint64_t size) {
  uint32_t value = network->count++;
  network->begins[value] = time;
  network->ends[value] = time + 1;
  network->sizes[value] = size;
  return value;
}

static void may_alias(network_t *network, uint32_t child, uint32_t parent,
                      uint64_t offset) {
  network->aliases[network->alias_count++] =
      (gmem_alias_spec_t){child, parent, offset, true};
}

static uint32_t pick(network_t *network) {
  return random_below(&network->seed, network->count);
}

// Written over either operand, when both have one size.
static void add_in_place(network_t *network, int64_t time) {
  uint32_t a = pick(network), b = pick(network);
  uint32_t result = make(network, time, network->sizes[a]);
  network->ends[a] = network->ends[b] = time + 1;
  may_alias(network, result, a, 0);
  if (a != b && network->sizes[a] == network->sizes[b])
    may_alias(network, result, b, 0);
}

// One value may be put together with itself.
static void add_concat(network_t *network, int64_t time) {
  uint32_t a = pick(network), b = pick(network);
  uint32_t result = make(network, time, network->sizes[a] + network->sizes[b]);
  network->ends[a] = network->ends[b] = time + 1;
  may_alias(network, a, result, 0);
  may_alias(network, b, result, network->sizes[a]);
}

static void add_slice(network_t *network, int64_t time) {
  uint32_t a = pick(network);
  uint64_t size = 1 + random_below(&network->seed, (uint32_t)network->sizes[a]);
  uint64_t offset =
      random_below(&network->seed, (uint32_t)(network->sizes[a] - size) + 1);
  uint32_t result = make(network, time, size);
  network->ends[a] = time + 1;
  may_alias(network, result, a, offset);
}

static void add_new(network_t *network, int64_t time) {
  network->ends[pick(network)] = time + 1;
  make(network, time, 1 + random_below(&network->seed, 4));
}

static void add_op(network_t *network, int64_t time) {
  switch (random_below(&network->seed, 4)) {
  case 0:
    add_in_place(network, time);
    break;
  case 1:
    add_concat(network, time);
    break;
  case 2:
    add_slice(network, time);
    break;
  default:
    add_new(network, time);
  }
}

static gmem_problem_t *problem_of(const network_t *network,
                                  uint64_t pool_alignment, bool with_aliases) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, pool_alignment, 0);
  for (uint32_t i = 0; i < network->count; ++i)
    add_buffer(problem, network->begins[i], network->ends[i], network->sizes[i],
               network->alignments[i]);
  for (uint32_t i = 0; with_aliases && i < network->alias_count; ++i)
    CHECK(gmem_problem_add_alias(problem, &network->aliases[i], NULL) ==
              GMEM_OK ||
          network->alignments[network->aliases[i].child] > 1 ||
          network->alignments[network->aliases[i].parent] > 1);
  return problem;
}

static network_t random_network(uint64_t seed, bool is_aligned) {
  network_t network = {.seed = seed * 977 + 1};
  next_random(&network.seed);
  uint32_t ops = 2 + random_below(&network.seed, MOST_OPS - 1);
  for (uint32_t i = 0; i < 2; ++i)
    make(&network, 0, 1 + random_below(&network.seed, 4));
  for (uint32_t i = 0; i < ops; ++i)
    add_op(&network, i + 1);
  // Who is aligned is in the way of some aliases.
  for (uint32_t i = 0; i < MOST; ++i)
    network.alignments[i] =
        is_aligned && random_below(&network.seed, 3) == 0 ? 2 : 1;
  return network;
}

//===--- what is asked of a plan ------------------------------------------===//

static uint64_t tried, above, unreached;

static uint64_t peak_with(const gmem_problem_t *problem, const char *name,
                          gmem_effort_t effort, gmem_plan_figures_t *figures) {
  gmem_placement_t plan[MOST];
  gmem_solve_options_t options = {.algorithm = gmem_algorithm_find(name),
                                  .effort = effort};
  CHECK(gmem_solve(problem, &options, plan, figures, NULL) == GMEM_OK);
  CHECK(reference_check(problem, plan).violation == GMEM_VIOLATION_NONE);
  return figures->peak;
}

static void describe(const gmem_problem_t *problem, uint64_t peak,
                     uint64_t optimum) {
  fprintf(stderr, "peak %" PRIu64 ", optimum %" PRIu64 ", aligned to %" PRIu64,
          peak, optimum, gmem_problem_pool(problem, 0)->alignment);
  for (uint32_t i = 0; i < gmem_problem_buffer_count(problem); ++i) {
    const gmem_buffer_spec_t *spec = gmem_problem_buffer(problem, i);
    fprintf(stderr,
            "; %" PRIu32 ": %" PRIu64 " bytes [%" PRId64 ", %" PRId64
            ") aligned to %" PRIu64,
            i, spec->size, spec->ranges[0].begin, spec->ranges[0].end,
            spec->alignment);
  }
  for (size_t i = 0; i < gmem_problem_alias_count(problem); ++i) {
    const gmem_alias_spec_t *alias = gmem_problem_alias(problem, i);
    fprintf(stderr, "; %" PRIu32 " in %" PRIu32 " at %" PRIu64, alias->child,
            alias->parent, alias->offset);
  }
  fprintf(stderr, "\n");
}

static void try_network(uint64_t seed, bool is_aligned) {
  network_t network = random_network(seed, is_aligned);
  uint64_t pool_alignment = is_aligned ? 1 + network.seed / 7 % 2 : 1;
  gmem_problem_t *problem = problem_of(&network, pool_alignment, true);
  gmem_problem_t *plain = problem_of(&network, pool_alignment, false);
  gmem_plan_figures_t figures, others;
  uint64_t peak = peak_with(problem, "auto", GMEM_EFFORT_NORMAL, &figures);
  uint64_t optimum = optimum_of(problem, peak);
  CHECK(figures.lower_bound <= optimum);
  CHECK(!figures.optimal || peak == optimum);
  CHECK(peak <= peak_with(plain, "auto", GMEM_EFFORT_NORMAL, &others));
  CHECK(peak_with(problem, "auto", GMEM_EFFORT_FAST, &figures) <=
        peak_with(plain, "auto", GMEM_EFFORT_FAST, &others));
  CHECK(figures.lower_bound <= optimum);
  ++tried;
  above += peak > optimum;
  unreached += optimum > figures.lower_bound;
  if (peak > optimum)
    describe(problem, peak, optimum);
  gmem_problem_destroy(problem);
  gmem_problem_destroy(plain);
}

int main(int argc, char **argv) {
  uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 300;
  for (uint64_t seed = 0; seed < count; ++seed)
    try_network(seed, false);
  printf("plain: %" PRIu64 " networks, %" PRIu64 " above the optimum, %" PRIu64
         " with an optimum above the bound\n",
         tried, above, unreached);
  tried = above = unreached = 0;
  for (uint64_t seed = 0; seed < count; ++seed)
    try_network(seed, true);
  printf("aligned: %" PRIu64 " networks, %" PRIu64
         " above the optimum, %" PRIu64 " with an optimum above the bound\n",
         tried, above, unreached);
  return CHECK_RESULT();
}
