// alias_trial.h - attempts: plans with one selection of optional aliases.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PLANNER_ALIAS_TRIAL_H_
#define GMEM_PLANNER_ALIAS_TRIAL_H_

#include "alias_pressure.h"
#include "benefit.h"
#include "choose_aliases.h"
#include "pool_state.h"

// Optional aliases, in the order in which they are used.
typedef struct gmem_selection_s {
  uint32_t *at;
  size_t count;
} gmem_selection_t;

// The search: its best plan and the selections that it works on.
typedef struct gmem_trial_s {
  gmem_pools_t pools; // |plan| of the current attempt: |best_plan| until that
                      //   is one
  gmem_scratch_t memory;
  gmem_choice_t choice;
  gmem_placement_t *best_plan;
  uint64_t best_peak;        // of all pools; GMEM_UNLIMITED: no plan yet
  gmem_benefit_t best_worth; // benefit of its placements in several pools
  bool has_fixed;            // some buffers are at fixed offsets
  bool has_moves;   // several pools: the benefit takes precedence over the peak
  bool prefers_few; // of equal peaks, that with fewer aliases is better
  bool was_quick;   // not every buffer could be in its most beneficial pool
  size_t best_count;    // aliases that the best selection uses
  size_t kept;          // number of improvements so far
  uint64_t stack_steps; // work for stacks that was in vain
  bool is_stacked;      // the best plan was found with a stack, near the bound
  uint64_t enough;      // bytes above the bound at which the search ends
  gmem_selection_t order, best, next;
  gmem_selection_t candidates; // aliases to promote or change
  uint32_t buffer_count;
  uint64_t *tried; // digests of selections that were packed
  size_t tried_count, tried_room;
  gmem_alias_pressure_t live;
  bool *is_full;   // by buffer: live at the peak of the plan
  bool *is_needed; // by alias: single changes and the walk use only these
  const bool *is_allowed; // by alias; NULL: all are
  gmem_status_t status;
} gmem_trial_t;

//===--- selections -------------------------------------------------------===//

// |to| = all optional aliases that are allowed, in order of addition.
void gmem_list_all_aliases(const gmem_trial_t *trial, gmem_selection_t *to);

void gmem_copy_selection(const gmem_selection_t *from, gmem_selection_t *to);

// Uses the aliases of |order| one after the other where possible: |choice|.
// Fails with OUT_OF_MEMORY.
gmem_status_t gmem_trial_choose(gmem_trial_t *trial,
                                const gmem_selection_t *order);

//===--- attempts ---------------------------------------------------------===//

// Gives the pools a plan of their own, apart from the best one. Fails with
// OUT_OF_MEMORY.
gmem_status_t gmem_part_plans(gmem_trial_t *trial);

// Packs with the choice; the plan is that of the pools.
gmem_status_t gmem_pack_choice(gmem_trial_t *trial);

// Keeps the plan of the pools if it is the best so far, and returns whether it
// is. The benefit takes precedence.
bool gmem_keep_better(gmem_trial_t *trial);

// Packs with the choice, which is that of |order|, unless that was done before
// with the same effort, and keeps the plan if it is the best so far. Returns
// only failures that end the search; |status| has the others.
gmem_status_t gmem_try_chosen(gmem_trial_t *trial,
                              const gmem_selection_t *order);

// Chooses the aliases of |order|, and tries them; all of them; none.
gmem_status_t gmem_try_order(gmem_trial_t *trial,
                             const gmem_selection_t *order);
gmem_status_t gmem_try_all(gmem_trial_t *trial);
gmem_status_t gmem_try_none(gmem_trial_t *trial);

//===--- the end of the search --------------------------------------------===//

// Whether no plan has a larger benefit.
bool gmem_is_worth_most(const gmem_trial_t *trial);

// Whether the best plan is good enough, or no work is left.
bool gmem_is_done(const gmem_trial_t *trial);

// The same, or the search has reached |until| units of work. Counts the work of
// an attempt besides the packing.
bool gmem_has_work_left(gmem_trial_t *trial, uint64_t until);

// Whether the peak is at most a thousandth above the bound: more work would
// gain little.
bool gmem_is_near(const gmem_trial_t *trial);

#endif // GMEM_PLANNER_ALIAS_TRIAL_H_
