// planner_choices_test.c - which optional aliases are taken: never worse than
// none, the optimum of small problems, and quickly where there are many.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// UNSUPPORTED: sanitizer && !nightly
// RUN: %unit/planner_choices_test %choices

#include <inttypes.h>
#include <string.h>

#include "alias_climb.h"
#include "check.h"
#include "failing_heap.h"
#include "finer_alignment.h"
#include "packing_tools.h"
#include "planner_reference.h"
#include "problem_store.h"

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
  int64_t time = 0;
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
      (gmem_alias_spec_t){child, parent, offset, .is_optional = true};
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
                          gmem_effort_t effort, gmem_plan_figures_t *found) {
  gmem_placement_t places[MOST];
  gmem_solve_options_t options = {.algorithm = gmem_algorithm_find(name),
                                  .effort = effort};
  CHECK(gmem_solve(problem, &options, places, found, NULL) == GMEM_OK);
  CHECK(reference_check(problem, places).violation == GMEM_VIOLATION_NONE);
  return found->peak;
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
  gmem_plan_figures_t found, others;
  uint64_t peak = peak_with(problem, "auto", GMEM_EFFORT_NORMAL, &found);
  uint64_t optimum = optimum_of(problem, peak);
  CHECK(found.lower_bound <= optimum);
  CHECK(!found.optimal || peak == optimum);
  CHECK(peak <= peak_with(plain, "auto", GMEM_EFFORT_NORMAL, &others));
  CHECK(peak_with(problem, "auto", GMEM_EFFORT_FAST, &found) <=
        peak_with(plain, "auto", GMEM_EFFORT_FAST, &others));
  CHECK(found.lower_bound <= optimum);
  ++tried;
  above += peak > optimum;
  unreached += optimum > found.lower_bound;
  if (peak > optimum)
    describe(problem, peak, optimum);
  gmem_problem_destroy(problem);
  gmem_problem_destroy(plain);
}

static void try_networks(bool is_aligned, uint64_t count) {
  tried = above = unreached = 0;
  for (uint64_t seed = 0; seed < count; ++seed)
    try_network(seed, is_aligned);
  printf("%s: %" PRIu64 " networks, %" PRIu64 " above the optimum, %" PRIu64
         " with an optimum above the bound\n",
         is_aligned ? "aligned" : "plain", tried, above, unreached);
  CHECK(above <= count / 500);
  CHECK(count < 100 || unreached > 0); // or the bound would be all it takes
}

//===--- moves of single buffers ------------------------------------------===//

// Moves single buffers of |places|, or begins |from| a plan of another
// alignment, as if memory ran out at every allocation first.
static void move_buffers(const gmem_problem_t *problem,
                         const gmem_placement_t *from,
                         gmem_placement_t *places) {
  heap_t heap = {0};
  gmem_scratch_t memory = {.allocator = gmem_problem_allocator(problem)};
  gmem_allocator_t allocator = {&heap, heap_alloc, heap_free};
  gmem_choice_t choice;
  gmem_alias_pressure_t live;
  gmem_status_t status = GMEM_ERR_OUT_OF_MEMORY;
  uint64_t bound, steps = 1 << 18;
  CHECK(gmem_choice_create(problem, &choice, NULL) == GMEM_OK);
  CHECK(gmem_alias_pressure_create(problem, &memory, &live) == GMEM_OK);
  CHECK(gmem_lower_bound(problem, &bound, NULL) == GMEM_OK);
  while (status == GMEM_ERR_OUT_OF_MEMORY) {
    gmem_search_t search = search_of(UINT64_MAX);
    gmem_scratch_t own = {.allocator = &allocator};
    heap.calls = 0;
    ++heap.fail_at;
    status = from ? gmem_alias_realign(&choice, &live, &search, steps, bound,
                                       from, places, &own)
                  : gmem_alias_climb(&choice, &live, &search, steps, bound,
                                     places, &own);
    gmem_scratch_free(&own);
    CHECK(heap.live_blocks == 0);
    CHECK(search.steps <= 2 * steps + steps / 2 + 2000);
  }
  CHECK(status == GMEM_OK);
  gmem_scratch_free(&memory);
  gmem_choice_destroy(&choice);
}

// From a plan without aliases on. Nearly always that finds the best plan.
static void single_buffers_are_moved(bool is_aligned, uint64_t count) {
  uint64_t lower = 0, best = 0;
  for (uint64_t seed = 0; seed < count; ++seed) {
    network_t network = random_network(seed, is_aligned);
    gmem_placement_t places[MOST];
    gmem_plan_figures_t found;
    gmem_problem_t *problem = problem_of(&network, 1 + is_aligned, true);
    gmem_problem_t *plain = problem_of(&network, 1 + is_aligned, false);
    CHECK(gmem_solve(plain, NULL, places, &found, NULL) == GMEM_OK);
    move_buffers(problem, NULL, places);
    CHECK(reference_check(problem, places).violation == GMEM_VIOLATION_NONE);
    uint64_t peak = gmem_plan_peak(problem, places);
    CHECK(peak <= found.peak);
    lower += peak < found.peak;
    best += peak <= peak_with(problem, "auto", GMEM_EFFORT_FAST, &found);
    gmem_problem_destroy(problem);
    gmem_problem_destroy(plain);
  }
  printf("%" PRIu64 " networks: lower %" PRIu64 ", as low as auto %" PRIu64
         "\n",
         count, lower, best);
  CHECK(lower > count / 8);
  CHECK(best > count - count / 20);
}

