// pool_climb.c - raises the benefit of a plan of several pools by local search.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A step moves an item to a more beneficial candidate, at an offset where the
// gain exceeds the loss of the items it evicts. Evicted items are placed
// again, in a gap of the same pool or of a later candidate. The step is kept
// when it raises the total benefit, and undone otherwise.

#include "pool_layout.h"

#include <assert.h>
#include <string.h>

// Offsets of one candidate that are tried, cheapest first.
enum { MOST_OFFSETS = 6, MOST_EVICTED = 32 };

typedef struct place_s {
  uint32_t item, at;
  uint64_t offset;
} place_t;

// A step and its undo record.
typedef struct step_s {
  gmem_pool_layout_t *layout;
  place_t
      before[MOST_EVICTED + 1]; // the items moved, and their placements before
  uint32_t count;
} step_t;

typedef struct offer_s {
  uint64_t offset;
  gmem_benefit_t cost; // benefit lost by the evicted items, if each moves to
                       // its next candidate
} offer_t;

//===--- moves and undo ---------------------------------------------------===//

static void remove_item(step_t *step, uint32_t item) {
  const gmem_pool_item_t *self = &step->layout->items[item];
  assert(step->count <= MOST_EVICTED);
  step->before[step->count++] = (place_t){item, self->at, self->offset};
  gmem_layout_remove(step->layout, item);
}

static void undo_step(step_t *step) {
  for (uint32_t i = 0; i < step->count; ++i)
    if (step->layout->items[step->before[i].item].at != GMEM_NOWHERE)
      gmem_layout_remove(step->layout, step->before[i].item);
  for (uint32_t i = 0; i < step->count; ++i)
    gmem_layout_put(step->layout, step->before[i].item, step->before[i].at,
                    step->before[i].offset);
}

//===--- offers -----------------------------------------------------------===//

// The benefit |item| loses when it leaves its pool; false when it cannot
// leave.
static bool cost_of(const gmem_pool_layout_t *layout, uint32_t item,
                    gmem_benefit_t *out_cost) {
  const gmem_pool_item_t *self = &layout->items[item];
  gmem_benefit_t benefit = gmem_layout_worth(layout, item), best = 0;
  bool found = false;
  for (uint32_t i = 0; i < self->count && !self->is_fixed; ++i) {
    gmem_benefit_t other = gmem_layout_candidate(layout, item, i)->benefit;
    if (i == self->at || (found && other <= best))
      continue;
    found = true;
    best = other;
  }
  *out_cost = benefit > best ? benefit - best : 0;
  return found;
}

// The cost of |offset|, given |count| items with intervals in the way.
static bool price(const gmem_pool_layout_t *layout, size_t count,
                  uint64_t offset, gmem_benefit_t *out_cost) {
  uint32_t thrown = 0;
  *out_cost = 0;
  for (size_t i = 0; i < count; ++i) {
    const gmem_taken_t *taken = &layout->taken[i];
    gmem_benefit_t cost;
    if (taken->begin > offset)
      break; // sorted: no later one overlaps
    if (offset >= taken->end)
      continue;
    if (++thrown > MOST_EVICTED || !cost_of(layout, taken->by, &cost))
      return false;
    *out_cost += cost;
  }
  return true;
}

// Keeps the cheapest offers in order; returns their number.
static uint32_t keep_offer(offer_t *offers, uint32_t count, offer_t offer) {
  uint32_t at = 0;
  while (at < count && offers[at].cost <= offer.cost)
    if (offers[at++].offset == offer.offset)
      return count;
  if (at == MOST_OFFSETS)
    return count;
  if (count < MOST_OFFSETS)
    ++count;
  memmove(offers + at + 1, offers + at, (count - 1 - at) * sizeof *offers);
  offers[at] = offer;
  return count;
}

// Offsets for |item| that cost less than |gain|: at the bottom, and directly
// above and below each item in the way.
static uint32_t list_offers(gmem_pool_layout_t *layout, uint32_t item,
                            uint32_t at, gmem_benefit_t gain, offer_t *offers) {
  const gmem_candidate_t *candidate = gmem_layout_candidate(layout, item, at);
  const gmem_packing_t *packing = &layout->planned[candidate->pool].packing;
  const gmem_item_t *packed = &packing->items[candidate->item];
  if (packed->extent > GMEM_MAX_ADDRESS)
    return 0;
  size_t taken = gmem_layout_list_taken(layout, item, at);
  uint32_t count = 0;
  gmem_search_spend(layout->pools->search, 1 + taken * taken / 4);
  for (size_t i = 0; i <= 2 * taken; ++i) {
    uint64_t offset = 0;
    gmem_benefit_t cost;
    if (i > 0)
      offset =
          i % 2 ? layout->taken[i / 2].end : layout->taken[i / 2 - 1].begin;
    if (!gmem_item_align(packing, packed, offset, &offset) ||
        !gmem_item_fits(packing, packed, offset) ||
        !price(layout, taken, offset, &cost) || cost >= gain)
      continue;
    count = keep_offer(offers, count, (offer_t){offset, cost});
  }
  return count;
}

