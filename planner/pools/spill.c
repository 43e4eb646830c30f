// spill.c - selects the items that stay in a pool that is too small for all.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The benefit of an item is the loss when it moves to its next candidate
// (benefit.h): without speeds, its traffic, uses * size bytes. Its cost is size
// bytes in the sections where the pool is overloaded. So items are selected in
// order of
//
//   loss / (size * overloaded sections)
//
// and, on ties, of the larger loss. Items without another candidate, and those
// that are only live where there is room, come first. An item stays when the
// pressure of all items selected so far remains below the limit everywhere: a
// tree over the sections stores the maximum, so all items take O(n log n).
// Items whose pressure fits need not have a placement that fits; the engine is
// then run again with a lower limit on the pressure. At the end, removed items
// return, in the same order, into gaps of the placement.

#include "pool_state.h"

#include <assert.h>
#include <string.h>

#include "benefit.h"
#include "packing_query.h"
#include "taken.h"

enum { MOST_RUNS = 8 };
// How many pairs of items are inspected to return items.
static const uint64_t MOST_PAIRS = UINT64_C(1) << 26;

// Pressure by section: range add and range maximum, iterative. A node stores
// the maximum below it, without the pending additions above it.
typedef struct pressure_tree_s {
  uint64_t *most;
  uint64_t *pending;
  size_t leaves; // a power of two
} pressure_tree_t;

typedef struct spill_s {
  gmem_pools_t *pools;
  gmem_scratch_t memory;
  const gmem_packing_t *packing;
  gmem_order_t
      *order; // items by rank, the first is selected first; and scratch
  uint32_t *overloaded; // number of overloaded sections before each section
  uint32_t *pool_of;    // by buffer, for the packing of the selected items
  bool *stays;          // by item: selected
  pressure_tree_t tree;
  uint32_t
      pinned_count; // items without another candidate: the first of |order|
} spill_t;

//===--- pressure ---------------------------------------------------------===//

static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

static void renew(pressure_tree_t *tree, size_t node) {
  for (node /= 2; node; node /= 2)
    tree->most[node] = larger(tree->most[2 * node], tree->most[2 * node + 1]) +
                       tree->pending[node];
}

// Adds |bytes|, possibly negative (modulo 2^64).
static void add_pressure(pressure_tree_t *tree, gmem_span_t span,
                         uint64_t bytes) {
  size_t begin = span.begin + tree->leaves, end = span.end + tree->leaves;
  assert(begin < end && span.end <= tree->leaves);
  for (size_t low = begin, high = end; low < high; low /= 2, high /= 2) {
    if (low & 1) {
      tree->most[low] += bytes;
      tree->pending[low++] += bytes;
    }
    if (high & 1) {
      tree->most[--high] += bytes;
      tree->pending[high] += bytes;
    }
  }
  renew(tree, begin);
  renew(tree, end - 1);
}

static uint64_t pending_above(const pressure_tree_t *tree, size_t node) {
  uint64_t sum = 0;
  for (node /= 2; node; node /= 2)
    sum += tree->pending[node];
  return sum;
}

static uint64_t max_pressure(const pressure_tree_t *tree, gmem_span_t span) {
  uint64_t most = 0;
  size_t low = span.begin + tree->leaves, high = span.end + tree->leaves;
  for (; low < high; low /= 2, high /= 2) {
    if (low & 1) {
      most = larger(most, tree->most[low] + pending_above(tree, low));
      ++low;
    }
    if (high & 1) {
      --high;
      most = larger(most, tree->most[high] + pending_above(tree, high));
    }
  }
  return most;
}

static void add_item(spill_t *spill, const gmem_item_t *item, bool removed) {
  for (gmem_live_part_t live = {0};
       gmem_next_live(spill->packing, item, &live);)
    add_pressure(&spill->tree, live.span,
                 removed ? live.begin - live.end : live.end - live.begin);
}

//===--- benefit ----------------------------------------------------------===//

// The loss when the item moves to its next candidate.
static gmem_benefit_t loss_of(const spill_t *spill, uint32_t item) {
  const gmem_packing_t *packing = spill->packing;
  uint32_t first = packing->members[packing->items[item].member].buffer, next;
  gmem_benefit_t here = 0, there = 0;
  if (!gmem_next_pool(spill->pools, first, &next))
    return 0;
  for (uint32_t i = packing->items[item].member;
       i < gmem_members_end(packing, item); ++i) {
    uint32_t buffer = packing->members[i].buffer;
    here += gmem_benefit_in(packing->problem, buffer, packing->pool);
    there += gmem_benefit_in(packing->problem, buffer, next);
  }
  return here > there ? here - there : 0;
}

static uint64_t cut(gmem_benefit_t benefit) {
  return benefit > UINT64_MAX ? UINT64_MAX : (uint64_t)benefit;
}