// From the best plan without an alignment on.
static void plans_are_realigned(uint64_t count) {
  for (uint64_t seed = 0; seed < count; ++seed) {
    network_t network = random_network(seed, false);
    gmem_placement_t places[MOST], from[MOST];
    gmem_plan_figures_t found;
    gmem_problem_t *problem = problem_of(&network, 4, true);
    gmem_problem_t *finer = problem_of(&network, 1, true);
    CHECK(gmem_solve(problem, NULL, places, &found, NULL) == GMEM_OK);
    CHECK(gmem_solve(finer, NULL, from, NULL, NULL) == GMEM_OK);
    move_buffers(problem, from, places);
    CHECK(reference_check(problem, places).violation == GMEM_VIOLATION_NONE);
    CHECK(gmem_plan_peak(problem, places) <= found.peak);
    gmem_problem_destroy(problem);
    gmem_problem_destroy(finer);
  }
}

// A result in which small inputs have places, live after a buffer as large.
// Both lie at the bottom unless something keeps those places free, and then
// each input takes a page of its own.
static void places_of_small_inputs_are_kept(void) {
  enum { SMALL = 32, PAGE = 4096, LARGE = 256 * PAGE };
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, PAGE, 0);
  gmem_placement_t places[SMALL + 3] = {{0, 0}};
  uint32_t result = add_buffer(problem, 9, 10, LARGE, 1);
  (void)add_buffer(problem, 0, 9, LARGE - 2 * PAGE, 1);
  for (uint32_t i = 0; i < SMALL; ++i) {
    uint32_t input = add_buffer(problem, 0, 10, 64, 64);
    places[input].offset = LARGE + i * (uint64_t)PAGE;
    CHECK(gmem_problem_add_alias(problem,
                                 &(gmem_alias_spec_t){input, result,
                                                      64 * (uint64_t)i,
                                                      .is_optional = true},
                                 NULL) == GMEM_OK);
  }
  move_buffers(problem, NULL, places);
  CHECK(reference_check(problem, places).violation == GMEM_VIOLATION_NONE);
  CHECK(gmem_plan_peak(problem, places) <= LARGE + PAGE);
  gmem_problem_destroy(problem);
}

//===--- choices without a tree -------------------------------------------===//

// Groups as they grow: who is in which, and where.
typedef struct plain_s {
  const gmem_problem_t *problem;
  gmem_placement_t places[4 * MOST]; // |pool| is the group
  uint32_t count;
} plain_t;

static bool pair_agrees(const plain_t *plain, const gmem_placement_t *moved,
                        uint32_t a, uint32_t b) {
  const gmem_buffer_spec_t *x = gmem_problem_buffer(plain->problem, a);
  const gmem_buffer_spec_t *y = gmem_problem_buffer(plain->problem, b);
  int64_t time = 0;
  if (moved[a].offset + x->size <= moved[b].offset ||
      moved[b].offset + y->size <= moved[a].offset)
    return true;
  for (size_t i = 0; i < gmem_problem_conflict_count(plain->problem); ++i) {
    uint32_t first, second;
    gmem_problem_conflict(plain->problem, i, &first, &second);
    if ((first == a && second == b) || (first == b && second == a))
      return false;
  }
  for (size_t i = 0; i < gmem_problem_alias_count(plain->problem); ++i) {
    const gmem_alias_spec_t *alias = gmem_problem_alias(plain->problem, i);
    if (((alias->child == a && alias->parent == b) ||
         (alias->child == b && alias->parent == a)) &&
        moved[alias->child].offset ==
            moved[alias->parent].offset + alias->offset)
      return true;
  }
  return !reference_meeting(x, y, &time);
}

// Offsets are far from 0, so that groups may move down.
static bool take_plainly(plain_t *plain, const gmem_alias_spec_t *alias) {
  gmem_placement_t moved[4 * MOST];
  uint32_t from = plain->places[alias->child].pool;
  uint32_t to = plain->places[alias->parent].pool;
  uint64_t shift = plain->places[alias->parent].offset + alias->offset -
                   plain->places[alias->child].offset;
  if (from == to)
    return shift == 0;
  memcpy(moved, plain->places, sizeof moved);
  for (uint32_t i = 0; i < plain->count; ++i)
    if (moved[i].pool == from)
      moved[i].offset += shift;
  for (uint32_t i = 0; i < plain->count; ++i)
    for (uint32_t k = 0; k < plain->count; ++k)
      if (moved[i].pool == from && moved[k].pool == to &&
          !pair_agrees(plain, moved, i, k))
        return false;
  for (uint32_t i = 0; i < plain->count; ++i)
    if (moved[i].pool == from)
      moved[i].pool = to;
  memcpy(plain->places, moved, sizeof moved);
  return true;
}

