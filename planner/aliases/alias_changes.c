// alias_changes.c - selections that are made from others.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "alias_changes.h"

#include <assert.h>

// |to| = |from| with |alias| in front, or without it.
static void move_alias(const gmem_selection_t *from, uint32_t alias,
                       bool to_front, gmem_selection_t *to) {
  to->count = 0;
  if (to_front)
    to->at[to->count++] = alias;
  for (size_t i = 0; i < from->count; ++i)
    if (from->at[i] != alias)
      to->at[to->count++] = from->at[i];
}

//===--- 2. by pressure ---------------------------------------------------===//

// Lists the unused aliases that would lower the pressure at the first time of
// maximum pressure.
static void list_savers(gmem_trial_t *trial, gmem_pressure_t pressure) {
  trial->candidates.count = 0;
  for (size_t i = 0; i < trial->order.count; ++i) {
    uint32_t index = trial->order.at[i];
    const gmem_alias_spec_t *alias =
        gmem_problem_alias(trial->pools.problem, index);
    if (!trial->choice.chosen[index] &&
        gmem_is_live_at(&trial->live, alias->child, pressure.first) &&
        gmem_is_live_at(&trial->live, alias->parent, pressure.first))
      trial->candidates.at[trial->candidates.count++] = index;
  }
}

static bool is_less(gmem_pressure_t a, gmem_pressure_t b) {
  return a.most != b.most ? a.most < b.most : a.count < b.count;
}

// Moves the first candidate that lowers the pressure to the front; updates
// *pressure.
static gmem_status_t promote_one(gmem_trial_t *trial, uint64_t until,
                                 gmem_pressure_t *pressure, bool *out_found) {
  *out_found = false;
  for (size_t i = 0; i < trial->candidates.count && !*out_found &&
                     gmem_has_work_left(trial, until);
       ++i) {
    move_alias(&trial->order, trial->candidates.at[i], true, &trial->next);
    GMEM_TRY(gmem_trial_choose(trial, &trial->next));
    gmem_pressure_t next =
        gmem_find_pressure(&trial->live, trial->choice.chosen);
    if (!is_less(next, *pressure))
      continue;
    gmem_copy_selection(&trial->next, &trial->order);
    *pressure = next;
    *out_found = true;
  }
  return GMEM_OK;
}

static gmem_status_t improve_pressure(gmem_trial_t *trial, uint64_t until) {
  GMEM_TRY(gmem_trial_choose(trial, &trial->order));
  gmem_pressure_t pressure =
      gmem_find_pressure(&trial->live, trial->choice.chosen);
  bool found = true;
  while (found && pressure.most > trial->pools.search->lower_bound &&
         gmem_has_work_left(trial, until)) {
    list_savers(trial, pressure);
    GMEM_TRY(promote_one(trial, until, &pressure, &found));
  }
  return GMEM_OK;
}

//===--- 3. needed aliases ------------------------------------------------===//

uint64_t gmem_below_bound(const gmem_search_t *search) {
  return search->lower_bound - search->lower_bound / 32;
}

void gmem_mark_needed(gmem_trial_t *trial, uint64_t bytes) {
  gmem_mark_hot(&trial->live, bytes);
  for (size_t i = 0; i < trial->order.count; ++i) {
    uint32_t alias = trial->order.at[i];
    trial->is_needed[alias] = gmem_meet_when_hot(
        &trial->live, gmem_problem_alias(trial->pools.problem, alias));
  }
}

static gmem_status_t try_needed(gmem_trial_t *trial, uint64_t bytes) {
  gmem_mark_needed(trial, bytes);
  trial->next.count = 0;
  for (size_t i = 0; i < trial->order.count; ++i)
    if (trial->is_needed[trial->order.at[i]])
      trial->next.at[trial->next.count++] = trial->order.at[i];
  return gmem_try_order(trial, &trial->next);
}

