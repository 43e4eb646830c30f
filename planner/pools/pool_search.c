// pool_search.c - searches for an assignment of buffers to pools.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// spill.c decides pool by pool. This search considers all pools together, when
// some buffer is not in its most beneficial pool, or when there is no plan:
//
// 1. local search from the existing plan (pool_climb.c);
// 2. plans from scratch, each item in the first of its candidates that has a
//    gap, in several orders, followed by 1.; the benefit is then at least that
//    of placing in order of time or of size;
// 3. the same in randomly perturbed orders;
// 4. for few items, branch and bound (pool_tree.c);
// 5. the engine on every pool of the best plan, which keeps or lowers the peak.
//
// benefit.h defines the benefit. All work counts towards the limit.

#include "pool_layout.h"

#include <assert.h>

// Work of the climbs and, again, of the tree search, by effort.
static uint64_t steps_of(const gmem_search_t *search) {
  return gmem_by_effort(search->effort, UINT64_C(1) << 19, UINT64_C(1) << 24,
                        UINT64_C(1) << 28);
}

static const uint64_t QUICK_STEPS = 1 << 10; // per item, for the quick search

// Perturbed orders, by effort.
static uint64_t rounds_of(const gmem_search_t *search) {
  return gmem_by_effort(search->effort, 0, 24, 400);
}

typedef struct pool_search_s {
  gmem_pool_layout_t layout; // its memory holds the arrays, too
  gmem_order_t *order;       // items; and scratch for the climb
  gmem_best_plan_t best;
  uint64_t random;
} pool_search_t;

//===--- orders -----------------------------------------------------------===//

typedef enum order_kind_e {
  BY_TIME,         // earliest first
  BY_SIZE,         // largest first
  BY_WORTH,        // largest benefit first
  BY_USE,          // the same per byte
  BY_USE_AND_TIME, // the same per byte and section
  ORDER_KINDS,
} order_kind_t;

static const gmem_item_t *best_packed(const gmem_pool_layout_t *layout,
                                      uint32_t item) {
  const gmem_candidate_t *best = gmem_layout_best(layout, item);
  return &layout->planned[best->pool].packing.items[best->item];
}

static uint64_t cut(gmem_benefit_t benefit) {
  return benefit > UINT64_MAX ? UINT64_MAX : (uint64_t)benefit;
}

// Smaller keys come first. Sections differ between the packings of the pools,
// so times are compared.
static uint64_t key_of(const gmem_pool_layout_t *layout, order_kind_t kind,
                       uint32_t item) {
  const gmem_pool_item_t *self = &layout->items[item];
  const gmem_item_t *packed = best_packed(layout, item);
  gmem_benefit_t benefit = gmem_layout_best(layout, item)->benefit;
  const gmem_buffer_spec_t *spec =
      gmem_problem_buffer(layout->pools->problem, self->buffer);
  gmem_benefit_t per_byte = benefit * 1024 / packed->size;
  switch (kind) {
  case BY_TIME:
    return gmem_time_key(spec->ranges[0].begin);
  case BY_SIZE:
    return ~packed->size;
  case BY_WORTH:
    return ~cut(benefit);
  case BY_USE:
    return ~cut(per_byte);
  case BY_USE_AND_TIME:
  case ORDER_KINDS:
    break;
  }
  return ~cut(per_byte * 64 / (packed->end - packed->begin));
}

static void sort_items(pool_search_t *search, order_kind_t kind) {
  uint32_t count = search->layout.item_count;
  for (uint32_t i = 0; i < count; ++i)
    search->order[i] = (gmem_order_t){key_of(&search->layout, kind, i), i};
  gmem_sort_order(search->order, search->order + count, count);
}

static uint32_t random_below(pool_search_t *search, uint32_t limit) {
  search->random = search->random * UINT64_C(6364136223846793005) +
                   UINT64_C(1442695040888963407);
  return (uint32_t)((search->random >> 32) * limit >> 32);
}

// Swaps each item with one nearby.
static void shuffle(pool_search_t *search) {
  uint32_t count = search->layout.item_count;
  for (uint32_t i = 0; i + 1 < count; ++i) {
    uint32_t reach = 1 + count / 6;
    uint32_t most = count - 1 - i < reach ? count - 1 - i : reach;
    uint32_t other = i + random_below(search, most + 1);
    gmem_order_t swap = search->order[i];
    search->order[i] = search->order[other];
    search->order[other] = swap;
  }
}

//===--- plans ------------------------------------------------------------===//

static bool spend(const pool_search_t *search, uint64_t steps) {
  return gmem_search_spend(search->layout.pools->search, steps);
}

static void keep_better(pool_search_t *search) {
  gmem_pool_layout_t *layout = &search->layout;
  gmem_best_plan_t *best = &search->best;
  if (layout->nowhere || (best->exists && layout->benefit <= best->benefit))
    return;
  gmem_layout_store(layout, best->plan);
  best->benefit = layout->benefit;
  best->exists = true;
}

// Places all items in their order; false when one cannot be placed, or the
// work limit is reached.
static bool place_in_order(pool_search_t *search) {
  gmem_pool_layout_t *layout = &search->layout;
  gmem_layout_clear(layout);
  for (uint32_t i = 0; i < layout->item_count; ++i) {
    uint32_t item = search->order[i].index;
    uint32_t placed = layout->item_count - layout->nowhere;
    if (layout->items[item].at != GMEM_NOWHERE)
      continue;
    if (!spend(search, 1 + placed) || !gmem_layout_place(layout, item))
      return false;
  }
  return true;
}

static void try_order(pool_search_t *search) {
  if (!place_in_order(search))
    return;
  keep_better(search);
  gmem_pool_climb(&search->layout, search->order);
  keep_better(search);
}

