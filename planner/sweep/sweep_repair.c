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

#include "search.h"
#include "sweep_climb.h"
#include "sweep_wheel.h"

enum {
  SMALL = 2000,     // items: left to the later stages
  CLIMB_TRIES = 16, // attempts before a climb is made in a window
  CLIMB_SHIFT = 16, // log2 of a climb's work, for each attempt
};

static gmem_status_t repair_item(gmem_repair_t *repair, uint32_t item,
                                 uint32_t tries) {
  for (uint32_t count = 32; count <= 4 * GMEM_REPAIR_MAX_FREE; count *= 4) {
    if (!gmem_repair_open_window(repair, item, count))
      break;
    uint64_t peak = gmem_repair_improve_window(repair, tries);
    if (peak > repair->goal && tries >= CLIMB_TRIES) {
      GMEM_TRY(gmem_repair_climb(repair, (uint64_t)tries << CLIMB_SHIFT));
      peak = gmem_repair_window_peak(repair);
    }
    if (peak <= repair->goal || repair->search->steps >= repair->limit ||
        repair->free_count == repair->packing->count)
      break;
  }
  uint64_t end = gmem_repair_end_of(repair, item);
  repair->target = repair->target < end ? end : repair->target;
  return GMEM_OK;
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

static gmem_status_t repair_all(gmem_repair_t *repair) {
  for (uint32_t tries = 4; repair->search->steps < repair->limit; tries *= 2) {
    ++repair->round;
    repair->target = repair->goal;
    list_bad(repair);
    if (repair->bad_count == 0)
      return GMEM_OK;
    uint32_t worst;
    while ((worst = worst_item(repair),
            gmem_repair_end_of(repair, worst) > repair->target) &&
           gmem_repair_spend(repair))
      GMEM_TRY(repair_item(repair, worst, tries));
    if (tries >= 1024)
      return GMEM_OK;
  }
  return GMEM_OK;
}

// A small problem is left to the later stages; for a large one this is the only
// repair.
static uint64_t steps_of(const gmem_packing_t *packing,
                         const gmem_search_t *search) {
  uint64_t count = packing->count;
  bool is_fast = gmem_search_effort(search) == GMEM_EFFORT_FAST;
  uint64_t few = UINT64_C(1) << (is_fast ? 18 : count <= SMALL ? 22 : 26);
  uint64_t most = UINT64_C(1) << (is_fast ? 24 : 28);
  uint64_t steps = few + count * (is_fast ? 256 : 4096);
  return (steps < most ? steps : most) + 8 * count;
}

gmem_status_t gmem_sweep_repair(const gmem_task_t *task,
                                const gmem_hulls_t *hulls) {
  const gmem_packing_t *packing = task->packing;
  gmem_scratch_t *memory = task->memory;
  gmem_repair_t repair = {.packing = packing,
                          .hulls = hulls,
                          .search = task->search,
                          .memory = memory,
                          .offsets = task->offsets,
                          .goal = packing->goal,
                          .limit = task->search->steps +
                                   steps_of(packing, task->search),
                          .round = UINT32_MAX}; // the first is 0
  GMEM_TRY(gmem_end_tree_create(hulls, packing->count, memory, &repair.ends));
  GMEM_TRY_NEW(repair.free_items, memory, GMEM_REPAIR_MAX_FREE);
  GMEM_TRY_NEW(repair.kept, memory, GMEM_REPAIR_MAX_FREE);
  GMEM_TRY_NEW(repair.free_offsets, memory, GMEM_REPAIR_MAX_FREE);
  GMEM_TRY_NEW(repair.obstacles, memory, GMEM_REPAIR_MAX_SLOTS);
  GMEM_TRY_NEW(repair.slots, memory, GMEM_REPAIR_MAX_SLOTS);
  GMEM_TRY_NEW(repair.order, memory, packing->count);
  GMEM_TRY_NEW(repair.scratch, memory, packing->count);
  GMEM_TRY_NEW(repair.bad, memory, packing->count);
  gmem_repair_find_tight_items(&repair);
  return repair_all(&repair);
}
