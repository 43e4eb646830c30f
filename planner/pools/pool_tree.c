// pool_tree.c - branch and bound for the assignment of few items to pools.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Items are assigned one after the other, the one with the largest possible
// loss first, each to its candidates in order of benefit. A branch is cut when
// the bytes live at one time exceed a pool, when a pool contains a set of
// items known not to fit there, or when the upper bound on the benefit of the
// remaining items does not beat the best plan. When all are assigned, the
// engine places them; the set of a pool in which it fails is recorded.

#include "pool_layout.h"

#include <assert.h>

enum { MOST_BAD_SETS = 1024, ITEMS = GMEM_POOL_TREE_ITEMS };

// A set of items that does not fit in one pool, as bits.
typedef struct set_s {
  uint64_t items;
  uint32_t pool;
} set_t;

// One item, and the state of the search above it and from it downwards.
typedef struct level_s {
  uint32_t item;
  uint32_t choices[ITEMS]; // candidates, best first
  uint32_t choice_count;
  uint32_t turn;          // index of the next entry of |choices|
  uint32_t chosen;        // the current candidate
  gmem_benefit_t benefit; // total of the levels above it
  gmem_benefit_t rest;    // upper bound on the total from it downwards
} level_t;

typedef struct tree_s {
  gmem_pool_layout_t *layout;
  gmem_pools_t *pools;
  gmem_best_plan_t *best;
  gmem_placement_t *plan; // of the current leaf
  level_t levels[ITEMS + 1];
  uint64_t *in_pool;   // by pool: assigned items, as bits of levels
  uint64_t **pressure; // by pool and section: bytes
  set_t bad[MOST_BAD_SETS];
  uint32_t bad_count;
} tree_t;

//===--- pressure ---------------------------------------------------------===//

// Adds the bytes of the item, or removes them.
static void add_bytes(tree_t *tree, const gmem_candidate_t *candidate,
                      bool removed) {
  const gmem_packing_t *packing =
      &tree->layout->planned[candidate->pool].packing;
  const gmem_item_t *packed = &packing->items[candidate->item];
  uint64_t *pressure = tree->pressure[candidate->pool];
  for (gmem_live_part_t live = {0}; gmem_next_live(packing, packed, &live);)
    for (uint32_t i = live.span.begin; i < live.span.end; ++i)
      pressure[i] += removed ? live.begin - live.end : live.end - live.begin;
}

// With exclusive branches the sum of sizes is no bound.
static bool is_overloaded(const tree_t *tree,
                          const gmem_candidate_t *candidate) {
  const gmem_packing_t *packing =
      &tree->layout->planned[candidate->pool].packing;
  const gmem_item_t *packed = &packing->items[candidate->item];
  if (packing->has_choices)
    return false;
  for (uint32_t i = packed->begin; i < packed->end; ++i)
    if (tree->pressure[candidate->pool][i] > packing->limit)
      return true;
  return false;
}

static bool is_known_infeasible(const tree_t *tree, uint32_t pool) {
  for (uint32_t i = 0; i < tree->bad_count; ++i)
    if (tree->bad[i].pool == pool &&
        (tree->in_pool[pool] & tree->bad[i].items) == tree->bad[i].items)
      return true;
  return false;
}

//===--- leaves -----------------------------------------------------------===//

static gmem_candidate_t *chosen_at(const tree_t *tree, uint32_t level) {
  return gmem_layout_candidate(tree->layout, tree->levels[level].item,
                               tree->levels[level].chosen);
}

static void mark_pools(tree_t *tree) {
  const gmem_pool_layout_t *layout = tree->layout;
  uint32_t pool_of[ITEMS];
  for (uint32_t i = 0; i < layout->item_count; ++i)
    pool_of[tree->levels[i].item] = chosen_at(tree, i)->pool;
  for (uint32_t i = 0; i < layout->buffer_count; ++i) {
    uint32_t item = layout->item_of[i];
    tree->pools->pool_of[i] =
        item == GMEM_NOWHERE ? GMEM_NO_POOL : pool_of[item];
  }
}

// Places the items of all pools at a leaf; records a pool in which they do not
// fit.
static gmem_status_t try_leaf(tree_t *tree) {
  bool fits;
  mark_pools(tree);
  for (uint32_t i = 0; i < tree->layout->pool_count; ++i) {
    GMEM_TRY(
        gmem_repack_pool(tree->pools, i, 8, GMEM_UNLIMITED, tree->plan, &fits));
    if (fits)
      continue;
    if (tree->bad_count < MOST_BAD_SETS)
      tree->bad[tree->bad_count++] = (set_t){tree->in_pool[i], i};
    return GMEM_OK;
  }
  GMEM_TRY(gmem_take_plan(tree->pools, tree->plan, tree->best->plan, &fits));
  if (!fits)
    return GMEM_OK;
  tree->best->benefit = tree->levels[tree->layout->item_count].benefit;
  tree->best->exists = true;
  return GMEM_OK;
}