// Lists the aliases to change: with several pools any may change the benefit.
static void list_changeable(const gmem_trial_t *trial, gmem_selection_t *to) {
  gmem_list_all_aliases(trial, to);
  if (trial->has_moves)
    return;
  size_t all = to->count;
  to->count = 0;
  for (size_t i = 0; i < all; ++i)
    if (trial->is_needed[to->at[i]])
      to->at[to->count++] = to->at[i];
}

gmem_status_t gmem_try_starts(gmem_trial_t *trial, uint64_t until) {
  const gmem_search_t *search = trial->pools.search;
  if (!gmem_is_done(trial))
    GMEM_TRY(improve_pressure(trial, until));
  if (!gmem_is_done(trial))
    GMEM_TRY(gmem_try_order(trial, &trial->order));
  trial->prefers_few = !trial->has_moves;
  if (!gmem_is_done(trial) && !trial->has_moves)
    GMEM_TRY(try_needed(trial, search->lower_bound));
  if (!gmem_is_done(trial) && !trial->has_moves)
    GMEM_TRY(try_needed(trial, gmem_below_bound(search)));
  return GMEM_OK;
}

//===--- 5. single changes ------------------------------------------------===//

static uint64_t end_of(const gmem_trial_t *trial, uint32_t buffer) {
  return trial->best_plan[buffer].offset +
         gmem_problem_buffer(trial->pools.problem, buffer)->size;
}

// Marks the buffers that are live together with a buffer with the highest end.
static void find_fullest(gmem_trial_t *trial) {
  uint64_t top = 0;
  for (uint32_t i = 0; i < trial->buffer_count; ++i)
    top = end_of(trial, i) > top ? end_of(trial, i) : top;
  for (uint32_t i = 0; i < trial->buffer_count; ++i)
    trial->is_full[i] = end_of(trial, i) == top;
  gmem_spread_live(&trial->live, trial->is_full);
}

// Lists the aliases of these buffers as candidates.
static void list_at_fullest(gmem_trial_t *trial) {
  gmem_selection_t *candidates = &trial->candidates;
  list_changeable(trial, candidates);
  if (trial->has_moves)
    return;
  find_fullest(trial);
  size_t all = candidates->count;
  candidates->count = 0;
  for (size_t i = 0; i < all; ++i) {
    const gmem_alias_spec_t *alias =
        gmem_problem_alias(trial->pools.problem, candidates->at[i]);
    if (trial->is_full[alias->child] || trial->is_full[alias->parent])
      candidates->at[candidates->count++] = candidates->at[i];
  }
}

// Tries the best selection with |alias| moved to the front if it is unused
// there, or without it.
static gmem_status_t try_change(gmem_trial_t *trial, uint32_t alias) {
  GMEM_TRY(gmem_trial_choose(trial, &trial->best));
  move_alias(&trial->best, alias, !trial->choice.chosen[alias], &trial->next);
  return gmem_try_order(trial, &trial->next);
}

gmem_status_t gmem_try_changes(gmem_trial_t *trial, uint64_t until) {
  bool found = trial->best_peak != GMEM_UNLIMITED;
  while (found) {
    size_t before = trial->kept;
    list_at_fullest(trial);
    found = false;
    for (size_t i = 0; i < trial->candidates.count && !found &&
                       gmem_has_work_left(trial, until);
         ++i) {
      GMEM_TRY(try_change(trial, trial->candidates.at[i]));
      found = trial->kept > before;
    }
  }
  return GMEM_OK;
}

// |order| = the aliases to change, those used by the best selection first.
static gmem_status_t order_by_best(gmem_trial_t *trial) {
  gmem_selection_t *order = &trial->order;
  GMEM_TRY(gmem_trial_choose(trial, &trial->best));
  list_changeable(trial, &trial->next);
  order->count = 0;
  for (int pass = 0; pass < 2; ++pass)
    for (size_t i = 0; i < trial->next.count; ++i)
      if (trial->choice.chosen[trial->next.at[i]] == (pass == 0))
        order->at[order->count++] = trial->next.at[i];
  assert(order->count == trial->next.count);
  return gmem_trial_choose(trial, order);
}

