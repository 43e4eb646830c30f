// planner_cache_test.c - plan caches: what is remembered, what is recognised,
// and what is not believed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %unit/planner_cache_test

#include <string.h>

#include "check.h"
#include "failing_heap.h"
#include "hash/sha256.h"
#include "planner_reference.h"

typedef struct text_s {
  char bytes[1 << 16];
  size_t length;
  size_t limit; // fails when there would be more bytes; 0: no limit
} text_t;

static gmem_status_t append(void *user, const char *bytes, size_t length) {
  text_t *text = user;
  size_t limit = text->limit ? text->limit : sizeof text->bytes;
  if (length > limit - text->length)
    return GMEM_ERR_IO;
  memcpy(text->bytes + text->length, bytes, length);
  text->length += length;
  return GMEM_OK;
}

static const gmem_cached_plan_t about_none = {.algorithm = "none"};

static gmem_status_t add(text_t *text, const gmem_problem_t *problem,
                         const gmem_placement_t *plan,
                         const gmem_cached_plan_t *about) {
  static text_t result;
  result.length = 0;
  gmem_status_t status = gmem_plan_cache_add(
      problem, plan, about, text->bytes, text->length, append, &result, NULL);
  if (status == GMEM_OK) {
    text->length = result.length;
    memcpy(text->bytes, result.bytes, result.length);
  }
  return status;
}

static gmem_status_t find(const text_t *text, const gmem_problem_t *problem,
                          gmem_placement_t *plan, gmem_cached_plan_t *about,
                          gmem_diag_t *diag) {
  return gmem_plan_cache_find(problem, text->bytes, text->length, plan, about,
                              diag);
}

static bool same_digest(const gmem_problem_t *a, const gmem_problem_t *b) {
  uint8_t digest_a[32], digest_b[32];
  CHECK(gmem_problem_digest(a, digest_a, NULL) == GMEM_OK);
  CHECK(gmem_problem_digest(b, digest_b, NULL) == GMEM_OK);
  return memcmp(digest_a, digest_b, 32) == 0;
}

static gmem_problem_t *two_buffers(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  add_buffer(problem, 0, 2, 100, 4);
  add_buffer(problem, 2, 5, 50, 4);
  return problem;
}

//===--- remembering ------------------------------------------------------===//

// The example of docs/plan-cache.md.
static void writes_the_documented_text(void) {
  static const char expected[] =
      "gmem-plan 1\n"
      "problem "
      "11c6e4a88e038ff5151488c0548710671345ce5c8b5208203691fc8690d26e08\n"
      "algorithm none\n"
      "effort fast\n"
      "peak 150\n"
      "lower-bound 100\n"
      "steps 7\n"
      "optimal no\n"
      "buffers 2\n"
      "0 100\n"
      "0 0\n"
      "sum "
      "744bb6bc4695e2dad1a3dd3cea627a55934fd996408ede06e92324e14546de85\n";
  static text_t text;
  text = (text_t){.length = 0};
  gmem_problem_t *problem = two_buffers();
  gmem_placement_t plan[] = {{0, 0}, {100, 0}};
  gmem_cached_plan_t about = {.algorithm = "none",
                              .effort = GMEM_EFFORT_FAST,
                              .figures = {.lower_bound = 100, .steps = 7}};
  CHECK(add(&text, problem, plan, &about) == GMEM_OK);
  bool same = text.length == sizeof expected - 1 &&
              memcmp(text.bytes, expected, text.length) == 0;
  CHECK(same);
  if (!same)
    fprintf(stderr, "%.*s", (int)text.length, text.bytes);
  gmem_problem_destroy(problem);
}

