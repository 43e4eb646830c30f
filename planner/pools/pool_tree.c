// pool_tree.c - branch and bound for the assignment of few movers to pools.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Movers are assigned one after the other, the one with the largest possible
// loss first, each to its candidates in order of benefit. A branch is cut when
// the bytes live at one time exceed a pool, when a pool contains a set of
// movers known not to fit there, or when the upper bound on the benefit of the
// remaining movers does not beat the best plan. When all are assigned, the
// engine places them; the set of a pool in which it fails is recorded.

#include "pool_tree.h"

#include <assert.h>
#include <string.h>

#include "empty_buffers.h"
#include "packing_query.h"

enum { MOST_BAD_SETS = 1024, MOVERS = GMEM_POOL_TREE_MOVERS };

// A set of movers that does not fit in one pool, as bits.
typedef struct set_s {
  uint64_t movers;
  uint32_t pool;
} set_t;

typedef struct tree_s {
  gmem_pool_layout_t *layout;
  gmem_pools_t *pools;
  gmem_scratch_t *memory;
  gmem_status_t status;
  gmem_placement_t *best; // the best plan
  gmem_placement_t *plan; // the plan of the current leaf
  gmem_benefit_t best_worth;
  bool has_best;
  uint32_t order[MOVERS]; // movers
  uint32_t turn[MOVERS];  // by level: index of the next entry of |choices|
  uint32_t choices[MOVERS][MOVERS]; // by level: candidates, best first
  uint32_t choice_count[MOVERS];
  uint32_t chosen[MOVERS];            // by level: the current candidate
  gmem_benefit_t benefit[MOVERS + 1]; // by level: total of the levels above it
  gmem_benefit_t
      rest[MOVERS + 1]; // by level: upper bound on the total from it downwards
  uint64_t *in_pool;    // by pool: assigned movers, as bits of levels
  uint64_t **pressure;  // by pool and section: bytes
  set_t bad[MOST_BAD_SETS];
  uint32_t bad_count;
} tree_t;

//===--- pressure ---------------------------------------------------------===//

// Adds the bytes of the item, or removes them.
static void add_item(tree_t *tree, const gmem_candidate_t *candidate,
                     bool removed) {
  const gmem_packing_t *packing = &tree->layout->packings[candidate->pool];
  const gmem_item_t *item = &packing->items[candidate->item];
  uint64_t *pressure = tree->pressure[candidate->pool];
  for (gmem_live_part_t live = {0}; gmem_next_live(packing, item, &live);)
    for (uint32_t i = live.span.begin; i < live.span.end; ++i)
      pressure[i] += removed ? live.begin - live.end : live.end - live.begin;
}

// With exclusive branches the sum of sizes is no bound.
static bool is_overloaded(const tree_t *tree,
                          const gmem_candidate_t *candidate) {
  const gmem_packing_t *packing = &tree->layout->packings[candidate->pool];
  const gmem_item_t *item = &packing->items[candidate->item];
  if (packing->has_choices)
    return false;
  for (uint32_t i = item->begin; i < item->end; ++i)
    if (tree->pressure[candidate->pool][i] > packing->limit)
      return true;
  return false;
}

static bool is_known_infeasible(const tree_t *tree, uint32_t pool) {
  for (uint32_t i = 0; i < tree->bad_count; ++i)
    if (tree->bad[i].pool == pool &&
        (tree->in_pool[pool] & tree->bad[i].movers) == tree->bad[i].movers)
      return true;
  return false;
}

//===--- leaves -----------------------------------------------------------===//

// Places the movers of |pool|; false when that fails.
static gmem_status_t pack_into(tree_t *tree, uint32_t pool,
                               gmem_packing_t *packing, bool *out_fits) {
  gmem_pools_t *pools = tree->pools;
  uint64_t peak, *offsets;
  GMEM_TRY(gmem_packing_create(pools->problem, pool, pools->pool_of,
                               pools->chosen, packing, NULL));
  *out_fits = packing->bound <= packing->limit;
  if (packing->count == 0 || !*out_fits)
    return GMEM_OK;
  if (packing->goal < packing->limit)
    packing->goal = packing->limit; // any placement within it will do
  GMEM_TRY_NEW(offsets, &packing->memory, packing->count);
  *out_fits = false;
  GMEM_TRY(gmem_run_engine(pools, packing, 8, offsets, &peak, NULL));
  *out_fits = peak <= packing->limit;
  if (*out_fits)
    gmem_packing_write(packing, offsets, tree->plan);
  return GMEM_OK;
}

