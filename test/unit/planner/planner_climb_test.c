// planner_climb_test.c - the local search: it keeps placements valid, lowers
// their peaks, and stops where it must.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %unit/planner_climb_test

#include "algorithms.h"
#include "check.h"
#include "failing_heap.h"
#include "packing_query.h"
#include "packing_tools.h"

static const uint64_t ENOUGH = 20000;
// First fit does not solve the tiling of this seed.
static const uint64_t BAD_SEED = 0;

// Places by first fit; false when fixed buffers overlap.
static bool place_first(const gmem_packing_t *packing, uint64_t *offsets) {
  gmem_search_t search = search_of(UINT64_C(1) << 40);
  return gmem_pack(gmem_first_fit_pack, packing, &search, offsets, NULL) ==
         GMEM_OK;
}

static void climb_holds(const gmem_packing_t *packing, uint64_t steps) {
  uint64_t *offsets = offsets_for(packing), *again = offsets_for(packing);
  if (place_first(packing, offsets)) {
    memcpy(again, offsets, packing->count * sizeof *offsets);
    uint64_t before = gmem_packing_peak(packing, offsets);
    gmem_search_t search = search_of(steps), same = search_of(steps);
    CHECK(gmem_pack(gmem_hill_climb_pack, packing, &search, offsets, NULL) ==
          GMEM_OK);
    CHECK(gmem_pack(gmem_hill_climb_pack, packing, &same, again, NULL) ==
          GMEM_OK);
    CHECK(placement_holds(packing, offsets));
    uint64_t after = gmem_packing_peak(packing, offsets);
    CHECK(after <= before);
    CHECK(after >= load_of(packing));
    CHECK(memcmp(offsets, again, packing->count * sizeof *offsets) == 0);
    CHECK(search.steps == same.steps);
    // What is under way when the steps run out is finished.
    CHECK(search.steps <= steps + 100 * (packing->count + UINT64_C(10)) *
                                      (packing->count + UINT64_C(10)));
  }
  free(offsets);
  free(again);
}

static void placements_hold(void) {
  uint64_t seed = 1;
  for (int round = 0; round < 2000; ++round) {
    gmem_problem_t *problem =
        round % 3 ? random_problem(&seed, 16)
                  : random_pool(&seed, random_below(&seed, 40), true);
    for (uint32_t i = 0; i < gmem_problem_pool_count(problem); ++i) {
      gmem_packing_t packing = packing_of(problem, i);
      climb_holds(&packing, round % 2 ? ENOUGH : random_below(&seed, 300));
      gmem_packing_destroy(&packing);
    }
    gmem_problem_destroy(problem);
  }
}

// Conflicts are lists when there are many items that meet few others.
static void placements_with_lists_hold(void) {
  uint64_t seed = 2;
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  for (int i = 0; i < 1500; ++i)
    add_buffer(problem, i, i + INT64_C(1) + random_below(&seed, 12),
               1 + random_below(&seed, 99), 1);
  gmem_packing_t packing = packing_of(problem, 0);
  CHECK(packing.is_plain);
  climb_holds(&packing, 1000000);
  gmem_packing_destroy(&packing);
  gmem_problem_destroy(problem);
}

typedef struct piece_s {
  uint32_t x, y, width, height;
} piece_t;

static uint32_t largest_of(const piece_t *pieces, uint32_t count) {
  uint32_t largest = 0;
  for (uint32_t i = 1; i < count; ++i)
    if (pieces[i].width * pieces[i].height >
        pieces[largest].width * pieces[largest].height)
      largest = i;
  return largest;
}

// Cuts [0, 1000) x [0, 1000), again and again the largest piece: so the bound
// can be reached.
static gmem_problem_t *tiling(uint64_t seed, uint32_t pieces, uint64_t unit) {
  piece_t cut[64] = {{0, 0, 1000, 1000}};
  seed *= UINT64_C(0x9E3779B97F4A7C15); // small seeds begin alike
  for (uint32_t count = 1; count < pieces; ++count) {
    piece_t *low = &cut[largest_of(cut, count)], *high = &cut[count];
    *high = *low;
    if (low->width >= low->height) {
      low->width = low->width / 4 + random_below(&seed, low->width / 2);
      high->x += low->width;
      high->width -= low->width;
    } else {
      low->height = low->height / 4 + random_below(&seed, low->height / 2);
      high->y += low->height;
      high->height -= low->height;
    }
  }
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, unit, 0);
  for (uint32_t i = 0; i < pieces; ++i)
    add_buffer(problem, cut[i].x, (int64_t)cut[i].x + cut[i].width,
               cut[i].height * unit, 1);
  return problem;
}