static gmem_problem_t *crowd(uint64_t *seed) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  uint32_t count = 3 + random_below(seed, 4 * MOST - 3);
  for (uint32_t i = 0; i < count; ++i) {
    int64_t begin = random_below(seed, 24);
    add_buffer(problem, begin, begin + 1 + random_below(seed, 4),
               1 + random_below(seed, 8), 1);
  }
  for (uint32_t i = random_below(seed, 3 * count); i; --i) {
    gmem_alias_spec_t alias = {random_below(seed, count),
                               random_below(seed, count), 0,
                               .is_optional = true};
    uint64_t child = gmem_problem_buffer(problem, alias.child)->size;
    uint64_t parent = gmem_problem_buffer(problem, alias.parent)->size;
    if (child > parent || alias.child == alias.parent)
      continue;
    alias.offset = random_below(seed, (uint32_t)(parent - child) + 1);
    CHECK(gmem_problem_add_alias(problem, &alias, NULL) == GMEM_OK);
  }
  for (uint32_t i = random_below(seed, 4); i; --i)
    add_random_conflict(problem, seed);
  return problem;
}

static uint64_t compare_with_plain(const gmem_problem_t *problem) {
  plain_t plain = {.problem = problem,
                   .count = gmem_problem_buffer_count(problem)};
  uint32_t order[12 * MOST];
  uint64_t taken = 0;
  gmem_choice_t choice;
  size_t aliases = gmem_problem_alias_count(problem);
  for (uint32_t i = 0; i < plain.count; ++i)
    plain.places[i] = (gmem_placement_t){1 << 20, i};
  for (size_t i = 0; i < aliases; ++i)
    order[i] = (uint32_t)i;
  CHECK(gmem_choice_create(problem, &choice, NULL) == GMEM_OK);
  CHECK(gmem_choose_aliases(&choice, order, aliases) == GMEM_OK);
  for (size_t i = 0; i < aliases; ++i)
    take_plainly(&plain, gmem_problem_alias(problem, i));
  for (size_t i = 0; i < aliases; ++i) {
    const gmem_alias_spec_t *alias = gmem_problem_alias(problem, i);
    gmem_placement_t child = plain.places[alias->child];
    gmem_placement_t parent = plain.places[alias->parent];
    bool holds = child.pool == parent.pool &&
                 child.offset == parent.offset + alias->offset;
    CHECK(choice.chosen[i] == holds);
    taken += holds;
  }
  gmem_choice_destroy(&choice);
  return taken;
}

static void groups_grow_as_if_all_pairs_were_asked(void) {
  uint64_t seed = 11, taken = 0, all = 0;
  for (uint32_t round = 0; round < 3000; ++round) {
    gmem_problem_t *problem = crowd(&seed);
    taken += compare_with_plain(problem);
    all += gmem_problem_alias_count(problem);
    gmem_problem_destroy(problem);
  }
  CHECK(taken > all / 10 && taken < all);
}

//===--- single rules -----------------------------------------------------===//

static gmem_placement_t plan[1 << 18];
static gmem_plan_figures_t figures;

static void tie(gmem_problem_t *problem, uint32_t child, uint32_t parent,
                uint64_t offset) {
  gmem_alias_spec_t alias = {child, parent, offset, .is_optional = true};
  CHECK(gmem_problem_add_alias(problem, &alias, NULL) == GMEM_OK);
}

static uint64_t solve(const gmem_problem_t *problem, gmem_effort_t effort) {
  gmem_solve_options_t options = {.effort = effort};
  CHECK(gmem_solve(problem, &options, plan, &figures, NULL) == GMEM_OK);
  return figures.peak;
}

// The operand of two concatenations is made in the larger one, though the other
// is asked first.
static void an_operand_goes_where_the_peak_is(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  uint32_t operand = add_buffer(problem, 0, 9, 10, 1);
  uint32_t small = add_buffer(problem, 1, 9, 12, 1);
  uint32_t large = add_buffer(problem, 8, 9, 80, 1);
  tie(problem, operand, small, 0);
  tie(problem, operand, large, 0);
  CHECK(solve(problem, GMEM_EFFORT_FAST) == 92);
  CHECK(figures.optimal);
  gmem_problem_destroy(problem);
}

// Of two dying operands one is read again by a later op: the result is written
// over the other.
static void a_result_is_written_over_the_operand_that_dies(void) {
  for (uint32_t first = 0; first < 2; ++first) {
    gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
    uint32_t a = add_buffer(problem, 0, 9, 16, 1);
    uint32_t b = add_buffer(problem, 0, 3, 16, 1);
    uint32_t result = add_buffer(problem, 2, 9, 16, 1);
    uint32_t view = add_buffer(problem, 4, 9, 16, 1); // of a, all the time
    gmem_alias_spec_t same = {view, a, 0, .is_optional = false};
    CHECK(gmem_problem_add_alias(problem, &same, NULL) == GMEM_OK);
    tie(problem, result, first ? a : b, 0);
    tie(problem, result, first ? b : a, 0);
    CHECK(solve(problem, GMEM_EFFORT_NORMAL) == 32);
    gmem_problem_destroy(problem);
  }
}

