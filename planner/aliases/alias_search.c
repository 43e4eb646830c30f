// alias_search.c - searches for the optional aliases that minimize the peak.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A selection is an order of aliases: they are used one after the other where
// possible (choose_aliases.c). An alias lowers the pressure while its two
// buffers are live together, and never raises it. But aliases may exclude each
// other, and joined buffers can no longer be placed independently. So the
// search tries:
//
// 1. all aliases, in order of addition: usually this reaches the bound;
// 2. while the pressure is above the bound: moves an unused alias that would
//    lower the maximum pressure to the front;
// 3. the aliases that are needed: those whose buffers are live together at a
//    time at which the pressure without any alias is above the bound, or close
//    to it. The others lower the pressure only where it is low enough, and tie
//    buffers that could be placed independently. So aliases that have nothing
//    to do with the peak do not make a plan worse;
// 4. no alias; then all aliases of some kinds only: kinds that lower the peak
//    a little may be in the way of others;
// 5. from the best of these, single changes among the aliases of buffers that
//    are live at the peak of the plan;
// 6. a random walk over selections whose pressure does not increase. If the
//    plan is not near the bound: single buffers, with all aliases as places, in
//    a stack of those that are live at the maximum pressure (loose_stack.c). A
//    plan near the bound ends the search. Otherwise 5. and 6. with more work;
// 7. the best selection again with all remaining work and, for few aliases, all
//    subsets;
// 8. if the plan still is not near the bound, moves of single buffers, with all
//    aliases as places (alias_climb.c); where the alignment of the pool costs
//    much, without it first (finer_alignment.c);
// 9. if it still is not, 1. to 3., 5. and 6. with each combination of kinds
//    alone: changes of the best selection may end where none helps.
//
// 2., 3., 5. and 6. are in alias_changes.c, 4. and 9. in alias_kinds.c, 8. in
// alias_moves.c. Steps 1. to 6. and 9. plan at fast effort. All work counts
// towards the limit, so the result is the same on every machine.
//
// What 8. and the stack find depends on random numbers, so that more aliases
// could give a larger plan: they are left out for problems that have only some
// of those of their program (gmem_solve_options_t.has_fewer_aliases). For the
// same reason exhaustive effort begins with all of normal effort.

#include "alias_search.h"

#include "alias_changes.h"
#include "alias_kinds.h"
#include "alias_moves.h"
#include "problem_store.h"

// Work for each of 2., 5. and 6., by effort.
static uint64_t steps_of(gmem_effort_t effort) {
  return gmem_by_effort(effort, UINT64_C(1) << 20, UINT64_C(1) << 27,
                        UINT64_C(1) << 31);
}

// The same for 5. and 6. again, where the plan is not near its bound.
static uint64_t long_steps_of(gmem_effort_t effort) {
  return gmem_by_effort(effort, 0, UINT64_C(1) << 28, UINT64_C(1) << 31);
}

static gmem_status_t try_all_subsets(gmem_trial_t *trial) {
  const gmem_search_t *search = trial->pools.search;
  uint64_t steps = trial->has_moves ? steps_of(search->effort) / 4 : UINT64_MAX;
  uint64_t until =
      steps < UINT64_MAX - search->steps ? search->steps + steps : UINT64_MAX;
  gmem_list_all_aliases(trial, &trial->order);
  return gmem_try_subsets(trial, until);
}

//===--- the whole search -------------------------------------------------===//

// Whether every selection is infeasible.
static bool is_infeasible(const gmem_trial_t *trial) {
  const gmem_problem_t *problem = trial->pools.problem;
  return gmem_problem_pool_count(problem) == 1 &&
         trial->pools.search->lower_bound >
             gmem_pool_limit(gmem_problem_pool(problem, 0));
}

// 5. and 6., each with so much work.
static gmem_status_t improve_best(gmem_trial_t *trial, uint64_t steps) {
  uint64_t until = trial->pools.search->steps + steps;
  if (!gmem_is_done(trial))
    GMEM_TRY(gmem_try_changes(trial, until));
  until = trial->pools.search->steps + steps;
  return gmem_is_done(trial) || is_infeasible(trial)
             ? GMEM_OK
             : gmem_walk_selections(trial, until);
}

