// planner_fit_test.c - conflicts as lists, and the engines that place one item
// after the other.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %unit/planner_fit_test

#include <stdio.h>

#include "adjacency.h"
#include "algorithms.h"
#include "check.h"
#include "failing_heap.h"
#include "item_order.h"
#include "max_tree.h"
#include "ordered_fit.h"
#include "packing_query.h"
#include "packing_tools.h"
#include "top_tree.h"

static gmem_pack_t *const engines[] = {
    gmem_first_fit_pack, gmem_best_fit_pack, gmem_greedy_by_size_pack,
    gmem_greedy_by_conflicts_pack, gmem_multi_order_pack};
enum { ENGINES = sizeof engines / sizeof *engines };

static const uint64_t PLENTY = UINT64_C(1) << 40;

//===--- conflicts --------------------------------------------------------===//

static bool is_listed(const gmem_adjacency_t *adjacency, uint32_t a,
                      uint32_t b) {
  for (size_t i = adjacency->starts[a]; i < adjacency->starts[a + 1]; ++i)
    if (adjacency->neighbours[i] == b)
      return true;
  return false;
}

// Lists, trees and degrees say what a look at every pair says.
static void conflicts_are_those_of_every_pair(const gmem_packing_t *packing) {
  gmem_adjacency_t adjacency;
  gmem_scratch_t memory = {.allocator = packing->allocator};
  CHECK(gmem_adjacency_create(packing, SIZE_MAX, &memory, &adjacency) ==
        GMEM_OK);
  CHECK(adjacency.is_complete);
  CHECK(gmem_check_adjacency(&adjacency));
  uint64_t pairs = 0, counted = 0;
  gmem_degree_t *degrees = calloc((size_t)packing->count + 1, sizeof *degrees);
  CHECK(gmem_count_conflicts(packing, degrees, &counted, &memory) == GMEM_OK);
  for (uint32_t a = 0; a < packing->count; ++a) {
    gmem_degree_t degree = {0, 0};
    for (uint32_t b = 0; b < packing->count; ++b) {
      bool conflict = a != b && gmem_items_conflict(packing, a, b);
      CHECK(is_listed(&adjacency, a, b) == conflict);
      degree.items += conflict;
      degree.bytes += conflict ? packing->items[b].extent : 0;
    }
    pairs += degree.items;
    if (packing->is_plain) {
      CHECK(degrees[a].items == degree.items);
      CHECK(degrees[a].bytes == degree.bytes);
    }
  }
  CHECK(adjacency.neighbour_count == pairs);
  CHECK(packing->is_plain ? counted == pairs / 2 : counted >= pairs / 2);
  free(degrees);
  gmem_scratch_free(&memory);
}

// Lists by section find, for each item, those before it that conflict with it.
static void sections_list_every_conflict(const gmem_packing_t *packing) {
  gmem_section_lists_t lists;
  gmem_scratch_t memory = {.allocator = packing->allocator};
  uint32_t *others = calloc((size_t)packing->count + 1, sizeof *others);
  CHECK(gmem_section_lists_create(packing, &memory, &lists) == GMEM_OK);
  CHECK(lists.starts != NULL);
  for (uint32_t a = 0; a < packing->count; ++a) {
    uint64_t looks;
    uint32_t count = gmem_section_lists_gather(&lists, a, others, &looks);
    CHECK(count <= looks);
    for (uint32_t b = 0; b < a; ++b) {
      uint32_t times = 0;
      for (uint32_t i = 0; i < count; ++i)
        times += others[i] == b;
      CHECK(times == gmem_items_conflict(packing, a, b));
      CHECK(!times || gmem_section_lists_has(&lists, b));
    }
    gmem_section_lists_add(&lists, a);
  }
  free(others);
  gmem_scratch_free(&memory);
}