// Smaller keys are selected first.
static uint64_t rank_key(const spill_t *spill, uint32_t index) {
  const gmem_item_t *item = &spill->packing->items[index];
  uint64_t sections =
      spill->overloaded[item->end] - spill->overloaded[item->begin];
  if (!gmem_item_can_spill(spill->pools, spill->packing, index))
    return 0;
  if (sections == 0)
    return 1;
  // Per byte and section, in 2^24ths.
  gmem_benefit_t loss = loss_of(spill, index);
  gmem_benefit_t per_byte =
      loss >> 96 ? loss / item->size << 24 : (loss << 24) / item->size;
  uint64_t benefit = cut(per_byte / sections);
  return benefit > UINT64_MAX - 2 ? 2 : UINT64_MAX - benefit;
}

static void sort_by_rank(spill_t *spill) {
  uint32_t count = spill->packing->count;
  gmem_order_t *order = spill->order;
  for (uint32_t i = 0; i < count; ++i)
    order[i] = (gmem_order_t){~cut(loss_of(spill, i)), i};
  gmem_sort_order(order, order + count, count);
  for (uint32_t i = 0; i < count; ++i)
    order[i].key = rank_key(spill, order[i].index);
  gmem_sort_order(order, order + count, count);
  while (spill->pinned_count < count && order[spill->pinned_count].key == 0)
    ++spill->pinned_count;
}

static gmem_status_t count_overloaded(spill_t *spill) {
  const gmem_packing_t *packing = spill->packing;
  size_t sections = packing->section_count;
  uint64_t *needed, most;
  GMEM_TRY_NEW(needed, &spill->memory, sections);
  GMEM_TRY(gmem_packing_pressure(packing, needed, &most, spill->memory.diag));
  // When the pressure fits everywhere, the sections with the highest pressure
  // count as overloaded.
  uint64_t limit = most > packing->limit ? packing->limit : most - most / 8;
  spill->overloaded[0] = 0;
  for (size_t i = 0; i < sections; ++i)
    spill->overloaded[i + 1] = spill->overloaded[i] + (needed[i] > limit);
  gmem_scratch_drop(&spill->memory, needed);
  return GMEM_OK;
}

//===--- selection --------------------------------------------------------===//

static void choose_by_pressure(spill_t *spill, uint64_t limit) {
  pressure_tree_t *tree = &spill->tree;
  memset(tree->most, 0, 2 * tree->leaves * sizeof *tree->most);
  memset(tree->pending, 0, 2 * tree->leaves * sizeof *tree->pending);
  for (uint32_t i = 0; i < spill->packing->count; ++i) {
    uint32_t index = spill->order[i].index;
    const gmem_item_t *item = &spill->packing->items[index];
    gmem_span_t hull = {item->begin, item->end};
    bool is_pinned = i < spill->pinned_count;
    spill->stays[index] = is_pinned || item->size <= limit;
    if (!spill->stays[index])
      continue;
    add_item(spill, item, false);
    if (is_pinned || max_pressure(tree, hull) <= limit)
      continue;
    add_item(spill, item, true);
    spill->stays[index] = false;
  }
}

static void mark_members(spill_t *spill) {
  const gmem_packing_t *packing = spill->packing;
  for (uint32_t i = 0; i < packing->member_count; ++i) {
    const gmem_member_t *member = &packing->members[i];
    spill->pool_of[member->buffer] =
        spill->stays[member->item] ? packing->pool : GMEM_NO_POOL;
  }
}

// Maps the placement of |part| to offsets of the items of the whole packing.
// |plan|: by buffer, scratch.
static void take_offsets(const spill_t *spill, const gmem_packing_t *part,
                         const uint64_t *placed, gmem_placement_t *plan,
                         uint64_t *offsets) {
  const gmem_packing_t *packing = spill->packing;
  gmem_packing_write(part, placed, plan);
  for (uint32_t i = 0; i < packing->count; ++i) {
    const gmem_member_t *first = &packing->members[packing->items[i].member];
    offsets[i] = spill->stays[i] ? plan[first->buffer].offset - first->offset
                                 : GMEM_NOT_FIXED;
  }
}

// Packs the selected items as |part|; *out_peak is GMEM_UNLIMITED when the
// engine was not run, because the lower bound exceeds the limit and this is not
// the last attempt.
static gmem_status_t pack_part(spill_t *spill, gmem_packing_t *part,
                               bool is_last, uint64_t *offsets,
                               uint64_t *out_peak) {
  const gmem_problem_t *problem = spill->packing->problem;
  gmem_diag_t *diag = spill->memory.diag;
  uint64_t *placed;
  *out_peak = GMEM_UNLIMITED;
  mark_members(spill);
  GMEM_TRY(gmem_packing_create(problem, spill->packing->pool, spill->pool_of,
                               spill->pools->chosen, spill->pools->groups, part,
                               diag));
  GMEM_TRY_NEW(placed, &part->memory, part->count);
  if (is_last || part->bound <= part->limit)
    GMEM_TRY(gmem_run_engine(spill->pools, part, 2, placed, out_peak));
  if (*out_peak <= part->limit)
    take_offsets(spill, part, placed, spill->pools->plan, offsets);
  else if (is_last)
    return gmem_fail_over_limit(part, placed, diag);
  return GMEM_OK;
}