// The same with more work, while the peak is more than a thousandth above the
// bound: below it, that would gain little.
static gmem_status_t improve_long(gmem_trial_t *trial, gmem_effort_t effort) {
  trial->enough = gmem_search_enough(trial->pools.search);
  gmem_status_t status = improve_best(trial, long_steps_of(effort));
  trial->enough = 0;
  return status;
}

static gmem_status_t explore(gmem_trial_t *trial, gmem_effort_t effort) {
  gmem_search_t *search = trial->pools.search;
  uint64_t steps = steps_of(trial->has_moves ? effort : search->effort);
  uint64_t until = search->steps + steps;
  GMEM_TRY(gmem_try_all(trial));
  // Most programs end here, without the memory for the pressure.
  if (trial->best_peak <= search->lower_bound && !trial->has_moves)
    return GMEM_OK;
  GMEM_TRY(gmem_alias_pressure_create(trial->pools.problem, &trial->memory,
                                      &trial->live));
  GMEM_TRY(gmem_try_starts(trial, until));
  if (!gmem_is_done(trial))
    GMEM_TRY(gmem_try_none(trial));
  if (!gmem_is_done(trial) && !trial->has_moves && !is_infeasible(trial))
    GMEM_TRY(gmem_try_kinds(trial, effort));
  trial->prefers_few = false;
  if (!trial->has_moves)
    GMEM_TRY(gmem_mark_changeable(trial));
  GMEM_TRY(improve_best(trial, steps));
  if (effort == GMEM_EFFORT_FAST || trial->has_moves)
    return GMEM_OK;
  GMEM_TRY(gmem_stack_buffers(trial, &trial->is_stacked));
  return improve_long(trial, effort);
}

// The best selection with full effort, or all aliases if nothing fits so far;
// then none, so that sharing never makes the result worse.
static gmem_status_t try_full_effort(gmem_trial_t *trial) {
  trial->pools.share = 2;
  if (trial->best_peak == GMEM_UNLIMITED)
    gmem_list_all_aliases(trial, &trial->order);
  else
    gmem_copy_selection(&trial->best, &trial->order);
  if (!gmem_is_done(trial))
    GMEM_TRY(gmem_try_order(trial, &trial->order));
  if (!gmem_is_done(trial))
    GMEM_TRY(gmem_try_none(trial));
  return GMEM_OK;
}

//===--- by effort --------------------------------------------------------===//

// Whether the assignment of buffers to pools is searched.
static bool searches_pools(const gmem_trial_t *trial) {
  return trial->has_moves && trial->pools.engine->searches_pools;
}

// With fast effort, while some buffers are not in their best pool.
static gmem_status_t try_fast(gmem_trial_t *trial, gmem_effort_t effort) {
  if (searches_pools(trial)) {
    GMEM_TRY(gmem_try_all(trial));
    trial->pools.is_quick = trial->was_quick = !gmem_is_worth_most(trial);
  }
  return explore(trial, effort);
}

static gmem_status_t try_with_effort(gmem_trial_t *trial) {
  gmem_search_t *search = trial->pools.search;
  gmem_effort_t effort = search->effort;
  trial->pools.share = 16;
  search->effort = GMEM_EFFORT_FAST;
  gmem_status_t status = try_fast(trial, effort);
  search->effort = effort;
  GMEM_TRY(status);
  if (trial->is_stacked && effort == GMEM_EFFORT_NORMAL)
    return GMEM_OK;
  if (effort != GMEM_EFFORT_FAST && !trial->pools.is_quick)
    GMEM_TRY(try_full_effort(trial));
  trial->pools.share = 4;
  if (trial->choice.leaf_count <= GMEM_FEW_ALIASES &&
      trial->buffer_count <= GMEM_FEW_BUFFERS && !gmem_is_done(trial))
    GMEM_TRY(try_all_subsets(trial));
  if (effort == GMEM_EFFORT_FAST || trial->has_moves)
    return GMEM_OK;
  bool is_found;
  GMEM_TRY(gmem_move_buffers(trial, gmem_pack_with_choices));
  GMEM_TRY(gmem_search_other_kinds(trial, effort, &is_found));
  return is_found ? try_full_effort(trial) : GMEM_OK;
}

