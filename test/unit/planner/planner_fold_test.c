// planner_fold_test.c - items that fit together to rectangles: what is joined,
// and that a placement of the rectangles is one of the items.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %unit/planner_fold_test

#include "algorithms.h"
#include "check.h"
#include "failing_heap.h"
#include "merge.h"
#include "merge_search.h"
#include "packing_query.h"
#include "packing_tools.h"

typedef struct piece_s {
  int64_t begin, end;
  uint64_t size;
} piece_t;

static gmem_problem_t *problem_of(const piece_t *pieces, uint32_t count) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  for (uint32_t i = 0; i < count; ++i)
    add_buffer(problem, pieces[i].begin, pieces[i].end, pieces[i].size, 1);
  return problem;
}

// Folds |pieces|, checks that stacking the rectangles holds, and returns how
// many of them there are.
static uint32_t folded_count(const piece_t *pieces, uint32_t count) {
  gmem_problem_t *problem = problem_of(pieces, count);
  gmem_packing_t packing = packing_of(problem, 0);
  uint64_t *offsets = offsets_for(&packing);
  gmem_merge_t merge;
  gmem_search_t search = search_of(UINT64_C(1) << 40);
  gmem_scratch_t memory = {.allocator = packing.allocator};
  CHECK(gmem_merge_create(&packing, 0, &search, &memory, &merge) == GMEM_OK);
  CHECK(merge.packing.bound == packing.bound);
  CHECK(gmem_pack(gmem_first_fit_pack, &merge.packing, &search, merge.offsets,
                  NULL) == GMEM_OK);
  gmem_merge_unfold(&merge, merge.offsets, offsets);
  CHECK(placement_holds(&packing, offsets));
  CHECK(gmem_packing_peak(&packing, offsets) ==
        gmem_packing_peak(&merge.packing, merge.offsets));
  uint32_t result = merge.packing.count;
  gmem_scratch_free(&memory);
  free(offsets);
  gmem_packing_destroy(&packing);
  gmem_problem_destroy(problem);
  return result;
}

#define COUNT(pieces) folded_count(pieces, sizeof(pieces) / sizeof *(pieces))

static void what_fits_is_joined(void) {
  const piece_t row[] = {{0, 3, 7}, {3, 4, 7}, {4, 9, 7}};
  CHECK(COUNT(row) == 1);
  const piece_t stack[] = {{0, 3, 7}, {0, 3, 1}, {0, 3, 7}};
  CHECK(COUNT(stack) == 1);
  const piece_t nested[] = {{0, 3, 7}, {3, 5, 3}, {3, 5, 4}, {0, 5, 2}};
  CHECK(COUNT(nested) == 1);
  // That of the picture in merge_pinwheel.c, in both directions of time.
  const piece_t wheel[] = {
      {0, 2, 7}, {2, 9, 4}, {5, 9, 6}, {0, 5, 3}, {2, 5, 3}};
  CHECK(COUNT(wheel) == 1);
  const piece_t back[] = {
      {7, 9, 7}, {0, 7, 4}, {0, 4, 6}, {4, 9, 3}, {4, 7, 3}};
  CHECK(COUNT(back) == 1);
}

static void what_does_not_fit_is_left(void) {
  const piece_t sizes[] = {{0, 3, 7}, {3, 4, 6}};
  CHECK(COUNT(sizes) == 2);
  const piece_t overlapping[] = {{0, 3, 7}, {2, 4, 7}, {3, 5, 1}};
  CHECK(COUNT(overlapping) == 3);
  const piece_t wheel[] = {{0, 2, 7},
                           {2, 9, 4},
                           {5, 9, 6},
                           {0, 5, 3},
                           {2, 5, 2}}; // the middle is too small
  CHECK(COUNT(wheel) == 5);
  const piece_t one[] = {{0, 1, 5}};
  CHECK(COUNT(one) == 1);
}

// Cuts a square into |count| pieces, by cuts from side to side and pinwheels.
static void dissect(piece_t *pieces, uint32_t count, uint64_t *seed) {
  enum { SIDE = 1 << 24 };
  pieces[0] = (piece_t){0, SIDE, SIDE};
  for (uint32_t made = 1; made < count;) {
    piece_t *p = &pieces[random_below(seed, made)], whole = *p;
    uint32_t life = (uint32_t)(whole.end - whole.begin);
    uint32_t size = (uint32_t)whole.size;
    if (life < 64 || size < 64)
      continue;
    int64_t t = whole.begin + 1 + random_below(seed, life / 2);
    int64_t u = t + 1 + random_below(seed, life / 2 - 2);
    uint64_t s = 1 + random_below(seed, size / 2);
    uint64_t r = s + 1 + random_below(seed, size / 2 - 2);
    if (random_below(seed, 2) && count - made >= 4) {
      *p = (piece_t){whole.begin, t, size - s};
      pieces[made++] = (piece_t){t, whole.end, size - r};
      pieces[made++] = (piece_t){u, whole.end, r};
      pieces[made++] = (piece_t){whole.begin, u, s};
      pieces[made++] = (piece_t){t, u, r - s};
    } else if (random_below(seed, 2)) {
      p->end = t;
      pieces[made++] = (piece_t){t, whole.end, size};
    } else {
      p->size = s;
      pieces[made++] = (piece_t){whole.begin, whole.end, size - s};
    }
  }
}