static void finds_what_was_added(void) {
  static text_t text;
  text = (text_t){.length = 0};
  gmem_problem_t *problem = two_buffers();
  gmem_placement_t plan[] = {{0, 0}, {100, 0}}, found[2];
  gmem_cached_plan_t about = {.algorithm = "hill-climb",
                              .effort = GMEM_EFFORT_EXHAUSTIVE,
                              .figures = {.lower_bound = 120, .steps = 7}};
  gmem_diag_t diag;
  CHECK(find(&text, problem, found, NULL, &diag) == GMEM_ERR_NOT_FOUND);
  CHECK(diag.status == GMEM_ERR_NOT_FOUND);
  CHECK(add(&text, problem, plan, &about) == GMEM_OK);
  memset(&about, 0xFF, sizeof about);
  CHECK(find(&text, problem, found, &about, &diag) == GMEM_OK);
  CHECK(found[0].offset == 0 && found[1].offset == 100);
  CHECK(strcmp(about.algorithm, "hill-climb") == 0);
  CHECK(about.effort == GMEM_EFFORT_EXHAUSTIVE);
  CHECK(about.figures.peak == 150 && about.figures.lower_bound == 120);
  CHECK(about.figures.steps == 7);
  CHECK(!about.figures.optimal && !about.figures.cancelled);
  gmem_problem_destroy(problem);
}

static void an_empty_problem_is_one_too(void) {
  static text_t text;
  text = (text_t){.length = 0};
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  gmem_cached_plan_t about;
  CHECK(add(&text, problem, NULL, &about_none) == GMEM_OK);
  CHECK(find(&text, problem, NULL, &about, NULL) == GMEM_OK);
  CHECK(about.figures.peak == 0 && about.figures.optimal);
  gmem_problem_destroy(problem);
}

static void keeps_the_better_plan(void) {
  static text_t text;
  text = (text_t){.length = 0};
  gmem_problem_t *problem = two_buffers();
  gmem_placement_t high[] = {{0, 0}, {200, 0}}, low[] = {{0, 0}, {100, 0}};
  gmem_placement_t same[] = {{52, 0}, {0, 0}}, found[2];
  gmem_cached_plan_t about = about_none;
  CHECK(add(&text, problem, high, &about) == GMEM_OK);
  CHECK(add(&text, problem, low, &about) == GMEM_OK);
  CHECK(find(&text, problem, found, &about, NULL) == GMEM_OK);
  CHECK(found[1].offset == 100 && about.figures.peak == 150);
  CHECK(add(&text, problem, high, &about_none) == GMEM_OK);
  CHECK(find(&text, problem, found, &about, NULL) == GMEM_OK);
  CHECK(found[1].offset == 100);
  // As good: the first stays, unless the second is proved to be the best.
  same[0].offset = 0, same[1].offset = 100;
  about = (gmem_cached_plan_t){.algorithm = "exact"};
  CHECK(add(&text, problem, same, &about) == GMEM_OK);
  CHECK(find(&text, problem, found, &about, NULL) == GMEM_OK);
  CHECK(strcmp(about.algorithm, "none") == 0);
  about =
      (gmem_cached_plan_t){.algorithm = "exact", .figures = {.optimal = true}};
  CHECK(add(&text, problem, same, &about) == GMEM_OK);
  CHECK(find(&text, problem, found, &about, NULL) == GMEM_OK);
  CHECK(strcmp(about.algorithm, "exact") == 0 && about.figures.optimal);
  gmem_problem_destroy(problem);
}

// What the first pool holds counts for more than the sum of the pools.
static void a_plan_that_spills_less_is_better(void) {
  static text_t text;
  text = (text_t){.length = 0};
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  gmem_pool_spec_t slow = {
      .name = "slow", .capacity = GMEM_UNLIMITED, .alignment = 1};
  uint32_t index;
  CHECK(gmem_problem_add_pool(problem, &slow, &index, NULL) == GMEM_OK);
  add_buffer(problem, 0, 2, 100, 1);
  add_buffer(problem, 2, 5, 50, 1);
  gmem_placement_t spilled[] = {{0, 0}, {0, 1}}, kept[] = {{0, 0}, {100, 0}};
  gmem_placement_t found[2];
  CHECK(add(&text, problem, spilled, &about_none) == GMEM_OK);
  CHECK(add(&text, problem, kept, &about_none) == GMEM_OK);
  CHECK(add(&text, problem, spilled, &about_none) == GMEM_OK);
  CHECK(find(&text, problem, found, NULL, NULL) == GMEM_OK);
  CHECK(found[1].pool == 0);
  gmem_problem_destroy(problem);
}

//===--- several problems -------------------------------------------------===//

static gmem_problem_t *numbered(uint32_t number) {
  gmem_problem_t *problem = two_buffers();
  add_buffer(problem, 0, 9, 8 + number, 1);
  return problem;
}