// Once the whole choice failed when one alias put a buffer where the alignment
// of the pool forbids it: here the value that the operand is written over.
static void a_pool_alignment_forbids_one_alias_not_all(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 64, 0);
  uint32_t x = add_buffer(problem, 0, 2, 100, 1);
  uint32_t operand = add_buffer(problem, 1, 4, 100, 1);
  uint32_t other = add_buffer(problem, 2, 4, 100, 1);
  uint32_t result = add_buffer(problem, 3, 5, 200, 1);
  tie(problem, operand, x, 0);
  tie(problem, other, result, 0);
  tie(problem, operand, result, 100);
  CHECK(solve(problem, GMEM_EFFORT_FAST) == 200 && figures.optimal);
  CHECK(plan[other].offset == plan[result].offset);
  CHECK(plan[operand].offset == plan[result].offset + 100);
  gmem_problem_destroy(problem);
}

// a in b and b in c is a in c: a and c may share bytes at one time only when an
// alias says so.
static void leave_is_not_inherited_but_may_be_given(void) {
  for (uint32_t with_leave = 0; with_leave < 2; ++with_leave) {
    gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
    uint32_t a = add_buffer(problem, 0, 9, 10, 1);
    uint32_t b = add_buffer(problem, 2, 5, 20, 1);
    uint32_t c = add_buffer(problem, 4, 9, 40, 1);
    tie(problem, a, b, 10);
    tie(problem, b, c, 20);
    if (with_leave)
      tie(problem, a, c, 30);
    CHECK(solve(problem, GMEM_EFFORT_NORMAL) == (with_leave ? 40 : 50));
    gmem_problem_destroy(problem);
  }
}

// A conflict forbids sharing whatever else allows it, also to those who are
// only drawn along.
static void conflicts_hold_in_groups(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  for (uint32_t i = 0; i < 4; ++i)
    add_buffer(problem, i, i + 2, 16, 1);
  for (uint32_t i = 1; i < 4; ++i)
    tie(problem, i, i - 1, 0);
  CHECK(gmem_problem_add_conflict(problem, 0, 3, NULL) == GMEM_OK);
  CHECK(solve(problem, GMEM_EFFORT_NORMAL) == 32);
  CHECK(plan[0].offset != plan[3].offset);
  gmem_problem_destroy(problem);
}

// What is live between two operands of a concatenation lies between them.
static void gaps_between_operands_are_used(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  uint32_t low = add_buffer(problem, 0, 5, 10, 1);
  uint32_t high = add_buffer(problem, 0, 5, 10, 1);
  add_buffer(problem, 1, 3, 10, 1);
  uint32_t middle = add_buffer(problem, 3, 5, 10, 1);
  uint32_t result = add_buffer(problem, 4, 6, 30, 1);
  tie(problem, low, result, 0);
  tie(problem, middle, result, 10);
  tie(problem, high, result, 20);
  CHECK(solve(problem, GMEM_EFFORT_FAST) == 30 && figures.optimal);
  gmem_problem_destroy(problem);
}

// An alias that no address allows, among others that help. Once all of them
// were given up for it.
static void own_alignments_count_beside_that_of_the_pool(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 2, 0);
  for (int64_t time = 0; time < 1000; time += 10) {
    uint32_t operand = add_buffer(problem, time, time + 2, 8, 2);
    uint32_t result = add_buffer(problem, time + 1, time + 3, 17, 1);
    uint32_t before = add_buffer(problem, time + 4, time + 6, 100, 1);
    uint32_t after = add_buffer(problem, time + 5, time + 7, 100, 1);
    tie(problem, operand, result, 1);
    tie(problem, after, before, 0);
  }
  CHECK(solve(problem, GMEM_EFFORT_FAST) == 100);
  gmem_problem_destroy(problem);
}

// Pairs that hold two places apart leave no room for a third; every one of them
// has to be left out before the peak is any lower.
static void none_is_better_than_all_that_harm(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  for (int64_t time = 0; time < 1000; time += 10) {
    for (int i = 0; i < 2; ++i) {
      uint32_t parent = add_buffer(problem, time, time + 2, 20, 1);
      tie(problem, add_buffer(problem, time + 4, time + 6, 10, 1), parent, 5);
    }
    add_buffer(problem, time + 4, time + 6, 20, 1);
  }
  CHECK(solve(problem, GMEM_EFFORT_FAST) == 40 && figures.optimal);
  gmem_problem_destroy(problem);
}

// Pairs as above, and one alias that lowers the peak: all of them together are
// as bad as none.
static void what_is_not_needed_does_no_harm(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  for (int64_t time = 0; time < 1000; time += 10) {
    for (int i = 0; i < 2; ++i) {
      uint32_t parent = add_buffer(problem, time, time + 2, 20, 1);
      tie(problem, add_buffer(problem, time + 4, time + 6, 10, 1), parent, 5);
    }
    add_buffer(problem, time + 4, time + 6, 20, 1);
  }
  uint32_t operand = add_buffer(problem, 2000, 2002, 40, 1);
  tie(problem, add_buffer(problem, 2001, 2003, 40, 1), operand, 0);
  CHECK(solve(problem, GMEM_EFFORT_FAST) == 40 && figures.optimal);
  gmem_problem_destroy(problem);
}

