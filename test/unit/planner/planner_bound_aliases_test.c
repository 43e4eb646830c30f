// planner_bound_aliases_test.c - no plan is below the lower bound where buffers
// may lie in each other, with alignments, fixed offsets, blocks and branches; a
// look at every place says so.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// UNSUPPORTED: sanitizer-address && !nightly
// RUN: %unit/planner_bound_aliases_test %bound_problems

#include <inttypes.h>
#include <string.h>

#include "check.h"
#include "planner_reference.h"

enum { MOST = 8, MOST_LOOKS = 1 << 20, FAR = 64, MOST_BUFFERS = 256 };

// GMEM_UNLIMITED when no plan aligns every buffer. gmem_solve states it, even
// if it proves more.
static uint64_t bound_of(const gmem_problem_t *problem) {
  uint64_t bytes = 0, stated = 0;
  gmem_placement_t plan[MOST_BUFFERS];
  gmem_solve_options_t options = {.struct_size = sizeof options,
                                  .effort = GMEM_EFFORT_FAST,
                                  .problem_bound = &stated};
  gmem_status_t status = gmem_lower_bound(problem, &bytes, NULL);
  CHECK(status == GMEM_OK || status == GMEM_ERR_INVALID_ARGUMENT);
  CHECK(gmem_problem_buffer_count(problem) <= MOST_BUFFERS);
  if (gmem_solve(problem, &options, plan, NULL, NULL) == GMEM_OK)
    CHECK(stated == bytes);
  return status == GMEM_OK ? bytes : GMEM_UNLIMITED;
}

//===--- a look at every place --------------------------------------------===//

typedef struct places_s {
  const gmem_problem_t *problem;
  gmem_placement_t plan[MOST];
  uint64_t limit;         // no buffer may end above it
  bool clash[MOST][MOST]; // the two share no bytes but by an optional alias
  uint64_t step[MOST];    // offsets are multiples of it
  uint64_t looks;
  bool found;
} places_t;

static bool exclude(const gmem_buffer_spec_t *a, const gmem_buffer_spec_t *b) {
  for (size_t i = 0; i < a->branch_count; ++i)
    for (size_t k = 0; k < b->branch_count; ++k)
      if (a->branches[i].choice == b->branches[k].choice &&
          a->branches[i].arm != b->branches[k].arm)
        return true;
  return false;
}

static void find_clashes(places_t *places) {
  const gmem_problem_t *problem = places->problem;
  reference_facts_t facts = reference_facts(problem, places->plan);
  uint32_t count = gmem_problem_buffer_count(problem);
  int64_t time = 0;
  for (uint32_t a = 0; a < count; ++a)
    for (uint32_t b = 0; b < count; ++b) {
      const gmem_buffer_spec_t *x = gmem_problem_buffer(problem, a);
      const gmem_buffer_spec_t *y = gmem_problem_buffer(problem, b);
      places->clash[a][b] = a != b && x->size && y->size &&
                            facts.storage[a] != facts.storage[b] &&
                            reference_meeting(x, y, &time) && !exclude(x, y);
    }
  reference_free(&facts);
}

// What starts in no other buffer, whatever the plan, has the alignment of the
// pool: it is in no block and no alias's child.
static void find_steps(places_t *places) {
  const gmem_problem_t *problem = places->problem;
  for (uint32_t i = 0; i < gmem_problem_buffer_count(problem); ++i) {
    const gmem_buffer_spec_t *spec = gmem_problem_buffer(problem, i);
    bool is_free = gmem_problem_block_count(problem) == 0;
    for (size_t k = 0; k < gmem_problem_alias_count(problem); ++k)
      is_free &= gmem_problem_alias(problem, k)->child != i;
    uint64_t pool = gmem_problem_pool(problem, 0)->alignment;
    places->step[i] =
        is_free && pool > spec->alignment ? pool : spec->alignment;
  }
}