static void add_numbered(text_t *text, uint32_t number) {
  gmem_problem_t *problem = numbered(number);
  gmem_placement_t plan[] = {{0, 0}, {100, 0}, {300 + number, 0}};
  CHECK(add(text, problem, plan, &about_none) == GMEM_OK);
  gmem_problem_destroy(problem);
}

static void expect_numbered(const text_t *text, uint32_t number) {
  gmem_problem_t *problem = numbered(number);
  gmem_placement_t plan[3];
  CHECK(find(text, problem, plan, NULL, NULL) == GMEM_OK);
  CHECK(plan[2].offset == 300 + number);
  gmem_problem_destroy(problem);
}

// One text per problem: that of another one is no plan, and is replaced.
static void a_text_is_of_one_problem(void) {
  static text_t text, other;
  text = other = (text_t){.length = 0};
  add_numbered(&text, 1);
  add_numbered(&other, 2);
  gmem_problem_t *problem = numbered(2);
  gmem_placement_t plan[3];
  gmem_diag_t diag;
  CHECK(find(&text, problem, plan, NULL, &diag) == GMEM_ERR_NOT_FOUND);
  CHECK(strcmp(diag.text, "no cached plan for this problem") == 0);
  add_numbered(&text, 2);
  CHECK(text.length == other.length &&
        memcmp(text.bytes, other.bytes, text.length) == 0);
  expect_numbered(&text, 2);
  // Whatever follows the entry is damage.
  memcpy(text.bytes + text.length, "\nx", 2);
  text.length += 2;
  CHECK(find(&text, problem, plan, NULL, NULL) == GMEM_ERR_CORRUPT);
  gmem_problem_destroy(problem);
}

//===--- recognising ------------------------------------------------------===//

// The same problem, but for names and the order of buffers: what was |i| is
// places[i] now.
static gmem_problem_t *shuffled(const gmem_problem_t *problem, uint32_t *places,
                                uint64_t *seed) {
  uint32_t order[64], index, count = gmem_problem_buffer_count(problem);
  gmem_problem_t *copy = NULL;
  CHECK(gmem_problem_create(NULL, &copy, NULL) == GMEM_OK);
  for (uint32_t i = 0; i < gmem_problem_pool_count(problem); ++i) {
    gmem_pool_spec_t pool = *gmem_problem_pool(problem, i);
    char name[] = {(char)('a' + i), '\0'};
    pool.name = name;
    CHECK(gmem_problem_add_pool(copy, &pool, &index, NULL) == GMEM_OK);
  }
  shuffle(seed, order, count);
  for (uint32_t i = 0; i < count; ++i) {
    gmem_buffer_spec_t spec = *gmem_problem_buffer(problem, order[i]);
    spec.name = i % 2 ? "x" : "y";
    CHECK(gmem_problem_add_buffer(copy, &spec, &index, NULL) == GMEM_OK);
    places[order[i]] = i;
  }
  return copy;
}

static void recognises_shuffled_problems(void) {
  static text_t text;
  uint64_t seed = 7;
  for (int round = 0; round < 300; ++round) {
    gmem_problem_t *problem = random_problem(&seed, 30);
    uint32_t places[64];
    gmem_problem_t *copy = shuffled(problem, places, &seed);
    gmem_placement_t plan[64], found[64];
    gmem_cached_plan_t about = about_none;
    text.length = 0;
    CHECK(same_digest(problem, copy));
    if (gmem_solve(
            problem,
            &(gmem_solve_options_t){.algorithm = gmem_algorithm_find("none")},
            plan, &about.figures, NULL) == GMEM_OK) {
      CHECK(add(&text, problem, plan, &about) == GMEM_OK);
      CHECK(find(&text, copy, found, &about, NULL) == GMEM_OK);
      CHECK(gmem_check(copy, found, NULL, NULL) == GMEM_OK);
    }
    gmem_problem_destroy(problem);
    gmem_problem_destroy(copy);
  }
}