// None of the aliases is needed, and the bound is out of reach.
static void there_may_be_nothing_to_change(void) {
  uint32_t count = 0;
  for (uint64_t seed = 1; seed < 10; ++seed) {
    gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
    uint64_t random = seed;
    for (uint32_t i = 0; i < 400; ++i) {
      int64_t begin = random_below(&random, 90);
      add_buffer(problem, begin, begin + 1 + random_below(&random, 30),
                 1 + random_below(&random, 999), 1);
    }
    uint32_t parent = add_buffer(problem, 100, 102, 2, 1);
    for (uint32_t i = 0; i < 12; ++i)
      tie(problem, add_buffer(problem, 102 + i, 103 + i, 1, 1), parent, i % 2);
    count += solve(problem, GMEM_EFFORT_FAST) > figures.lower_bound;
    gmem_problem_destroy(problem);
  }
  CHECK(count > 0);
}

// The aliases of one kind are good, those of another are in the way, at the
// same time as they.
static void some_kinds_may_be_better_than_all(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  for (int64_t time = 0; time < 2000; time += 10) {
    for (uint32_t i = 0; i < 2; ++i) {
      uint32_t parent = add_buffer(problem, time, time + 2, 20, 1);
      uint32_t child = add_buffer(problem, time + 1, time + 6, 10, 1);
      gmem_alias_spec_t spec = {child, parent, 5, .is_optional = true,
                                .kind = 7};
      CHECK(gmem_problem_add_alias(problem, &spec, NULL) == GMEM_OK);
    }
    add_buffer(problem, time + 4, time + 6, 40, 1);
    uint32_t operand = add_buffer(problem, time + 7, time + 9, 60, 1);
    tie(problem, add_buffer(problem, time + 8, time + 10, 60, 1), operand, 0);
  }
  CHECK(solve(problem, GMEM_EFFORT_FAST) == 60 && figures.optimal);
  gmem_problem_destroy(problem);
}

// With all aliases the one half does not fit, with none the other.
static void a_mixture_fits_where_all_and_none_do_not(void) {
  gmem_problem_t *problem = one_pool_problem(45, 1, 0);
  for (int i = 0; i < 2; ++i) {
    uint32_t parent = add_buffer(problem, 0, 2, 20, 1);
    tie(problem, add_buffer(problem, 4, 6, 10, 1), parent, 5);
  }
  add_buffer(problem, 4, 6, 20, 1);
  uint32_t before = add_buffer(problem, 10, 12, 40, 1);
  tie(problem, add_buffer(problem, 11, 13, 40, 1), before, 0);
  CHECK(solve(problem, GMEM_EFFORT_FAST) == 40 && figures.optimal);
  gmem_problem_destroy(problem);
}

// Nothing is searched for when the bound is above the capacity.
static void what_cannot_fit_is_refused_at_once(void) {
  gmem_problem_t *problem = one_pool_problem(100, 1, 0);
  for (uint32_t i = 0; i < 1000; ++i)
    add_buffer(problem, i, i + 2, 60, 1);
  add_buffer(problem, 0, 9, 60, 1);
  for (uint32_t i = 1; i < 1000; ++i)
    tie(problem, i, i - 1, 0);
  CHECK(gmem_solve(problem, NULL, plan, &figures, NULL) ==
        GMEM_ERR_OVER_BUDGET);
  gmem_problem_destroy(problem);
}

//===--- many -------------------------------------------------------------===//

// All pairs of two groups were compared, so a chain stopped at 2^16 pairs.
static void long_chains_are_one_place(void) {
  enum { MANY = 100000 };
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 64, 0);
  for (uint32_t i = 0; i < MANY; ++i)
    add_buffer(problem, i, i + 2, 4096, 1);
  for (uint32_t i = 1; i < MANY; ++i)
    tie(problem, i, i - 1, 0);
  CHECK(solve(problem, GMEM_EFFORT_FAST) == 4096 && figures.optimal);
  CHECK(figures.steps < 100 * (uint64_t)MANY);
  gmem_problem_destroy(problem);
}

// Of more than 64 members an item was live as a whole all the time.
static void a_wide_concatenation_grows_as_it_is_made(void) {
  enum { MANY = 1000 };
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  uint32_t result = add_buffer(problem, MANY, MANY + 1, MANY * 8, 1);
  for (uint32_t i = 0; i < MANY; ++i)
    tie(problem, add_buffer(problem, i, MANY + 1, 8, 1), result, i * 8);
  add_buffer(problem, 0, 10, MANY * 8 - 80, 1); // before most are made
  CHECK(solve(problem, GMEM_EFFORT_FAST) == MANY * 8 && figures.optimal);
  gmem_problem_destroy(problem);
}