static void too_many_conflicts_make_no_lists(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  for (int i = 0; i < 5; ++i) // ten pairs
    add_buffer(problem, 0, 1 + i, 1, 1);
  gmem_packing_t packing = packing_of(problem, 0);
  for (size_t most = 9; most <= 10; ++most) {
    gmem_adjacency_t adjacency;
    gmem_scratch_t memory = {.allocator = packing.allocator};
    CHECK(gmem_adjacency_create(&packing, most, &memory, &adjacency) ==
          GMEM_OK);
    CHECK(adjacency.is_complete == (most == 10));
    gmem_scratch_free(&memory);
  }
  gmem_packing_destroy(&packing);
  gmem_problem_destroy(problem);
}

static bool share_bytes(const gmem_packing_t *packing, const uint64_t *offsets,
                        uint32_t a, uint32_t b) {
  return offsets[a] < offsets[b] + packing->items[b].size &&
         offsets[b] < offsets[a] + packing->items[a].size;
}

// Items 0 and 2 never meet in time, and conflict all the same.
static void extra_conflicts_are_kept(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  add_buffer(problem, 0, 2, 8, 1);
  add_buffer(problem, 1, 4, 8, 1);
  add_buffer(problem, 3, 5, 8, 1);
  gmem_packing_t packing = packing_of(problem, 0);
  uint32_t extra[] = {2, 0};
  size_t starts[] = {0, 1, 1, 2};
  packing.extra = extra;
  packing.extra_starts = starts;
  packing.is_plain = packing.is_simple = packing.is_whole = false;
  gmem_adjacency_t adjacency;
  gmem_scratch_t memory = {.allocator = packing.allocator};
  CHECK(gmem_adjacency_create(&packing, 99, &memory, &adjacency) == GMEM_OK);
  CHECK(is_listed(&adjacency, 0, 2) && is_listed(&adjacency, 2, 0));
  CHECK(adjacency.neighbour_count == 6);
  gmem_scratch_free(&memory);
  for (int i = 0; i < ENGINES; ++i)
    for (uint64_t steps = 1; steps < 20; ++steps) {
      uint64_t offsets[3] = {0};
      gmem_search_t search = search_of(steps);
      CHECK(gmem_pack(engines[i], &packing, &search, offsets, NULL) == GMEM_OK);
      CHECK(!share_bytes(&packing, offsets, 0, 2));
    }
  packing.extra = NULL;
  packing.extra_starts = NULL;
  gmem_packing_destroy(&packing);
  gmem_problem_destroy(problem);
}

//===--- trees ------------------------------------------------------------===//

static void trees_find_what_a_walk_finds(void) {
  uint64_t seed = 5;
  for (uint32_t round = 0; round < 50; ++round) {
    gmem_problem_t *problem = random_pool(&seed, 1 + round, true);
    gmem_packing_t packing = packing_of(problem, 0);
    gmem_max_tree_t live;
    gmem_top_tree_t tops;
    gmem_scratch_t memory = {.allocator = packing.allocator};
    uint64_t heights[200] = {0};
    bool in[64] = {0};
    CHECK(gmem_max_tree_create(packing.count, &memory, &live) == GMEM_OK);
    CHECK(gmem_top_tree_create(&packing, &memory, &tops) == GMEM_OK);
    for (int step = 0; step < 100; ++step) {
      uint32_t item = random_below(&seed, packing.count);
      const gmem_item_t *self = &packing.items[item];
      size_t expected = SIZE_MAX, from = random_below(&seed, item + 2);
      for (size_t i = packing.count; i-- > from;)
        if (in[i] && self->begin < packing.items[i].end)
          expected = i;
      CHECK(gmem_max_tree_next(&live, from, self->begin + 1) == expected);
      uint64_t above = 0;
      for (uint32_t i = self->begin; i < self->end; ++i)
        above = heights[i] > above ? heights[i] : above;
      CHECK(gmem_top_tree_above(&tops, self) == above);
      uint64_t top = random_below(&seed, 1000);
      for (uint32_t i = self->begin; i < self->end; ++i)
        heights[i] = heights[i] > top ? heights[i] : top;
      gmem_top_tree_raise(&tops, self, top);
      in[item] = random_below(&seed, 4) > 0;
      gmem_max_tree_set(&live, item, in[item] ? self->end : 0);
    }
    gmem_scratch_free(&memory);
    gmem_packing_destroy(&packing);
    gmem_problem_destroy(problem);
  }
}