// Twins with relations: which of them belong together must be found again.
static void recognises_shuffled_relations(void) {
  static text_t text;
  uint64_t seed = 11;
  for (int round = 0; round < 100; ++round) {
    gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
    gmem_placement_t plan[24], found[24];
    for (uint32_t i = 0; i < 24; ++i)
      add_buffer(problem, 0, 2, 8, 1);
    uint32_t places[64], order[8];
    gmem_problem_t *copy = shuffled(problem, places, &seed);
    shuffle(&seed, order, 8);
    for (uint32_t k = 0; k < 16; ++k) {
      uint32_t i = k < 8 ? k : order[k - 8];
      gmem_problem_t *target = k < 8 ? problem : copy;
      uint32_t a = 3 * i, b = a + 1, c = a + 2;
      if (k >= 8)
        a = places[a], b = places[b], c = places[c];
      gmem_alias_spec_t alias = {.child = b, .parent = a};
      CHECK(gmem_problem_add_alias(target, &alias, NULL) == GMEM_OK);
      CHECK(gmem_problem_add_conflict(target, k < 8 ? b : c, k < 8 ? c : b,
                                      NULL) == GMEM_OK);
      for (uint32_t m = 0; k < 8 && m < 3; ++m)
        plan[3 * i + m] = (gmem_placement_t){m < 2 ? 8 * i : 64 + 8 * i, 0};
    }
    text.length = 0;
    CHECK(same_digest(problem, copy));
    CHECK(add(&text, problem, plan, &about_none) == GMEM_OK);
    CHECK(find(&text, copy, found, NULL, NULL) == GMEM_OK);
    gmem_problem_destroy(problem);
    gmem_problem_destroy(copy);
  }
}

//===--- telling apart ----------------------------------------------------===//

typedef enum change_e {
  NO_CHANGE,
  SIZE,
  ALIGNMENT,
  BEGIN,
  END,
  GAP,
  USES,
  FIXED,
  FIXED_OFFSET,
  CANDIDATES,
  CANDIDATE_ORDER,
  ARM,
  CAPACITY,
  POOL_ALIGNMENT,
  BASE,
  SPEED,
  OTHER_SPEED,
  SPEED_ELSEWHERE,
  CONFLICT,
  OTHER_CONFLICT,
  ALIAS,
  ALIAS_OFFSET,
  ALIAS_OPTIONAL,
  BLOCK,
  BLOCK_ORDER,
  CHANGES,
} change_t;

static void add_changed_pools(gmem_problem_t *problem, change_t change) {
  uint32_t index;
  gmem_pool_spec_t fast = {.name = "fast",
                           .capacity = change == CAPACITY ? 1 << 20 : 1 << 21,
                           .alignment = change == POOL_ALIGNMENT ? 2 : 1,
                           .base = change == BASE ? 64 : 0,
                           .speed = change == SPEED         ? 5
                                    : change == OTHER_SPEED ? 4
                                                            : 0};
  gmem_pool_spec_t slow = {.name = "slow",
                           .capacity = GMEM_UNLIMITED,
                           .alignment = 1,
                           .speed = change == SPEED_ELSEWHERE ? 5 : 0};
  CHECK(gmem_problem_add_pool(problem, &fast, &index, NULL) == GMEM_OK);
  CHECK(gmem_problem_add_pool(problem, &slow, &index, NULL) == GMEM_OK);
}

static void add_changed_relations(gmem_problem_t *problem, change_t change) {
  gmem_alias_spec_t alias = {.child = 2,
                             .parent = 3,
                             .offset = change == ALIAS_OFFSET ? 4 : 0,
                             .is_optional = change == ALIAS_OPTIONAL};
  gmem_block_spec_t block = {.buffers = change == BLOCK_ORDER
                                            ? (uint32_t[]){5, 4}
                                            : (uint32_t[]){4, 5},
                             .count = 2};
  if (change != CONFLICT)
    CHECK(gmem_problem_add_conflict(
              problem, 0, change == OTHER_CONFLICT ? 6 : 1, NULL) == GMEM_OK);
  if (change != ALIAS)
    CHECK(gmem_problem_add_alias(problem, &alias, NULL) == GMEM_OK);
  if (change != BLOCK)
    CHECK(gmem_problem_add_block(problem, &block, NULL) == GMEM_OK);
}

