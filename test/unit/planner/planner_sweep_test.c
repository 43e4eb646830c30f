// planner_sweep_test.c - properties of the sweep on thousands of problems.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// UNSUPPORTED: sanitizer && !nightly
// REQUIRES: long_tests
// RUN: %unit/planner_sweep_test

#include <stdio.h>
#include <string.h>

#include "algorithms.h"
#include "check.h"
#include "failing_heap.h"
#include "packing_query.h"
#include "planner_internal.h"
#include "planner_reference.h"
#include "search.h"

enum { MOST = 4000 };

typedef enum kind_e {
  PLAIN,   // one range each, sizes of all kinds
  ALIGNED, // alignments above the granule, an odd base
  GAPS,    // several ranges
  FIXED,   // some have given offsets
  KINDS
} kind_t;

typedef struct buffers_s {
  uint32_t count, life;
  uint64_t base, pool_alignment;
  gmem_buffer_spec_t specs[MOST];
  gmem_live_range_t ranges[MOST][3];
  char names[MOST][8];
} buffers_t;

typedef struct result_s {
  gmem_status_t status;
  uint64_t peak, bound, steps;
  gmem_placement_t plan[MOST];
} result_t;

static gmem_search_t search_of(gmem_effort_t effort, uint64_t limit) {
  return (gmem_search_t){.effort = effort,
                         .step_limit = limit,
                         .stage_limit = limit,
                         .stage = "sweep",
                         .peak = GMEM_UNLIMITED};
}

//===--- problems ---------------------------------------------------------===//

static void make_buffer(buffers_t *buffers, uint32_t i, kind_t kind,
                        uint64_t *seed) {
  gmem_live_range_t *ranges = buffers->ranges[i];
  snprintf(buffers->names[i], sizeof buffers->names[i], "b%u", i % 10000);
  gmem_buffer_spec_t spec = {
      .name = buffers->names[i],
      .ranges = ranges,
      .range_count = 1,
      .alignment = 1,
      .size = 1 + (random_below(seed, 1000) >> random_below(seed, 10))};
  if (kind == GAPS)
    spec.range_count = 1 + random_below(seed, 3);
  if (kind != PLAIN)
    spec.alignment = UINT64_C(1) << random_below(seed, kind == ALIGNED ? 9 : 3);
  int64_t time = random_below(seed, buffers->count);
  for (size_t k = 0; k < spec.range_count; ++k) {
    int64_t end = time + 1 + random_below(seed, buffers->life);
    ranges[k] = (gmem_live_range_t){time, end};
    time = end + random_below(seed, 3);
  }
  buffers->specs[i] = spec;
}

static void make_buffers(buffers_t *buffers, kind_t kind, uint32_t count,
                         uint64_t *seed) {
  buffers->count = count;
  buffers->life = 1 + random_below(seed, 1 + count / 2);
  buffers->pool_alignment = UINT64_C(1) << random_below(seed, 7);
  buffers->base =
      kind == PLAIN ? 0 : buffers->pool_alignment * random_below(seed, 9);
  for (uint32_t i = 0; i < count; ++i)
    make_buffer(buffers, i, kind, seed);
}

static gmem_problem_t *build(const buffers_t *buffers, const uint32_t *order,
                             const gmem_allocator_t *allocator) {
  gmem_problem_t *problem = NULL;
  gmem_pool_spec_t pool = {.name = "p",
                           .capacity = GMEM_UNLIMITED,
                           .alignment = buffers->pool_alignment,
                           .base = buffers->base};
  uint32_t index;
  if (gmem_problem_create(allocator, &problem, NULL) != GMEM_OK ||
      gmem_problem_add_pool(problem, &pool, &index, NULL) != GMEM_OK)
    abort();
  for (uint32_t i = 0; i < buffers->count; ++i)
    if (gmem_problem_add_buffer(problem, &buffers->specs[order ? order[i] : i],
                                &index, NULL) != GMEM_OK)
      abort();
  return problem;
}