//===--- search -----------------------------------------------------------===//

static bool is_hopeless(const tree_t *tree, uint32_t level) {
  const level_t *self = &tree->levels[level];
  return tree->best->exists &&
         self->benefit + self->rest <= tree->best->benefit;
}

static void leave(tree_t *tree, uint32_t level) {
  const gmem_candidate_t *candidate = chosen_at(tree, level);
  add_bytes(tree, candidate, true);
  tree->in_pool[candidate->pool] &= ~(UINT64_C(1) << level);
}

// Takes the next promising choice of |level|; false when there is none left.
static bool enter(tree_t *tree, uint32_t level) {
  level_t *self = &tree->levels[level];
  while (self->turn < self->choice_count) {
    self->chosen = self->choices[self->turn++];
    const gmem_candidate_t *candidate = chosen_at(tree, level);
    self[1].benefit = self->benefit + candidate->benefit;
    if (is_hopeless(tree, level + 1))
      return false; // the following ones are no better
    add_bytes(tree, candidate, false);
    tree->in_pool[candidate->pool] |= UINT64_C(1) << level;
    if (!is_overloaded(tree, candidate) &&
        !is_known_infeasible(tree, candidate->pool))
      return true;
    leave(tree, level);
  }
  return false;
}

static gmem_status_t walk(tree_t *tree) {
  uint32_t level = 0, count = tree->layout->item_count;
  uint64_t steps = 4 + tree->layout->planned[0].packing.section_count;
  while (gmem_search_spend(tree->pools->search, steps)) {
    if (level < count && enter(tree, level)) {
      tree->levels[++level].turn = 0;
      continue;
    }
    assert(level <= count);
    if (level == count && !is_hopeless(tree, count))
      GMEM_TRY(try_leaf(tree));
    if (level-- == 0)
      return GMEM_OK;
    leave(tree, level);
  }
  return GMEM_OK;
}

//===--- set-up -----------------------------------------------------------===//

static gmem_benefit_t best_of(const gmem_pool_layout_t *layout, uint32_t item) {
  return gmem_layout_best(layout, item)->benefit;
}

// Insertion sorts, for few elements.
static void order_items(tree_t *tree) {
  const gmem_pool_layout_t *layout = tree->layout;
  level_t *levels = tree->levels;
  uint32_t count = layout->item_count;
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t at = i;
    for (; at > 0 && best_of(layout, levels[at - 1].item) < best_of(layout, i);
         --at)
      levels[at].item = levels[at - 1].item;
    levels[at].item = i;
  }
  for (uint32_t i = count; i-- > 0;)
    levels[i].rest = levels[i + 1].rest + best_of(layout, levels[i].item);
}

static void order_choices(const gmem_pool_layout_t *layout, level_t *level) {
  uint32_t count = layout->items[level->item].count;
  const gmem_candidate_t *own = gmem_layout_candidate(layout, level->item, 0);
  level->choice_count = count < ITEMS ? count : ITEMS;
  for (uint32_t i = 0; i < level->choice_count; ++i) {
    uint32_t at = i;
    for (; at > 0 && own[level->choices[at - 1]].benefit < own[i].benefit; --at)
      level->choices[at] = level->choices[at - 1];
    level->choices[at] = i;
  }
}

gmem_status_t gmem_pool_tree(gmem_pool_layout_t *layout,
                             gmem_best_plan_t *best) {
  gmem_scratch_t *memory = &layout->memory;
  tree_t *tree;
  assert(layout->item_count <= ITEMS);
  GMEM_TRY_ZEROS(tree, memory, 1);
  tree->layout = layout;
  tree->pools = layout->pools;
  tree->best = best;
  GMEM_TRY_ZEROS(tree->in_pool, memory, layout->pool_count);
  GMEM_TRY_NEW(tree->pressure, memory, layout->pool_count);
  GMEM_TRY_NEW(tree->plan, memory, layout->buffer_count);
  for (uint32_t i = 0; i < layout->pool_count; ++i)
    GMEM_TRY_ZEROS(tree->pressure[i], memory,
                   layout->planned[i].packing.section_count);
  order_items(tree);
  for (uint32_t i = 0; i < layout->item_count; ++i)
    order_choices(layout, &tree->levels[i]);
  return walk(tree);
}