// Nested one in the other, each as long as all before: as many strokes as there
// are pairs, if all breaks in lives were kept.
static void quadratic_lives_are_bounded(void) {
  enum { MANY = 3000 };
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  for (uint32_t i = 0; i < MANY; ++i)
    add_buffer(problem, 3 * i, 3 * i + 2, 8 * (MANY - i), 1);
  for (uint32_t i = 1; i < MANY; ++i)
    tie(problem, i, i - 1, 0);
  CHECK(solve(problem, GMEM_EFFORT_FAST) == 8 * MANY);
  gmem_problem_destroy(problem);
}

// Results over slices of one buffer, or over each other: slices are not aligned
// to the pool, so the first of these aliases are refused each time. Who starts
// with whom was followed along the whole chain then.
static void chains_beside_slices_are_quick(void) {
  enum { MANY = 20000 };
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 4096, 0);
  uint32_t whole = add_buffer(problem, 0, MANY + 1, 64 * MANY, 64);
  uint32_t last = add_buffer(problem, 0, 3, 64, 64);
  for (uint32_t i = 0; i < MANY; ++i) {
    uint32_t slice = add_buffer(problem, i + 1, i + 3, 64, 64);
    uint32_t result = add_buffer(problem, i + 2, i + 4, 64, 64);
    tie(problem, slice, whole, 64 * (uint64_t)i);
    tie(problem, result, last, 0);
    tie(problem, result, slice, 0);
    last = result;
  }
  gmem_choice_t choice;
  static uint32_t order[3 * MANY];
  for (uint32_t i = 0; i < 3 * MANY; ++i)
    order[i] = i;
  CHECK(gmem_choice_create(problem, &choice, NULL) == GMEM_OK);
  CHECK(gmem_choose_aliases(&choice, order, 3 * MANY) == GMEM_OK);
  CHECK(choice.chosen[3] && choice.chosen[4] && !choice.chosen[5]);
  CHECK(choice.stays.looks < 400 * (uint64_t)MANY);
  gmem_choice_destroy(&choice);
  gmem_problem_destroy(problem);
}

// Slices that are live before or after a whole chain, in turns: the hull of any
// two may meet each value of the chain, and no slice does, so that each lookup
// visits all of them. When the limit of looks is reached, the last alias is
// refused although it is possible.
static void looks_are_limited(void) {
  enum { FEW = 500, MANY = 4000 };
  static uint32_t order[2 * MANY];
  for (uint32_t count = FEW; count <= MANY; count += MANY - FEW) {
    gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
    uint32_t whole = add_buffer(problem, 0, 1, count, 1);
    for (uint32_t i = 0; i < count; ++i) {
      int64_t time = i % 2 ? 1 : MANY + 9;
      tie(problem, add_buffer(problem, time, time + 1, 1, 1), whole, i);
    }
    uint32_t first = add_buffer(problem, 2, 3, count, 1), last = first;
    for (uint32_t i = 1; i < count; ++i, ++last)
      tie(problem, add_buffer(problem, 2 + i, 3 + i, count, 1), last, 0);
    tie(problem, first, whole, 0);
    for (uint32_t i = 0; i < 2 * count; ++i)
      order[i] = i;
    gmem_choice_t choice;
    CHECK(gmem_choice_create(problem, &choice, NULL) == GMEM_OK);
    CHECK(gmem_choose_aliases(&choice, order, 2 * count) == GMEM_OK);
    for (uint32_t i = 0; i < 2 * count - 1; ++i)
      CHECK(choice.chosen[i]);
    CHECK(choice.chosen[2 * count - 1] == (count == FEW));
    CHECK(choice.stays.looks < choice.stays.look_limit + 2 * count);
    gmem_choice_destroy(&choice);
    gmem_problem_destroy(problem);
  }
}

// Aliases at random, most of which exclude each other.
static gmem_problem_t *tangle(uint64_t seed) {
  uint64_t random = seed * 7919;
  next_random(&random);
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  uint32_t count = 20 + random_below(&random, 100);
  for (uint32_t i = 0; i < count; ++i) {
    int64_t begin = random_below(&random, 2 * count / 3);
    int64_t end = begin + 1 + random_below(&random, 8);
    add_buffer(problem, begin, end, 1 + random_below(&random, 40), 1);
  }
  for (uint32_t i = 0; i < 2 * count; ++i) {
    uint32_t child = random_below(&random, count);
    uint32_t parent = random_below(&random, count);
    uint64_t low = gmem_problem_buffer(problem, child)->size;
    uint64_t high = gmem_problem_buffer(problem, parent)->size;
    if (low <= high && child != parent)
      tie(problem, child, parent,
          random_below(&random, (uint32_t)(high - low) + 1));
  }
  return problem;
}