//===--- running the engine -----------------------------------------------===//

// |goal| 0: the bound.
static void pack(const gmem_problem_t *problem, gmem_search_t *search,
                 uint64_t goal, result_t *result) {
  static uint32_t pool_of[MOST];
  static uint64_t offsets[MOST];
  gmem_packing_t packing;
  result->status =
      gmem_packing_create(problem, 0, pool_of, NULL, NULL, &packing, NULL);
  if (goal)
    packing.goal = goal;
  if (result->status == GMEM_OK)
    result->status =
        gmem_pack(gmem_sweep_pack, &packing, search, offsets, NULL);
  result->bound = packing.bound;
  result->steps = search->steps;
  if (result->status == GMEM_OK) {
    result->peak = gmem_packing_peak(&packing, offsets);
    for (uint32_t i = 0; i < packing.member_count; ++i)
      result->plan[packing.members[i].buffer] =
          (gmem_placement_t){.offset = offsets[packing.members[i].item] +
                                       packing.members[i].offset};
  }
  gmem_packing_destroy(&packing);
}

static void pack_buffers(const buffers_t *buffers, const uint32_t *order,
                         gmem_effort_t effort, result_t *result) {
  gmem_problem_t *problem = build(buffers, order, NULL);
  gmem_search_t search = search_of(effort, UINT64_C(1) << 20);
  pack(problem, &search, 0, result);
  CHECK(result->status == GMEM_OK);
  CHECK(gmem_check(problem, result->plan, NULL, NULL) == GMEM_OK);
  CHECK(result->peak >= result->bound);
  gmem_problem_destroy(problem);
}

//===--- properties -------------------------------------------------------===//

// Fixes some buffers where a plan has them: then they don't overlap.
static void fix_some(buffers_t *buffers, const result_t *result,
                     uint64_t *seed) {
  for (uint32_t i = 0; i < buffers->count; ++i)
    if (random_below(seed, 3) == 0) {
      buffers->specs[i].has_fixed_offset = true;
      buffers->specs[i].fixed_offset = result->plan[i].offset;
    }
}

static void test_one(kind_t kind, uint32_t count, gmem_effort_t effort,
                     uint64_t *seed) {
  static buffers_t buffers;
  static result_t result, again;
  static uint32_t order[MOST];
  make_buffers(&buffers, kind, count, seed);
  if (kind == FIXED) {
    pack_buffers(&buffers, NULL, GMEM_EFFORT_FAST, &result);
    fix_some(&buffers, &result, seed);
  }
  pack_buffers(&buffers, NULL, effort, &result);
  shuffle(seed, order, count);
  pack_buffers(&buffers, order, effort, &again);
  CHECK(again.peak == result.peak && again.steps == result.steps);
  bool is_same = true;
  for (uint32_t i = 0; i < count; ++i)
    is_same = is_same && again.plan[i].offset == result.plan[order[i]].offset;
  CHECK(is_same); // the order of the rows does not matter
}

static void test_small(void) {
  uint64_t seed = 11;
  for (int round = 0; round < 500; ++round)
    for (int kind = 0; kind < KINDS; ++kind)
      test_one((kind_t)kind, 1 + random_below(&seed, 40), GMEM_EFFORT_FAST,
               &seed);
}

static void test_middle(void) {
  uint64_t seed = 12;
  for (int round = 0; round < 4; ++round)
    for (int kind = 0; kind < KINDS; ++kind)
      test_one((kind_t)kind, 200 + random_below(&seed, 800), GMEM_EFFORT_NORMAL,
               &seed);
}

// A sweep alone is 5 to 30 % above the bound on these.
static void test_repair(void) {
  static buffers_t buffers;
  static result_t result;
  uint64_t seed = 13;
  for (int round = 0; round < 4; ++round) {
    make_buffers(&buffers, PLAIN, MOST, &seed);
    for (uint32_t i = 0; i < MOST; ++i)
      buffers.ranges[i][0].end =
          buffers.ranges[i][0].begin + 1 + random_below(&seed, 9);
    pack_buffers(&buffers, NULL, GMEM_EFFORT_NORMAL, &result);
    CHECK(result.peak == result.bound);
  }
}

