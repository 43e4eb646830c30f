// planner_aliases_forms_test.c - a problem with optional aliases has the same
// peak in other words: rows in another order, other names, time backwards or
// stretched, buffers of size 0 in between.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %unit/planner_aliases_forms_test

#include <stdio.h>

#include "check.h"
#include "planner_reference.h"

enum { MOST = 40, MOST_TIME = 64, MOST_RANGES = 2, MOST_IN_BLOCK = 3 };

typedef struct row_s {
  gmem_live_range_t ranges[MOST_RANGES];
  size_t range_count;
  uint64_t size, alignment;
} row_t;

typedef struct block_s {
  uint32_t buffers[MOST_IN_BLOCK];
  size_t count;
} block_t;

// Indices are rows.
typedef struct text_s {
  row_t rows[MOST];
  gmem_alias_spec_t aliases[2 * MOST];
  uint32_t conflicts[MOST][2];
  block_t blocks[MOST];
  uint32_t count, alias_count, conflict_count, block_count;
} text_t;

typedef enum form_e {
  AS_IT_IS,
  SHUFFLED,
  RENAMED,
  MIRRORED,
  STRETCHED,
  WITH_EMPTY,
  ALL,
  FORMS
} form_t;

static bool is_in(form_t form, form_t part) {
  return form == part || form == ALL;
}

//===--- problems ---------------------------------------------------------===//

static row_t random_row(uint64_t *seed, uint32_t length) {
  row_t row = {.size = 1 + random_below(seed, 40),
               .alignment = UINT64_C(1) << random_below(seed, 4)};
  int64_t time = random_below(seed, length);
  size_t count = random_below(seed, 12) ? 1 : 2;
  for (; row.range_count < count; ++row.range_count) {
    int64_t end = time + 1 + random_below(seed, length / 3 + 1);
    row.ranges[row.range_count] = (gmem_live_range_t){time, end};
    time = end + 1 + random_below(seed, 3);
  }
  return row;
}

static gmem_alias_spec_t random_alias(uint64_t *seed, const text_t *text) {
  gmem_alias_spec_t alias = {.child = random_below(seed, text->count),
                             .parent = random_below(seed, text->count),
                             .is_optional = random_below(seed, 8) > 0,
                             .kind = random_below(seed, 3)};
  uint64_t child = text->rows[alias.child].size;
  uint64_t parent = text->rows[alias.parent].size;
  if (child < parent && random_below(seed, 3) == 0)
    alias.offset = random_below(seed, (uint32_t)(parent - child) + 1);
  return alias;
}

// Adds to |problem|, which has the rows, what suits it, and lists that.
static void add_random_relations(uint64_t *seed, gmem_problem_t *problem,
                                 text_t *text) {
  uint32_t blocks = random_below(seed, 3) ? 0 : 1 + text->count / 16;
  uint32_t conflicts = random_below(seed, 3) ? 0 : text->count / 8;
  for (uint32_t i = 0; i < blocks; ++i) {
    block_t *block = &text->blocks[text->block_count];
    block->count = 2 + random_below(seed, MOST_IN_BLOCK - 1);
    for (size_t k = 0; k < block->count; ++k)
      block->buffers[k] = random_below(seed, text->count);
    gmem_block_spec_t spec = {block->buffers, block->count};
    text->block_count +=
        gmem_problem_add_block(problem, &spec, NULL) == GMEM_OK;
  }
  for (uint32_t i = 0; i < text->count; ++i) {
    gmem_alias_spec_t alias = random_alias(seed, text);
    if (gmem_problem_add_alias(problem, &alias, NULL) == GMEM_OK)
      text->aliases[text->alias_count++] = alias;
  }
  for (uint32_t i = 0; i < conflicts; ++i) {
    uint32_t *pair = text->conflicts[text->conflict_count];
    pair[0] = random_below(seed, text->count);
    pair[1] = random_below(seed, text->count);
    text->conflict_count +=
        gmem_problem_add_conflict(problem, pair[0], pair[1], NULL) == GMEM_OK;
  }
}

static int64_t time_in_form(int64_t time, form_t form) {
  if (is_in(form, MIRRORED))
    time = 4 * MOST_TIME - time;
  return is_in(form, STRETCHED) ? time * time * 3 - 1000 : time;
}

static uint32_t add_row(gmem_problem_t *problem, const row_t *row, form_t form,
                        const char *name) {
  gmem_live_range_t ranges[MOST_RANGES];
  uint32_t index = 0;
  for (size_t i = 0; i < row->range_count; ++i) {
    bool is_mirrored = is_in(form, MIRRORED);
    gmem_live_range_t range = row->ranges[i];
    if (is_mirrored)
      range = (gmem_live_range_t){range.end, range.begin};
    ranges[is_mirrored ? row->range_count - 1 - i : i] = (gmem_live_range_t){
        time_in_form(range.begin, form), time_in_form(range.end, form)};
  }
  gmem_buffer_spec_t spec = {.name = name,
                             .size = row->size,
                             .alignment = row->alignment,
                             .ranges = ranges,
                             .range_count = row->range_count};
  CHECK(gmem_problem_add_buffer(problem, &spec, &index, NULL) == GMEM_OK);
  return index;
}

