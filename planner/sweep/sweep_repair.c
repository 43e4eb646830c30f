// sweep_repair.c - re-places the items that a sweep left above the goal,
// together with the items around them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A sweep of a large problem misses the goal only at the few times at which the
// pressure is close to the bound. The items around each such time are removed
// and placed again, with all others as obstacles:
//
//   goal  ----------------####------------
//           +--+  +--------+  +-----+          #: above the goal
//           |  |  | window |  |     |
//           +--+--+--------+--+-----+
//
// A window that cannot be packed below the goal is enlarged. It is packed with
// adaptive orders (sweep_wheel.c) and, if that fails, with thorough searches
// (sweep_climb.c).

#include "sweep_repair.h"

#include <assert.h>

#include "search.h"
#include "sweep_climb.h"
#include "sweep_wheel.h"

enum {
  SMALL = 2000,     // items: left to the later stages
  CLIMB_TRIES = 16, // attempts before a climb is made in a window
  CLIMB_SHIFT = 16, // log2 of a climb's work, for each attempt
};

static void repair_item(gmem_repair_t *repair, uint32_t item, uint32_t tries) {
  for (uint32_t count = 32; count <= 4 * GMEM_REPAIR_MAX_FREE; count *= 4) {
    if (!gmem_repair_open_window(repair, item, count))
      break;
    uint64_t peak = gmem_repair_improve_window(repair, tries);
    if (peak > repair->goal && tries >= CLIMB_TRIES) {
      gmem_repair_climb(repair, (uint64_t)tries << CLIMB_SHIFT);
      peak = gmem_repair_window_peak(repair);
    }
    if (repair->status != GMEM_OK)
      return;
    if (peak <= repair->goal || repair->search->steps >= repair->limit)
      break;
    if (repair->free_count == repair->packing->count)
      break;
  }
  uint64_t end = gmem_repair_end_of(repair, item);
  repair->target = repair->target < end ? end : repair->target;
}

// Lists the items that end above the goal.
static void list_bad(gmem_repair_t *repair) {
  repair->bad_count = 0;
  for (uint32_t i = 0; i < repair->packing->count; ++i)
    if (gmem_repair_end_of(repair, i) > repair->goal)
      repair->bad[repair->bad_count++] = i;
  repair->steps += repair->packing->count / 4;
}

// The item of the list that ends highest; the list is not empty. A window that
// stays above the goal adds no item above |target|.
static uint32_t worst_item(gmem_repair_t *repair) {
  uint32_t worst = repair->bad[0];
  for (uint32_t i = 1; i < repair->bad_count; ++i)
    if (gmem_repair_end_of(repair, repair->bad[i]) >
        gmem_repair_end_of(repair, worst))
      worst = repair->bad[i];
  repair->steps += repair->bad_count / 4;
  return worst;
}

static void repair_all(gmem_repair_t *repair) {
  for (uint32_t tries = 4; repair->search->steps < repair->limit; tries *= 2) {
    ++repair->round;
    repair->target = repair->goal;
    list_bad(repair);
    for (uint32_t item; repair->bad_count && repair->status == GMEM_OK &&
                        gmem_repair_end_of(repair, item = worst_item(repair)) >
                            repair->target &&
                        gmem_repair_spend(repair);)
      repair_item(repair, item, tries);
    if (repair->bad_count == 0 || tries >= 1024 || repair->status != GMEM_OK)
      return;
  }
}

// A small problem is left to the later stages; for a large one this is the only
// repair.
static uint64_t steps_of(const gmem_repair_t *repair) {
  uint64_t count = repair->packing->count;
  bool is_fast = gmem_search_effort(repair->search) == GMEM_EFFORT_FAST;
  bool is_small = count <= SMALL;
  assert(count > 0);
  uint64_t few = UINT64_C(1) << (is_fast ? 18 : is_small ? 22 : 26);
  uint64_t most = UINT64_C(1) << (is_fast ? 24 : 28);
  uint64_t steps = few + count * (is_fast ? 256 : 4096);
  return (steps < most ? steps : most) + 8 * count;
}

// Initializes everything but arrays, of which those of the window need no
// values.
static void start(gmem_repair_t *repair, const gmem_packing_t *packing,
                  const gmem_hulls_t *hulls, gmem_search_t *search,
                  uint64_t *offsets) {
  repair->packing = packing;
  repair->allocator = packing->allocator;
  repair->status = GMEM_OK;
  repair->hulls = hulls;
  repair->search = search;
  repair->offsets = offsets;
  repair->goal = packing->goal;
  repair->limit = search->steps + steps_of(repair);
  repair->steps = repair->seed = 0;
  repair->end_count = 0;
  repair->level_count = 0;
  repair->tight_item_count = 0;
  repair->round = UINT32_MAX; // the first is 0
  gmem_repair_size_tree(repair);
}

gmem_status_t gmem_sweep_repair(const gmem_packing_t *packing,
                                const gmem_hulls_t *hulls,
                                gmem_search_t *search, uint64_t *offsets,
                                gmem_scratch_t *memory) {
  gmem_repair_t *repair;
  GMEM_TRY_NEW(repair, memory, 1);
  start(repair, packing, hulls, search, offsets);
  repair->diag = memory->diag;
  GMEM_TRY_ZEROS(repair->ends, memory, repair->end_count);
  GMEM_TRY_NEW(repair->order, memory, packing->count);
  GMEM_TRY_NEW(repair->scratch, memory, packing->count);
  GMEM_TRY_NEW(repair->bad, memory, packing->count);
  gmem_repair_fill_tree(repair);
  gmem_repair_find_tight_items(repair);
  repair_all(repair);
  return repair->status;
}