// Times are long enough that cuts hardly ever meet by chance.
static void dissections_become_one(void) {
  piece_t pieces[100];
  uint64_t seed = 1;
  int whole = 0;
  for (int round = 0; round < 100; ++round) {
    dissect(pieces, 100, &seed);
    whole += folded_count(pieces, 100) == 1;
  }
  CHECK(whole >= 90);
}

// Few sizes and times: much is joined that could also be joined otherwise.
static void placements_hold(void) {
  uint64_t seed = 2;
  piece_t pieces[40];
  uint32_t joined = 0;
  for (int round = 0; round < 2000; ++round) {
    uint32_t count = 1 + random_below(&seed, 40);
    for (uint32_t i = 0; i < count; ++i) {
      int64_t begin = random_below(&seed, 10);
      pieces[i] = (piece_t){begin, begin + 1 + random_below(&seed, 5),
                            UINT64_C(1) + random_below(&seed, 4)};
    }
    joined += count - folded_count(pieces, count);
  }
  CHECK(joined > 2000);
}

// Only peaks below the ceiling are found, and the lowest of them.
static void exact_search_keeps_below_the_ceiling(void) {
  const piece_t pieces[] = {{0, 2, 7},
                            {2, 9, 4},
                            {5, 9, 6},
                            {0, 5, 3},
                            {2, 5, 3}}; // a pinwheel of 10 bytes
  gmem_problem_t *problem = problem_of(pieces, 5);
  gmem_packing_t packing = packing_of(problem, 0);
  uint64_t *offsets = offsets_for(&packing);
  for (packing.ceiling = 10; packing.ceiling <= 12; ++packing.ceiling) {
    gmem_search_t search = search_of(UINT64_C(1) << 20);
    for (uint32_t i = 0; i < packing.count; ++i)
      offsets[i] = 10 * i;
    CHECK(gmem_pack(gmem_exact_pack, &packing, &search, offsets, NULL) ==
          GMEM_OK);
    bool is_found = gmem_packing_peak(&packing, offsets) == 10;
    CHECK(is_found == (packing.ceiling > 10));
    CHECK(search.proved);
  }
  free(offsets);
  gmem_packing_destroy(&packing);
  gmem_problem_destroy(problem);
}

// The engine: never worse than what it starts from, and the same every time.
static void the_search_improves(void) {
  uint64_t seed = 3;
  piece_t pieces[60];
  int better = 0;
  for (int round = 0; round < 50; ++round) {
    dissect(pieces, 60, &seed);
    gmem_problem_t *problem = problem_of(pieces, round % 2 ? 60 : 50);
    gmem_packing_t packing = packing_of(problem, 0);
    uint64_t *offsets = offsets_for(&packing);
    gmem_search_t search = search_of(100000);
    CHECK(gmem_pack(gmem_first_fit_pack, &packing, &search, offsets, NULL) ==
          GMEM_OK);
    uint64_t before = gmem_packing_peak(&packing, offsets);
    CHECK(gmem_pack(gmem_merge_pack, &packing, &search, offsets, NULL) ==
          GMEM_OK);
    CHECK(placement_holds(&packing, offsets));
    CHECK(gmem_packing_peak(&packing, offsets) <= before);
    better += gmem_packing_peak(&packing, offsets) < before;
    free(offsets);
    gmem_packing_destroy(&packing);
    gmem_problem_destroy(problem);
  }
  CHECK(better > 40);
}

static void every_allocation_may_fail(void) {
  piece_t pieces[60];
  uint64_t seed = 4;
  dissect(pieces, 60, &seed);
  gmem_problem_t *problem = problem_of(pieces, 55);
  gmem_packing_t packing = packing_of(problem, 0);
  uint64_t *offsets = offsets_for(&packing);
  heap_t heap = {0};
  gmem_allocator_t allocator = {&heap, heap_alloc, heap_free};
  const gmem_allocator_t *usual = packing.allocator;
  gmem_status_t status = GMEM_ERR_OUT_OF_MEMORY;
  while (status != GMEM_OK) {
    gmem_search_t search = search_of(100000);
    packing.allocator = usual;
    CHECK(gmem_pack(gmem_first_fit_pack, &packing, &search, offsets, NULL) ==
          GMEM_OK);
    packing.allocator = &allocator;
    heap.calls = 0;
    ++heap.fail_at;
    status = gmem_pack(gmem_merge_pack, &packing, &search, offsets, NULL);
    CHECK(status == GMEM_OK || status == GMEM_ERR_OUT_OF_MEMORY);
    CHECK(heap.live_blocks == 0 && heap.live_bytes == 0);
    CHECK(placement_holds(&packing, offsets));
  }
  CHECK(heap.fail_at > 8);
  packing.allocator = usual;
  free(offsets);
  gmem_packing_destroy(&packing);
  gmem_problem_destroy(problem);
}

int main(void) {
  what_fits_is_joined();
  what_does_not_fit_is_left();
  dissections_become_one();
  placements_hold();
  exact_search_keeps_below_the_ceiling();
  the_search_improves();
  every_allocation_may_fail();
  return CHECK_RESULT();
}