//===--- rules ------------------------------------------------------------===//

// Runs |engine| and checks that |buffer| is at |expected|.
static void places_at(gmem_pack_t *engine, const gmem_problem_t *problem,
                      uint32_t buffer, uint64_t expected, int line) {
  bool found = false;
  gmem_packing_t packing = packing_of(problem, 0);
  uint64_t *offsets = offsets_for(&packing);
  gmem_search_t search = search_of(PLENTY);
  CHECK(gmem_pack(engine, &packing, &search, offsets, NULL) == GMEM_OK);
  for (uint32_t i = 0; i < packing.member_count; ++i)
    if (packing.members[i].buffer == buffer) {
      found = offsets[packing.members[i].item] == expected;
      if (!found)
        fprintf(stderr, "line %d: at %llu\n", line,
                (unsigned long long)offsets[packing.members[i].item]);
    }
  CHECK(found);
  free(offsets);
  gmem_packing_destroy(&packing);
}

// Leaves gaps of |low| bytes at 10 and of |high| bytes above it, for what
// begins at 5.
static gmem_problem_t *two_gaps(uint64_t low, uint64_t high) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  add_fixed(problem, 0, 9, 10, 0);
  add_fixed(problem, 0, 9, 10, 10 + low);
  add_fixed(problem, 0, 9, 10, 20 + low + high);
  return problem;
}

static void first_fit_takes_the_lowest_gap(void) {
  gmem_problem_t *problem = two_gaps(9, 5);
  uint32_t buffer = add_buffer(problem, 5, 6, 4, 1);
  places_at(gmem_first_fit_pack, problem, buffer, 10, __LINE__);
  gmem_problem_destroy(problem);
}

static void best_fit_takes_the_smaller_gap(void) {
  gmem_problem_t *problem = two_gaps(9, 5);
  uint32_t buffer = add_buffer(problem, 5, 6, 4, 1);
  places_at(gmem_best_fit_pack, problem, buffer, 29, __LINE__);
  places_at(gmem_greedy_by_size_pack, problem, buffer, 29, __LINE__);
  gmem_problem_destroy(problem);
}

static void best_fit_takes_the_lower_of_equal_gaps(void) {
  gmem_problem_t *problem = two_gaps(6, 6);
  uint32_t buffer = add_buffer(problem, 5, 6, 4, 1);
  places_at(gmem_best_fit_pack, problem, buffer, 10, __LINE__);
  gmem_problem_destroy(problem);
}

static void a_gap_that_alignment_spoils_is_none(void) {
  gmem_problem_t *problem = two_gaps(5, 9); // [10, 15) and [25, 34)
  uint32_t buffer = add_buffer(problem, 5, 6, 4, 8);
  places_at(gmem_best_fit_pack, problem, buffer, 48, __LINE__);
  uint32_t small = add_buffer(problem, 5, 6, 2, 4); // 12; 28 is in the larger
  places_at(gmem_best_fit_pack, problem, small, 12, __LINE__);
  gmem_problem_destroy(problem);
}

static void the_largest_goes_first(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  uint32_t small = add_buffer(problem, 0, 9, 3, 1);
  uint32_t large = add_buffer(problem, 1, 9, 5, 1);
  places_at(gmem_greedy_by_size_pack, problem, large, 0, __LINE__);
  places_at(gmem_greedy_by_size_pack, problem, small, 5, __LINE__);
  places_at(gmem_first_fit_pack, problem, small, 0, __LINE__);
  gmem_problem_destroy(problem);
}