static bool pack_pool(tree_t *tree, uint32_t pool) {
  gmem_packing_t packing;
  bool fits = false;
  gmem_status_t status = pack_into(tree, pool, &packing, &fits);
  if (status == GMEM_ERR_OUT_OF_MEMORY)
    tree->status = gmem_planner_out_of_memory(tree->memory->diag);
  gmem_packing_destroy(&packing);
  return fits;
}

static void record_infeasible(tree_t *tree, uint32_t pool) {
  if (tree->bad_count < MOST_BAD_SETS)
    tree->bad[tree->bad_count++] = (set_t){tree->in_pool[pool], pool};
}

static void mark_pools(tree_t *tree) {
  const gmem_pool_layout_t *layout = tree->layout;
  uint32_t pool_of[MOVERS];
  for (uint32_t i = 0; i < layout->mover_count; ++i)
    pool_of[tree->order[i]] =
        gmem_layout_candidate(layout, tree->order[i], tree->chosen[i])->pool;
  for (uint32_t i = 0; i < layout->buffer_count; ++i) {
    uint32_t mover = layout->mover_of[i];
    tree->pools->pool_of[i] =
        mover == GMEM_NOWHERE ? GMEM_NO_POOL : pool_of[mover];
  }
}

// Places the movers of all pools at a leaf.
static void try_leaf(tree_t *tree) {
  const gmem_pool_layout_t *layout = tree->layout;
  mark_pools(tree);
  for (uint32_t i = 0; i < layout->pool_count; ++i)
    if (!pack_pool(tree, i)) {
      if (tree->status == GMEM_OK)
        record_infeasible(tree, i);
      return;
    }
  // Buffers of size 0 are placed later; the checker needs valid placements now.
  if (gmem_place_empty(tree->pools->problem, tree->plan, NULL) != GMEM_OK)
    return;
  gmem_status_t status =
      gmem_check(tree->pools->problem, tree->plan, NULL, NULL);
  if (status == GMEM_ERR_OUT_OF_MEMORY)
    tree->status = gmem_planner_out_of_memory(tree->memory->diag);
  if (status != GMEM_OK)
    return;
  memcpy(tree->best, tree->plan, layout->buffer_count * sizeof *tree->plan);
  tree->best_worth = tree->benefit[layout->mover_count];
  tree->has_best = true;
}

//===--- search -----------------------------------------------------------===//

static bool is_hopeless(const tree_t *tree, uint32_t level) {
  return tree->has_best &&
         tree->benefit[level] + tree->rest[level] <= tree->best_worth;
}

static gmem_candidate_t *chosen_at(const tree_t *tree, uint32_t level) {
  return gmem_layout_candidate(tree->layout, tree->order[level],
                               tree->chosen[level]);
}

static void leave(tree_t *tree, uint32_t level) {
  const gmem_candidate_t *candidate = chosen_at(tree, level);
  add_item(tree, candidate, true);
  tree->in_pool[candidate->pool] &= ~(UINT64_C(1) << level);
}

// Takes the next promising choice of |level|; false when there is none left.
static bool enter(tree_t *tree, uint32_t level) {
  while (tree->turn[level] < tree->choice_count[level]) {
    tree->chosen[level] = tree->choices[level][tree->turn[level]++];
    const gmem_candidate_t *candidate = chosen_at(tree, level);
    tree->benefit[level + 1] = tree->benefit[level] + candidate->benefit;
    if (is_hopeless(tree, level + 1))
      return false; // the following ones are no better
    add_item(tree, candidate, false);
    tree->in_pool[candidate->pool] |= UINT64_C(1) << level;
    if (!is_overloaded(tree, candidate) &&
        !is_known_infeasible(tree, candidate->pool))
      return true;
    leave(tree, level);
  }
  return false;
}