static bool may_share(const places_t *places, uint32_t a, uint32_t b) {
  const gmem_problem_t *problem = places->problem;
  uint64_t a_offset = places->plan[a].offset, b_offset = places->plan[b].offset;
  if (!places->clash[a][b] ||
      a_offset + gmem_problem_buffer(problem, a)->size <= b_offset ||
      b_offset + gmem_problem_buffer(problem, b)->size <= a_offset)
    return true;
  for (size_t i = 0; i < gmem_problem_alias_count(problem); ++i) {
    const gmem_alias_spec_t *alias = gmem_problem_alias(problem, i);
    bool is_this = (alias->child == a && alias->parent == b) ||
                   (alias->child == b && alias->parent == a);
    if (is_this && alias->is_optional &&
        reference_in_place(alias, places->plan))
      return true;
  }
  return false;
}

// The places that |buffer| is tied to by those before it: *first .. *last.
static void narrow(const places_t *places, uint32_t buffer, uint64_t *first,
                   uint64_t *last) {
  const gmem_problem_t *problem = places->problem;
  const gmem_buffer_spec_t *spec = gmem_problem_buffer(problem, buffer);
  *last = places->limit - spec->size;
  if (spec->has_fixed_offset)
    *first = *last = spec->fixed_offset;
  for (size_t i = 0; i < gmem_problem_alias_count(problem); ++i) {
    const gmem_alias_spec_t *alias = gmem_problem_alias(problem, i);
    if (alias->is_optional || !spec->size)
      continue;
    if (alias->child == buffer && alias->parent < buffer)
      *first = *last = places->plan[alias->parent].offset + alias->offset;
    else if (alias->parent == buffer && alias->child < buffer &&
             gmem_problem_buffer(problem, alias->child)->size &&
             places->plan[alias->child].offset >= alias->offset)
      *first = *last = places->plan[alias->child].offset - alias->offset;
  }
}

static void look(places_t *places, uint32_t buffer) {
  const gmem_problem_t *problem = places->problem;
  if (buffer == gmem_problem_buffer_count(problem)) {
    places->found =
        reference_check(problem, places->plan).violation == GMEM_VIOLATION_NONE;
    return;
  }
  uint64_t base = gmem_problem_pool(problem, 0)->base, last, offset = 0;
  uint64_t size = gmem_problem_buffer(problem, buffer)->size;
  uint64_t step = places->step[buffer];
  if (size > places->limit)
    return;
  offset = (step - base % step) % step;
  narrow(places, buffer, &offset, &last);
  for (; offset <= last && offset + size <= places->limit && !places->found &&
         ++places->looks < MOST_LOOKS;
       offset += step) {
    bool fits = true;
    places->plan[buffer].offset = offset;
    for (uint32_t i = 0; fits && i < buffer; ++i)
      fits = may_share(places, i, buffer);
    if (fits)
      look(places, buffer + 1);
  }
}

typedef enum answer_e { YES, NO, UNKNOWN } answer_t;

// Whether some plan ends at |limit| or below.
static answer_t has_plan(const gmem_problem_t *problem, uint64_t limit) {
  places_t places = {.problem = problem, .limit = limit};
  find_clashes(&places);
  find_steps(&places);
  look(&places, 0);
  return places.found ? YES : places.looks < MOST_LOOKS ? NO : UNKNOWN;
}

//===--- random problems --------------------------------------------------===//

static void add_buffers(gmem_problem_t *problem, uint64_t *seed,
                        uint32_t kinds) {
  uint32_t count = 2 + random_below(seed, MOST - 1), index;
  int64_t times = 2 + random_below(seed, 4);
  for (uint32_t i = 0; i < count; ++i) {
    gmem_live_range_t ranges[2];
    gmem_branch_t branch = {0, random_below(seed, 2)};
    int64_t begin = random_below(seed, (uint32_t)times);
    int64_t end = begin + 1 + random_below(seed, (uint32_t)(times - begin));
    ranges[0] = (gmem_live_range_t){begin, end};
    ranges[1] = (gmem_live_range_t){end + random_below(seed, 2), end + 2};
    gmem_buffer_spec_t spec = {.size = 1 + random_below(seed, 12),
                               .alignment = UINT64_C(1)
                                            << random_below(seed, 3),
                               .ranges = ranges,
                               .range_count = 1 + !random_below(seed, 5),
                               .branches = &branch};
    spec.branch_count = kinds & 1 && random_below(seed, 2);
    spec.has_fixed_offset = kinds & 2 && random_below(seed, 5) == 0;
    spec.fixed_offset = 8 * random_below(seed, 4);
    if (random_below(seed, 12) == 0)
      spec.size = 0;
    gmem_status_t status =
        gmem_problem_add_buffer(problem, &spec, &index, NULL);
    CHECK(status == GMEM_OK || spec.has_fixed_offset);
  }
}

