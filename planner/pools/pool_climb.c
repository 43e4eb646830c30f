// pool_climb.c - a plan of several pools, made worth more step by step.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// One step takes a mover to a candidate that is worth more, at an offset where
// it is worth more than what it throws out. Those that are thrown out find a
// place again, in a gap of the same pool or further down. The step is kept when
// all places together are worth more than before, and else taken back.

#include "pool_climb.h"

#include <string.h>

#include "sort.h"

// Offsets of one candidate that are tried, the cheapest first.
enum { MOST_OFFSETS = 6, MOST_THROWN = 32 };

typedef struct place_s {
  uint32_t mover, at;
  uint64_t offset;
} place_t;

// One step, and how to take it back.
typedef struct step_s {
  gmem_pool_layout_t *layout;
  place_t before[MOST_THROWN + 1]; // who was moved, and from where
  uint32_t count;
} step_t;

typedef struct offer_s {
  uint64_t offset;
  gmem_benefit_t cost; // of what is thrown out, if it goes one candidate down
} offer_t;

//===--- there and back ---------------------------------------------------===//

static void take_out(step_t *step, uint32_t mover) {
  const gmem_mover_t *self = &step->layout->movers[mover];
  step->before[step->count++] = (place_t){mover, self->at, self->offset};
  gmem_layout_remove(step->layout, mover);
}

static void take_back(step_t *step) {
  for (uint32_t i = 0; i < step->count; ++i)
    if (step->layout->movers[step->before[i].mover].at != GMEM_NOWHERE)
      gmem_layout_remove(step->layout, step->before[i].mover);
  for (uint32_t i = 0; i < step->count; ++i)
    gmem_layout_put(step->layout, step->before[i].mover, step->before[i].at,
                    step->before[i].offset);
}

//===--- offers -----------------------------------------------------------===//

// What |mover| loses when it leaves its pool; false when it cannot.
static bool cost_of(const gmem_pool_layout_t *layout, uint32_t mover,
                    gmem_benefit_t *out_cost) {
  const gmem_mover_t *self = &layout->movers[mover];
  gmem_benefit_t benefit = gmem_layout_worth(layout, mover), best = 0;
  bool found = false;
  for (uint32_t i = 0; i < self->count && !self->is_fixed; ++i) {
    gmem_benefit_t other = gmem_layout_candidate(layout, mover, i)->benefit;
    if (i == self->at || (found && other <= best))
      continue;
    found = true;
    best = other;
  }
  *out_cost = benefit > best ? benefit - best : 0;
  return found;
}

// What it costs to be at |offset|, among |count| that are in the way somewhere.
static bool price(const gmem_pool_layout_t *layout, size_t count,
                  uint64_t offset, gmem_benefit_t *out_cost) {
  uint32_t thrown = 0;
  *out_cost = 0;
  for (size_t i = 0; i < count; ++i) {
    const gmem_taken_t *taken = &layout->taken[i];
    gmem_benefit_t cost;
    if (taken->begin > offset)
      break; // they are sorted
    if (offset >= taken->end)
      continue;
    if (++thrown > MOST_THROWN || !cost_of(layout, taken->mover, &cost))
      return false;
    *out_cost += cost;
  }
  return true;
}

// Keeps the cheapest offers in order; returns how many there are.
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

// Offsets for |mover| that cost less than |gain|: at the bottom, and right
// above and below all that is in the way.
static uint32_t list_offers(gmem_pool_layout_t *layout, uint32_t mover,
                            uint32_t at, gmem_benefit_t gain, offer_t *offers) {
  const gmem_candidate_t *candidate = gmem_layout_candidate(layout, mover, at);
  const gmem_packing_t *packing = &layout->packings[candidate->pool];
  const gmem_item_t *item = &packing->items[candidate->item];
  if (item->extent > GMEM_MAX_ADDRESS)
    return 0;
  size_t taken = gmem_layout_list_taken(layout, mover, at);
  uint32_t count = 0;
  gmem_search_spend(layout->pools->search, 1 + taken * taken / 4);
  for (size_t i = 0; i <= 2 * taken; ++i) {
    uint64_t offset = 0;
    gmem_benefit_t cost;
    if (i > 0)
      offset =
          i % 2 ? layout->taken[i / 2].end : layout->taken[i / 2 - 1].begin;
    if (!gmem_item_align(packing, item, offset, &offset) ||
        !gmem_layout_fits(layout, mover, at, offset) ||
        !price(layout, taken, offset, &cost) || cost >= gain)
      continue;
    count = keep_offer(offers, count, (offer_t){offset, cost});
  }
  return count;
}