//===--- 6. random walk ---------------------------------------------------===//

// |next| = |order| with an alias in front when it is unused there, otherwise at
// the back. |choice| is the selection of |order|. Usually the alias is one of
// the candidates.
static void take_step(gmem_trial_t *trial, uint64_t *random) {
  enum { ONE_OF = 4 };
  bool anywhere =
      trial->candidates.count == 0 || gmem_xorshift(random) % ONE_OF == 0;
  const gmem_selection_t *from = anywhere ? &trial->order : &trial->candidates;
  uint32_t alias = from->at[gmem_xorshift(random) % from->count];
  bool is_chosen = trial->choice.chosen[alias];
  move_alias(&trial->order, alias, !is_chosen, &trial->next);
  if (is_chosen)
    trial->next.at[trial->next.count++] = alias;
}

// Ends the walk after this many steps without a new selection, in one pool or
// in several.
enum { MOST_STALE = 128, MOST_STALE_IN_POOLS = 512 };

// Starts from the aliases to change, those of the best selection first. Accepts
// steps that do not raise the pressure, and packs selections that may improve
// on the best.
gmem_status_t gmem_walk_selections(gmem_trial_t *trial, uint64_t until) {
  uint64_t random = UINT64_C(0x9e3779b97f4a7c15);
  size_t kept = SIZE_MAX;
  size_t most_stale = trial->has_moves ? MOST_STALE_IN_POOLS : MOST_STALE;
  GMEM_TRY(order_by_best(trial));
  if (trial->order.count == 0)
    return GMEM_OK;
  gmem_pressure_t pressure =
      gmem_find_pressure(&trial->live, trial->choice.chosen);
  trial->candidates.count = 0;
  for (size_t stale = 1;
       gmem_has_work_left(trial, until) && stale <= most_stale; ++stale) {
    size_t tried = trial->tried_count;
    if (trial->kept != kept && trial->best_peak != GMEM_UNLIMITED) {
      list_at_fullest(trial);
      kept = trial->kept;
    }
    GMEM_TRY(gmem_trial_choose(trial, &trial->order));
    take_step(trial, &random);
    GMEM_TRY(gmem_trial_choose(trial, &trial->next));
    gmem_pressure_t next =
        gmem_find_pressure(&trial->live, trial->choice.chosen);
    if (is_less(pressure, next))
      continue;
    pressure = next;
    gmem_copy_selection(&trial->next, &trial->order);
    if (pressure.most < trial->best_peak || trial->has_moves)
      GMEM_TRY(gmem_try_chosen(trial, &trial->order));
    if (trial->tried_count > tried)
      stale = 0;
  }
  return GMEM_OK;
}

//===--- few aliases ------------------------------------------------------===//

gmem_status_t gmem_try_subsets(gmem_trial_t *trial, uint64_t until) {
  const gmem_problem_t *problem = trial->pools.problem;
  uint32_t *order = trial->order.at;
  size_t listed = trial->order.count, all = 0;
  for (size_t i = 0; i < listed; ++i) { // an empty child changes nothing
    uint32_t child = gmem_problem_alias(problem, order[i])->child;
    if (listed <= GMEM_FEW_ALIASES || gmem_problem_buffer(problem, child)->size)
      order[all++] = order[i];
  }
  assert(all <= GMEM_FEW_ALIASES);
  for (uint32_t mask = 1u << all;
       mask-- > 0 && trial->pools.search->steps < until;) {
    gmem_selection_t *subset = &trial->next;
    subset->count = 0;
    for (size_t i = 0; i < all; ++i)
      if (mask >> i & 1)
        subset->at[subset->count++] = order[i];
    if (gmem_is_done(trial))
      break;
    GMEM_TRY(gmem_try_order(trial, subset));
  }
  return GMEM_OK;
}
