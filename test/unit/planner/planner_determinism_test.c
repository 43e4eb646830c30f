// planner_determinism_test.c - the same problem gives the same plan: in any
// memory, on any number of threads, in any order of its rows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// UNSUPPORTED: sanitizer-address && !nightly
// RUN: %unit/planner_determinism_test

#include <pthread.h>
#include <string.h>

#include "check.h"
#include "planner_reference.h"

enum { MOST = 200, MOST_THREADS = 8, MOST_RELATED = 16 };

//===--- memory -----------------------------------------------------------===//

// An allocator that hands out other addresses than libc, full of rubbish that
// |user|, a number, decides. It has no state, so that threads may share it.
static void *dirty_alloc(void *user, size_t size, size_t align) {
  uint64_t seed = *(const uint64_t *)user + size;
  size_t shift = sizeof(void *) + 16 * random_below(&seed, 64);
  char *start = malloc(size + align + shift);
  if (!start)
    return NULL;
  char *memory = start + shift;
  memory += (align - (uintptr_t)memory % align) % align;
  memcpy(memory - sizeof start, &start, sizeof start);
  for (size_t i = 0; i < size; i += sizeof seed) {
    uint64_t word = next_random(&seed);
    memcpy(memory + i, &word, size - i < sizeof word ? size - i : sizeof word);
  }
  return memory;
}

static void dirty_free(void *user, void *memory, size_t size, size_t align) {
  char *start;
  (void)user;
  (void)align;
  if (!memory)
    return;
  memcpy(&start, (char *)memory - sizeof start, sizeof start);
  memset(memory, 0xDD, size);
  free(start);
}

//===--- copies of a problem ----------------------------------------------===//

static void copy_relations(const gmem_problem_t *from, const uint32_t *place_of,
                           gmem_problem_t *to) {
  for (size_t i = 0; i < gmem_problem_conflict_count(from); ++i) {
    uint32_t first, second;
    gmem_problem_conflict(from, i, &first, &second);
    CHECK(gmem_problem_add_conflict(to, place_of[first], place_of[second],
                                    NULL) == GMEM_OK);
  }
  for (size_t i = 0; i < gmem_problem_alias_count(from); ++i) {
    gmem_alias_spec_t alias = *gmem_problem_alias(from, i);
    alias.child = place_of[alias.child];
    alias.parent = place_of[alias.parent];
    CHECK(gmem_problem_add_alias(to, &alias, NULL) == GMEM_OK);
  }
  for (size_t i = 0; i < gmem_problem_block_count(from); ++i) {
    const gmem_block_spec_t *block = gmem_problem_block(from, i);
    uint32_t buffers[MOST];
    for (size_t k = 0; k < block->count; ++k)
      buffers[k] = place_of[block->buffers[k]];
    CHECK(gmem_problem_add_block(
              to,
              &(gmem_block_spec_t){.buffers = buffers, .count = block->count},
              NULL) == GMEM_OK);
  }
}

// The same problem in the memory of |allocator|, its row i the row order[i] of
// |from|. Every buffer gets a name of its own, so that none are alike.
static gmem_problem_t *copy_of(const gmem_problem_t *from,
                               const gmem_allocator_t *allocator,
                               const uint32_t *order) {
  gmem_problem_t *to = NULL;
  uint32_t index, place_of[MOST] = {0};
  CHECK(gmem_problem_create(allocator, &to, NULL) == GMEM_OK);
  for (uint32_t i = 0; i < gmem_problem_pool_count(from); ++i)
    CHECK(gmem_problem_add_pool(to, gmem_problem_pool(from, i), &index, NULL) ==
          GMEM_OK);
  for (uint32_t i = 0; i < gmem_problem_buffer_count(from); ++i) {
    gmem_buffer_spec_t spec = *gmem_problem_buffer(from, order[i]);
    char name[16];
    snprintf(name, sizeof name, "b%u", order[i]);
    spec.name = name;
    CHECK(gmem_problem_add_buffer(to, &spec, &index, NULL) == GMEM_OK);
    place_of[order[i]] = i;
  }
  copy_relations(from, place_of, to);
  return to;
}