// Without them the peak is never lower, and in some of the problems higher.
static void moves_are_left_out_with_fewer_aliases(uint64_t count) {
  uint64_t lower = 0;
  for (uint64_t seed = 0; seed < count; ++seed) {
    gmem_problem_t *problem = tangle(seed);
    gmem_solve_options_t options = {.struct_size = sizeof options,
                                    .has_fewer_aliases = true};
    CHECK(gmem_solve(problem, &options, plan, &figures, NULL) == GMEM_OK);
    uint64_t without = figures.peak,
             normal = solve(problem, GMEM_EFFORT_NORMAL);
    CHECK(normal <= without);
    lower += normal < without;
    gmem_problem_destroy(problem);
  }
  printf("%" PRIu64 " tangles: %" PRIu64 " lower by moves of single buffers\n",
         count, lower);
  CHECK(lower > 0);
}

// Several changes of the selection together lower the peak, and none of them
// alone: only the walk finds them. Where it finds no new selection, it ends
// long before its work is spent (2^28 steps).
static void walks_end_without_a_new_selection(void) {
  gmem_problem_t *problem = tangle(374);
  CHECK(solve(problem, GMEM_EFFORT_NORMAL) == 178 && figures.optimal);
  gmem_problem_destroy(problem);
  for (uint64_t seed = 7; seed < 11; ++seed) {
    problem = tangle(seed);
    solve(problem, GMEM_EFFORT_NORMAL);
    CHECK(figures.steps < 1 << 26);
    gmem_problem_destroy(problem);
  }
}

//===--- pages ------------------------------------------------------------===//

enum { PAGE = 4096 };

// Weights that die one after the other, results that appear one after the
// other, small inputs that are live all the time, and scratch. At the end the
// results and inputs are put into one tuple, where nothing is at a page.
static gmem_problem_t *weights_and_results(uint64_t seed, uint32_t count) {
  const uint64_t sizes[] = {3, 4, 6, 8, 12, 16, 24, 32, 64};
  const uint64_t counts[] = {5, 7, 9, 13, 17, 31};
  const uint64_t rows[] = {1024, 1536, 2560, 6144};
  const int64_t times = 4 * (int64_t)count;
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, PAGE, 0);
  uint64_t offset = 0;
  for (uint32_t i = 0; i < count; ++i) {
    int64_t dies = 10 + random_below(&seed, (uint32_t)times - 20);
    int64_t appears = 10 + random_below(&seed, (uint32_t)times - 20);
    int64_t scratch = 5 + random_below(&seed, (uint32_t)times - 10);
    (void)add_buffer(problem, 0, dies, sizes[random_below(&seed, 9)] * PAGE,
                     64);
    (void)add_buffer(
        problem, appears, times,
        counts[random_below(&seed, 6)] * rows[random_below(&seed, 4)], 64);
    (void)add_buffer(problem, 0, times, 64, 64);
    (void)add_buffer(problem, scratch, scratch + 3,
                     counts[random_below(&seed, 6)] * 8000, 64);
  }
  for (uint32_t i = 0; i < 4 * count; ++i)
    if (i % 4 == 1 || i % 4 == 2)
      offset += gmem_problem_buffer(problem, i)->size;
  uint32_t tuple = add_buffer(problem, times - 1, times + 1, offset, 64);
  offset = 0;
  for (uint32_t kind = 2; kind > 0; --kind) // the small ones first
    for (uint32_t i = kind; i < 4 * count; i += 4) {
      tie(problem, i, tuple, offset);
      offset += gmem_problem_buffer(problem, i)->size;
    }
  return problem;
}

// However little of the bound that is.
static void any_padding_is_left_out_first(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 16, 0);
  add_buffer(problem, 0, 1, 1 << 20, 1);
  add_buffer(problem, 0, 1, 17, 16);
  CHECK(!gmem_has_finer_alignment(problem));
  add_buffer(problem, 0, 1, 17, 8);
  CHECK(gmem_has_finer_alignment(problem));
  gmem_problem_destroy(problem);
}

// From a plan without pages on; moves from one with pages on end higher.
static void pages_begin_without_pages(void) {
  gmem_problem_t *problem = weights_and_results(9, 24);
  uint64_t peak = solve(problem, GMEM_EFFORT_NORMAL);
  CHECK(reference_check(problem, plan).violation == GMEM_VIOLATION_NONE);
  CHECK(peak - figures.lower_bound <= figures.lower_bound / 1024);
  gmem_problem_destroy(problem);
}

// Which of the small buffers are in the tuple decides what is padded.
static void plans_with_pages_are_proved(void) {
  gmem_problem_t *problem = weights_and_results(3, 6);
  uint64_t peak = solve(problem, GMEM_EFFORT_NORMAL), bound;
  CHECK(figures.optimal && figures.lower_bound == peak);
  CHECK(gmem_lower_bound(problem, &bound, NULL) == GMEM_OK);
  CHECK(bound < peak - peak / 200);
  CHECK(gmem_lower_bound_below(problem, peak, &bound, NULL) == GMEM_OK);
  CHECK(bound == peak);
  gmem_problem_destroy(problem);
}

