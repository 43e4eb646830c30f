// alias_kinds.c - selections of some kinds of aliases only.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "alias_kinds.h"

#include <string.h>

#include "alias_changes.h"

//===--- 4. some kinds ----------------------------------------------------===//

// More kinds than this count as one. All their combinations are tried.
enum { MOST_KINDS = 5 };

// Work for all combinations. It does not depend on how many there are, so that
// few kinds are tried in the same way as part of many.
static uint64_t steps_for_kinds(gmem_effort_t effort) {
  return gmem_by_effort(effort, UINT64_C(1) << 22, UINT64_C(1) << 25,
                        UINT64_C(1) << 27);
}

typedef struct kinds_s {
  uint32_t at[MOST_KINDS];
  uint32_t count;
} kinds_t;

static uint32_t number_of_kind(const kinds_t *kinds, uint32_t kind) {
  uint32_t number = 0;
  while (number < kinds->count && kinds->at[number] != kind)
    ++number;
  return number < MOST_KINDS ? number : MOST_KINDS - 1;
}

static uint32_t kind_of(const gmem_trial_t *trial, uint32_t alias) {
  return gmem_problem_alias(trial->pools.problem, alias)->kind;
}

// The kinds of the aliases in |order|, in the order of their numbers.
static void list_kinds(const gmem_trial_t *trial, kinds_t *kinds) {
  kinds->count = 0;
  for (size_t i = 0; i < trial->order.count; ++i) {
    uint32_t kind = kind_of(trial, trial->order.at[i]);
    uint32_t at = number_of_kind(kinds, kind);
    if (at < kinds->count || kinds->count == MOST_KINDS)
      continue;
    for (at = kinds->count++; at > 0 && kinds->at[at - 1] > kind; --at)
      kinds->at[at] = kinds->at[at - 1];
    kinds->at[at] = kind;
  }
}

static bool is_of_kinds(const gmem_trial_t *trial, const kinds_t *kinds,
                        uint32_t set, uint32_t alias) {
  return set >> number_of_kind(kinds, kind_of(trial, alias)) & 1;
}

gmem_status_t gmem_try_kinds(gmem_trial_t *trial, gmem_effort_t effort) {
  uint64_t until = trial->pools.search->steps + steps_for_kinds(effort);
  kinds_t kinds;
  gmem_list_all_aliases(trial, &trial->order);
  list_kinds(trial, &kinds);
  for (uint32_t most = 1; most < kinds.count; ++most)
    for (uint32_t set = 1; set < 1u << kinds.count; ++set) {
      if ((uint32_t)__builtin_popcount(set) != most)
        continue;
      if (!gmem_has_work_left(trial, until))
        return GMEM_OK;
      trial->next.count = 0;
      for (size_t i = 0; i < trial->order.count; ++i)
        if (is_of_kinds(trial, &kinds, set, trial->order.at[i]))
          trial->next.at[trial->next.count++] = trial->order.at[i];
      GMEM_TRY(gmem_try_order(trial, &trial->next));
    }
  return GMEM_OK;
}

gmem_status_t gmem_mark_changeable(gmem_trial_t *trial) {
  kinds_t kinds = {.count = 0};
  uint32_t used = 0;
  gmem_list_all_aliases(trial, &trial->order);
  list_kinds(trial, &kinds);
  gmem_mark_needed(trial, gmem_below_bound(trial->pools.search));
  if (trial->best_peak == GMEM_UNLIMITED)
    return GMEM_OK;
  GMEM_TRY(gmem_trial_choose(trial, &trial->best));
  for (int pass = 0; pass < 2; ++pass)
    for (size_t i = 0; i < trial->order.count; ++i) {
      uint32_t alias = trial->order.at[i];
      uint32_t kind = 1u << number_of_kind(&kinds, kind_of(trial, alias));
      bool is_chosen = trial->choice.chosen[alias];
      if (pass == 0 && is_chosen)
        used |= kind;
      else if (pass == 1)
        trial->is_needed[alias] =
            is_chosen || (trial->is_needed[alias] && (!used || used & kind));
    }
  return GMEM_OK;
}

//===--- 9. combinations of kinds -----------------------------------------===//

// Work for each combination.
static uint64_t steps_for_each(gmem_effort_t effort) {
  return steps_for_kinds(effort) / 8;
}