//===--- results ----------------------------------------------------------===//

typedef struct result_s {
  gmem_status_t status;
  gmem_placement_t plan[MOST];
  gmem_plan_figures_t figures;
} result_t;

static void solve(const gmem_problem_t *problem,
                  const gmem_solve_options_t *options, result_t *result) {
  memset(result, 0xEE, sizeof *result);
  result->status =
      gmem_solve(problem, options, result->plan, &result->figures, NULL);
}

// Row i of |b| is row order[i] of |a|.
static bool same(const result_t *a, const result_t *b, const uint32_t *order,
                 uint32_t count) {
  if (a->status != b->status)
    return false;
  if (a->status != GMEM_OK)
    return true;
  for (uint32_t i = 0; i < count; ++i)
    if (a->plan[order[i]].offset != b->plan[i].offset ||
        a->plan[order[i]].pool != b->plan[i].pool)
      return false;
  return a->figures.peak == b->figures.peak &&
         a->figures.lower_bound == b->figures.lower_bound &&
         a->figures.steps == b->figures.steps &&
         a->figures.optimal == b->figures.optimal;
}

// The ways to solve: every algorithm, auto with all efforts.
typedef struct way_s {
  const char *name;
  gmem_effort_t effort;
} way_t;

static size_t list_ways(way_t *ways) {
  size_t count = 0;
  for (size_t i = 0; i < gmem_algorithm_count(); ++i)
    ways[count++] = (way_t){gmem_algorithm_at(i)->name, GMEM_EFFORT_NORMAL};
  ways[count++] = (way_t){"auto", GMEM_EFFORT_FAST};
  ways[count++] = (way_t){"auto", GMEM_EFFORT_EXHAUSTIVE};
  return count;
}

enum { MOST_WAYS = 16 };

static gmem_solve_options_t options_of(way_t way) {
  return (gmem_solve_options_t){.algorithm = gmem_algorithm_find(way.name),
                                .effort = way.effort,
                                .step_limit = UINT64_C(1) << 17};
}

// These go by the order of addition, and say so.
static bool goes_by_rows(way_t way) {
  return strcmp(way.name, "none") == 0 || strcmp(way.name, "ref-count") == 0;
}

static void try_ways(const gmem_problem_t *model, uint64_t *seed) {
  way_t ways[MOST_WAYS];
  result_t expected, found;
  uint32_t rows[MOST], shuffled[MOST];
  uint32_t count = gmem_problem_buffer_count(model);
  shuffle(NULL, rows, count);
  shuffle(seed, shuffled, count);
  gmem_allocator_t dirty = {seed, dirty_alloc, dirty_free};
  gmem_problem_t *plain = copy_of(model, NULL, rows);
  gmem_problem_t *moved = copy_of(model, &dirty, rows);
  gmem_problem_t *other = copy_of(model, &dirty, shuffled);
  for (size_t i = 0, n = list_ways(ways); i < n; ++i) {
    gmem_solve_options_t options = options_of(ways[i]);
    solve(plain, &options, &expected);
    next_random(seed); // other rubbish
    solve(moved, &options, &found);
    CHECK(same(&expected, &found, rows, count));
    solve(other, &options, &found);
    if (!goes_by_rows(ways[i]) && !same(&expected, &found, shuffled, count)) {
      fprintf(stderr, "%s: shuffled rows, another plan\n", ways[i].name);
      CHECK(false);
    }
  }
  gmem_problem_destroy(plain);
  gmem_problem_destroy(moved);
  gmem_problem_destroy(other);
}

//===--- problems ---------------------------------------------------------===//

// Buffers that are packed badly at first, so that all stages run.
static gmem_problem_t *crowd(uint64_t *seed, uint32_t count) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  for (uint32_t i = 0; i < count; ++i) {
    int64_t begin = random_below(seed, count);
    uint32_t length = 1 + random_below(seed, 9);
    add_buffer(problem, begin, begin + length, 11 + random_below(seed, 90), 1);
  }
  return problem;
}