static gmem_status_t try_choices(gmem_trial_t *trial) {
  GMEM_TRY(try_with_effort(trial));
  trial->pools.is_quick = false;
  trial->pools.search->proved = false;
  return trial->best_peak == GMEM_UNLIMITED ? trial->status : GMEM_OK;
}

//===--- several pools ----------------------------------------------------===//

// Packs with the aliases of |order|, moves buffers between pools, and keeps the
// plan if it is the best so far.
static gmem_status_t improve_choice(gmem_trial_t *trial,
                                    const gmem_selection_t *order) {
  gmem_pools_t *pools = &trial->pools;
  GMEM_TRY(gmem_trial_choose(trial, order));
  pools->search->proved = false;
  gmem_status_t status = gmem_improve_pools(pools, gmem_pack_choice(trial));
  if (status == GMEM_OK)
    (void)gmem_keep_better(trial);
  return status == GMEM_ERR_OUT_OF_MEMORY ? status : GMEM_OK;
}

// With the best selection, without aliases, and with all: a larger group is
// less likely to fit in a small pool.
static gmem_status_t improve_pools(gmem_trial_t *trial) {
  const gmem_selection_t none = {trial->order.at, 0};
  trial->pools.share = 4;
  gmem_list_all_aliases(trial, &trial->order);
  if (trial->best_peak != GMEM_UNLIMITED && trial->best.count)
    GMEM_TRY(improve_choice(trial, &trial->best));
  if (!gmem_is_worth_most(trial))
    GMEM_TRY(improve_choice(trial, &trial->order));
  if (!gmem_is_worth_most(trial))
    GMEM_TRY(improve_choice(trial, &none));
  if (trial->best_peak != GMEM_UNLIMITED)
    return GMEM_OK;
  // The last attempt has filled the diagnostic.
  GMEM_TRY(gmem_trial_choose(trial, &none));
  return gmem_pack_choice(trial);
}

static gmem_status_t search_choices(gmem_trial_t *trial) {
  const gmem_problem_t *problem = trial->pools.problem;
  gmem_scratch_t *memory = &trial->memory;
  size_t buffers = trial->buffer_count;
  size_t aliases = gmem_problem_alias_count(problem);
  GMEM_TRY(gmem_choice_create(problem, &trial->choice, memory->diag));
  GMEM_TRY_NEW(trial->order.at, memory, aliases);
  GMEM_TRY_NEW(trial->best.at, memory, aliases);
  GMEM_TRY_NEW(trial->next.at, memory, aliases);
  GMEM_TRY_NEW(trial->candidates.at, memory, aliases);
  GMEM_TRY_NEW(trial->is_full, memory, buffers);
  GMEM_TRY_ZEROS(trial->is_needed, memory, aliases);
  gmem_status_t status = try_choices(trial);
  if (status != GMEM_ERR_OUT_OF_MEMORY && searches_pools(trial) &&
      (trial->was_quick || status != GMEM_OK))
    return improve_pools(trial);
  return status;
}

gmem_status_t gmem_pack_with_choices(gmem_pools_t *pools) {
  gmem_trial_t trial = {
      .pools = *pools,
      .memory = {.allocator = gmem_problem_allocator(pools->problem),
                 .diag = pools->diag},
      .best_plan = pools->plan,
      .best_peak = GMEM_UNLIMITED,
      .buffer_count = gmem_problem_buffer_count(pools->problem),
      .has_fixed = gmem_problem_traits(pools->problem).has_fixed,
      .has_moves = gmem_pools_have_alternatives(pools->problem)};
  gmem_status_t status = search_choices(&trial);
  gmem_choice_destroy(&trial.choice);
  gmem_scratch_free(&trial.memory);
  return status;
}
