// merge_search.c - searches on merged items.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "merge_search.h"

#include <string.h>

#include "adjacency.h"
#include "algorithms.h"
#include "branch_and_bound.h"
#include "merge.h"
#include "ordered_fit.h"
#include "packing_query.h"
#include "search.h"

enum {
  // Orders are tried up to this many conflicts per item, or this many in total.
  PAIRS_PER_ITEM = 50,
  FREE_PAIRS = 1 << 18,
  // At fast effort only up to this many items are merged.
  MOST_AT_FAST = 1 << 16,
  // Above this many rectangles the exact search rarely completes: it gets an
  // eighth of the work, otherwise the climb does.
  TOO_MANY = 320,
};

static bool is_done(const gmem_merge_t *merge) {
  return gmem_packing_peak(&merge->packing, merge->offsets) <=
         merge->packing.goal;
}

static gmem_status_t try_orders(gmem_merge_t *merge, gmem_search_t *search,
                                gmem_scratch_t *memory) {
  const gmem_packing_t *packing = &merge->packing;
  uint64_t *trial = merge->offsets + merge->whole->count, pairs = 0;
  GMEM_TRY(gmem_count_conflicts(packing, NULL, &pairs, memory));
  if (pairs > FREE_PAIRS + (uint64_t)PAIRS_PER_ITEM * packing->count)
    return GMEM_OK;
  GMEM_TRY(
      gmem_pack(gmem_multi_order_pack, packing, search, trial, memory->diag));
  if (gmem_packing_peak(packing, trial) <
      gmem_packing_peak(packing, merge->offsets))
    memcpy(merge->offsets, trial, packing->count * sizeof *trial);
  return GMEM_OK;
}

static uint64_t steps_to_climb(uint32_t count, uint64_t steps) {
  return count <= TOO_MANY ? steps / 8 : steps - steps / 8;
}

// Gives the climb its part of the work of the stage.
static gmem_status_t climb(gmem_merge_t *merge, gmem_search_t *search,
                           gmem_diag_t *diag) {
  uint64_t limit = search->stage_limit;
  uint64_t left = limit > search->steps ? limit - search->steps : 0;
  gmem_search_limit_stage(search, steps_to_climb(merge->packing.count, left));
  GMEM_TRY(gmem_pack(gmem_hill_climb_pack, &merge->packing, search,
                     merge->offsets, diag));
  search->stage_limit = limit;
  return GMEM_OK;
}

// |exact_only|: without the climb.
static gmem_status_t place(gmem_merge_t *merge, gmem_search_t *search,
                           bool exact_only, gmem_scratch_t *memory) {
  gmem_diag_t *diag = memory->diag;
  const gmem_packing_t *packing = &merge->packing;
  uint64_t *offsets = merge->offsets;
  GMEM_TRY(gmem_pack(gmem_sweep_pack, packing, search, offsets, diag));
  if (!is_done(merge))
    GMEM_TRY(try_orders(merge, search, memory));
  if (is_done(merge) || gmem_search_effort(search) == GMEM_EFFORT_FAST)
    return GMEM_OK;
  if (!exact_only)
    GMEM_TRY(climb(merge, search, diag));
  if (!is_done(merge))
    GMEM_TRY(gmem_pack(gmem_exact_pack, packing, search, offsets, diag));
  search->proved = false; // of the merged items only
  return GMEM_OK;
}

static gmem_status_t search_merged(const gmem_task_t *task, bool exact_only) {
  const gmem_packing_t *packing = task->packing;
  uint64_t peak = gmem_packing_peak(packing, task->offsets);
  gmem_merge_t merge;
  GMEM_TRY(gmem_merge_create(packing, 0, task->search, task->memory, &merge));
  if (merge.root_count > packing->count - packing->count / 16)
    return GMEM_OK; // too few are merged
  if (exact_only && !gmem_branch_and_bound_supports(&merge.packing))
    return GMEM_OK;
  merge.packing.ceiling = peak; // a placement that is not lower is not kept
  GMEM_TRY(place(&merge, task->search, exact_only, task->memory));
  if (gmem_packing_peak(&merge.packing, merge.offsets) < peak)
    gmem_merge_unfold(&merge, merge.offsets, task->offsets);
  return GMEM_OK;
}

// Merges what nearly forms rectangles, with a tolerance in bytes. The items are
// then placed in the order of the offsets that result.
static gmem_status_t search_nearly_merged(const gmem_task_t *task,
                                          uint64_t tolerance) {
  const gmem_packing_t *packing = task->packing;
  uint64_t peak = gmem_packing_peak(packing, task->offsets), *offsets;
  gmem_merge_t merge;
  GMEM_TRY(gmem_merge_create(packing, tolerance, task->search, task->memory,
                             &merge));
  if (merge.root_count > packing->count / 2 || merge.packing.bound >= peak)
    return GMEM_OK;
  GMEM_TRY_NEW(offsets, task->memory, packing->count);
  GMEM_TRY(place(&merge, task->search, false, task->memory));
  gmem_merge_unfold(&merge, merge.offsets, offsets);
  GMEM_TRY(gmem_ordered_fit_settle(task, offsets));
  if (gmem_packing_peak(packing, offsets) < peak)
    memcpy(task->offsets, offsets, packing->count * sizeof *offsets);
  return GMEM_OK;
}

// The same with larger and larger tolerances: fractions of the bound.
static gmem_status_t search_tolerances(const gmem_task_t *task) {
  enum { FIRST = 14, LAST = 7, SHARE = 4 };
  gmem_search_t *search = task->search;
  uint64_t limit = search->stage_limit;
  for (int shift = FIRST; shift >= LAST; --shift) {
    gmem_scratch_t memory = {.allocator = task->packing->allocator,
                             .diag = task->memory->diag};
    gmem_task_t part = *task;
    part.memory = &memory;
    if (gmem_packing_peak(task->packing, task->offsets) <=
            task->packing->goal ||
        search->steps >= limit)
      return GMEM_OK;
    gmem_search_limit_stage(search, (limit - search->steps) / SHARE);
    gmem_status_t status =
        search_nearly_merged(&part, task->packing->bound >> shift);
    gmem_scratch_free(&memory);
    search->stage_limit = limit;
    GMEM_TRY(status);
  }
  return GMEM_OK;
}

static bool may_merge(const gmem_task_t *task) {
  const gmem_packing_t *packing = task->packing;
  return packing->is_plain && packing->bound <= GMEM_MAX_ADDRESS &&
         gmem_packing_peak(packing, task->offsets) > packing->goal &&
         (gmem_search_effort(task->search) != GMEM_EFFORT_FAST ||
          packing->count <= MOST_AT_FAST);
}

gmem_status_t gmem_merge_pack(const gmem_task_t *task) {
  return may_merge(task) ? search_merged(task, false) : GMEM_OK;
}

gmem_status_t gmem_merge_exact_pack(const gmem_task_t *task) {
  return may_merge(task) ? search_merged(task, true) : GMEM_OK;
}

gmem_status_t gmem_near_merge_pack(const gmem_task_t *task) {
  return may_merge(task) ? search_tolerances(task) : GMEM_OK;
}

gmem_status_t gmem_merge_then_exact_pack(const gmem_task_t *task) {
  gmem_search_t *search = task->search;
  uint64_t limit = search->stage_limit;
  uint64_t left = limit > search->steps ? limit - search->steps : 0;
  gmem_search_limit_stage(search, left - left / 4);
  if (may_merge(task))
    GMEM_TRY(search_merged(task, true));
  search->stage_limit = limit;
  return gmem_exact_pack(task);
}