static gmem_problem_t *changed(change_t change) {
  gmem_problem_t *problem = NULL;
  CHECK(gmem_problem_create(NULL, &problem, NULL) == GMEM_OK);
  add_changed_pools(problem, change);
  gmem_live_range_t ranges[] = {{change == BEGIN, 4},
                                {change == GAP ? 6 : 5, change == END ? 9 : 8}};
  uint32_t both[] = {change == CANDIDATE_ORDER, change != CANDIDATE_ORDER};
  gmem_branch_t branch = {.choice = 3, .arm = change == ARM};
  gmem_buffer_spec_t spec = {.name = "first",
                             .size = change == SIZE ? 24 : 16,
                             .alignment = change == ALIGNMENT ? 8 : 4,
                             .ranges = ranges,
                             .range_count = 2,
                             .pools = both,
                             .pool_count = change == CANDIDATES ? 1 : 2,
                             .uses = change == USES ? 5 : 4,
                             .branches = &branch,
                             .branch_count = 1};
  uint32_t index;
  CHECK(gmem_problem_add_buffer(problem, &spec, &index, NULL) == GMEM_OK);
  for (int64_t i = 1; i < 7; ++i)
    add_buffer(problem, i, i + 20, 16 + 16 * (uint64_t)i, 4);
  spec.has_fixed_offset = change != FIXED;
  spec.fixed_offset = change == FIXED_OFFSET ? 4096 : 8192;
  CHECK(gmem_problem_add_buffer(problem, &spec, &index, NULL) == GMEM_OK);
  add_changed_relations(problem, change);
  return problem;
}

static void every_number_matters(void) {
  for (int a = 0; a < CHANGES; ++a)
    for (int b = 0; b <= a; ++b) {
      gmem_problem_t *left = changed((change_t)a);
      gmem_problem_t *right = changed((change_t)b);
      bool same = same_digest(left, right);
      CHECK(same == (a == b));
      if (same != (a == b))
        fprintf(stderr, "  changes %d and %d\n", a, b);
      gmem_problem_destroy(left);
      gmem_problem_destroy(right);
    }
}

// Ranges that touch are one; 0 uses are one; a conflict counts once.
static void different_words_for_one_thing(void) {
  gmem_problem_t *left = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  gmem_problem_t *right = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  gmem_live_range_t ranges[] = {{0, 2}, {2, 3}, {3, 7}}, whole = {0, 7};
  gmem_buffer_spec_t spec = {
      .size = 8, .alignment = 1, .ranges = ranges, .range_count = 3};
  uint32_t index;
  CHECK(gmem_problem_add_buffer(left, &spec, &index, NULL) == GMEM_OK);
  spec.ranges = &whole;
  spec.range_count = 1;
  spec.uses = 1;
  CHECK(gmem_problem_add_buffer(right, &spec, &index, NULL) == GMEM_OK);
  add_buffer(left, 9, 10, 4, 1);
  add_buffer(right, 9, 10, 4, 1);
  CHECK(gmem_problem_add_conflict(left, 0, 1, NULL) == GMEM_OK);
  CHECK(gmem_problem_add_conflict(right, 1, 0, NULL) == GMEM_OK);
  CHECK(same_digest(left, right));
  gmem_problem_destroy(left);
  gmem_problem_destroy(right);
}

// The kinds of aliases change the search, so they are part of the problem.
static void kinds_of_aliases_count(void) {
  gmem_problem_t *problems[2];
  for (uint32_t i = 0; i < 2; ++i) {
    problems[i] = one_pool_problem(GMEM_UNLIMITED, 1, 0);
    add_buffer(problems[i], 0, 2, 8, 1);
    add_buffer(problems[i], 1, 3, 8, 1);
    gmem_alias_spec_t alias = {
        .child = 1, .parent = 0, .is_optional = true, .kind = i};
    CHECK(gmem_problem_add_alias(problems[i], &alias, NULL) == GMEM_OK);
  }
  CHECK(same_digest(problems[0], problems[0]));
  CHECK(!same_digest(problems[0], problems[1]));
  gmem_problem_destroy(problems[0]);
  gmem_problem_destroy(problems[1]);
}

//===--- not believing ----------------------------------------------------===//

