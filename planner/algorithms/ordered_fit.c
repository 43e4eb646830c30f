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
// In a whole packing the placed items are listed by time and offset
// (time_blocks.h). Otherwise neighbours are read from interference lists while
// these are short (about 50 per item). Above that, they are read from lists of
// the placed items by section (section_lists.h), or, where items are live in
// many sections, from a tree of the placed items' hulls. So memory stays O(n).

#include "ordered_fit.h"

#include <assert.h>
#include <string.h>

#include "packing_query.h"
#include "search.h"
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
  *fit = (gmem_ordered_fit_t){
      .packing = packing, .memory = memory, .ceiling = GMEM_UNLIMITED};
  if (packing->is_whole) {
    GMEM_TRY_NEW(fit->order, memory, 2 * count);
    GMEM_TRY_NEW(fit->is_placed, memory, count);
    return gmem_time_blocks_create(packing, memory, &fit->blocks);
  }
  fit->barrier_room = count + (packing->part_count ? count + MOST_CLASHES : 0);
  GMEM_TRY_NEW(fit->order, memory, 2 * count);
  GMEM_TRY_NEW(fit->lows, memory, 2 * fit->barrier_room);
  GMEM_TRY_NEW(fit->barriers, memory, fit->barrier_room);
  GMEM_TRY_NEW(fit->others, memory, count);
  GMEM_TRY_NEW(fit->is_placed, memory, count);
  GMEM_TRY(gmem_adjacency_create(packing, count * PAIRS_PER_ITEM + FREE_PAIRS,
                                 memory, &fit->adjacency));
  if (fit->adjacency.is_complete)
    return GMEM_OK;
  GMEM_TRY(gmem_section_lists_create(packing, memory, &fit->lists));
  return fit->lists.starts ? GMEM_OK
                           : gmem_max_tree_create(count, memory, &fit->live);
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

// Whether |item| and |other| have sections in common from first to last.
static bool hulls_meet(const gmem_packing_t *packing, uint32_t item,
                       uint32_t other) {
  const gmem_item_t *a = &packing->items[item], *b = &packing->items[other];
  return a->begin < b->end && b->begin < a->end;
}

// Adds the placed items with an explicit conflict to |count| others that share
// sections.
static uint32_t add_extra(gmem_ordered_fit_t *fit, uint32_t item,
                          uint32_t count) {
  const gmem_packing_t *packing = fit->packing;
  if (!packing->extra)
    return count;
  for (size_t k = packing->extra_starts[item];
       k < packing->extra_starts[item + 1]; ++k) {
    uint32_t other = packing->extra[k];
    bool is_listed = fit->lists.starts
                         ? gmem_section_lists_has(&fit->lists, other)
                         : hulls_meet(packing, item, other);
    if (fit->is_placed[other] && !is_listed)
      fit->others[count++] = other;
  }
  return count;
}

static uint32_t gather_live(gmem_ordered_fit_t *fit, uint32_t item) {
  const gmem_packing_t *packing = fit->packing;
  uint64_t least_end = (uint64_t)packing->items[item].begin + 1;
  uint32_t end = packing->items[item].end, count = 0;
  for (size_t other = gmem_max_tree_next(&fit->live, 0, least_end);
       other != SIZE_MAX && packing->items[other].begin < end;
       other = gmem_max_tree_next(&fit->live, other + 1, least_end)) {
    fit->found += FOUND_STEPS;
    if (gmem_items_conflict(packing, item, (uint32_t)other))
      fit->others[count++] = (uint32_t)other;
  }
  return add_extra(fit, item, count);
}

static uint32_t gather_sections(gmem_ordered_fit_t *fit, uint32_t item) {
  uint32_t count =
      gmem_section_lists_gather(&fit->lists, item, fit->others, &fit->found);
  return add_extra(fit, item, count);
}

// Lists the placed items that interfere with |item|.
static uint32_t gather(gmem_ordered_fit_t *fit, uint32_t item) {
  fit->found = 0;
  if (fit->adjacency.is_complete)
    return gather_listed(fit, item);
  return fit->lists.starts ? gather_sections(fit, item)
                           : gather_live(fit, item);
}

// Lists the barriers of |count| others for |item|, by |low|.
static uint32_t raise_barriers(gmem_ordered_fit_t *fit, uint32_t item,
                               uint32_t count, const uint64_t *offsets) {
  gmem_clash_t clashes[MOST_CLASHES];
  uint32_t raised = 0;
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t other = fit->others[i];
    int64_t offset = (int64_t)offsets[other];
    size_t room = fit->barrier_room - raised - (count - 1 - i);
    uint32_t listed =
        gmem_list_clashes(fit->packing, other, item, clashes,
                          room < MOST_CLASHES ? room : (size_t)MOST_CLASHES);
    for (uint32_t k = 0; k < listed; ++k) {
      gmem_clash_t *barrier = &fit->barriers[raised];
      barrier->low = offset + clashes[k].low;
      barrier->high = gmem_clear_of(offset, clashes[k].high);
      fit->lows[raised] = (gmem_order_t){gmem_time_key(barrier->low), raised};
      // Interference at negative clearance only is no barrier.
      raised += barrier->low < barrier->high;
    }
  }
  assert(raised <= fit->barrier_room);
  gmem_sort_order(fit->lows, fit->lows + raised, raised);
  return raised;
}