static void most_conflicts_go_first(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  uint32_t large = add_buffer(problem, 0, 2, 9, 1);
  uint32_t busy = add_buffer(problem, 1, 9, 3, 1); // meets three
  add_buffer(problem, 4, 5, 2, 1);
  add_buffer(problem, 6, 7, 2, 1);
  places_at(gmem_greedy_by_conflicts_pack, problem, busy, 0, __LINE__);
  places_at(gmem_greedy_by_conflicts_pack, problem, large, 3, __LINE__);
  gmem_problem_destroy(problem);
}

static void fixed_buffers_that_overlap_are_refused(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  add_fixed(problem, 0, 9, 10, 0);
  add_fixed(problem, 5, 12, 10, 9);
  gmem_packing_t packing = packing_of(problem, 0);
  for (int i = 0; i < ENGINES; ++i) {
    uint64_t offsets[2];
    gmem_search_t search = search_of(PLENTY);
    gmem_diag_t diag;
    CHECK(gmem_pack(engines[i], &packing, &search, offsets, &diag) ==
          GMEM_ERR_OVERLAP);
    CHECK(diag.status == GMEM_ERR_OVERLAP);
  }
  gmem_packing_destroy(&packing);
  gmem_problem_destroy(problem);
}

//===--- properties -------------------------------------------------------===//

// Of a problem in which fixed buffers may overlap.
static void engines_hold(const gmem_packing_t *packing, uint64_t steps) {
  uint64_t *offsets = offsets_for(packing), *again = offsets_for(packing);
  for (int i = 0; i < ENGINES; ++i) {
    gmem_search_t search = search_of(steps), same = search_of(steps);
    gmem_status_t status =
        gmem_pack(engines[i], packing, &search, offsets, NULL);
    CHECK(status == GMEM_OK || status == GMEM_ERR_OVERLAP);
    CHECK(gmem_pack(engines[i], packing, &same, again, NULL) == status);
    if (status != GMEM_OK)
      continue;
    CHECK(placement_holds(packing, offsets));
    CHECK(gmem_packing_peak(packing, offsets) >= load_of(packing));
    CHECK(search.steps == same.steps);
    CHECK(memcmp(offsets, again, packing->count * sizeof *offsets) == 0);
  }
  free(offsets);
  free(again);
}

static void placements_hold(void) {
  uint64_t seed = 1;
  for (int round = 0; round < 3000; ++round) {
    gmem_problem_t *problem =
        round % 3 ? random_problem(&seed, 14)
                  : random_pool(&seed, random_below(&seed, 30), true);
    for (uint32_t i = 0; i < gmem_problem_pool_count(problem); ++i) {
      gmem_packing_t packing = packing_of(problem, i);
      if (round % 10 == 0)
        conflicts_are_those_of_every_pair(&packing);
      sections_list_every_conflict(&packing);
      engines_hold(&packing, round % 2 ? PLENTY : random_below(&seed, 60));
      gmem_packing_destroy(&packing);
    }
    gmem_problem_destroy(problem);
  }
}

// So many meet that no lists are made.
static void dense_placements_hold(void) {
  uint64_t seed = 3;
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  for (int i = 0; i < 1600; ++i) {
    int64_t begin = random_below(&seed, 100);
    add_buffer(problem, begin, begin + 900 + random_below(&seed, 200),
               1 + random_below(&seed, 99), 1 + (i == 7));
  }
  gmem_packing_t packing = packing_of(problem, 0);
  uint64_t *offsets = offsets_for(&packing);
  for (uint64_t steps = 1000; steps <= 1000000000; steps *= 1000000) {
    gmem_search_t search = search_of(steps);
    CHECK(gmem_pack(gmem_best_fit_pack, &packing, &search, offsets, NULL) ==
          GMEM_OK);
    CHECK(placement_holds(&packing, offsets));
  }
  free(offsets);
  gmem_packing_destroy(&packing);
  gmem_problem_destroy(problem);
}

//===--- the order of the rows --------------------------------------------===//

typedef struct row_s {
  char name[8];
  int64_t begin;
  uint64_t size, offset;
} row_t;