static bool same_places(const gmem_placement_t *a, const gmem_placement_t *b) {
  bool same = true;
  for (int i = 0; i < 3; ++i)
    same = same && a[i].offset == b[i].offset && a[i].pool == b[i].pool;
  return same;
}

// Whatever happens to one byte of a text, or to its end, its plan is not taken
// for another.
static void damage_is_a_miss(void) {
  static text_t whole, text;
  whole = (text_t){.length = 0};
  add_numbered(&whole, 1);
  gmem_problem_t *problem = numbered(1);
  gmem_placement_t plan[3], good[3];
  CHECK(find(&whole, problem, good, NULL, NULL) == GMEM_OK);
  int corrupt = 0, hits = 0;
  for (size_t i = 0; i < whole.length; ++i) {
    text = whole;
    text.bytes[i] ^= 1;
    gmem_diag_t diag = {0};
    gmem_status_t status = find(&text, problem, plan, NULL, &diag);
    CHECK(status == GMEM_OK || status == GMEM_ERR_NOT_FOUND ||
          status == GMEM_ERR_CORRUPT);
    CHECK(status != GMEM_OK || same_places(plan, good));
    CHECK((status == GMEM_ERR_CORRUPT) == (diag.line > 0));
    corrupt += status == GMEM_ERR_CORRUPT;
    hits += status == GMEM_OK;
    text = whole;
    text.length = i;
    status = find(&text, problem, plan, NULL, NULL);
    CHECK(status != GMEM_OK || same_places(plan, good));
  }
  // A changed digest is that of another problem.
  CHECK(corrupt > 100 && hits == 0);
  gmem_problem_destroy(problem);
}

static void damage_is_left_out_when_writing(void) {
  static text_t text, good;
  text = good = (text_t){.length = 0};
  add_numbered(&text, 1);
  text.bytes[text.length / 2] ^= 1;
  add_numbered(&text, 1);
  add_numbered(&good, 1);
  CHECK(text.length == good.length &&
        memcmp(text.bytes, good.bytes, good.length) == 0);
}

// The digest and the sum are right, but the plan is another's.
static void a_plan_that_does_not_hold_is_a_miss(void) {
  static text_t text;
  text = (text_t){.length = 0};
  gmem_problem_t *problem = numbered(1), *loose = NULL;
  gmem_placement_t plan[] = {{0, 0}, {100, 0}, {0, 0}}, found[3];
  CHECK(gmem_check(problem, plan, NULL, NULL) != GMEM_OK);
  CHECK(add(&text, problem, plan, &about_none) == GMEM_ERR_OVERLAP);
  CHECK(text.length == 0);
  loose = two_buffers();
  add_buffer(loose, 100, 101, 9, 1);
  CHECK(add(&text, loose, plan, &about_none) == GMEM_OK);
  // Gives the entry the digest of the other problem, and a sum that fits.
  uint8_t digest[32];
  CHECK(gmem_problem_digest(problem, digest, NULL) == GMEM_OK);
  char *at = strstr(text.bytes, "problem ") + strlen("problem ");
  for (size_t i = 0; i < 32; ++i) {
    char hex[3];
    snprintf(hex, sizeof hex, "%02x", digest[i]);
    memcpy(at + 2 * i, hex, 2);
  }
  char *sum = strstr(text.bytes, "sum ");
  gmem_sha256(text.bytes, (size_t)(sum - text.bytes), digest);
  for (size_t i = 0; i < 32; ++i) {
    char hex[3];
    snprintf(hex, sizeof hex, "%02x", digest[i]);
    memcpy(sum + 4 + 2 * i, hex, 2);
  }
  gmem_diag_t diag = {0};
  CHECK(find(&text, problem, found, NULL, &diag) == GMEM_ERR_CORRUPT);
  CHECK(diag.line == 13);
  CHECK(strcmp(diag.text, "the cached plan is not valid for this problem") ==
        0);
  CHECK(find(&text, loose, found, NULL, NULL) == GMEM_ERR_NOT_FOUND);
  // A sound plan takes its place.
  plan[2].offset = 200;
  CHECK(add(&text, problem, plan, &about_none) == GMEM_OK);
  CHECK(find(&text, problem, found, NULL, NULL) == GMEM_OK);
  gmem_problem_destroy(problem);
  gmem_problem_destroy(loose);
}