static void any_memory_and_any_rows_give_the_same_plan(uint32_t rounds) {
  uint64_t seed = 1;
  for (uint32_t i = 0; i < rounds; ++i) {
    gmem_problem_t *problem =
        i % 3 == 0   ? crowd(&seed, 20 + random_below(&seed, 150))
        : i % 3 == 1 ? random_problem(&seed, 40)
                     : random_related_problem(&seed, MOST_RELATED);
    try_ways(problem, &seed);
    gmem_problem_destroy(problem);
  }
}

// Without it nothing above would be noticed: another seed is another plan.
static void other_problems_give_other_plans(void) {
  result_t a, b;
  uint32_t rows[MOST];
  uint64_t seed = 5;
  gmem_problem_t *problem = crowd(&seed, 60), *other = crowd(&seed, 60);
  gmem_solve_options_t options = options_of((way_t){"auto", 0});
  shuffle(NULL, rows, 60);
  solve(problem, &options, &a);
  solve(other, &options, &b);
  CHECK(same(&a, &a, rows, 60) && !same(&a, &b, rows, 60));
  gmem_problem_destroy(problem);
  gmem_problem_destroy(other);
}

//===--- threads ----------------------------------------------------------===//

typedef struct work_s {
  const gmem_problem_t *problem;
  gmem_solve_options_t options;
  result_t result;
  pthread_t thread;
} work_t;

static void *run_work(void *argument) {
  work_t *work = argument;
  solve(work->problem, &work->options, &work->result);
  return NULL;
}

// Thread i solves problems[i % problem_count]; all at once.
static void solve_at_once(gmem_problem_t *const *problems,
                          uint32_t problem_count, uint32_t threads, way_t way) {
  static work_t work[MOST_THREADS];
  uint32_t rows[MOST];
  shuffle(NULL, rows, MOST);
  for (uint32_t i = 0; i < threads; ++i) {
    work[i].problem = problems[i % problem_count];
    work[i].options = options_of(way);
    CHECK(pthread_create(&work[i].thread, NULL, run_work, &work[i]) == 0);
  }
  for (uint32_t i = 0; i < threads; ++i)
    CHECK(pthread_join(work[i].thread, NULL) == 0);
  for (uint32_t i = 0; i < threads; ++i) {
    result_t alone;
    solve(work[i].problem, &work[i].options, &alone);
    CHECK(alone.status == GMEM_OK);
    CHECK(same(&alone, &work[i].result, rows,
               gmem_problem_buffer_count(work[i].problem)));
  }
}

static void threads_do_not_disturb_each_other(void) {
  gmem_problem_t *problems[MOST_THREADS];
  way_t ways[MOST_WAYS];
  uint64_t seed = 9;
  uint64_t rubbish = 77;
  gmem_allocator_t dirty = {&rubbish, dirty_alloc, dirty_free};
  uint32_t rows[MOST];
  shuffle(NULL, rows, MOST);
  for (uint32_t i = 0; i < MOST_THREADS; ++i) {
    gmem_problem_t *model = crowd(&seed, 40 + 5 * i);
    problems[i] = copy_of(model, &dirty, rows);
    gmem_problem_destroy(model);
  }
  for (size_t i = 0, n = list_ways(ways); i < n; ++i)
    for (uint32_t threads = 1; threads <= MOST_THREADS; threads *= 2) {
      solve_at_once(problems, 1, threads, ways[i]);
      solve_at_once(problems, MOST_THREADS, threads, ways[i]);
    }
  for (uint32_t i = 0; i < MOST_THREADS; ++i)
    gmem_problem_destroy(problems[i]);
}

// planner_determinism_test [rounds]: that many random problems.
int main(int argc, char **argv) {
  uint32_t rounds = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 90;
  other_problems_give_other_plans();
  threads_do_not_disturb_each_other();
  any_memory_and_any_rows_give_the_same_plan(rounds);
  return CHECK_RESULT();
}