//===--- one step ---------------------------------------------------------===//

// Evicts the items that overlap |offset|. They are computed again, because
// placements change between offers.
static bool evict(step_t *step, uint32_t item, uint32_t at, uint64_t offset) {
  gmem_pool_layout_t *layout = step->layout;
  size_t count = gmem_layout_list_taken(layout, item, at);
  for (size_t i = 0; i < count; ++i) {
    const gmem_taken_t *taken = &layout->taken[i];
    if (offset < taken->begin || offset >= taken->end)
      continue;
    if (step->count > MOST_EVICTED)
      return false;
    remove_item(step, taken->by);
  }
  return true;
}

// Places the evicted items, most beneficial first, each in its best candidate
// with a gap.
static bool place_again(step_t *step) {
  gmem_pool_layout_t *layout = step->layout;
  for (uint32_t placed = 1; placed < step->count; ++placed) {
    uint32_t best = GMEM_NOWHERE;
    gmem_benefit_t most = 0;
    for (uint32_t i = 1; i < step->count; ++i) {
      uint32_t item = step->before[i].item;
      gmem_benefit_t benefit =
          gmem_layout_candidate(layout, item, step->before[i].at)->benefit;
      if (layout->items[item].at == GMEM_NOWHERE &&
          (best == GMEM_NOWHERE || benefit > most)) {
        best = item;
        most = benefit;
      }
    }
    if (!gmem_layout_place(layout, best))
      return false;
  }
  return true;
}

static uint64_t placed_in(const gmem_pool_layout_t *layout, uint32_t item,
                          uint32_t at) {
  return layout->planned[gmem_layout_candidate(layout, item, at)->pool]
      .placed_count;
}

static bool try_offer(gmem_pool_layout_t *layout, uint32_t item, uint32_t at,
                      uint64_t offset) {
  step_t step = {.layout = layout};
  gmem_benefit_t before = layout->benefit;
  remove_item(&step, item);
  bool is_better = evict(&step, item, at, offset);
  if (is_better) {
    gmem_layout_put(layout, item, at, offset);
    is_better = place_again(&step) && layout->benefit > before;
  }
  // Each of them may have inspected every pool.
  gmem_search_spend(layout->pools->search,
                    step.count * (uint64_t)layout->item_count);
  if (!is_better)
    undo_step(&step);
  return is_better;
}

static bool raise_item(gmem_pool_layout_t *layout, uint32_t item) {
  const gmem_pool_item_t *self = &layout->items[item];
  offer_t offers[MOST_OFFSETS];
  for (uint32_t at = 0; at < self->count; ++at) {
    gmem_benefit_t now = gmem_layout_worth(layout, item);
    gmem_benefit_t there = gmem_layout_candidate(layout, item, at)->benefit;
    if (at == self->at || there <= now)
      continue;
    gmem_search_spend(layout->pools->search, placed_in(layout, item, at));
    uint32_t count = list_offers(layout, item, at, there - now, offers);
    for (uint32_t i = 0; i < count; ++i)
      if (try_offer(layout, item, at, offers[i].offset))
        return true;
  }
  return false;
}

//===--- all items --------------------------------------------------------===//

// Items with a more beneficial candidate, largest possible gain first.
static uint32_t list_items(const gmem_pool_layout_t *layout,
                           gmem_order_t *order) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < layout->item_count; ++i) {
    const gmem_pool_item_t *item = &layout->items[i];
    gmem_benefit_t gain =
        gmem_layout_best(layout, i)->benefit - gmem_layout_worth(layout, i);
    if (item->is_fixed || gain == 0)
      continue;
    uint64_t key = gain > UINT64_MAX ? UINT64_MAX : (uint64_t)gain;
    order[count++] = (gmem_order_t){~key, i};
  }
  gmem_sort_order(order, order + count, count);
  return count;
}

void gmem_pool_climb(gmem_pool_layout_t *layout, gmem_order_t *scratch) {
  bool is_better = true;
  while (is_better) {
    is_better = false;
    uint32_t count = list_items(layout, scratch);
    for (uint32_t i = 0; i < count; ++i) {
      if (!gmem_search_spend(layout->pools->search, 1))
        return;
      is_better |= raise_item(layout, scratch[i].index);
    }
  }
}