// Whether every item is in its most beneficial candidate.
static bool is_best_of_all(const pool_search_t *search) {
  gmem_benefit_t most = 0;
  for (uint32_t i = 0; i < search->layout.item_count; ++i)
    most += gmem_layout_best(&search->layout, i)->benefit;
  return search->best.exists && search->best.benefit == most;
}

static void climb(pool_search_t *search, const gmem_placement_t *plan) {
  const gmem_pools_t *pools = search->layout.pools;
  if (plan && gmem_layout_load(&search->layout, plan)) {
    gmem_pool_climb(&search->layout, search->order);
    keep_better(search);
  }
  for (int kind = 0; kind < ORDER_KINDS && !is_best_of_all(search); ++kind) {
    sort_items(search, (order_kind_t)kind);
    try_order(search);
  }
  uint64_t rounds = pools->is_quick ? 0 : rounds_of(pools->search);
  for (uint64_t i = 0;
       i < rounds && !is_best_of_all(search) && spend(search, 1); ++i) {
    sort_items(search, i % 2 ? BY_USE : BY_USE_AND_TIME);
    shuffle(search);
    try_order(search);
  }
}

//===--- the engine again -------------------------------------------------===//

static void mark_pools(const pool_search_t *search) {
  const gmem_pool_layout_t *layout = &search->layout;
  for (uint32_t i = 0; i < layout->buffer_count; ++i)
    layout->pools->pool_of[i] = layout->item_of[i] == GMEM_NOWHERE
                                    ? GMEM_NO_POOL
                                    : search->best.plan[i].pool;
}

static gmem_status_t finish(pool_search_t *search, bool *out_found) {
  gmem_pools_t *pools = search->layout.pools;
  gmem_placement_t *plan = search->best.plan;
  mark_pools(search);
  for (uint32_t i = 0; !pools->is_quick && i < search->layout.pool_count; ++i) {
    bool fits; // a pool that cannot be improved keeps its placements
    GMEM_TRY(gmem_repack_pool(pools, i, 2,
                              gmem_plan_pool_size(pools->problem, plan, i),
                              plan, &fits));
  }
  return gmem_take_plan(pools, plan, pools->plan, out_found);
}

//===--- the whole --------------------------------------------------------===//

// Starts a stage of |steps|, or of half of the remaining work.
static void begin_stage(gmem_search_t *search, const char *name,
                        uint64_t steps) {
  uint64_t half = gmem_search_left(search) / 2;
  gmem_search_begin_stage(search, name, steps < half ? steps : half);
}

static gmem_status_t run(pool_search_t *search, bool has_plan,
                         bool *out_found) {
  gmem_pools_t *pools = search->layout.pools;
  gmem_search_t *steps = pools->search;
  gmem_best_plan_t *best = &search->best;
  uint64_t quick = QUICK_STEPS * (search->layout.item_count + 16), limit;
  uint64_t share = pools->is_quick ? quick : steps_of(steps);
  best->benefit = has_plan ? gmem_plan_worth(pools->problem, pools->plan) : 0;
  best->exists = has_plan;
  gmem_benefit_t before = best->benefit;
  if (is_best_of_all(search))
    return GMEM_OK;
  begin_stage(steps, "pools", share);
  climb(search, has_plan ? pools->plan : NULL);
  if (search->layout.item_count <= GMEM_POOL_TREE_ITEMS && !pools->is_quick &&
      !is_best_of_all(search)) {
    begin_stage(steps, "pool tree", share);
    limit = steps->step_limit;
    steps->step_limit = steps->stage_limit; // applies to its engines, too
    gmem_status_t status = gmem_pool_tree(&search->layout, best);
    steps->step_limit = limit;
    GMEM_TRY(status);
  }
  bool is_better = best->exists && (!has_plan || best->benefit > before);
  return is_better ? finish(search, out_found) : GMEM_OK;
}

static gmem_status_t search_pools(pool_search_t *search, gmem_pools_t *pools,
                                  bool has_plan, bool *out_found) {
  gmem_pool_layout_t *layout = &search->layout;
  bool fits;
  GMEM_TRY(gmem_layout_create(pools, layout, &fits));
  if (!fits)
    return GMEM_OK;
  GMEM_TRY_NEW(search->order, &layout->memory,
               2 * (size_t)layout->buffer_count);
  // Zeros, because buffers of size 0 are placed last.
  GMEM_TRY_ZEROS(search->best.plan, &layout->memory, layout->buffer_count);
  return run(search, has_plan, out_found);
}

gmem_status_t gmem_pool_search(gmem_pools_t *pools, bool has_plan,
                               bool *out_found) {
  pool_search_t search = {.random = 1};
  *out_found = false;
  gmem_status_t status = search_pools(&search, pools, has_plan, out_found);
  gmem_layout_destroy(&search.layout);
  return status;
}

//===--- improvement of a plan --------------------------------------------===//

gmem_status_t gmem_improve_pools(gmem_pools_t *pools, gmem_status_t status) {
  bool has_plan = status == GMEM_OK, found = false;
  // A buffer that moved on because it is misaligned in its pool might have
  // stayed.
  bool may_exist = has_plan || status == GMEM_ERR_OVER_BUDGET ||
                   status == GMEM_ERR_INVALID_ARGUMENT;
  if (!may_exist || !pools->engine->searches_pools ||
      !gmem_pools_have_alternatives(pools->problem))
    return status;
  gmem_diag_t own = {0}, *diag = pools->diag;
  pools->diag = &own; // keeps the reason of |status|
  gmem_status_t searched = gmem_pool_search(pools, has_plan, &found);
  pools->diag = diag;
  pools->search->proved = false;
  if (searched == GMEM_OK)
    return found ? GMEM_OK : status;
  if (diag)
    *diag = own;
  return searched;
}
