// alias_trial.c - attempts: plans with one selection of optional aliases.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "alias_trial.h"

#include <string.h>

#include "check_places.h"
#include "problem_store.h"

// The approximate work to inspect a stay while aliases are selected.
enum { STEPS_PER_STAY = 64 };

//===--- orders -----------------------------------------------------------===//

void gmem_list_all_aliases(const gmem_trial_t *trial, gmem_selection_t *to) {
  to->count = 0;
  for (size_t i = 0; i < trial->choice.alias_count; ++i)
    if (gmem_problem_alias(trial->pools.problem, i)->is_optional &&
        (!trial->is_allowed || trial->is_allowed[i]))
      to->at[to->count++] = (uint32_t)i;
}

void gmem_copy_selection(const gmem_selection_t *from, gmem_selection_t *to) {
  memcpy(to->at, from->at, from->count * sizeof *to->at);
  to->count = from->count;
}

gmem_status_t gmem_trial_choose(gmem_trial_t *trial,
                                const gmem_selection_t *order) {
  return gmem_choose_aliases(&trial->choice, order->at, order->count);
}

//===--- one attempt ------------------------------------------------------===//

// FNV-1a of the selection and the effort. On a collision, which is very
// unlikely, one selection is not tried.
static uint64_t digest_of(const gmem_trial_t *trial) {
  const uint64_t prime = UINT64_C(0x100000001b3);
  uint64_t digest = UINT64_C(0xcbf29ce484222325);
  digest = (digest ^ (uint64_t)trial->pools.search->effort) * prime;
  for (size_t i = 0; i < trial->choice.alias_count; ++i)
    digest = (digest ^ trial->choice.chosen[i]) * prime;
  return digest;
}

// Records that the selection is packed with this effort, for which there is
// room; returns whether it had been already.
static bool was_tried(gmem_trial_t *trial) {
  uint64_t digest = digest_of(trial);
  for (size_t i = 0; i < trial->tried_count; ++i)
    if (trial->tried[i] == digest)
      return true;
  trial->tried[trial->tried_count++] = digest;
  return false;
}

// Several pools: without the engine.
static gmem_status_t pack_quickly(gmem_pools_t *pools) {
  bool found;
  gmem_status_t status = gmem_pool_search(pools, false, &found);
  return status != GMEM_OK || found
             ? status
             : gmem_planner_fail(pools->diag, GMEM_ERR_OVER_BUDGET,
                                 GMEM_NO_BUFFER,
                                 "the buffers do not fit in their pools");
}

// Most programs need one attempt only, and no other plan.
gmem_status_t gmem_part_plans(gmem_trial_t *trial) {
  if (trial->pools.plan == trial->best_plan &&
      trial->best_peak != GMEM_UNLIMITED)
    GMEM_TRY_NEW(trial->pools.plan, &trial->memory, trial->buffer_count);
  return GMEM_OK;
}

gmem_status_t gmem_pack_choice(gmem_trial_t *trial) {
  gmem_pools_t *pools = &trial->pools;
  GMEM_TRY(gmem_part_plans(trial));
  pools->chosen = trial->choice.chosen;
  pools->groups = &trial->choice.groups;
  if (pools->is_quick)
    return pack_quickly(pools);
  if (!trial->has_moves)
    pools->ceiling = trial->best_peak;
  GMEM_TRY(gmem_pack_once(pools));
  // Fixed buffers may overlap those that were placed in their parents. Any plan
  // is checked at the end.
  return trial->has_fixed
             ? gmem_check_places(pools->problem, pools->plan, pools->diag)
             : GMEM_OK;
}

// Whether |peak| is better than that of the best plan, with equal benefits.
static bool is_lower(const gmem_trial_t *trial, uint64_t peak, size_t count) {
  return peak < trial->best_peak ||
         (trial->prefers_few && peak == trial->best_peak &&
          count < trial->best_count);
}

static size_t count_chosen(const gmem_trial_t *trial) {
  size_t count = 0;
  for (size_t i = 0; i < trial->choice.alias_count; ++i)
    count += trial->choice.chosen[i];
  return count;
}

bool gmem_keep_better(gmem_trial_t *trial) {
  size_t count = count_chosen(trial);
  const gmem_pools_t *pools = &trial->pools;
  uint64_t peak = gmem_plan_peak(pools->problem, pools->plan);
  gmem_benefit_t benefit =
      trial->has_moves ? gmem_plan_worth(pools->problem, pools->plan) : 0;
  if (trial->best_peak != GMEM_UNLIMITED && benefit != trial->best_worth
          ? benefit < trial->best_worth
          : !is_lower(trial, peak, count))
    return false;
  trial->best_count = count;
  trial->best_peak = pools->search->peak = peak;
  trial->best_worth = benefit;
  ++trial->kept;
  if (pools->plan != trial->best_plan)
    memcpy(trial->best_plan, pools->plan,
           trial->buffer_count * sizeof *pools->plan);
  return true;
}

gmem_status_t gmem_try_chosen(gmem_trial_t *trial,
                              const gmem_selection_t *order) {
  GMEM_TRY_ROOM(trial->tried, &trial->memory, trial->tried_count,
                trial->tried_room);
  if (was_tried(trial))
    return GMEM_OK;
  gmem_status_t status = gmem_pack_choice(trial);
  if (status == GMEM_ERR_OUT_OF_MEMORY)
    return status;
  if (status != GMEM_OK)
    trial->status = status; // another selection may fit
  else if (gmem_keep_better(trial))
    gmem_copy_selection(order, &trial->best);
  return GMEM_OK;
}

gmem_status_t gmem_try_order(gmem_trial_t *trial,
                             const gmem_selection_t *order) {
  GMEM_TRY(gmem_trial_choose(trial, order));
  return gmem_try_chosen(trial, order);
}

gmem_status_t gmem_try_none(gmem_trial_t *trial) {
  return gmem_try_order(trial, &(gmem_selection_t){trial->order.at, 0});
}

gmem_status_t gmem_try_all(gmem_trial_t *trial) {
  gmem_list_all_aliases(trial, &trial->order);
  return gmem_try_order(trial, &trial->order);
}

// An upper bound on the benefit.
bool gmem_is_worth_most(const gmem_trial_t *trial) {
  const gmem_problem_t *problem = trial->pools.problem;
  gmem_benefit_t most = 0;
  if (!trial->has_moves)
    return true;
  for (uint32_t i = 0; i < trial->buffer_count; ++i)
    most +=
        gmem_benefit_in(problem, i, gmem_problem_buffer(problem, i)->pools[0]);
  return trial->best_worth == most;
}

bool gmem_is_done(const gmem_trial_t *trial) {
  uint64_t bound = trial->pools.search->lower_bound;
  return ((trial->best_peak <= bound ||
           trial->best_peak - bound <= trial->enough) &&
          gmem_is_worth_most(trial)) ||
         !gmem_search_spend(trial->pools.search, 1);
}

bool gmem_has_work_left(gmem_trial_t *trial, uint64_t until) {
  gmem_search_t *search = trial->pools.search;
  uint64_t steps =
      STEPS_PER_STAY * (trial->buffer_count + trial->choice.alias_count);
  return !gmem_is_done(trial) && gmem_search_spend(search, steps) &&
         search->steps < until;
}

bool gmem_is_near(const gmem_trial_t *trial) {
  const gmem_search_t *search = trial->pools.search;
  return trial->best_peak - search->lower_bound <= gmem_search_enough(search);
}