// The best selection, while others are searched.
typedef struct found_s {
  gmem_selection_t order;
  gmem_placement_t *plan;
  uint64_t peak;
  size_t count; // aliases used
} found_t;

static void save(const gmem_trial_t *trial, found_t *found) {
  gmem_copy_selection(&trial->best, &found->order);
  memcpy(found->plan, trial->best_plan,
         trial->buffer_count * sizeof *found->plan);
  found->peak = trial->best_peak;
  found->count = trial->best_count;
}

static void restore(gmem_trial_t *trial, const found_t *found) {
  gmem_copy_selection(&found->order, &trial->best);
  memcpy(trial->best_plan, found->plan,
         trial->buffer_count * sizeof *found->plan);
  trial->best_peak = trial->pools.search->peak = found->peak;
  trial->best_count = found->count;
}

// Forgets the best plan and what was tried, and searches among the aliases that
// are allowed.
static gmem_status_t search_allowed(gmem_trial_t *trial, uint64_t steps) {
  uint64_t until = trial->pools.search->steps + steps;
  trial->best_peak = GMEM_UNLIMITED;
  trial->tried_count = 0;
  GMEM_TRY(gmem_try_all(trial));
  GMEM_TRY(gmem_try_starts(trial, until));
  trial->prefers_few = false;
  if (trial->best_peak == GMEM_UNLIMITED)
    return GMEM_OK;
  GMEM_TRY(gmem_mark_changeable(trial));
  if (!gmem_is_done(trial))
    GMEM_TRY(gmem_try_changes(trial, until));
  if (!gmem_is_done(trial))
    GMEM_TRY(gmem_walk_selections(trial, until));
  gmem_list_all_aliases(trial, &trial->order);
  return gmem_is_done(trial) || trial->order.count > GMEM_FEW_ALIASES ||
                 trial->buffer_count > GMEM_FEW_BUFFERS
             ? GMEM_OK
             : gmem_try_subsets(trial, until);
}

static gmem_status_t search_kinds(gmem_trial_t *trial, found_t *found,
                                  bool *is_allowed, uint64_t steps) {
  size_t aliases = gmem_problem_alias_count(trial->pools.problem);
  kinds_t kinds;
  gmem_list_all_aliases(trial, &trial->order);
  list_kinds(trial, &kinds);
  trial->is_allowed = is_allowed;
  for (uint32_t set = 1; set < 1u << kinds.count && !gmem_is_done(trial);
       ++set) {
    for (uint32_t i = 0; i < aliases; ++i)
      is_allowed[i] = is_of_kinds(trial, &kinds, set, i);
    GMEM_TRY(search_allowed(trial, steps));
    if (trial->best_peak < found->peak)
      save(trial, found);
    restore(trial, found);
  }
  return GMEM_OK;
}

static gmem_status_t search_all_kinds(gmem_trial_t *trial, gmem_effort_t effort,
                                      gmem_scratch_t *memory) {
  size_t aliases = gmem_problem_alias_count(trial->pools.problem);
  found_t found;
  bool *is_allowed;
  GMEM_TRY(gmem_part_plans(trial));
  GMEM_TRY_NEW(found.order.at, memory, aliases);
  GMEM_TRY_NEW(found.plan, memory, trial->buffer_count);
  GMEM_TRY_NEW(is_allowed, memory, aliases);
  save(trial, &found);
  return search_kinds(trial, &found, is_allowed, steps_for_each(effort));
}

gmem_status_t gmem_search_other_kinds(gmem_trial_t *trial, gmem_effort_t effort,
                                      bool *out_found) {
  gmem_search_t *search = trial->pools.search;
  *out_found = false;
  if (gmem_is_done(trial) || trial->best_peak == GMEM_UNLIMITED ||
      gmem_is_near(trial))
    return GMEM_OK;
  gmem_scratch_t memory = {.allocator = trial->memory.allocator,
                           .diag = trial->pools.diag};
  uint64_t peak = trial->best_peak;
  trial->pools.share = 16;
  trial->enough = gmem_search_enough(search);
  search->effort = GMEM_EFFORT_FAST;
  gmem_status_t status = search_all_kinds(trial, effort, &memory);
  search->effort = effort;
  trial->enough = 0;
  trial->is_allowed = NULL;
  gmem_scratch_free(&memory);
  trial->tried_count = 0;
  *out_found = trial->best_peak < peak;
  return status;
}