static gmem_status_t pack_selected(spill_t *spill, bool is_last,
                                   uint64_t *offsets, uint64_t *out_peak) {
  gmem_packing_t part;
  gmem_status_t status = pack_part(spill, &part, is_last, offsets, out_peak);
  gmem_packing_destroy(&part);
  return status;
}

static uint64_t lower_limit(uint64_t limit, uint64_t peak, uint64_t allowed) {
  uint64_t excess = peak == GMEM_UNLIMITED ? 0 : peak - allowed;
  uint64_t step = larger(excess, allowed / 32 + 1);
  return limit > step ? limit - step : 0;
}

// Packs fewer and fewer items until they fit.
static gmem_status_t pack_fewer(spill_t *spill, uint64_t *offsets) {
  uint64_t limit = spill->packing->limit, peak = GMEM_UNLIMITED;
  gmem_status_t status = GMEM_OK;
  for (int run = 0; run <= MOST_RUNS; ++run) {
    bool is_last = run == MOST_RUNS;
    choose_by_pressure(spill, is_last ? 0 : limit);
    status = pack_selected(spill, is_last, offsets, &peak);
    if (status == GMEM_OK && peak <= spill->packing->limit)
      return GMEM_OK;
    if (status != GMEM_OK && status != GMEM_ERR_OVER_BUDGET)
      return status;
    limit = lower_limit(limit, peak, spill->packing->limit);
  }
  return status;
}

//===--- return of removed items ------------------------------------------===//

// Lists the intervals in which |item| would overlap interfering items of the
// pool.
static size_t list_taken(const spill_t *spill, uint32_t item,
                         const uint64_t *offsets, gmem_taken_t *taken) {
  size_t count = 0;
  for (uint32_t i = 0; i < spill->packing->count; ++i)
    count += offsets[i] != GMEM_NOT_FIXED &&
             gmem_taken_by(spill->packing, item, i, offsets[i], &taken[count]);
  gmem_taken_sort(taken, count);
  return count;
}

static gmem_status_t return_items(spill_t *spill, uint64_t *offsets) {
  const gmem_packing_t *packing = spill->packing;
  gmem_taken_t *taken;
  GMEM_TRY_NEW(taken, &spill->memory, packing->count);
  uint64_t pairs = 0;
  for (uint32_t i = 0; i < packing->count && pairs < MOST_PAIRS; ++i) {
    uint32_t item = spill->order[i].index;
    if (offsets[item] != GMEM_NOT_FIXED)
      continue;
    pairs += packing->count;
    // Distances to such an item would overflow.
    if (packing->items[item].extent > GMEM_MAX_ADDRESS)
      continue;
    size_t count = list_taken(spill, item, offsets, taken);
    uint64_t offset;
    if (gmem_taken_find_gap(packing, &packing->items[item], taken, count,
                            &offset))
      offsets[item] = offset;
  }
  gmem_search_spend(spill->pools->search, pairs);
  return GMEM_OK;
}

//===--- the whole --------------------------------------------------------===//

static gmem_status_t choose_stay(spill_t *spill, uint64_t *offsets) {
  const gmem_packing_t *packing = spill->packing;
  uint32_t buffers = gmem_problem_buffer_count(packing->problem);
  gmem_scratch_t *memory = &spill->memory;
  pressure_tree_t *tree = &spill->tree;
  for (tree->leaves = 1; tree->leaves < packing->section_count;)
    tree->leaves *= 2;
  GMEM_TRY_NEW(tree->most, memory, 2 * tree->leaves);
  GMEM_TRY_NEW(tree->pending, memory, 2 * tree->leaves);
  GMEM_TRY_NEW(spill->order, memory, 2 * (size_t)packing->count);
  GMEM_TRY_NEW(spill->overloaded, memory, (size_t)packing->section_count + 1);
  GMEM_TRY_NEW(spill->pool_of, memory, buffers);
  GMEM_TRY_NEW(spill->stays, memory, packing->count);
  for (uint32_t i = 0; i < buffers; ++i)
    spill->pool_of[i] = GMEM_NO_POOL;
  GMEM_TRY(count_overloaded(spill));
  sort_by_rank(spill);
  GMEM_TRY(pack_fewer(spill, offsets));
  return return_items(spill, offsets);
}

gmem_status_t gmem_choose_stay(gmem_pools_t *pools,
                               const gmem_packing_t *packing,
                               uint64_t *offsets) {
  spill_t spill = {
      .pools = pools,
      .memory = {.allocator = packing->allocator, .diag = pools->diag},
      .packing = packing};
  gmem_status_t status = choose_stay(&spill, offsets);
  gmem_scratch_free(&spill.memory);
  return status;
}
