// ordered_fit.c - places the items of a packing in a given order, each in a gap
// between the items placed before.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Each placed item that interferes with the new one is a barrier: an interval
// of offsets that are infeasible for the new one. The gaps are between the
// barriers, from the bottom to the top:
//
//        |#####|          |####|      |#######|
//   gap 0       gap 1           gap 2          on top
//
// Neighbours are read from interference lists while these are short (about 50
// per item); otherwise every placement queries a tree for the placed items that
// are live with the new one, so memory stays O(n).

#include "ordered_fit.h"

#include <assert.h>
#include <string.h>

#include "packing.h"
#include "packing_query.h"
#include "top_tree.h"

//===--- set-up -----------------------------------------------------------===//

// The memory limit of the interference lists, for any packing.
enum { PAIRS_PER_ITEM = 50, FREE_PAIRS = 1 << 20 };

// The work per neighbour, including sorting, and the additional work when the
// tree finds it.
enum { LISTED_STEPS = 6, FOUND_STEPS = 14 };

// The limit of barriers between two items with parts; above it they are merged
// into one.
enum { MOST_CLASHES = 64 };

gmem_status_t gmem_ordered_fit_create(const gmem_packing_t *packing,
                                      gmem_scratch_t *memory,
                                      gmem_ordered_fit_t *fit) {
  size_t count = packing->count;
  *fit = (gmem_ordered_fit_t){.packing = packing, .memory = memory};
  fit->barrier_room = count + (packing->part_count ? count + MOST_CLASHES : 0);
  GMEM_TRY_NEW(fit->order, memory, 2 * count);
  GMEM_TRY_NEW(fit->lows, memory, 2 * fit->barrier_room);
  GMEM_TRY_NEW(fit->barriers, memory, fit->barrier_room);
  GMEM_TRY_NEW(fit->others, memory, count);
  GMEM_TRY_NEW(fit->is_placed, memory, count);
  GMEM_TRY(gmem_adjacency_create(packing, count * PAIRS_PER_ITEM + FREE_PAIRS,
                                 memory, &fit->adjacency));
  return fit->adjacency.is_complete
             ? GMEM_OK
             : gmem_live_tree_create(packing, memory, &fit->live);
}

//===--- barriers ---------------------------------------------------------===//

static uint32_t gather_listed(gmem_ordered_fit_t *fit, uint32_t item) {
  const gmem_adjacency_t *adjacency = &fit->adjacency;
  uint32_t count = 0;
  for (size_t k = adjacency->starts[item]; k < adjacency->starts[item + 1];
       ++k) {
    fit->others[count] = adjacency->neighbours[k];
    count += fit->is_placed[adjacency->neighbours[k]];
  }
  return count;
}

static bool meet_in_time(const gmem_packing_t *packing, uint32_t a,
                         uint32_t b) {
  return packing->items[a].begin < packing->items[b].end &&
         packing->items[b].begin < packing->items[a].end &&
         gmem_items_conflict(packing, a, b);
}

static uint32_t gather_live(gmem_ordered_fit_t *fit, uint32_t item) {
  const gmem_packing_t *packing = fit->packing;
  uint32_t begin = packing->items[item].begin, end = packing->items[item].end;
  uint32_t count = 0;
  for (uint32_t other = gmem_live_tree_next(&fit->live, 0, begin, end);
       other != GMEM_NO_ITEM;
       other = gmem_live_tree_next(&fit->live, other + 1, begin, end)) {
    ++fit->found;
    if (packing->is_plain || gmem_items_conflict(packing, item, other))
      fit->others[count++] = other;
  }
  if (!packing->extra)
    return count;
  for (size_t k = packing->extra_starts[item];
       k < packing->extra_starts[item + 1]; ++k) {
    uint32_t other = packing->extra[k];
    if (fit->is_placed[other] && !meet_in_time(packing, item, other))
      fit->others[count++] = other;
  }
  return count;
}

// Lists the placed items that interfere with |item|.
static uint32_t gather(gmem_ordered_fit_t *fit, uint32_t item) {
  return fit->adjacency.is_complete ? gather_listed(fit, item)
                                    : gather_live(fit, item);
}