//===--- one step ---------------------------------------------------------===//

// Takes out who is in the way at |offset|. They are found again: places change
// between offers.
static bool throw_out(step_t *step, uint32_t mover, uint32_t at,
                      uint64_t offset) {
  gmem_pool_layout_t *layout = step->layout;
  size_t count = gmem_layout_list_taken(layout, mover, at);
  for (size_t i = 0; i < count; ++i) {
    const gmem_taken_t *taken = &layout->taken[i];
    if (offset < taken->begin || offset >= taken->end)
      continue;
    if (step->count > MOST_THROWN)
      return false;
    take_out(step, taken->mover);
  }
  return true;
}

// The one that is worth most first, each in the best of its candidates that has
// a gap.
static bool place_again(step_t *step) {
  gmem_pool_layout_t *layout = step->layout;
  for (uint32_t placed = 1; placed < step->count; ++placed) {
    uint32_t best = GMEM_NOWHERE;
    gmem_benefit_t most = 0;
    for (uint32_t i = 1; i < step->count; ++i) {
      uint32_t mover = step->before[i].mover;
      gmem_benefit_t benefit =
          gmem_layout_candidate(layout, mover, step->before[i].at)->benefit;
      if (layout->movers[mover].at == GMEM_NOWHERE &&
          (best == GMEM_NOWHERE || benefit > most)) {
        best = mover;
        most = benefit;
      }
    }
    if (!gmem_layout_place(layout, best))
      return false;
  }
  return true;
}

static uint64_t placed_in(const gmem_pool_layout_t *layout, uint32_t mover,
                          uint32_t at) {
  return layout->placed_count[gmem_layout_candidate(layout, mover, at)->pool];
}

static bool try_offer(gmem_pool_layout_t *layout, uint32_t mover, uint32_t at,
                      uint64_t offset) {
  step_t step = {.layout = layout};
  gmem_benefit_t before = layout->benefit;
  take_out(&step, mover);
  bool is_better = throw_out(&step, mover, at, offset);
  if (is_better) {
    gmem_layout_put(layout, mover, at, offset);
    is_better = place_again(&step) && layout->benefit > before;
  }
  // Each of them may have looked at every pool.
  gmem_search_spend(layout->pools->search,
                    step.count * (uint64_t)layout->mover_count);
  if (!is_better)
    take_back(&step);
  return is_better;
}

static bool raise_mover(gmem_pool_layout_t *layout, uint32_t mover) {
  const gmem_mover_t *self = &layout->movers[mover];
  offer_t offers[MOST_OFFSETS];
  for (uint32_t at = 0; at < self->count; ++at) {
    gmem_benefit_t now = gmem_layout_worth(layout, mover);
    gmem_benefit_t there = gmem_layout_candidate(layout, mover, at)->benefit;
    if (at == self->at || there <= now)
      continue;
    gmem_search_spend(layout->pools->search, placed_in(layout, mover, at));
    uint32_t count = list_offers(layout, mover, at, there - now, offers);
    for (uint32_t i = 0; i < count; ++i)
      if (try_offer(layout, mover, at, offers[i].offset))
        return true;
  }
  return false;
}

//===--- all of them ------------------------------------------------------===//

// Those that could be worth more, the one with most to gain first.
static uint32_t list_movers(const gmem_pool_layout_t *layout,
                            gmem_order_t *order) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < layout->mover_count; ++i) {
    const gmem_mover_t *mover = &layout->movers[i];
    gmem_benefit_t best =
        gmem_layout_candidate(layout, i, mover->best)->benefit;
    gmem_benefit_t gain = best - gmem_layout_worth(layout, i);
    if (mover->is_fixed || gain == 0)
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
    uint32_t count = list_movers(layout, scratch);
    for (uint32_t i = 0; i < count; ++i) {
      if (!gmem_search_spend(layout->pools->search, 1))
        return;
      is_better |= raise_mover(layout, scratch[i].index);
    }
  }
}