static void add_relations(gmem_problem_t *problem, const text_t *text,
                          const uint32_t *ids, uint64_t *seed) {
  uint32_t order[2 * MOST];
  shuffle(seed, order, text->block_count);
  for (uint32_t i = 0; i < text->block_count; ++i) {
    block_t block = text->blocks[order[i]];
    for (size_t k = 0; k < block.count; ++k)
      block.buffers[k] = ids[block.buffers[k]];
    gmem_block_spec_t spec = {block.buffers, block.count};
    CHECK(gmem_problem_add_block(problem, &spec, NULL) == GMEM_OK);
  }
  shuffle(seed, order, text->alias_count);
  for (uint32_t i = 0; i < text->alias_count; ++i) {
    gmem_alias_spec_t alias = text->aliases[order[i]];
    alias.child = ids[alias.child];
    alias.parent = ids[alias.parent];
    CHECK(gmem_problem_add_alias(problem, &alias, NULL) == GMEM_OK);
  }
  shuffle(seed, order, text->conflict_count);
  for (uint32_t i = 0; i < text->conflict_count; ++i) {
    const uint32_t *pair = text->conflicts[order[i]];
    CHECK(gmem_problem_add_conflict(problem, ids[pair[i % 2]],
                                    ids[pair[1 - i % 2]], NULL) == GMEM_OK);
  }
}

// A buffer of size 0 with an alias that ties nothing.
static void add_empty(gmem_problem_t *problem, uint64_t *seed, uint32_t other) {
  row_t row = random_row(seed, MOST_TIME);
  row.size = 0;
  gmem_alias_spec_t alias = {.child = add_row(problem, &row, AS_IT_IS, "none"),
                             .parent = other,
                             .is_optional = random_below(seed, 2)};
  CHECK(gmem_problem_add_alias(problem, &alias, NULL) == GMEM_OK);
}

static gmem_problem_t *problem_in_form(const text_t *text, form_t form,
                                       uint64_t seed) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 4, 0);
  uint32_t order[MOST], ids[MOST];
  uint64_t *shuffles = is_in(form, SHUFFLED) ? &seed : NULL;
  char name[16] = "";
  shuffle(shuffles, order, text->count);
  for (uint32_t i = 0; i < text->count; ++i) {
    if (is_in(form, RENAMED))
      snprintf(name, sizeof name, "%u", random_below(&seed, 1000));
    ids[order[i]] = add_row(problem, &text->rows[order[i]], form, name);
    if (is_in(form, WITH_EMPTY) && random_below(&seed, 3) == 0)
      add_empty(problem, &seed, ids[order[i]]);
  }
  add_relations(problem, text, ids, shuffles);
  return problem;
}

static gmem_problem_t *random_text(uint64_t *seed, uint32_t most,
                                   text_t *text) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 4, 0);
  *text = (text_t){.count = most / 2 + random_below(seed, most / 2 + 1)};
  for (uint32_t i = 0; i < text->count; ++i) {
    text->rows[i] = random_row(seed, most);
    add_row(problem, &text->rows[i], AS_IT_IS, "");
  }
  add_random_relations(seed, problem, text);
  return problem;
}

//===--- peaks ------------------------------------------------------------===//

// UINT64_MAX: there is no plan, because a conflict separates what is tied.
static uint64_t peak_of(const gmem_problem_t *problem, gmem_effort_t effort) {
  gmem_placement_t plan[2 * MOST];
  gmem_plan_figures_t figures;
  gmem_solve_options_t options = {.effort = effort, .step_limit = 1 << 20};
  return gmem_solve(problem, &options, plan, &figures, NULL) == GMEM_OK
             ? figures.peak
             : UINT64_MAX;
}

// Returns whether there is a plan.
static bool forms_have_equal_peaks(uint64_t *seed, uint32_t most,
                                   gmem_effort_t effort) {
  text_t text;
  gmem_problem_t *problem = random_text(seed, most, &text);
  uint64_t peak = peak_of(problem, effort);
  gmem_problem_destroy(problem);
  for (form_t form = SHUFFLED; form < FORMS; ++form) {
    problem = problem_in_form(&text, form, *seed);
    CHECK(peak_of(problem, effort) == peak);
    gmem_problem_destroy(problem);
  }
  return peak != UINT64_MAX;
}

int main(void) {
  enum { ROUNDS = 30 };
  static const uint32_t sizes[] = {10, 24, MOST};
  uint64_t seed = 1;
  int planned = 0;
  for (int round = 0; round < ROUNDS; ++round)
    planned += forms_have_equal_peaks(&seed, sizes[round % 3],
                                      round % 2 ? GMEM_EFFORT_FAST
                                                : GMEM_EFFORT_NORMAL);
  CHECK(planned > ROUNDS / 2);
  return CHECK_RESULT();
}
