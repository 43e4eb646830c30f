// alias_moves.c - moves of single buffers of the best plan.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "alias_moves.h"

#include <string.h>

#include "alias_climb.h"
#include "check_places.h"

// Work to move the buffers: about as much as the search took so far, without
// that for stacks, which has been in vain; if that was little, enough to move
// each buffer some times, up to a tenth of a second at normal effort.
static uint64_t climb_steps_of(const gmem_trial_t *trial) {
  const gmem_search_t *search = trial->pools.search;
  uint64_t buffers = trial->buffer_count;
  uint64_t spent = search->steps - trial->stack_steps;
  uint64_t most =
      gmem_by_effort(search->effort, 0, UINT64_C(1) << 28, UINT64_C(1) << 31);
  uint64_t moves = buffers < 1 << 16 ? buffers * buffers << 11 : most;
  uint64_t least = moves < most / 16 ? moves : most / 16;
  uint64_t steps = spent > least ? spent : least;
  return steps < most ? steps : most;
}

// Lists the aliases that are in place in |plan|.
static void list_in_place(gmem_trial_t *trial, const gmem_placement_t *plan,
                          gmem_selection_t *to) {
  const gmem_problem_t *problem = trial->pools.problem;
  gmem_list_all_aliases(trial, &trial->order);
  to->count = 0;
  for (size_t i = 0; i < trial->order.count; ++i) {
    const gmem_alias_spec_t *alias =
        gmem_problem_alias(problem, trial->order.at[i]);
    if (plan[alias->child].offset - plan[alias->parent].offset == alias->offset)
      to->at[to->count++] = trial->order.at[i];
  }
}

// Keeps the plan of the pools, whose buffers have been moved, if it is better.
static gmem_status_t keep_moved(gmem_trial_t *trial) {
  const gmem_pools_t *pools = &trial->pools;
  if (gmem_check_places(pools->problem, pools->plan, pools->diag) != GMEM_OK)
    return GMEM_OK;
  list_in_place(trial, pools->plan, &trial->next);
  GMEM_TRY(gmem_trial_choose(trial, &trial->next));
  if (gmem_keep_better(trial))
    gmem_copy_selection(&trial->next, &trial->best);
  return GMEM_OK;
}

// From a plan with a finer alignment on.
static gmem_status_t move_from_finer(gmem_trial_t *trial,
                                     gmem_pack_pools_t *pack,
                                     gmem_scratch_t *memory) {
  gmem_search_t *search = trial->pools.search;
  uint64_t steps = climb_steps_of(trial);
  gmem_placement_t *from;
  bool is_found;
  GMEM_TRY_NEW(from, memory, trial->buffer_count);
  GMEM_TRY(gmem_pack_finer(&trial->pools, pack, from, &is_found));
  if (!is_found)
    return GMEM_OK;
  GMEM_TRY(gmem_alias_realign(&trial->choice, &trial->live, search, steps,
                              search->lower_bound, from, trial->pools.plan,
                              memory));
  return keep_moved(trial);
}

// From the best plan on, and before that from one with a finer alignment.
static gmem_status_t move_from_both(gmem_trial_t *trial,
                                    gmem_pack_pools_t *pack,
                                    gmem_scratch_t *memory) {
  gmem_pools_t *pools = &trial->pools;
  gmem_search_t *search = pools->search;
  size_t bytes = trial->buffer_count * sizeof *pools->plan;
  uint64_t steps = climb_steps_of(trial);
  gmem_placement_t *best;
  GMEM_TRY(gmem_part_plans(trial));
  GMEM_TRY_NEW(best, memory, trial->buffer_count);
  memcpy(best, trial->best_plan, bytes);
  memcpy(pools->plan, best, bytes);
  if (gmem_has_finer_alignment(pools->problem))
    GMEM_TRY(move_from_finer(trial, pack, memory));
  if (gmem_is_near(trial))
    return GMEM_OK;
  memcpy(pools->plan, best, bytes);
  GMEM_TRY(gmem_alias_climb(&trial->choice, &trial->live, search, steps,
                            search->lower_bound, pools->plan, memory));
  return keep_moved(trial);
}

// Whether buffers of the best plan are moved.
static bool may_move(const gmem_trial_t *trial) {
  const gmem_pools_t *pools = &trial->pools;
  return !pools->search->has_fewer_aliases &&
         pools->engine->searches_pools && // a rule stays with its own plan
         !gmem_is_done(trial) && trial->best_peak != GMEM_UNLIMITED &&
         gmem_can_be_loose(pools->problem) && !gmem_is_near(trial);
}

// Keeps the new plan only where it ends the search.
static gmem_status_t stack_from_best(gmem_trial_t *trial, uint64_t steps,
                                     gmem_scratch_t *memory) {
  gmem_pools_t *pools = &trial->pools;
  gmem_search_t *search = pools->search;
  uint64_t before = search->steps;
  GMEM_TRY(gmem_part_plans(trial));
  memcpy(pools->plan, trial->best_plan,
         trial->buffer_count * sizeof *pools->plan);
  GMEM_TRY(gmem_alias_stack(&trial->choice, &trial->live, search, steps,
                            search->lower_bound, pools->plan, memory));
  trial->stack_steps = search->steps - before;
  return gmem_plan_peak(pools->problem, pools->plan) - search->lower_bound <=
                 gmem_search_enough(search)
             ? keep_moved(trial)
             : GMEM_OK;
}

gmem_status_t gmem_stack_buffers(gmem_trial_t *trial, bool *out_found) {
  enum { SHARE = 8 };
  *out_found = false;
  if (trial->pools.search->is_start || !may_move(trial))
    return GMEM_OK;
  gmem_scratch_t memory = {.allocator = trial->memory.allocator,
                           .diag = trial->pools.diag};
  gmem_status_t status =
      stack_from_best(trial, SHARE * trial->pools.search->steps, &memory);
  gmem_scratch_free(&memory);
  *out_found = gmem_is_near(trial);
  return status;
}

gmem_status_t gmem_move_buffers(gmem_trial_t *trial, gmem_pack_pools_t *pack) {
  if (!may_move(trial))
    return GMEM_OK;
  gmem_scratch_t memory = {.allocator = trial->memory.allocator,
                           .diag = trial->pools.diag};
  gmem_status_t status = move_from_both(trial, pack, &memory);
  gmem_scratch_free(&memory);
  return status;
}