static gmem_barrier_t barrier_of(const gmem_packing_t *packing,
                                 const uint64_t *offsets, uint32_t other,
                                 uint32_t item) {
  int64_t offset = (int64_t)offsets[other];
  if (packing->is_plain)
    return (gmem_barrier_t){offset - (int64_t)packing->items[item].extent,
                            offset + (int64_t)packing->items[other].extent};
  return (gmem_barrier_t){
      offset - gmem_clearance(packing, item, other),
      gmem_clear_of(offset, gmem_clearance(packing, other, item))};
}

static void raise_barrier(gmem_ordered_fit_t *fit, gmem_barrier_t barrier,
                          uint32_t *raised) {
  fit->barriers[*raised] = barrier;
  fit->lows[*raised] = (gmem_order_t){gmem_time_key(barrier.low), *raised};
  // Interference at negative clearance only is no barrier.
  *raised += barrier.low < barrier.high;
}

// Adds finer barriers where |item| may fit between the parts of |other|.
// |room|: capacity for barriers. False when there is nothing to gain, or no
// room.
static bool raise_around_parts(gmem_ordered_fit_t *fit, uint32_t item,
                               uint32_t other, const uint64_t *offsets,
                               size_t room, uint32_t *raised) {
  gmem_clash_t clashes[MOST_CLASHES];
  if (fit->packing->part_count == 0)
    return false;
  uint32_t count = gmem_list_clashes(
      fit->packing, other, item, clashes,
      room < MOST_CLASHES ? (uint32_t)room : (uint32_t)MOST_CLASHES);
  for (uint32_t i = 0; i < count; ++i)
    raise_barrier(fit,
                  (gmem_barrier_t){
                      (int64_t)offsets[other] + clashes[i].low,
                      gmem_clear_of((int64_t)offsets[other], clashes[i].high)},
                  raised);
  return count > 0;
}

// Lists the barriers of |count| others for |item|, by |low|.
static uint32_t raise_barriers(gmem_ordered_fit_t *fit, uint32_t item,
                               uint32_t count, const uint64_t *offsets) {
  uint32_t raised = 0;
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t other = fit->others[i];
    size_t room = fit->barrier_room - raised - (count - 1 - i);
    if (!raise_around_parts(fit, item, other, offsets, room, &raised))
      raise_barrier(fit, barrier_of(fit->packing, offsets, other, item),
                    &raised);
  }
  assert(raised <= fit->barrier_room);
  gmem_sort_order(fit->lows, fit->lows + raised, raised);
  return raised;
}

//===--- gaps -------------------------------------------------------------===//

typedef struct gap_s {
  uint64_t slack;  // bytes between the lowest and the highest offset in it
  uint64_t offset; // aligned offset for the item
} gap_t;

// Chooses the offset of |item| among |count| barriers; false when it exceeds
// GMEM_MAX_ADDRESS.
static bool find_gap(const gmem_ordered_fit_t *fit, uint32_t item,
                     uint32_t count, gmem_fit_rule_t rule,
                     uint64_t *out_offset) {
  const gmem_item_t *self = &fit->packing->items[item];
  gap_t best = {.slack = UINT64_MAX};
  uint64_t top = 0, end;
  for (uint32_t i = 0; i < count; ++i) {
    gmem_barrier_t barrier = fit->barriers[fit->lows[i].index];
    if (barrier.low >= (int64_t)top) {
      uint64_t offset, slack = (uint64_t)barrier.low - top;
      if (slack < best.slack &&
          gmem_item_align(fit->packing, self, top, &offset) &&
          offset <= (uint64_t)barrier.low) {
        best = (gap_t){slack, offset};
        if (rule == GMEM_FIT_FIRST)
          break;
      }
    }
    if (barrier.high > (int64_t)top)
      top = (uint64_t)barrier.high;
  }
  if (best.slack == UINT64_MAX &&
      !gmem_item_align(fit->packing, self, top, &best.offset))
    return false;
  *out_offset = best.offset;
  return gmem_add_bytes(best.offset, self->extent, &end);
}

static gmem_status_t fail_over_budget(const gmem_ordered_fit_t *fit) {
  return gmem_planner_fail(
      fit->memory->diag, GMEM_ERR_OVER_BUDGET, GMEM_NO_BUFFER,
      "the buffers of pool %u exceed the address space", fit->packing->pool);
}

//===--- placement --------------------------------------------------------===//

static void settle(gmem_ordered_fit_t *fit, uint32_t item) {
  assert(!fit->is_placed[item]);
  fit->is_placed[item] = true;
  if (!fit->adjacency.is_complete)
    gmem_live_tree_insert(&fit->live, item);
}