static void solve_rows(row_t *rows, uint32_t count, gmem_pack_t *engine) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  for (uint32_t i = 0; i < count; ++i) {
    gmem_live_range_t range = {rows[i].begin, rows[i].begin + 3};
    uint32_t index;
    CHECK(gmem_problem_add_buffer(problem,
                                  &(gmem_buffer_spec_t){.name = rows[i].name,
                                                        .size = rows[i].size,
                                                        .alignment = 1,
                                                        .ranges = &range,
                                                        .range_count = 1},
                                  &index, NULL) == GMEM_OK);
  }
  gmem_packing_t packing = packing_of(problem, 0);
  uint64_t *offsets = offsets_for(&packing);
  gmem_search_t search = search_of(PLENTY);
  CHECK(gmem_pack(engine, &packing, &search, offsets, NULL) == GMEM_OK);
  for (uint32_t i = 0; i < packing.member_count; ++i)
    rows[packing.members[i].buffer].offset = offsets[packing.members[i].item];
  free(offsets);
  gmem_packing_destroy(&packing);
  gmem_problem_destroy(problem);
}

static void the_order_of_rows_does_not_matter(void) {
  enum { ROWS = 20 };
  uint64_t seed = 9;
  for (int round = 0; round < 200; ++round) {
    row_t rows[ROWS], shuffled[ROWS];
    for (int i = 0; i < ROWS; ++i) {
      rows[i] = (row_t){.begin = random_below(&seed, 8),
                        .size = 1 + random_below(&seed, 4)};
      snprintf(rows[i].name, sizeof rows[i].name, "b%d", i);
    }
    memcpy(shuffled, rows, sizeof rows);
    for (uint32_t i = ROWS; i-- > 1;) {
      uint32_t k = random_below(&seed, i + 1);
      row_t swap = shuffled[i];
      shuffled[i] = shuffled[k];
      shuffled[k] = swap;
    }
    gmem_pack_t *engine = engines[round % ENGINES];
    solve_rows(rows, ROWS, engine);
    solve_rows(shuffled, ROWS, engine);
    for (int i = 0; i < ROWS; ++i)
      for (int k = 0; k < ROWS; ++k)
        if (strcmp(rows[i].name, shuffled[k].name) == 0)
          CHECK(rows[i].offset == shuffled[k].offset);
  }
}

//===--- memory -----------------------------------------------------------===//

static void every_allocation_may_fail(void) {
  uint64_t seed = 4;
  gmem_problem_t *problem = random_pool(&seed, 12, true);
  gmem_packing_t packing = packing_of(problem, 0);
  packing.goal = 0; // so that the portfolio tries all orders
  for (int i = 0; i < ENGINES; ++i)
    for (int runs_out = 0; runs_out < 2; ++runs_out) {
      gmem_status_t status = GMEM_ERR_OUT_OF_MEMORY;
      heap_t heap = {0};
      gmem_allocator_t allocator = {&heap, heap_alloc, heap_free};
      const gmem_allocator_t *usual = packing.allocator;
      packing.allocator = &allocator;
      while (status != GMEM_OK) {
        uint64_t offsets[12];
        gmem_search_t search = search_of(runs_out ? 20 : PLENTY);
        heap.calls = 0;
        ++heap.fail_at;
        status = gmem_pack(engines[i], &packing, &search, offsets, NULL);
        CHECK(status == GMEM_OK || status == GMEM_ERR_OUT_OF_MEMORY);
        CHECK(heap.live_blocks == 0 && heap.live_bytes == 0);
      }
      CHECK(heap.fail_at > 5);
      packing.allocator = usual;
    }
  gmem_packing_destroy(&packing);
  gmem_problem_destroy(problem);
}

//===--- plain packings ---------------------------------------------------===//

// The offset of |item| by |rule| among the placed ones: looks at every bottom
// and every top.
static bool are_live_together(const gmem_packing_t *packing, uint32_t a,
                              uint32_t b) {
  return a == b || gmem_items_conflict(packing, a, b);
}