// Mostly optional ones, unless |has_views| is false; those that contradict
// others are refused.
static void add_aliases(gmem_problem_t *problem, uint64_t *seed,
                        bool has_views) {
  uint32_t count = gmem_problem_buffer_count(problem);
  for (uint32_t i = random_below(seed, 9); i && count; --i) {
    gmem_alias_spec_t alias = {.child = random_below(seed, count),
                               .parent = random_below(seed, count),
                               .is_optional =
                                   random_below(seed, 8) > 0 || !has_views};
    const gmem_buffer_spec_t *child = gmem_problem_buffer(problem, alias.child);
    uint64_t parent = gmem_problem_buffer(problem, alias.parent)->size;
    if (child->size < parent && random_below(seed, 2))
      alias.offset = random_below(seed, (uint32_t)(parent - child->size) + 1) /
                     child->alignment * child->alignment;
    gmem_status_t status = gmem_problem_add_alias(problem, &alias, NULL);
    (void)status;
  }
}

static gmem_problem_t *random_problem_of_aliases(uint64_t *seed) {
  uint32_t kinds = random_below(seed, 8);
  uint64_t alignment = UINT64_C(1) << random_below(seed, 5);
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, alignment,
                                             alignment * random_below(seed, 2));
  add_buffers(problem, seed, kinds);
  add_aliases(problem, seed, true);
  if (kinds & 4 && gmem_problem_buffer_count(problem))
    add_random_block(problem, seed);
  return problem;
}

// Also where it is looked at which aliases are in place. Nearly all bounds are
// reached then.
static void no_plan_is_below_the_raised_bound(uint32_t problems) {
  uint32_t raised = 0, loose = 0;
  for (uint64_t number = 1; number <= problems; ++number) {
    uint64_t seed = number * UINT64_C(0x9e3779b97f4a7c15);
    uint64_t alignment = UINT64_C(1) << random_below(&seed, 5);
    gmem_problem_t *problem = one_pool_problem(
        GMEM_UNLIMITED, alignment, alignment * random_below(&seed, 2));
    add_buffers(problem, &seed, random_below(&seed, 2));
    for (int i = 0; i < 2; ++i)
      add_aliases(problem, &seed, false);
    uint64_t first = bound_of(problem), bound = first;
    if (first != GMEM_UNLIMITED)
      CHECK(gmem_lower_bound_below(problem, 1000, &bound, NULL) == GMEM_OK);
    answer_t below = bound ? has_plan(problem, bound - 1) : NO;
    if (below == YES)
      fprintf(stderr, "problem %" PRIu64 ": a plan is below %" PRIu64 "\n",
              number, bound);
    CHECK(below != YES);
    raised += bound > first;
    loose += has_plan(problem, bound) == NO;
    gmem_problem_destroy(problem);
  }
  printf("%" PRIu32 " problems: %" PRIu32 " bounds raised, %" PRIu32
         " not reached\n",
         problems, raised, loose);
  CHECK(raised >= problems / 20);
  CHECK(loose <= problems / 10);
}

static void no_plan_is_below_the_bound(uint32_t problems) {
  uint32_t tight = 0, loose = 0, unknown = 0;
  for (uint64_t number = 1; number <= problems; ++number) {
    uint64_t seed = number * UINT64_C(0x9e3779b97f4a7c15);
    gmem_problem_t *problem = random_problem_of_aliases(&seed);
    uint64_t bound = bound_of(problem);
    bool is_impossible = bound == GMEM_UNLIMITED;
    if (is_impossible)
      bound = FAR;
    answer_t below = bound ? has_plan(problem, bound - 1) : NO;
    if (below == YES)
      fprintf(stderr, "problem %" PRIu64 ": a plan is below %" PRIu64 "\n",
              number, bound);
    CHECK(below != YES);
    answer_t at = is_impossible ? NO : has_plan(problem, bound);
    tight += at == YES;
    loose += at == NO;
    unknown += below == UNKNOWN || at == UNKNOWN;
    gmem_problem_destroy(problem);
  }
  printf("%" PRIu32 " problems: %" PRIu32 " with a plan at the bound, %" PRIu32
         " without, %" PRIu32 " unknown\n",
         problems, tight, loose, unknown);
  CHECK(unknown <= problems / 20);
  CHECK(tight >= problems / 2); // the bound says something
}