// Distances of up to 2^63 bytes: what would lie beyond is refused.
static void far_distances_do_not_overflow(void) {
  const uint64_t far = UINT64_C(1) << 62;
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  uint32_t root = add_buffer(problem, 0, 1, 16, 1);
  for (uint32_t i = 1; i < 4; ++i)
    tie(problem, add_buffer(problem, i, i + 1, 16, 1), root, 0);
  uint32_t low = add_buffer(problem, 4, 5, far + 16, 1);
  tie(problem, root, low, far); // |low| is 2^62 below the root
  uint32_t start = add_buffer(problem, 5, 6, 16, 1);
  tie(problem, start, low, 0);
  uint32_t high = add_buffer(problem, 6, 7, far + 16, 1);
  uint32_t end = add_buffer(problem, 7, 8, 16, 1);
  tie(problem, end, high, far);
  uint32_t top = add_buffer(problem, 8, 9, far + 32, 1);
  tie(problem, high, top, 16);
  tie(problem, start, end, 0); // 2^63 bytes in all
  CHECK(solve(problem, GMEM_EFFORT_NORMAL) >= far + 16);
  gmem_problem_destroy(problem);
  problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  for (uint32_t i = 0; i < 8; ++i) // sums of live bytes above 2^63
    add_buffer(problem, i, i + 1 + (i < 7), far - 1, 1);
  for (uint32_t i = 1; i < 8; ++i)
    tie(problem, i, i - 1, 0);
  CHECK(solve(problem, GMEM_EFFORT_NORMAL) == far - 1);
  gmem_problem_destroy(problem);
}

//===--- no memory --------------------------------------------------------===//

// A concatenation of more operands than are compared one by one, made of
// chains, beside results that may be written over two operands.
static gmem_problem_t *with_all_kinds(const gmem_allocator_t *allocator) {
  gmem_problem_t *problem = NULL;
  uint32_t pool;
  gmem_pool_spec_t spec = {.name = "m", .capacity = 1 << 20, .alignment = 4};
  if (gmem_problem_create(allocator, &problem, NULL) != GMEM_OK ||
      gmem_problem_add_pool(problem, &spec, &pool, NULL) != GMEM_OK)
    abort();
  uint32_t result = add_buffer(problem, 20, 22, 80, 1);
  for (uint32_t i = 0; i < 10; ++i) {
    uint32_t before = add_buffer(problem, i, i + 3, 8, 1);
    uint32_t operand = add_buffer(problem, i + 2, 21, 8, 1);
    tie(problem, operand, before, 0);
    tie(problem, operand, result, 8 * i);
    if (i)
      tie(problem, operand, before - 2, 0);
  }
  add_buffer(problem, 0, 9, 60, 1);
  return problem;
}

static void every_allocation_may_fail(void) {
  gmem_status_t status = GMEM_ERR_OUT_OF_MEMORY;
  heap_t heap = {0};
  gmem_allocator_t allocator = {&heap, heap_alloc, heap_free};
  gmem_problem_t *problem = with_all_kinds(&allocator);
  gmem_solve_options_t options = {.step_limit = 1 << 20};
  size_t blocks = heap.live_blocks, failures = 0;
  for (size_t k = 1; status == GMEM_ERR_OUT_OF_MEMORY; ++k) {
    heap.calls = 0;
    heap.fail_at = k <= 300 ? k : k * 16; // later ones are more of the same
    status = gmem_solve(problem, &options, plan, &figures, NULL);
    CHECK(status == GMEM_OK || status == GMEM_ERR_OUT_OF_MEMORY);
    CHECK(heap.live_blocks == blocks);
    failures += status != GMEM_OK;
  }
  CHECK(failures > 100);
  heap.fail_at = 0;
  gmem_problem_destroy(problem);
  CHECK(heap.live_blocks == 0 && heap.live_bytes == 0);
}

int main(int argc, char **argv) {
  uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 500;
  an_operand_goes_where_the_peak_is();
  a_result_is_written_over_the_operand_that_dies();
  a_pool_alignment_forbids_one_alias_not_all();
  leave_is_not_inherited_but_may_be_given();
  conflicts_hold_in_groups();
  gaps_between_operands_are_used();
  own_alignments_count_beside_that_of_the_pool();
  none_is_better_than_all_that_harm();
  what_is_not_needed_does_no_harm();
  there_may_be_nothing_to_change();
  some_kinds_may_be_better_than_all();
  a_mixture_fits_where_all_and_none_do_not();
  what_cannot_fit_is_refused_at_once();
  long_chains_are_one_place();
  a_wide_concatenation_grows_as_it_is_made();
  quadratic_lives_are_bounded();
  chains_beside_slices_are_quick();
  looks_are_limited();
  walks_end_without_a_new_selection();
  places_of_small_inputs_are_kept();
  moves_are_left_out_with_fewer_aliases(30);
  any_padding_is_left_out_first();
  pages_begin_without_pages();
  plans_with_pages_are_proved();
  far_distances_do_not_overflow();
  every_allocation_may_fail();
  groups_grow_as_if_all_pairs_were_asked();
  try_networks(false, count);
  try_networks(true, count);
  single_buffers_are_moved(false, count);
  single_buffers_are_moved(true, count);
  plans_are_realigned(count / 25);
  return CHECK_RESULT();
}