static void test_stops(void) {
  static buffers_t buffers;
  static result_t result;
  uint64_t seed = 14;
  make_buffers(&buffers, PLAIN, 500, &seed);
  gmem_problem_t *problem = build(&buffers, NULL, NULL);
  gmem_search_t search = search_of(GMEM_EFFORT_NORMAL, UINT64_C(1) << 30);
  pack(problem, &search, GMEM_MAX_ADDRESS, &result); // at the goal at once
  CHECK(result.steps < 500 * 16);
  search = search_of(GMEM_EFFORT_NORMAL, 1); // out of steps at once
  pack(problem, &search, 0, &result);
  CHECK(result.status == GMEM_OK && result.steps < 500 * 16);
  CHECK(gmem_check(problem, result.plan, NULL, NULL) == GMEM_OK);
  gmem_problem_destroy(problem);
}

static void test_nothing(void) {
  buffers_t *buffers = calloc(1, sizeof *buffers);
  static result_t result;
  if (!buffers)
    abort();
  buffers->pool_alignment = 1;
  gmem_problem_t *problem = build(buffers, NULL, NULL);
  gmem_search_t search = search_of(GMEM_EFFORT_NORMAL, 1000);
  pack(problem, &search, 0, &result);
  CHECK(result.status == GMEM_OK && result.peak == 0);
  gmem_problem_destroy(problem);
  free(buffers);
}

//===--- extra conflicts --------------------------------------------------===//

static bool share_bytes(const gmem_packing_t *packing, const uint64_t *offsets,
                        uint32_t a, uint32_t b) {
  return offsets[a] < offsets[b] + packing->items[b].size &&
         offsets[b] < offsets[a] + packing->items[a].size;
}

// Items i and i + 5 conflict, for every fourth i.
static void test_extra(void) {
  static buffers_t buffers;
  static uint32_t pool_of[MOST];
  uint64_t offsets[40], seed = 15;
  for (int round = 0; round < 200; ++round) {
    uint32_t extra[80];
    size_t starts[41] = {0}, used = 0;
    make_buffers(&buffers, PLAIN, 40, &seed);
    gmem_problem_t *problem = build(&buffers, NULL, NULL);
    gmem_packing_t packing;
    CHECK(gmem_packing_create(problem, 0, pool_of, NULL, NULL, &packing,
                              NULL) == GMEM_OK);
    for (uint32_t i = 0; i < 40; ++i) {
      if (i >= 5 && (i - 5) % 4 == 0)
        extra[used++] = i - 5;
      if (i % 4 == 0 && i + 5 < 40)
        extra[used++] = i + 5;
      starts[i + 1] = used;
    }
    uint32_t *own_extra = packing.extra;
    size_t *own_starts = packing.extra_starts;
    packing.extra = extra;
    packing.extra_starts = starts;
    packing.is_plain = packing.is_simple = packing.is_whole = false;
    gmem_search_t search = search_of(GMEM_EFFORT_FAST, UINT64_C(1) << 20);
    CHECK(gmem_pack(gmem_sweep_pack, &packing, &search, offsets, NULL) ==
          GMEM_OK);
    for (uint32_t i = 0; i + 5 < 40; i += 4)
      CHECK(!share_bytes(&packing, offsets, i, i + 5));
    packing.extra = own_extra;
    packing.extra_starts = own_starts;
    gmem_packing_destroy(&packing);
    gmem_problem_destroy(problem);
  }
}

//===--- failures ---------------------------------------------------------===//