static void walk(tree_t *tree) {
  uint32_t level = 0, count = tree->layout->mover_count;
  uint64_t steps = 4 + tree->layout->packings[0].section_count;
  tree->turn[0] = 0;
  while (tree->status == GMEM_OK &&
         gmem_search_spend(tree->pools->search, steps)) {
    if (level < count && enter(tree, level)) {
      if (++level < count)
        tree->turn[level] = 0;
      continue;
    }
    if (level == count && !is_hopeless(tree, count))
      try_leaf(tree);
    if (level-- == 0)
      return;
    leave(tree, level);
  }
}

//===--- set-up -----------------------------------------------------------===//

static gmem_benefit_t best_of(const gmem_pool_layout_t *layout,
                              uint32_t mover) {
  return gmem_layout_best(layout, mover)->benefit;
}

// Insertion sorts, for few elements.
static void order_movers(tree_t *tree) {
  const gmem_pool_layout_t *layout = tree->layout;
  uint32_t count = layout->mover_count;
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t at = i;
    for (; at > 0 && best_of(layout, tree->order[at - 1]) < best_of(layout, i);
         --at)
      tree->order[at] = tree->order[at - 1];
    tree->order[at] = i;
  }
  for (uint32_t i = count; i-- > 0;)
    tree->rest[i] = tree->rest[i + 1] + best_of(layout, tree->order[i]);
}

static void order_choices(tree_t *tree, uint32_t level) {
  const gmem_pool_layout_t *layout = tree->layout;
  uint32_t mover = tree->order[level], *choices = tree->choices[level];
  uint32_t count = layout->movers[mover].count;
  tree->choice_count[level] = count < MOVERS ? count : MOVERS;
  for (uint32_t i = 0; i < tree->choice_count[level]; ++i) {
    uint32_t at = i;
    for (; at > 0 &&
           gmem_layout_candidate(layout, mover, choices[at - 1])->benefit <
               gmem_layout_candidate(layout, mover, i)->benefit;
         --at)
      choices[at] = choices[at - 1];
    choices[at] = i;
  }
}

static gmem_status_t create(tree_t *tree) {
  uint32_t pools = tree->layout->pool_count;
  GMEM_TRY_ZEROS(tree->in_pool, tree->memory, pools);
  GMEM_TRY_NEW(tree->pressure, tree->memory, pools);
  GMEM_TRY_NEW(tree->plan, tree->memory, tree->layout->buffer_count);
  for (uint32_t i = 0; i < pools; ++i)
    GMEM_TRY_ZEROS(tree->pressure[i], tree->memory,
                   tree->layout->packings[i].section_count);
  return GMEM_OK;
}

static gmem_status_t search_tree(gmem_pool_layout_t *layout,
                                 gmem_placement_t *plan, bool *has_plan,
                                 gmem_benefit_t *benefit,
                                 gmem_scratch_t *memory) {
  tree_t *tree;
  assert(layout->mover_count <= MOVERS);
  GMEM_TRY_ZEROS(tree, memory, 1);
  tree->layout = layout;
  tree->pools = layout->pools;
  tree->memory = memory;
  tree->best = plan;
  tree->has_best = *has_plan;
  tree->best_worth = *benefit;
  GMEM_TRY(create(tree));
  order_movers(tree);
  for (uint32_t i = 0; i < layout->mover_count; ++i)
    order_choices(tree, i);
  walk(tree);
  *has_plan = tree->has_best;
  *benefit = tree->best_worth;
  return tree->status;
}

gmem_status_t gmem_pool_tree(gmem_pool_layout_t *layout, gmem_placement_t *plan,
                             bool *has_plan, gmem_benefit_t *benefit,
                             gmem_diag_t *diag) {
  gmem_scratch_t memory = {.allocator = layout->pools->allocator, .diag = diag};
  gmem_status_t status = search_tree(layout, plan, has_plan, benefit, &memory);
  gmem_scratch_free(&memory);
  return status;
}
