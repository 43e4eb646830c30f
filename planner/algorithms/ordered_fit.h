// ordered_fit.h - places the items of a packing in a given order, each in a gap
// between the items placed before.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   gmem_ordered_fit_t fit;
//   GMEM_TRY(gmem_ordered_fit_create(packing, memory, &fit));
//   ... fill fit.order[0 .. count) with every item once ...
//   GMEM_TRY(gmem_ordered_fit_run(&fit, GMEM_FIT_BEST, search, offsets));

#ifndef GMEM_PLANNER_ORDERED_FIT_H_
#define GMEM_PLANNER_ORDERED_FIT_H_

#include "adjacency.h"
#include "item_order.h"
#include "max_tree.h"
#include "packing.h"
#include "section_lists.h"
#include "time_blocks.h"

// Which of the gaps that are large enough; above all barriers when none is.
typedef enum gmem_fit_rule_e {
  GMEM_FIT_FIRST, // the lowest
  GMEM_FIT_BEST,  // the smallest; of equal gaps the lowest
} gmem_fit_rule_t;

typedef struct gmem_ordered_fit_s {
  const gmem_packing_t *packing;
  gmem_scratch_t *memory;
  gmem_order_t *order; // count + scratch; |index| is the item
  bool *is_placed;     // by item
  // Of a whole packing; the rest is for others.
  gmem_time_blocks_t blocks;
  uint64_t ceiling; // a run is given up when an item does not end below it
  bool is_given_up;
  gmem_adjacency_t adjacency; // not complete when there are too many conflicts
  gmem_section_lists_t lists; // used then, unless items are live for long
  gmem_max_tree_t live;       // then: by item, its end once it is placed
  uint32_t *others;   // placed items that interfere with the current one
  uint64_t found;     // entries or items that were visited to find them
  gmem_order_t *lows; // by |low| of the barriers; and scratch
  // Open intervals of offsets that are infeasible for the current item.
  gmem_clash_t *barriers;
  size_t barrier_room;
} gmem_ordered_fit_t;

// Prepares for |packing|, which must outlive |fit|, in |memory|. Fails with
// OUT_OF_MEMORY.
gmem_status_t gmem_ordered_fit_create(const gmem_packing_t *packing,
                                      gmem_scratch_t *memory,
                                      gmem_ordered_fit_t *fit);

// Places all items: first the fixed ones, then the others in the order of
// fit->order, which lists every item once. May be called again with another
// order. When the work limit of |search| is reached, the remaining items are
// placed above all items that they may interfere with. When the run of a whole
// packing is given up at fit->ceiling, |offsets| are no placement. Fails with
// OVERLAP (fixed items), OVER_BUDGET (an offset above GMEM_MAX_ADDRESS) or
// OUT_OF_MEMORY.
gmem_status_t gmem_ordered_fit_run(gmem_ordered_fit_t *fit,
                                   gmem_fit_rule_t rule, gmem_search_t *search,
                                   uint64_t *offsets);

// The same for a rule that only the caller's own limit of work and cancellation
// end early: its work does not count towards the limit of the effort.
gmem_status_t gmem_ordered_fit_run_whole(gmem_ordered_fit_t *fit,
                                         gmem_fit_rule_t rule,
                                         gmem_search_t *search,
                                         uint64_t *offsets);

// Places all items of the task by first fit in the order of |offsets|, and
// replaces these. Fails as gmem_ordered_fit_run does.
gmem_status_t gmem_ordered_fit_settle(const gmem_task_t *task,
                                      uint64_t *offsets);

// Creates and runs with one order: a named rule.
gmem_status_t gmem_ordered_fit_pack(const gmem_task_t *task,
                                    gmem_item_key_t key, gmem_fit_rule_t rule);

#endif // GMEM_PLANNER_ORDERED_FIT_H_