static gmem_status_t place_fixed(gmem_ordered_fit_t *fit, uint64_t *offsets) {
  const gmem_packing_t *packing = fit->packing;
  for (uint32_t i = 0; i < packing->count; ++i) {
    if (!gmem_is_fixed(&packing->items[i]))
      continue;
    offsets[i] = packing->items[i].fixed_offset;
    uint32_t count = raise_barriers(fit, i, gather(fit, i), offsets);
    for (uint32_t k = 0; k < count; ++k)
      if (fit->barriers[k].low < (int64_t)offsets[i] &&
          (int64_t)offsets[i] < fit->barriers[k].high)
        return gmem_planner_fail(
            fit->memory->diag, GMEM_ERR_OVERLAP, GMEM_NO_BUFFER,
            "fixed buffers of pool %u share bytes", packing->pool);
    settle(fit, i);
  }
  return GMEM_OK;
}

// Places |item| above all items placed so far.
static bool stack_item(const gmem_ordered_fit_t *fit, gmem_top_tree_t *tree,
                       uint32_t item, uint64_t *offsets) {
  const gmem_packing_t *packing = fit->packing;
  const gmem_item_t *self = &packing->items[item];
  uint64_t top = gmem_top_tree_above(tree, self), end;
  if (packing->extra)
    for (size_t k = packing->extra_starts[item];
         k < packing->extra_starts[item + 1]; ++k) {
      uint32_t other = packing->extra[k];
      uint64_t over = offsets[other] + packing->items[other].extent;
      if (fit->is_placed[other] && over > top)
        top = over;
    }
  if (!gmem_item_align(packing, self, top, &offsets[item]) ||
      !gmem_add_bytes(offsets[item], self->extent, &end))
    return false;
  gmem_top_tree_raise(tree, self, end);
  fit->is_placed[item] = true;
  return true;
}

// The fallback when the work limit is reached: O(log n) per unplaced item.
static gmem_status_t stack_rest(gmem_ordered_fit_t *fit, uint64_t *offsets) {
  const gmem_packing_t *packing = fit->packing;
  gmem_top_tree_t tree;
  GMEM_TRY(gmem_top_tree_create(packing, fit->memory, &tree));
  for (uint32_t i = 0; i < packing->count; ++i)
    if (fit->is_placed[i])
      gmem_top_tree_raise(&tree, &packing->items[i],
                          offsets[i] + packing->items[i].extent);
  for (uint32_t i = 0; i < packing->count; ++i) {
    uint32_t item = fit->order[i].index;
    if (!fit->is_placed[item] && !stack_item(fit, &tree, item, offsets))
      return fail_over_budget(fit);
  }
  gmem_top_tree_destroy(fit->memory, &tree);
  return GMEM_OK;
}

gmem_status_t gmem_ordered_fit_run(gmem_ordered_fit_t *fit,
                                   gmem_fit_rule_t rule, gmem_search_t *search,
                                   uint64_t *offsets) {
  uint32_t count = fit->packing->count;
  memset(fit->is_placed, 0, count * sizeof *fit->is_placed);
  if (!fit->adjacency.is_complete)
    gmem_live_tree_clear(&fit->live);
  GMEM_TRY(place_fixed(fit, offsets));
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t item = fit->order[i].index;
    if (fit->is_placed[item])
      continue;
    fit->found = 0;
    uint64_t others = gather(fit, item);
    if (!gmem_search_spend(search, 1 + LISTED_STEPS * others +
                                       FOUND_STEPS * fit->found))
      return stack_rest(fit, offsets);
    uint32_t barriers = raise_barriers(fit, item, (uint32_t)others, offsets);
    if (!find_gap(fit, item, barriers, rule, &offsets[item]))
      return fail_over_budget(fit);
    settle(fit, item);
  }
  return GMEM_OK;
}

gmem_status_t gmem_ordered_fit_pack(const gmem_packing_t *packing,
                                    gmem_item_key_t key, gmem_fit_rule_t rule,
                                    gmem_search_t *search, uint64_t *offsets,
                                    gmem_scratch_t *memory) {
  gmem_ordered_fit_t fit;
  GMEM_TRY(gmem_ordered_fit_create(packing, memory, &fit));
  GMEM_TRY(gmem_item_order(packing, key, fit.order, memory));
  return gmem_ordered_fit_run(&fit, rule, search, offsets);
}