static uint64_t reference_fit(const gmem_packing_t *packing, uint32_t item,
                              const bool *is_placed, const uint64_t *offsets,
                              gmem_fit_rule_t rule) {
  const gmem_item_t *self = &packing->items[item];
  uint64_t best = UINT64_MAX, least = UINT64_MAX;
  for (uint32_t k = 0; k <= packing->count; ++k) { // a gap begins at its top
    if (k < packing->count && !is_placed[k])
      continue;
    uint64_t low =
        k < packing->count ? offsets[k] + packing->items[k].extent : 0;
    uint64_t high = UINT64_MAX;
    bool is_gap = k == packing->count || are_live_together(packing, k, item);
    for (uint32_t i = 0; i < packing->count; ++i) {
      if (!is_placed[i] || !are_live_together(packing, i, item))
        continue;
      uint64_t top = offsets[i] + packing->items[i].extent;
      is_gap = is_gap && !(offsets[i] <= low && low < top);
      if (offsets[i] >= low && offsets[i] < high)
        high = offsets[i];
    }
    uint64_t padding = (0 - low) & (self->alignment - 1);
    if (!is_gap || high - low < self->extent ||
        high - low - self->extent < padding)
      continue;
    uint64_t gap = rule == GMEM_FIT_FIRST && high < UINT64_MAX ? 0 : high - low;
    if (gap < least || (gap == least && low + padding < best)) {
      least = gap;
      best = low + padding;
    }
  }
  return best;
}

static void one_rule_matches_its_definition(const gmem_packing_t *packing,
                                            gmem_item_key_t key,
                                            gmem_fit_rule_t rule) {
  gmem_scratch_t memory = {.allocator = packing->allocator};
  gmem_ordered_fit_t fit;
  uint64_t *offsets = offsets_for(packing), *expected = offsets_for(packing);
  bool *is_placed = calloc(packing->count, sizeof *is_placed);
  gmem_search_t search = search_of(PLENTY);
  CHECK(gmem_ordered_fit_create(packing, &memory, &fit) == GMEM_OK);
  CHECK(gmem_item_order(packing, key, fit.order, &memory) == GMEM_OK);
  CHECK(gmem_ordered_fit_run(&fit, rule, &search, offsets) == GMEM_OK);
  for (uint32_t i = 0; is_placed && i < packing->count; ++i) {
    is_placed[i] = gmem_is_fixed(&packing->items[i]);
    expected[i] = is_placed[i] ? packing->items[i].fixed_offset : 0;
  }
  for (uint32_t i = 0; is_placed && i < packing->count; ++i) {
    uint32_t item = fit.order[i].index;
    if (is_placed[item])
      continue;
    expected[item] = reference_fit(packing, item, is_placed, expected, rule);
    is_placed[item] = true;
    CHECK(offsets[item] == expected[item]);
  }
  // At a ceiling that the rule does not reach, it gives up.
  fit.ceiling = gmem_packing_peak(packing, offsets);
  CHECK(gmem_ordered_fit_run(&fit, rule, &search, expected) == GMEM_OK);
  CHECK(fit.is_given_up);
  ++fit.ceiling;
  CHECK(gmem_ordered_fit_run(&fit, rule, &search, expected) == GMEM_OK);
  CHECK(!fit.is_given_up);
  free(is_placed);
  free(expected);
  free(offsets);
  gmem_scratch_free(&memory);
}

// Short and long live ranges, so that items are live in one block of time and
// in many.
// Fixed ones lie above each other; alignments differ, unless all are plain.
static gmem_problem_t *mixed_lives(uint64_t *seed, uint32_t count,
                                   bool is_plain) {
  uint64_t top = 0;
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  uint32_t longest = 1 + random_below(seed, count);
  for (uint32_t i = 0; i < count; ++i) {
    int64_t begin = random_below(seed, count);
    uint32_t most = random_below(seed, 3) ? 4 : longest;
    int64_t end = begin + 1 + random_below(seed, most);
    uint64_t size = 1 + random_below(seed, 9);
    if (is_plain || random_below(seed, 8)) {
      add_buffer(problem, begin, end, size,
                 is_plain ? 1 : UINT64_C(1) << random_below(seed, 4));
      continue;
    }
    top += random_below(seed, 4);
    add_fixed(problem, begin, end, size, top);
    top += size;
  }
  return problem;
}