// Sizes that no address can hold together: refused, not wrapped around.
static void test_beyond_addresses(void) {
  static buffers_t buffers;
  static result_t result;
  uint64_t seed = 16;
  make_buffers(&buffers, PLAIN, 8, &seed);
  for (uint32_t i = 0; i < 8; ++i) {
    buffers.ranges[i][0] = (gmem_live_range_t){0, 2};
    buffers.specs[i].size = UINT64_C(1) << 61;
  }
  gmem_problem_t *problem = build(&buffers, NULL, NULL);
  gmem_search_t search = search_of(GMEM_EFFORT_FAST, 1000);
  pack(problem, &search, 0, &result);
  CHECK(result.status == GMEM_ERR_OVER_BUDGET ||
        result.status == GMEM_ERR_OUT_OF_RANGE);
  gmem_problem_destroy(problem);
}

static void test_allocation_failures(void) {
  static buffers_t buffers;
  static result_t result;
  uint64_t seed = 17;
  heap_t heap = {0};
  gmem_allocator_t allocator = {
      .user = &heap, .alloc = heap_alloc, .free = heap_free};
  make_buffers(&buffers, PLAIN, 300, &seed);
  gmem_problem_t *problem = build(&buffers, NULL, &allocator);
  size_t blocks = heap.live_blocks, bytes = heap.live_bytes;
  size_t k = 0;
  do {
    heap.calls = 0;
    heap.fail_at = ++k;
    gmem_search_t search = search_of(GMEM_EFFORT_FAST, UINT64_C(1) << 20);
    pack(problem, &search, 0, &result);
    CHECK(result.status == GMEM_OK || result.status == GMEM_ERR_OUT_OF_MEMORY);
    CHECK(heap.live_blocks == blocks && heap.live_bytes == bytes);
  } while (result.status != GMEM_OK && k < 1000);
  CHECK(k > 12); // the packing, the sweep and the repair allocate
  gmem_problem_destroy(problem);
}

// Times that are close together are numbered by counting, others by sorting.
static void test_far_times(void) {
  static buffers_t buffers;
  static result_t near, far;
  uint64_t seed = 11;
  for (int round = 0; round < 200; ++round) {
    make_buffers(&buffers, PLAIN, 1 + random_below(&seed, 200), &seed);
    for (int is_far = 0; is_far < 2; ++is_far) {
      gmem_problem_t *problem = build(&buffers, NULL, NULL);
      gmem_search_t search = search_of(GMEM_EFFORT_FAST, UINT64_C(1) << 20);
      pack(problem, &search, 0, is_far ? &far : &near);
      gmem_problem_destroy(problem);
      for (uint32_t i = 0; !is_far && i < buffers.count; ++i) {
        buffers.ranges[i][0].begin *= INT64_C(1) << 40;
        buffers.ranges[i][0].end *= INT64_C(1) << 40;
      }
    }
    CHECK(near.status == GMEM_OK && far.status == GMEM_OK);
    CHECK(near.bound == far.bound && near.peak == far.peak);
    for (uint32_t i = 0; i < buffers.count; ++i)
      CHECK(near.plan[i].offset == far.plan[i].offset);
  }
}

// Few entries, some and many are sorted in different ways.
static void test_order(void) {
  enum { LARGEST = 1500 };
  static gmem_order_t entries[LARGEST], scratch[LARGEST];
  uint64_t seed = 3;
  for (uint32_t count = 0; count <= LARGEST; count += 1 + count / 40) {
    uint32_t limit = 1 + random_below(&seed, 2 * count + 1);
    for (uint32_t i = 0; i < count; ++i)
      entries[i] = (gmem_order_t){
          (uint64_t)random_below(&seed, limit) << (count % 48), i};
    gmem_sort_order(entries, scratch, count);
    for (uint32_t i = 1; i < count; ++i)
      CHECK(entries[i - 1].key < entries[i].key ||
            (entries[i - 1].key == entries[i].key &&
             entries[i - 1].index < entries[i].index));
  }
}

int main(void) {
  test_order();
  test_far_times();
  test_small();
  test_middle();
  test_repair();
  test_stops();
  test_nothing();
  test_extra();
  test_beyond_addresses();
  test_allocation_failures();
  return CHECK_RESULT();
}