//===--- gaps -------------------------------------------------------------===//

// Chooses the offset of |item| among |count| barriers; false when it exceeds
// GMEM_MAX_ADDRESS.
static bool find_gap(const gmem_ordered_fit_t *fit, uint32_t item,
                     uint32_t count, gmem_fit_rule_t rule,
                     uint64_t *out_offset) {
  const gmem_item_t *self = &fit->packing->items[item];
  // The bytes between the lowest and the highest offset in the best gap.
  uint64_t least = UINT64_MAX;
  uint64_t top = 0, offset, end;
  for (uint32_t i = 0; i < count; ++i) {
    gmem_clash_t barrier = fit->barriers[fit->lows[i].index];
    if (barrier.low >= (int64_t)top && (uint64_t)barrier.low - top < least &&
        gmem_item_align(fit->packing, self, top, &offset) &&
        offset <= (uint64_t)barrier.low) {
      least = (uint64_t)barrier.low - top;
      *out_offset = offset;
      if (rule == GMEM_FIT_FIRST)
        break;
    }
    if (barrier.high > (int64_t)top)
      top = (uint64_t)barrier.high;
  }
  return (least < UINT64_MAX ||
          gmem_item_align(fit->packing, self, top, out_offset)) &&
         gmem_add_bytes(*out_offset, self->extent, &end);
}

// The same for an item of a whole packing, among |count| placed items by
// offset. *out_others: how many of them are live with it.
static bool find_whole_gap(const gmem_packing_t *packing,
                           const gmem_item_t *self, const gmem_placed_t *placed,
                           size_t count, gmem_fit_rule_t rule,
                           uint64_t *out_offset, uint64_t *out_others) {
  uint64_t least = UINT64_MAX, top = 0, others = 0, offset, end;
  for (size_t i = 0; i < count; ++i) {
    bool is_live =
        (placed[i].begin < self->end) & (placed[i].end > self->begin);
    // Also negative, or of an item that is not live.
    int64_t gap = (int64_t)placed[i].offset - (int64_t)top;
    others += is_live;
    if (gap >= (int64_t)self->extent && is_live && (uint64_t)gap < least &&
        gmem_item_align(packing, self, top, &offset) &&
        offset - top <= (uint64_t)gap - self->extent) {
      *out_offset = offset;
      least = rule == GMEM_FIT_FIRST ? 0 : (uint64_t)gap;
    }
    top = is_live && placed[i].top > top ? placed[i].top : top;
  }
  *out_others = others;
  return (least < UINT64_MAX ||
          gmem_item_align(packing, self, top, out_offset)) &&
         gmem_add_bytes(*out_offset, self->extent, &end);
}

static gmem_status_t fail_over_budget(const gmem_ordered_fit_t *fit) {
  return gmem_planner_fail(
      fit->memory->diag, GMEM_ERR_OVER_BUDGET, GMEM_NO_BUFFER,
      "the buffers of pool %u exceed the address space", fit->packing->pool);
}

static gmem_status_t fail_overlap(const gmem_ordered_fit_t *fit) {
  return gmem_planner_fail(fit->memory->diag, GMEM_ERR_OVERLAP, GMEM_NO_BUFFER,
                           "fixed buffers of pool %u share bytes",
                           fit->packing->pool);
}

//===--- placement --------------------------------------------------------===//