static void rules_match_on(const gmem_packing_t *packing) {
  for (gmem_item_key_t key = GMEM_KEY_BEGIN; key <= GMEM_KEY_PRESSURE; ++key)
    for (int rule = GMEM_FIT_FIRST; rule <= GMEM_FIT_BEST; ++rule)
      one_rule_matches_its_definition(packing, key, (gmem_fit_rule_t)rule);
}

static void rules_match_their_definition(void) {
  uint64_t seed = 11;
  for (uint32_t round = 0; round < 80; ++round) {
    bool is_plain = round % 2 == 0;
    gmem_problem_t *problem = mixed_lives(&seed, 2 + 3 * round / 2, is_plain);
    gmem_packing_t packing = packing_of(problem, 0);
    CHECK(packing.is_plain == is_plain || packing.count < 20);
    CHECK(packing.is_simple && packing.is_whole);
    rules_match_on(&packing);
    gmem_packing_destroy(&packing);
    gmem_problem_destroy(problem);
  }
}

// |count| buffers that are live up to |times| times, for up to |longest| each,
// up to |apart| from each other.
static gmem_problem_t *lives_with_gaps(uint64_t *seed, uint32_t count,
                                       uint32_t times, uint32_t longest,
                                       uint32_t apart) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  for (uint32_t i = 0; i < count; ++i) {
    gmem_live_range_t ranges[8];
    gmem_buffer_spec_t spec = {.size = 1 + random_below(seed, 1000),
                               .alignment = UINT64_C(1)
                                            << random_below(seed, 3),
                               .ranges = ranges,
                               .range_count = 1 + random_below(seed, times)};
    int64_t time = random_below(seed, count);
    for (size_t k = 0; k < spec.range_count; ++k) {
      ranges[k].begin = time;
      ranges[k].end = time + 1 + random_below(seed, longest);
      time = ranges[k].end + 1 + random_below(seed, apart);
    }
    uint32_t index;
    CHECK(gmem_problem_add_buffer(problem, &spec, &index, NULL) == GMEM_OK);
  }
  return problem;
}

static void rules_use_gaps(void) {
  uint64_t seed = 12;
  for (uint32_t round = 0; round < 40; ++round) {
    gmem_problem_t *problem =
        lives_with_gaps(&seed, 2 + 3 * round, 1 + round % 8, 1 + round, 9);
    gmem_packing_t packing = packing_of(problem, 0);
    CHECK(packing.is_whole);
    CHECK(packing.is_simple == (round % 8 == 0) || packing.count < 20);
    rules_match_on(&packing);
    gmem_packing_destroy(&packing);
    gmem_problem_destroy(problem);
  }
}

// The limit of an effort does not turn a named rule into another one; the
// caller's own limit does.
static void only_the_callers_limit_ends_a_rule(void) {
  uint64_t seed = 3;
  gmem_problem_t *problem = random_pool(&seed, 200, true);
  gmem_packing_t packing = packing_of(problem, 0);
  uint64_t *whole = offsets_for(&packing), *cut = offsets_for(&packing);
  size_t size = packing.count * sizeof *whole;
  gmem_search_t plenty = search_of(PLENTY), few = search_of(100);
  CHECK(gmem_pack(gmem_greedy_by_size_pack, &packing, &plenty, whole, NULL) ==
        GMEM_OK);
  CHECK(gmem_pack(gmem_greedy_by_size_pack, &packing, &few, cut, NULL) ==
        GMEM_OK);
  CHECK(memcmp(whole, cut, size) == 0);
  CHECK(few.steps > 100 && few.step_limit == few.steps + 100);
  gmem_search_t own = search_of(100);
  own.has_own_limit = true;
  CHECK(gmem_pack(gmem_greedy_by_size_pack, &packing, &own, cut, NULL) ==
        GMEM_OK);
  CHECK(memcmp(whole, cut, size) != 0);
  CHECK(placement_holds(&packing, cut));
  free(cut);
  free(whole);
  gmem_packing_destroy(&packing);
  gmem_problem_destroy(problem);
}