static void refuses_what_cannot_be_written(void) {
  static text_t text;
  text = (text_t){.length = 0};
  gmem_problem_t *problem = two_buffers();
  gmem_placement_t plan[] = {{0, 0}, {100, 0}};
  gmem_cached_plan_t about = {.algorithm = "two words"};
  CHECK(add(&text, problem, plan, &about) == GMEM_ERR_INVALID_ARGUMENT);
  about = (gmem_cached_plan_t){.algorithm = ""};
  CHECK(add(&text, problem, plan, &about) == GMEM_ERR_INVALID_ARGUMENT);
  memset(about.algorithm, 'a', sizeof about.algorithm);
  CHECK(add(&text, problem, plan, &about) == GMEM_ERR_INVALID_ARGUMENT);
  about = about_none;
  about.effort = (gmem_effort_t)3;
  CHECK(add(&text, problem, plan, &about) == GMEM_ERR_INVALID_ARGUMENT);
  about = about_none;
  about.figures.lower_bound = 151;
  CHECK(add(&text, problem, plan, &about) == GMEM_ERR_INVALID_ARGUMENT);
  text.limit = 40;
  CHECK(gmem_plan_cache_add(problem, plan, &about_none, NULL, 0, append, &text,
                            NULL) == GMEM_ERR_IO);
  gmem_problem_destroy(problem);
}

//===--- no memory --------------------------------------------------------===//

static gmem_status_t use_cache(const gmem_allocator_t *allocator,
                               const text_t *old) {
  static text_t text;
  text.length = 0;
  gmem_problem_t *problem = NULL;
  gmem_placement_t plan[] = {{0, 0}, {8, 0}}, found[2];
  gmem_pool_spec_t pool = {
      .name = "p", .capacity = GMEM_UNLIMITED, .alignment = 1};
  gmem_live_range_t range = {0, 1};
  gmem_buffer_spec_t spec = {
      .size = 8, .alignment = 1, .ranges = &range, .range_count = 1};
  uint32_t index;
  gmem_status_t status = gmem_problem_create(allocator, &problem, NULL);
  if (status == GMEM_OK)
    status = gmem_problem_add_pool(problem, &pool, &index, NULL);
  for (int i = 0; status == GMEM_OK && i < 2; ++i)
    status = gmem_problem_add_buffer(problem, &spec, &index, NULL);
  if (status == GMEM_OK)
    status = gmem_plan_cache_add(problem, plan, &about_none, old->bytes,
                                 old->length, append, &text, NULL);
  CHECK(status == GMEM_OK || text.length == 0);
  if (status == GMEM_OK)
    status = gmem_plan_cache_find(problem, text.bytes, text.length, found, NULL,
                                  NULL);
  gmem_problem_destroy(problem);
  return status;
}

static void fails_each_allocation_once(void) {
  static text_t old;
  old = (text_t){.length = 0};
  add_numbered(&old, 1);
  gmem_status_t status = GMEM_ERR_OUT_OF_MEMORY;
  size_t fail_at = 0;
  while (status == GMEM_ERR_OUT_OF_MEMORY && fail_at < 1000) {
    heap_t heap = {.fail_at = ++fail_at};
    gmem_allocator_t allocator = {&heap, heap_alloc, heap_free};
    status = use_cache(&allocator, &old);
    CHECK(heap.live_blocks == 0 && heap.live_bytes == 0);
    CHECK((status == GMEM_OK) == (heap.calls < heap.fail_at));
  }
  CHECK(status == GMEM_OK && fail_at > 20);
}

int main(void) {
  writes_the_documented_text();
  finds_what_was_added();
  an_empty_problem_is_one_too();
  keeps_the_better_plan();
  a_plan_that_spills_less_is_better();
  a_text_is_of_one_problem();
  recognises_shuffled_problems();
  recognises_shuffled_relations();
  every_number_matters();
  different_words_for_one_thing();
  kinds_of_aliases_count();
  damage_is_a_miss();
  damage_is_left_out_when_writing();
  a_plan_that_does_not_hold_is_a_miss();
  refuses_what_cannot_be_written();
  fails_each_allocation_once();
  return CHECK_RESULT();
}
