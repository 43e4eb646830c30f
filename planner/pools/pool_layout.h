// pool_layout.h - a plan of several pools that is modified one item at a time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An *item* of the layout moves between pools: a buffer, or an offset group.
// Each pool has a packing of all items that have it as a candidate, whether
// they are placed there or not, so sizes and interference are known in every
// pool.

#ifndef GMEM_PLANNER_POOL_LAYOUT_H_
#define GMEM_PLANNER_POOL_LAYOUT_H_

#include "benefit.h"
#include "pool_state.h"
#include "taken.h"

#define GMEM_NOWHERE UINT32_MAX

typedef struct gmem_candidate_s {
  uint32_t pool;
  uint32_t item; // in the packing of that pool
  gmem_benefit_t benefit;
} gmem_candidate_t;

typedef struct gmem_pool_item_s {
  uint32_t first, count; // in |candidates|, in order of preference
  uint32_t buffer;       // its first buffer
  uint32_t at;     // its placement: one of its candidates, or GMEM_NOWHERE
  uint64_t offset; // of its item in that pool
  uint32_t slot;   // index in |placed| of that pool
  uint32_t best;   // the candidate with the highest benefit
  bool is_fixed;
} gmem_pool_item_t;

typedef struct gmem_layout_pool_s {
  gmem_packing_t packing; // of all items that may be placed there
  uint32_t *placed;       // the items that are
  uint32_t placed_count;
} gmem_layout_pool_t;

typedef struct gmem_pool_layout_s {
  gmem_pools_t *pools;
  gmem_scratch_t memory;
  uint32_t pool_count, item_count, buffer_count;
  gmem_layout_pool_t *planned; // by pool
  gmem_pool_item_t *items;     // in canonical order
  gmem_candidate_t *candidates;
  size_t candidate_count, candidate_room;
  uint32_t *item_of;      // by buffer; GMEM_NOWHERE: size 0
  gmem_taken_t *taken;    // result of gmem_layout_list_taken; |by|: an item
  gmem_benefit_t benefit; // of all placements
  uint32_t nowhere;       // number of items that are not placed
} gmem_pool_layout_t;

// Creates the layout with only the fixed items placed. |pools| provides the
// offset groups and chosen aliases; its |pool_of| is used as scratch.
// *out_fits: false when an item has no candidate, or the layout exceeds its
// size limits. Fails with OUT_OF_MEMORY; the layout may be destroyed even after
// failure.
gmem_status_t gmem_layout_create(gmem_pools_t *pools,
                                 gmem_pool_layout_t *layout, bool *out_fits);
void gmem_layout_destroy(gmem_pool_layout_t *layout);

// Removes every item that is not fixed.
void gmem_layout_clear(gmem_pool_layout_t *layout);
// Places all items as |plan| does. False when one of its placements is
// invalid.
bool gmem_layout_load(gmem_pool_layout_t *layout, const gmem_placement_t *plan);
// Writes the placements of the items; buffers of size 0 are left unchanged.
void gmem_layout_store(const gmem_pool_layout_t *layout,
                       gmem_placement_t *plan);

void gmem_layout_put(gmem_pool_layout_t *layout, uint32_t item, uint32_t at,
                     uint64_t offset);
void gmem_layout_remove(gmem_pool_layout_t *layout, uint32_t item);

static inline gmem_candidate_t *
gmem_layout_candidate(const gmem_pool_layout_t *layout, uint32_t item,
                      uint32_t at) {
  return &layout->candidates[layout->items[item].first + at];
}

// The candidate with the highest benefit.
static inline gmem_candidate_t *
gmem_layout_best(const gmem_pool_layout_t *layout, uint32_t item) {
  return gmem_layout_candidate(layout, item, layout->items[item].best);
}

// The benefit of its placement; 0 when it is not placed.
gmem_benefit_t gmem_layout_worth(const gmem_pool_layout_t *layout,
                                 uint32_t item);

// Lists the intervals of items that interfere with |item| in its candidate
// |at|, sorted by begin.
size_t gmem_layout_list_taken(gmem_pool_layout_t *layout, uint32_t item,
                              uint32_t at);

// The lowest free offset for |item| in its candidate |at|; false when there is
// none.
bool gmem_layout_find_gap(gmem_pool_layout_t *layout, uint32_t item,
                          uint32_t at, uint64_t *out_offset);

// Places |item| in the first of its candidates that has a gap; false when none
// has.
bool gmem_layout_place(gmem_pool_layout_t *layout, uint32_t item);

//===--- searches, each in the file that is named -------------------------===//

// The best plan so far.
typedef struct gmem_best_plan_s {
  gmem_placement_t *plan; // by buffer
  gmem_benefit_t benefit;
  bool exists;
} gmem_best_plan_t;

// pool_climb.c: moves items of |layout| to more beneficial candidates,
// evicting less beneficial ones, until no step improves or the work limit of
// the stage is reached. All items must be placed, and are placed at the end.
// |scratch|: room for two entries per item.
void gmem_pool_climb(gmem_pool_layout_t *layout, gmem_order_t *scratch);

enum { GMEM_POOL_TREE_ITEMS = 40 };

// pool_tree.c: for few items, searches for the plan with the highest benefit
// by branch and bound, and keeps it in |best| when it is better. Temporary
// arrays are in the memory of |layout|. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_pool_tree(gmem_pool_layout_t *layout,
                             gmem_best_plan_t *best);

#endif // GMEM_PLANNER_POOL_LAYOUT_H_