// Buffers that are live now and then, from the first time to the last: to the
// sweep, which knows no gaps, they are live together.
static void long_gaps_are_used_at_fast_effort(void) {
  enum { COUNT = 2000, TIMES = 6 };
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  gmem_solve_options_t options = {.effort = GMEM_EFFORT_FAST};
  gmem_plan_figures_t figures;
  gmem_placement_t *plan = calloc(COUNT, sizeof *plan);
  uint64_t seed = 11;
  for (uint32_t i = 0; i < COUNT; ++i) {
    gmem_live_range_t ranges[TIMES];
    int64_t time = random_below(&seed, 10);
    for (uint32_t k = 0; k < TIMES; ++k) {
      ranges[k] = (gmem_live_range_t){time, time + 1 + random_below(&seed, 4)};
      time = ranges[k].end + 1 + random_below(&seed, COUNT / 3);
    }
    gmem_buffer_spec_t spec = {.size = 1 + random_below(&seed, 1000),
                               .alignment = 1,
                               .ranges = ranges,
                               .range_count = TIMES};
    uint32_t index;
    CHECK(gmem_problem_add_buffer(problem, &spec, &index, NULL) == GMEM_OK);
  }
  CHECK(gmem_solve(problem, &options, plan, &figures, NULL) == GMEM_OK);
  CHECK(figures.peak < figures.lower_bound + figures.lower_bound / 20);
  free(plan);
  gmem_problem_destroy(problem);
}

// Short and long gaps: the sweep is better in short ones, a rule in long ones.
static void no_rule_is_better_in_gaps(void) {
  enum { COUNT = 6000 };
  uint64_t seed = 13;
  for (uint32_t round = 0; round < 3; ++round) {
    gmem_problem_t *problem =
        lives_with_gaps(&seed, COUNT, 4, 90, round ? COUNT / 2 : 60);
    gmem_packing_t packing = packing_of(problem, 0);
    uint64_t *offsets = offsets_for(&packing);
    gmem_search_t fast = search_of(PLENTY), plenty = fast;
    fast.effort = GMEM_EFFORT_FAST;
    CHECK(gmem_pack(gmem_auto_pack, &packing, &fast, offsets, NULL) == GMEM_OK);
    uint64_t peak = gmem_packing_peak(&packing, offsets);
    CHECK(gmem_pack(gmem_greedy_by_size_pack, &packing, &plenty, offsets,
                    NULL) == GMEM_OK);
    CHECK(peak <= gmem_packing_peak(&packing, offsets));
    CHECK(gmem_pack(gmem_best_fit_pack, &packing, &plenty, offsets, NULL) ==
          GMEM_OK);
    CHECK(peak <= gmem_packing_peak(&packing, offsets));
    free(offsets);
    gmem_packing_destroy(&packing);
    gmem_problem_destroy(problem);
  }
}

int main(void) {
  long_gaps_are_used_at_fast_effort();
  too_many_conflicts_make_no_lists();
  extra_conflicts_are_kept();
  trees_find_what_a_walk_finds();
  first_fit_takes_the_lowest_gap();
  best_fit_takes_the_smaller_gap();
  best_fit_takes_the_lower_of_equal_gaps();
  a_gap_that_alignment_spoils_is_none();
  the_largest_goes_first();
  most_conflicts_go_first();
  fixed_buffers_that_overlap_are_refused();
  placements_hold();
  dense_placements_hold();
  the_order_of_rows_does_not_matter();
  rules_match_their_definition();
  rules_use_gaps();
  no_rule_is_better_in_gaps();
  only_the_callers_limit_ends_a_rule();
  every_allocation_may_fail();
  return CHECK_RESULT();
}