//===--- rules ------------------------------------------------------------===//

static void alias(gmem_problem_t *problem, uint32_t child, uint32_t parent,
                  uint64_t offset) {
  gmem_alias_spec_t spec = {child, parent, offset, .is_optional = true};
  CHECK(gmem_problem_add_alias(problem, &spec, NULL) == GMEM_OK);
}

// What may be written over another is aligned like it: padding counts.
static void results_in_place_are_padded(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 4096, 0);
  uint32_t x = add_buffer(problem, 0, 2, 64, 64);
  uint32_t y = add_buffer(problem, 1, 3, 64, 64);
  add_buffer(problem, 1, 3, 64, 64);
  alias(problem, y, x, 0);
  CHECK(bound_of(problem) == 4096 + 64); // 128 with the alignment of 64
  gmem_problem_destroy(problem);
}

// What may start inside another, or with one that does, need not be.
static void what_may_be_inside_is_not_padded(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 4096, 0);
  uint32_t whole = add_buffer(problem, 0, 2, 128, 64);
  uint32_t slice = add_buffer(problem, 1, 4, 64, 64);
  uint32_t over = add_buffer(problem, 3, 5, 64, 64);
  add_buffer(problem, 4, 5, 64, 64);
  alias(problem, slice, whole, 64);
  alias(problem, over, slice, 0);
  CHECK(bound_of(problem) == 128);
  gmem_problem_destroy(problem);
}

// The same in many steps, added last first.
static void insides_spread_over_any_number_of_steps(void) {
  enum { STEPS = 200 };
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 4096, 0);
  uint32_t whole = add_buffer(problem, 0, 2, 128, 64), first = 0, last = 0;
  for (int i = 0; i < STEPS; ++i) {
    last = add_buffer(problem, 1 + i, 3 + i, 64, 64);
    first = i ? first : last;
  }
  add_buffer(problem, STEPS + 1, STEPS + 2, 64, 64);
  for (uint32_t i = last; i > first; --i)
    alias(problem, i, i - 1, 0);
  alias(problem, first, whole, 64);
  CHECK(bound_of(problem) == 128);
  gmem_problem_destroy(problem);
}

// Two children do not share the parent's bytes with each other.
static void children_count_where_they_are_heavier(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 64, 0);
  uint32_t parent = add_buffer(problem, 0, 2, 256, 64);
  for (int i = 0; i < 2; ++i)
    alias(problem, add_buffer(problem, 1, 3, 256, 64), parent, 0);
  CHECK(bound_of(problem) == 512);
  gmem_problem_destroy(problem);
}

// Each of two may be the parent of the other: one of them counts.
static void one_of_two_that_are_each_others_parents_counts(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 64, 0);
  uint32_t a = add_buffer(problem, 0, 2, 256, 64);
  uint32_t b = add_buffer(problem, 1, 3, 256, 64);
  alias(problem, a, b, 0);
  alias(problem, b, a, 0);
  CHECK(bound_of(problem) == 256);
  gmem_problem_destroy(problem);
}

// Large alignments count beside small ones.
static void every_alignment_counts(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  for (int i = 0; i < 3; ++i)
    add_buffer(problem, 0, 1, 32, 256);
  add_buffer(problem, 0, 1, 1, 1);
  CHECK(bound_of(problem) == 512 + 32);   // 97 with an alignment of 1
  add_buffer(problem, 0, 1, 1000, 1);     // contains 3 multiples of 256
  CHECK(bound_of(problem) == 544 + 1000); // on top is its best place
  gmem_problem_destroy(problem);
}

int main(int count, char **arguments) {
  results_in_place_are_padded();
  what_may_be_inside_is_not_padded();
  insides_spread_over_any_number_of_steps();
  children_count_where_they_are_heavier();
  one_of_two_that_are_each_others_parents_counts();
  every_alignment_counts();
  uint32_t problems =
      count > 1 ? (uint32_t)strtoul(arguments[1], NULL, 10) : 300;
  no_plan_is_below_the_bound(problems);
  no_plan_is_below_the_raised_bound(problems);
  return CHECK_RESULT();
}