static void settle(gmem_ordered_fit_t *fit, uint32_t item) {
  assert(!fit->is_placed[item]);
  fit->is_placed[item] = true;
  if (fit->lists.starts)
    gmem_section_lists_add(&fit->lists, item);
  else if (!fit->adjacency.is_complete)
    gmem_max_tree_set(&fit->live, item, fit->packing->items[item].end);
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
        return fail_overlap(fit);
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

static void settle_whole(gmem_ordered_fit_t *fit, uint32_t item,
                         uint64_t offset) {
  gmem_time_blocks_add(&fit->blocks, item, offset);
  fit->is_placed[item] = true;
}

// Places the fixed items of a whole packing.
static gmem_status_t place_whole_fixed(gmem_ordered_fit_t *fit,
                                       uint64_t *offsets) {
  const gmem_packing_t *packing = fit->packing;
  for (uint32_t i = 0; i < packing->count; ++i) {
    const gmem_item_t *self = &packing->items[i];
    const gmem_placed_t *placed;
    size_t count;
    if (!gmem_is_fixed(self))
      continue;
    uint64_t offset = offsets[i] = self->fixed_offset;
    GMEM_TRY(gmem_time_blocks_list(&fit->blocks, i, &placed, &count));
    for (size_t k = 0; k < count; ++k)
      if (placed[k].begin < self->end && placed[k].end > self->begin &&
          placed[k].offset < offset + self->extent && placed[k].top > offset)
        return fail_overlap(fit);
    settle_whole(fit, i, offset);
    fit->is_given_up |= offset + self->size >= fit->ceiling;
  }
  return GMEM_OK;
}

// Places the items of a whole packing.
static gmem_status_t place_whole(gmem_ordered_fit_t *fit, gmem_fit_rule_t rule,
                                 gmem_search_t *search, uint64_t *offsets) {
  const gmem_packing_t *packing = fit->packing;
  gmem_time_blocks_clear(&fit->blocks);
  fit->is_given_up = false;
  if (!packing->is_plain)
    GMEM_TRY(place_whole_fixed(fit, offsets));
  for (uint32_t i = 0; i < packing->count && !fit->is_given_up; ++i) {
    uint32_t item = fit->order[i].index;
    const gmem_placed_t *placed;
    uint64_t others;
    size_t count;
    if (fit->is_placed[item])
      continue;
    GMEM_TRY(gmem_time_blocks_list(&fit->blocks, item, &placed, &count));
    if (!find_whole_gap(packing, &packing->items[item], placed, count, rule,
                        &offsets[item], &others))
      return fail_over_budget(fit);
    if (offsets[item] + packing->items[item].size >= fit->ceiling) {
      fit->is_given_up = true;
      return GMEM_OK;
    }
    if (!gmem_search_spend(search, 1 + LISTED_STEPS * others))
      return stack_rest(fit, offsets);
    settle_whole(fit, item, offsets[item]);
  }
  return GMEM_OK;
}

gmem_status_t gmem_ordered_fit_run(gmem_ordered_fit_t *fit,
                                   gmem_fit_rule_t rule, gmem_search_t *search,
                                   uint64_t *offsets) {
  uint32_t count = fit->packing->count;
  memset(fit->is_placed, 0, count * sizeof *fit->is_placed);
  if (fit->packing->is_whole)
    return place_whole(fit, rule, search, offsets);
  if (fit->lists.starts)
    gmem_section_lists_clear(&fit->lists);
  else if (!fit->adjacency.is_complete)
    gmem_max_tree_clear(&fit->live);
  GMEM_TRY(place_fixed(fit, offsets));
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t item = fit->order[i].index;
    if (fit->is_placed[item])
      continue;
    uint64_t others = gather(fit, item);
    if (!gmem_search_spend(search, 1 + LISTED_STEPS * others + fit->found))
      return stack_rest(fit, offsets);
    uint32_t barriers = raise_barriers(fit, item, (uint32_t)others, offsets);
    if (!find_gap(fit, item, barriers, rule, &offsets[item]))
      return fail_over_budget(fit);
    settle(fit, item);
  }
  return GMEM_OK;
}

gmem_status_t gmem_ordered_fit_run_whole(gmem_ordered_fit_t *fit,
                                         gmem_fit_rule_t rule,
                                         gmem_search_t *search,
                                         uint64_t *offsets) {
  uint64_t step_limit = search->step_limit, before = search->steps;
  uint64_t stage_limit = search->stage_limit;
  if (search->has_own_limit)
    return gmem_ordered_fit_run(fit, rule, search, offsets);
  // The limit of an effort is one of searches. A rule ends by itself, and what
  // it gives when it is cut short is not its plan.
  search->step_limit = search->stage_limit = UINT64_MAX;
  gmem_status_t status = gmem_ordered_fit_run(fit, rule, search, offsets);
  search->step_limit = step_limit + (search->steps - before);
  search->stage_limit = stage_limit + (search->steps - before);
  return status;
}

gmem_status_t gmem_ordered_fit_settle(const gmem_task_t *task,
                                      uint64_t *offsets) {
  gmem_ordered_fit_t fit;
  uint32_t count = task->packing->count;
  GMEM_TRY(gmem_ordered_fit_create(task->packing, task->memory, &fit));
  for (uint32_t i = 0; i < count; ++i)
    fit.order[i] = (gmem_order_t){offsets[i], i};
  gmem_sort_order(fit.order, fit.order + count, count);
  return gmem_ordered_fit_run(&fit, GMEM_FIT_FIRST, task->search, offsets);
}

gmem_status_t gmem_ordered_fit_pack(const gmem_task_t *task,
                                    gmem_item_key_t key, gmem_fit_rule_t rule) {
  gmem_ordered_fit_t fit;
  GMEM_TRY(gmem_ordered_fit_create(task->packing, task->memory, &fit));
  GMEM_TRY(gmem_item_order(task->packing, key, fit.order, task->memory));
  return gmem_ordered_fit_run_whole(&fit, rule, task->search, task->offsets);
}