static void tilings_are_solved(uint64_t unit) {
  for (uint64_t seed = 0; seed < 32; ++seed) {
    gmem_problem_t *problem = tiling(seed, 16, unit);
    gmem_packing_t packing = packing_of(problem, 0);
    uint64_t *offsets = offsets_for(&packing);
    CHECK(packing.bound == 1000 * unit);
    CHECK(place_first(&packing, offsets));
    gmem_search_t search = search_of(10000000);
    CHECK(gmem_pack(gmem_hill_climb_pack, &packing, &search, offsets, NULL) ==
          GMEM_OK);
    CHECK(gmem_packing_peak(&packing, offsets) == packing.bound);
    free(offsets);
    gmem_packing_destroy(&packing);
    gmem_problem_destroy(problem);
  }
}

// Two views of a buffer that is live later are live from the beginning: what
// is live only before fits between them.
static void gaps_between_parts_are_used(void) {
  gmem_problem_t *problem = one_pool_problem(GMEM_UNLIMITED, 1, 0);
  uint32_t whole = add_buffer(problem, 10, 20, 100, 1);
  uint32_t low = add_buffer(problem, 0, 20, 10, 1);
  uint32_t high = add_buffer(problem, 0, 20, 10, 1);
  (void)add_buffer(problem, 0, 10, 70, 1);
  CHECK(gmem_problem_add_alias(
            problem, &(gmem_alias_spec_t){low, whole, 0, .is_optional = false},
            NULL) == GMEM_OK);
  CHECK(gmem_problem_add_alias(
            problem,
            &(gmem_alias_spec_t){high, whole, 90, .is_optional = false},
            NULL) == GMEM_OK);
  gmem_packing_t packing = packing_of(problem, 0);
  uint64_t *offsets = offsets_for(&packing);
  CHECK(packing.count == 2 && packing.part_count > 1);
  for (uint32_t i = 0; i < packing.count; ++i)
    offsets[i] = packing.items[i].size == 70 ? 100 : 0;
  gmem_search_t search = search_of(ENOUGH);
  CHECK(gmem_pack(gmem_hill_climb_pack, &packing, &search, offsets, NULL) ==
        GMEM_OK);
  CHECK(gmem_packing_peak(&packing, offsets) == 100);
  for (uint32_t i = 0; i < packing.count; ++i)
    CHECK(packing.items[i].size == 70 ? offsets[i] >= 10 && offsets[i] <= 20
                                      : offsets[i] == 0);
  free(offsets);
  gmem_packing_destroy(&packing);
  gmem_problem_destroy(problem);
}

// The goal may be above the bound; a placement that is as good stays.
static void it_stops_at_the_goal(void) {
  gmem_problem_t *problem = tiling(BAD_SEED, 16, 1);
  gmem_packing_t packing = packing_of(problem, 0);
  uint64_t *offsets = offsets_for(&packing), *before = offsets_for(&packing);
  CHECK(place_first(&packing, offsets));
  memcpy(before, offsets, packing.count * sizeof *before);
  packing.goal = gmem_packing_peak(&packing, offsets);
  CHECK(packing.goal > packing.bound);
  gmem_search_t search = search_of(10000000);
  CHECK(gmem_pack(gmem_hill_climb_pack, &packing, &search, offsets, NULL) ==
        GMEM_OK);
  CHECK(search.steps == 0);
  CHECK(memcmp(offsets, before, packing.count * sizeof *before) == 0);
  free(offsets);
  free(before);
  gmem_packing_destroy(&packing);
  gmem_problem_destroy(problem);
}

static void every_allocation_may_fail(bool is_plain) {
  gmem_problem_t *problem = tiling(BAD_SEED, 16, 1);
  gmem_packing_t packing = packing_of(problem, 0);
  packing.is_plain = is_plain;
  uint64_t *offsets = offsets_for(&packing);
  heap_t heap = {0};
  gmem_allocator_t allocator = {&heap, heap_alloc, heap_free};
  const gmem_allocator_t *usual = packing.allocator;
  packing.allocator = &allocator;
  gmem_status_t status = GMEM_ERR_OUT_OF_MEMORY;
  while (status != GMEM_OK) {
    CHECK(place_first(&packing, offsets) || heap.fail_at > 0);
    gmem_search_t search = search_of(1000);
    heap.calls = 0;
    ++heap.fail_at;
    status = gmem_pack(gmem_hill_climb_pack, &packing, &search, offsets, NULL);
    CHECK(status == GMEM_OK || status == GMEM_ERR_OUT_OF_MEMORY);
    CHECK(heap.live_blocks == 0 && heap.live_bytes == 0);
    CHECK(placement_holds(&packing, offsets));
    heap.calls = heap.fail_at; // first fit gets all it wants
  }
  CHECK(heap.fail_at > 8);
  packing.allocator = usual;
  free(offsets);
  gmem_packing_destroy(&packing);
  gmem_problem_destroy(problem);
}

int main(void) {
  placements_hold();
  placements_with_lists_hold();
  tilings_are_solved(1);
  tilings_are_solved(64);
  gaps_between_parts_are_used();
  it_stops_at_the_goal();
  every_allocation_may_fail(true);
  every_allocation_may_fail(false);
  return CHECK_RESULT();
}
