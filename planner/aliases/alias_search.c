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
// 6. a random walk over selections whose pressure does not increase; 5. and 6.
//    with more work again if the plan is not near the bound;
// 7. the best selection again with all remaining work and, for few aliases, all
//    subsets;
// 8. if the plan still is not near the bound, moves of single buffers, with all
//    aliases as places (alias_climb.c); where the alignment of the pool costs
//    much, without it first (finer_alignment.c);
// 9. if it still is not, 1. to 3., 5. and 6. with each combination of kinds
//    alone: changes of the best selection may end where none helps.
//
// Steps 1. to 6. and 9. plan at fast effort. All work counts towards the limit,
// so the result is the same on every machine.
//
// What 8. finds depends on its random numbers, so that more aliases could give
// a larger plan: it is left out for problems that have only some of those of
// their program (gmem_solve_options_t.has_fewer_aliases). For the same reason
// exhaustive effort begins with all of normal effort.

#include "alias_search.h"

#include <assert.h>
#include <string.h>

#include "alias_climb.h"
#include "alias_pressure.h"
#include "benefit.h"
#include "check_places.h"
#include "choose_aliases.h"
#include "finer_alignment.h"
#include "problem_store.h"

// The limits for trying all subsets of the aliases.
enum { FEW_ALIASES = 10, FEW_BUFFERS = 64 };

// The approximate work to inspect a stay while aliases are selected.
enum { STEPS_PER_STAY = 64 };

// Work for each of 2., 5. and 6., by effort.
static uint64_t steps_of(gmem_effort_t effort) {
  return gmem_by_effort(effort, UINT64_C(1) << 20, UINT64_C(1) << 27,
                        UINT64_C(1) << 31);
}

// The same for 5. and 6. again, where the plan is not near its bound.
static uint64_t long_steps_of(gmem_effort_t effort) {
  return gmem_by_effort(effort, 0, UINT64_C(1) << 28, UINT64_C(1) << 31);
}

// The same for 8. of so many buffers, which takes about as much as all before
// it; if that was little, enough to move each buffer some times, up to a tenth
// of a second at normal effort.
static uint64_t climb_steps_of(const gmem_search_t *search, uint64_t buffers) {
  uint64_t most =
      gmem_by_effort(search->effort, 0, UINT64_C(1) << 28, UINT64_C(1) << 31);
  uint64_t moves = buffers < 1 << 16 ? buffers * buffers << 11 : most;
  uint64_t least = moves < most / 16 ? moves : most / 16;
  uint64_t steps = search->steps > least ? search->steps : least;
  return steps < most ? steps : most;
}

// Optional aliases, in the order in which they are used.
typedef struct selection_s {
  uint32_t *at;
  size_t count;
} selection_t;

typedef struct trial_s {
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
  size_t best_count; // aliases that the best selection uses
  size_t kept;       // number of improvements so far
  uint64_t enough;   // bytes above the bound at which the search ends
  selection_t order, best, next;
  selection_t candidates; // aliases to promote or change
  uint32_t buffer_count;
  uint64_t *tried; // digests of selections that were packed
  size_t tried_count, tried_room;
  gmem_alias_pressure_t live;
  bool *is_full;          // by buffer: live at the peak of the plan
  bool *is_needed;        // by alias: 5. and 6. change only these
  const bool *is_allowed; // by alias; NULL: all are
  gmem_status_t status;
} trial_t;

//===--- orders -----------------------------------------------------------===//

// |to| = |from| with |alias| in front, or without it.
static void move_alias(const selection_t *from, uint32_t alias, bool to_front,
                       selection_t *to) {
  to->count = 0;
  if (to_front)
    to->at[to->count++] = alias;
  for (size_t i = 0; i < from->count; ++i)
    if (from->at[i] != alias)
      to->at[to->count++] = from->at[i];
}

static void list_all(const trial_t *trial, selection_t *to) {
  to->count = 0;
  for (size_t i = 0; i < trial->choice.alias_count; ++i)
    if (gmem_problem_alias(trial->pools.problem, i)->is_optional &&
        (!trial->is_allowed || trial->is_allowed[i]))
      to->at[to->count++] = (uint32_t)i;
}

static void copy(const selection_t *from, selection_t *to) {
  memcpy(to->at, from->at, from->count * sizeof *to->at);
  to->count = from->count;
}

static gmem_status_t choose(trial_t *trial, const selection_t *order) {
  return gmem_choose_aliases(&trial->choice, order->at, order->count);
}

//===--- one attempt ------------------------------------------------------===//

// FNV-1a of the selection and the effort. On a collision, which is very
// unlikely, one selection is not tried.
static uint64_t digest_of(const trial_t *trial) {
  const uint64_t prime = UINT64_C(0x100000001b3);
  uint64_t digest = UINT64_C(0xcbf29ce484222325);
  digest = (digest ^ (uint64_t)trial->pools.search->effort) * prime;
  for (size_t i = 0; i < trial->choice.alias_count; ++i)
    digest = (digest ^ trial->choice.chosen[i]) * prime;
  return digest;
}

// Records that the selection is packed with this effort, for which there is
// room; returns whether it had been already.
static bool was_tried(trial_t *trial) {
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

// Makes a plan for another attempt. Most programs need one attempt only.
static gmem_status_t part_plans(trial_t *trial) {
  if (trial->pools.plan == trial->best_plan &&
      trial->best_peak != GMEM_UNLIMITED)
    GMEM_TRY_NEW(trial->pools.plan, &trial->memory, trial->buffer_count);
  return GMEM_OK;
}

static gmem_status_t pack_choice(trial_t *trial) {
  gmem_pools_t *pools = &trial->pools;
  GMEM_TRY(part_plans(trial));
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
static bool is_lower(const trial_t *trial, uint64_t peak, size_t count) {
  return peak < trial->best_peak ||
         (trial->prefers_few && peak == trial->best_peak &&
          count < trial->best_count);
}

static size_t count_chosen(const trial_t *trial) {
  size_t count = 0;
  for (size_t i = 0; i < trial->choice.alias_count; ++i)
    count += trial->choice.chosen[i];
  return count;
}

// Keeps the plan of the pools if it is the best so far, and returns whether it
// is. The benefit takes precedence.
static bool keep_better(trial_t *trial) {
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

// Packs with the choice, which is that of |order|, and keeps the plan if it is
// the best so far. Returns only failures that end the search.
static gmem_status_t try_chosen(trial_t *trial, const selection_t *order) {
  GMEM_TRY_ROOM(trial->tried, &trial->memory, trial->tried_count,
                trial->tried_room);
  if (was_tried(trial))
    return GMEM_OK;
  gmem_status_t status = pack_choice(trial);
  if (status == GMEM_ERR_OUT_OF_MEMORY)
    return status;
  if (status != GMEM_OK)
    trial->status = status; // another selection may fit
  else if (keep_better(trial))
    copy(order, &trial->best);
  return GMEM_OK;
}

static gmem_status_t try_order(trial_t *trial, const selection_t *order) {
  GMEM_TRY(choose(trial, order));
  return try_chosen(trial, order);
}

static gmem_status_t try_none(trial_t *trial) {
  return try_order(trial, &(selection_t){trial->order.at, 0});
}

static gmem_status_t try_all(trial_t *trial) {
  list_all(trial, &trial->order);
  return try_order(trial, &trial->order);
}

// An upper bound on the benefit.
static bool is_worth_most(const trial_t *trial) {
  const gmem_problem_t *problem = trial->pools.problem;
  gmem_benefit_t most = 0;
  if (!trial->has_moves)
    return true;
  for (uint32_t i = 0; i < trial->buffer_count; ++i)
    most +=
        gmem_benefit_in(problem, i, gmem_problem_buffer(problem, i)->pools[0]);
  return trial->best_worth == most;
}

static bool is_done(const trial_t *trial) {
  uint64_t bound = trial->pools.search->lower_bound;
  return ((trial->best_peak <= bound ||
           trial->best_peak - bound <= trial->enough) &&
          is_worth_most(trial)) ||
         !gmem_search_spend(trial->pools.search, 1);
}

// Counts the work of an attempt besides the packing.
static bool has_work_left(trial_t *trial, uint64_t until) {
  gmem_search_t *search = trial->pools.search;
  uint64_t steps =
      STEPS_PER_STAY * (trial->buffer_count + trial->choice.alias_count);
  return !is_done(trial) && gmem_search_spend(search, steps) &&
         search->steps < until;
}

//===--- 2. by pressure ---------------------------------------------------===//

// Lists the unused aliases that would lower the pressure at the first time of
// maximum pressure.
static void list_savers(trial_t *trial, gmem_pressure_t pressure) {
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
static gmem_status_t promote_one(trial_t *trial, uint64_t until,
                                 gmem_pressure_t *pressure, bool *out_found) {
  *out_found = false;
  for (size_t i = 0; i < trial->candidates.count && !*out_found &&
                     has_work_left(trial, until);
       ++i) {
    move_alias(&trial->order, trial->candidates.at[i], true, &trial->next);
    GMEM_TRY(choose(trial, &trial->next));
    gmem_pressure_t next =
        gmem_find_pressure(&trial->live, trial->choice.chosen);
    if (!is_less(next, *pressure))
      continue;
    copy(&trial->next, &trial->order);
    *pressure = next;
    *out_found = true;
  }
  return GMEM_OK;
}

static gmem_status_t improve_pressure(trial_t *trial, uint64_t until) {
  GMEM_TRY(choose(trial, &trial->order));
  gmem_pressure_t pressure =
      gmem_find_pressure(&trial->live, trial->choice.chosen);
  bool found = true;
  while (found && pressure.most > trial->pools.search->lower_bound &&
         has_work_left(trial, until)) {
    list_savers(trial, pressure);
    GMEM_TRY(promote_one(trial, until, &pressure, &found));
  }
  return GMEM_OK;
}

//===--- 3. needed aliases ------------------------------------------------===//

// Where the pressure is as high as this, a plan at the bound has little room
// for fragments.
static uint64_t below_bound(const gmem_search_t *search) {
  return search->lower_bound - search->lower_bound / 32;
}

// Marks the aliases that are needed for a peak of |bytes|.
static void mark_needed(trial_t *trial, uint64_t bytes) {
  gmem_mark_hot(&trial->live, bytes);
  for (size_t i = 0; i < trial->order.count; ++i) {
    uint32_t alias = trial->order.at[i];
    trial->is_needed[alias] = gmem_meet_when_hot(
        &trial->live, gmem_problem_alias(trial->pools.problem, alias));
  }
}

static gmem_status_t try_needed(trial_t *trial, uint64_t bytes) {
  mark_needed(trial, bytes);
  trial->next.count = 0;
  for (size_t i = 0; i < trial->order.count; ++i)
    if (trial->is_needed[trial->order.at[i]])
      trial->next.at[trial->next.count++] = trial->order.at[i];
  return try_order(trial, &trial->next);
}

// Lists the aliases to change: with several pools any may change the benefit.
static void list_changeable(const trial_t *trial, selection_t *to) {
  list_all(trial, to);
  if (trial->has_moves)
    return;
  size_t all = to->count;
  to->count = 0;
  for (size_t i = 0; i < all; ++i)
    if (trial->is_needed[to->at[i]])
      to->at[to->count++] = to->at[i];
}

//===--- 4. some kinds ----------------------------------------------------===//

// More kinds than this count as one. All their combinations are tried.
enum { MOST_KINDS = 5 };

// Work for all combinations. It does not depend on how many there are, so that
// few kinds are tried in the same way as part of many.
static uint64_t steps_for_kinds(gmem_effort_t effort) {
  return gmem_by_effort(effort, UINT64_C(1) << 22, UINT64_C(1) << 25,
                        UINT64_C(1) << 27);
}

// The same for 9., for each of them.
static uint64_t steps_for_start(gmem_effort_t effort) {
  return steps_for_kinds(effort) / 8;
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

static uint32_t kind_of(const trial_t *trial, uint32_t alias) {
  return gmem_problem_alias(trial->pools.problem, alias)->kind;
}

// The kinds of the aliases in |order|, in the order of their numbers.
static void list_kinds(const trial_t *trial, kinds_t *kinds) {
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

static bool is_of_kinds(const trial_t *trial, const kinds_t *kinds,
                        uint32_t set, uint32_t alias) {
  return set >> number_of_kind(kinds, kind_of(trial, alias)) & 1;
}

// Tries the aliases of every combination of kinds, few kinds first.
static gmem_status_t try_kinds(trial_t *trial, uint64_t until) {
  kinds_t kinds;
  list_all(trial, &trial->order);
  list_kinds(trial, &kinds);
  for (uint32_t most = 1; most < kinds.count; ++most)
    for (uint32_t set = 1; set < 1u << kinds.count; ++set) {
      if ((uint32_t)__builtin_popcount(set) != most)
        continue;
      if (!has_work_left(trial, until))
        return GMEM_OK;
      trial->next.count = 0;
      for (size_t i = 0; i < trial->order.count; ++i)
        if (is_of_kinds(trial, &kinds, set, trial->order.at[i]))
          trial->next.at[trial->next.count++] = trial->order.at[i];
      GMEM_TRY(try_order(trial, &trial->next));
    }
  return GMEM_OK;
}

// Marks the aliases to change: those of the best selection, and needed ones of
// the same kinds. So a search among many kinds goes on as one among those few
// would.
static gmem_status_t mark_changeable(trial_t *trial) {
  kinds_t kinds = {.count = 0};
  uint32_t used = 0;
  list_all(trial, &trial->order);
  list_kinds(trial, &kinds);
  mark_needed(trial, below_bound(trial->pools.search));
  if (trial->best_peak == GMEM_UNLIMITED)
    return GMEM_OK;
  GMEM_TRY(choose(trial, &trial->best));
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

//===--- 5. single changes ------------------------------------------------===//

static uint64_t end_of(const trial_t *trial, uint32_t buffer) {
  return trial->best_plan[buffer].offset +
         gmem_problem_buffer(trial->pools.problem, buffer)->size;
}

// Marks the buffers that are live together with a buffer with the highest end.
static void find_fullest(trial_t *trial) {
  uint64_t top = 0;
  for (uint32_t i = 0; i < trial->buffer_count; ++i)
    top = end_of(trial, i) > top ? end_of(trial, i) : top;
  for (uint32_t i = 0; i < trial->buffer_count; ++i)
    trial->is_full[i] = end_of(trial, i) == top;
  gmem_spread_live(&trial->live, trial->is_full);
}

// Lists the aliases of these buffers as candidates.
static void list_at_fullest(trial_t *trial) {
  selection_t *candidates = &trial->candidates;
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
static gmem_status_t try_change(trial_t *trial, uint32_t alias) {
  GMEM_TRY(choose(trial, &trial->best));
  move_alias(&trial->best, alias, !trial->choice.chosen[alias], &trial->next);
  return try_order(trial, &trial->next);
}

static gmem_status_t try_changes(trial_t *trial, uint64_t until) {
  bool found = trial->best_peak != GMEM_UNLIMITED;
  while (found) {
    size_t before = trial->kept;
    list_at_fullest(trial);
    found = false;
    for (size_t i = 0;
         i < trial->candidates.count && !found && has_work_left(trial, until);
         ++i) {
      GMEM_TRY(try_change(trial, trial->candidates.at[i]));
      found = trial->kept > before;
    }
  }
  return GMEM_OK;
}

// |order| = the aliases to change, those used by the best selection first.
static gmem_status_t order_by_best(trial_t *trial) {
  selection_t *order = &trial->order;
  GMEM_TRY(choose(trial, &trial->best));
  list_changeable(trial, &trial->next);
  order->count = 0;
  for (int pass = 0; pass < 2; ++pass)
    for (size_t i = 0; i < trial->next.count; ++i)
      if (trial->choice.chosen[trial->next.at[i]] == (pass == 0))
        order->at[order->count++] = trial->next.at[i];
  assert(order->count == trial->next.count);
  return choose(trial, order);
}

//===--- 6. random walk ---------------------------------------------------===//

// |next| = |order| with an alias in front when it is unused there, otherwise at
// the back. |choice| is the selection of |order|. Usually the alias is one of
// the candidates.
static void take_step(trial_t *trial, uint64_t *random) {
  enum { ONE_OF = 4 };
  bool anywhere =
      trial->candidates.count == 0 || gmem_xorshift(random) % ONE_OF == 0;
  const selection_t *from = anywhere ? &trial->order : &trial->candidates;
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
static gmem_status_t walk(trial_t *trial, uint64_t until) {
  uint64_t random = UINT64_C(0x9e3779b97f4a7c15);
  size_t kept = SIZE_MAX;
  size_t most_stale = trial->has_moves ? MOST_STALE_IN_POOLS : MOST_STALE;
  GMEM_TRY(order_by_best(trial));
  if (trial->order.count == 0)
    return GMEM_OK;
  gmem_pressure_t pressure =
      gmem_find_pressure(&trial->live, trial->choice.chosen);
  trial->candidates.count = 0;
  for (size_t stale = 1; has_work_left(trial, until) && stale <= most_stale;
       ++stale) {
    size_t tried = trial->tried_count;
    if (trial->kept != kept && trial->best_peak != GMEM_UNLIMITED) {
      list_at_fullest(trial);
      kept = trial->kept;
    }
    GMEM_TRY(choose(trial, &trial->order));
    take_step(trial, &random);
    GMEM_TRY(choose(trial, &trial->next));
    gmem_pressure_t next =
        gmem_find_pressure(&trial->live, trial->choice.chosen);
    if (is_less(pressure, next))
      continue;
    pressure = next;
    copy(&trial->next, &trial->order);
    if (pressure.most < trial->best_peak || trial->has_moves)
      GMEM_TRY(try_chosen(trial, &trial->order));
    if (trial->tried_count > tried)
      stale = 0;
  }
  return GMEM_OK;
}

//===--- few aliases ------------------------------------------------------===//

// Tries all subsets of the aliases in |order|.
static gmem_status_t try_subsets(trial_t *trial, uint64_t until) {
  const gmem_problem_t *problem = trial->pools.problem;
  uint32_t *order = trial->order.at;
  size_t listed = trial->order.count, all = 0;
  for (size_t i = 0; i < listed; ++i) { // an empty child changes nothing
    uint32_t child = gmem_problem_alias(problem, order[i])->child;
    if (listed <= FEW_ALIASES || gmem_problem_buffer(problem, child)->size)
      order[all++] = order[i];
  }
  assert(all <= FEW_ALIASES);
  for (uint32_t mask = 1u << all;
       mask-- > 0 && trial->pools.search->steps < until;) {
    selection_t *subset = &trial->next;
    subset->count = 0;
    for (size_t i = 0; i < all; ++i)
      if (mask >> i & 1)
        subset->at[subset->count++] = order[i];
    if (is_done(trial))
      break;
    GMEM_TRY(try_order(trial, subset));
  }
  return GMEM_OK;
}

static gmem_status_t try_all_subsets(trial_t *trial) {
  const gmem_search_t *search = trial->pools.search;
  uint64_t steps = trial->has_moves ? steps_of(search->effort) / 4 : UINT64_MAX;
  uint64_t until =
      steps < UINT64_MAX - search->steps ? search->steps + steps : UINT64_MAX;
  list_all(trial, &trial->order);
  return try_subsets(trial, until);
}

//===--- the whole search -------------------------------------------------===//

// Whether every selection is infeasible.
static bool is_infeasible(const trial_t *trial) {
  const gmem_problem_t *problem = trial->pools.problem;
  return gmem_problem_pool_count(problem) == 1 &&
         trial->pools.search->lower_bound >
             gmem_pool_limit(gmem_problem_pool(problem, 0));
}

// 5. and 6., each with so much work.
static gmem_status_t improve_best(trial_t *trial, uint64_t steps) {
  uint64_t until = trial->pools.search->steps + steps;
  if (!is_done(trial))
    GMEM_TRY(try_changes(trial, until));
  until = trial->pools.search->steps + steps;
  return is_done(trial) || is_infeasible(trial) ? GMEM_OK : walk(trial, until);
}

// The same with more work, while the peak is more than a thousandth above the
// bound: below it, that would gain little.
static gmem_status_t improve_long(trial_t *trial, gmem_effort_t effort) {
  trial->enough = gmem_search_enough(trial->pools.search);
  gmem_status_t status = improve_best(trial, long_steps_of(effort));
  trial->enough = 0;
  return status;
}

// 2. and 3., after all aliases have been tried.
static gmem_status_t try_starts(trial_t *trial, uint64_t until) {
  const gmem_search_t *search = trial->pools.search;
  if (!is_done(trial))
    GMEM_TRY(improve_pressure(trial, until));
  if (!is_done(trial))
    GMEM_TRY(try_order(trial, &trial->order));
  trial->prefers_few = !trial->has_moves;
  if (!is_done(trial) && !trial->has_moves)
    GMEM_TRY(try_needed(trial, search->lower_bound));
  if (!is_done(trial) && !trial->has_moves)
    GMEM_TRY(try_needed(trial, below_bound(search)));
  return GMEM_OK;
}

static gmem_status_t explore(trial_t *trial, gmem_effort_t effort) {
  gmem_search_t *search = trial->pools.search;
  uint64_t steps = steps_of(trial->has_moves ? effort : search->effort);
  uint64_t until = search->steps + steps;
  GMEM_TRY(try_all(trial));
  // Most programs end here, without the memory for the pressure.
  if (trial->best_peak <= search->lower_bound && !trial->has_moves)
    return GMEM_OK;
  GMEM_TRY(gmem_alias_pressure_create(trial->pools.problem, &trial->memory,
                                      &trial->live));
  GMEM_TRY(try_starts(trial, until));
  if (!is_done(trial))
    GMEM_TRY(try_none(trial));
  until = search->steps + steps_for_kinds(effort);
  if (!is_done(trial) && !trial->has_moves && !is_infeasible(trial))
    GMEM_TRY(try_kinds(trial, until));
  trial->prefers_few = false;
  if (!trial->has_moves)
    GMEM_TRY(mark_changeable(trial));
  GMEM_TRY(improve_best(trial, steps));
  return effort != GMEM_EFFORT_FAST && !trial->has_moves
             ? improve_long(trial, effort)
             : GMEM_OK;
}

// The best selection with full effort, or all aliases if nothing fits so far;
// then none, so that sharing never makes the result worse.
static gmem_status_t try_full_effort(trial_t *trial) {
  trial->pools.share = 2;
  if (trial->best_peak == GMEM_UNLIMITED)
    list_all(trial, &trial->order);
  else
    copy(&trial->best, &trial->order);
  if (!is_done(trial))
    GMEM_TRY(try_order(trial, &trial->order));
  if (!is_done(trial))
    GMEM_TRY(try_none(trial));
  return GMEM_OK;
}

//===--- 8. single buffers ------------------------------------------------===//

// Lists the aliases that are in place in |plan|.
static void list_in_place(trial_t *trial, const gmem_placement_t *plan,
                          selection_t *to) {
  const gmem_problem_t *problem = trial->pools.problem;
  list_all(trial, &trial->order);
  to->count = 0;
  for (size_t i = 0; i < trial->order.count; ++i) {
    const gmem_alias_spec_t *alias =
        gmem_problem_alias(problem, trial->order.at[i]);
    if (plan[alias->child].offset - plan[alias->parent].offset == alias->offset)
      to->at[to->count++] = trial->order.at[i];
  }
}

// Keeps the plan of the pools, whose buffers have been moved, if it is better.
static gmem_status_t keep_moved(trial_t *trial) {
  const gmem_pools_t *pools = &trial->pools;
  if (gmem_check_places(pools->problem, pools->plan, pools->diag) != GMEM_OK)
    return GMEM_OK;
  list_in_place(trial, pools->plan, &trial->next);
  GMEM_TRY(choose(trial, &trial->next));
  if (keep_better(trial))
    copy(&trial->next, &trial->best);
  return GMEM_OK;
}

static bool is_near(const trial_t *trial) {
  const gmem_search_t *search = trial->pools.search;
  return trial->best_peak - search->lower_bound <= gmem_search_enough(search);
}

// From a plan with a finer alignment on.
static gmem_status_t move_from_finer(trial_t *trial, gmem_scratch_t *memory) {
  gmem_search_t *search = trial->pools.search;
  uint64_t steps = climb_steps_of(search, trial->buffer_count);
  gmem_placement_t *from;
  bool is_found;
  GMEM_TRY_NEW(from, memory, trial->buffer_count);
  GMEM_TRY(
      gmem_pack_finer(&trial->pools, gmem_pack_with_choices, from, &is_found));
  if (!is_found)
    return GMEM_OK;
  GMEM_TRY(gmem_alias_realign(&trial->choice, &trial->live, search, steps,
                              search->lower_bound, from, trial->pools.plan,
                              memory));
  return keep_moved(trial);
}

// From the best plan on, and before that from one with a finer alignment.
static gmem_status_t move_from_both(trial_t *trial, gmem_scratch_t *memory) {
  gmem_pools_t *pools = &trial->pools;
  gmem_search_t *search = pools->search;
  size_t bytes = trial->buffer_count * sizeof *pools->plan;
  uint64_t steps = climb_steps_of(search, trial->buffer_count);
  gmem_placement_t *best;
  GMEM_TRY(part_plans(trial));
  GMEM_TRY_NEW(best, memory, trial->buffer_count);
  memcpy(best, trial->best_plan, bytes);
  memcpy(pools->plan, best, bytes);
  if (gmem_has_finer_alignment(pools->problem))
    GMEM_TRY(move_from_finer(trial, memory));
  if (is_near(trial))
    return GMEM_OK;
  memcpy(pools->plan, best, bytes);
  GMEM_TRY(gmem_alias_climb(&trial->choice, &trial->live, search, steps,
                            search->lower_bound, pools->plan, memory));
  return keep_moved(trial);
}

// Moves single buffers where the peak is more than a thousandth above the
// bound: below it, that would gain little.
static gmem_status_t move_buffers(trial_t *trial) {
  const gmem_pools_t *pools = &trial->pools;
  if (pools->search->has_fewer_aliases ||
      !pools->engine->searches_pools || // a rule stays with its own plan
      is_done(trial) || trial->best_peak == GMEM_UNLIMITED ||
      !gmem_can_be_loose(pools->problem) || is_near(trial))
    return GMEM_OK;
  gmem_scratch_t memory = {.allocator = trial->memory.allocator,
                           .diag = pools->diag};
  gmem_status_t status = move_from_both(trial, &memory);
  gmem_scratch_free(&memory);
  return status;
}

//===--- 9. combinations of kinds -----------------------------------------===//

// The best selection, while others are searched.
typedef struct found_s {
  selection_t order;
  gmem_placement_t *plan;
  uint64_t peak;
  size_t count; // aliases used
} found_t;

static void save(const trial_t *trial, found_t *found) {
  copy(&trial->best, &found->order);
  memcpy(found->plan, trial->best_plan,
         trial->buffer_count * sizeof *found->plan);
  found->peak = trial->best_peak;
  found->count = trial->best_count;
}

static void restore(trial_t *trial, const found_t *found) {
  copy(&found->order, &trial->best);
  memcpy(trial->best_plan, found->plan,
         trial->buffer_count * sizeof *found->plan);
  trial->best_peak = trial->pools.search->peak = found->peak;
  trial->best_count = found->count;
}

// Forgets the best plan and what was tried, and searches among the aliases that
// are allowed.
static gmem_status_t search_allowed(trial_t *trial, uint64_t steps) {
  uint64_t until = trial->pools.search->steps + steps;
  trial->best_peak = GMEM_UNLIMITED;
  trial->tried_count = 0;
  GMEM_TRY(try_all(trial));
  GMEM_TRY(try_starts(trial, until));
  trial->prefers_few = false;
  if (trial->best_peak == GMEM_UNLIMITED)
    return GMEM_OK;
  GMEM_TRY(mark_changeable(trial));
  if (!is_done(trial))
    GMEM_TRY(try_changes(trial, until));
  if (!is_done(trial))
    GMEM_TRY(walk(trial, until));
  list_all(trial, &trial->order);
  return is_done(trial) || trial->order.count > FEW_ALIASES ||
                 trial->buffer_count > FEW_BUFFERS
             ? GMEM_OK
             : try_subsets(trial, until);
}

static gmem_status_t search_kinds(trial_t *trial, found_t *found,
                                  bool *is_allowed, uint64_t steps) {
  size_t aliases = gmem_problem_alias_count(trial->pools.problem);
  kinds_t kinds;
  list_all(trial, &trial->order);
  list_kinds(trial, &kinds);
  trial->is_allowed = is_allowed;
  for (uint32_t set = 1; set < 1u << kinds.count && !is_done(trial); ++set) {
    for (uint32_t i = 0; i < aliases; ++i)
      is_allowed[i] = is_of_kinds(trial, &kinds, set, i);
    GMEM_TRY(search_allowed(trial, steps));
    if (trial->best_peak < found->peak)
      save(trial, found);
    restore(trial, found);
  }
  return GMEM_OK;
}

static gmem_status_t search_all_kinds(trial_t *trial, gmem_effort_t effort,
                                      gmem_scratch_t *memory) {
  size_t aliases = gmem_problem_alias_count(trial->pools.problem);
  found_t found;
  bool *is_allowed;
  GMEM_TRY(part_plans(trial));
  GMEM_TRY_NEW(found.order.at, memory, aliases);
  GMEM_TRY_NEW(found.plan, memory, trial->buffer_count);
  GMEM_TRY_NEW(is_allowed, memory, aliases);
  save(trial, &found);
  return search_kinds(trial, &found, is_allowed, steps_for_start(effort));
}

// Where the peak is more than a thousandth above the bound, as in 8.
static gmem_status_t search_other_kinds(trial_t *trial, gmem_effort_t effort) {
  gmem_search_t *search = trial->pools.search;
  if (is_done(trial) || trial->best_peak == GMEM_UNLIMITED || is_near(trial))
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
  return status == GMEM_OK && trial->best_peak < peak ? try_full_effort(trial)
                                                      : status;
}

//===--- by effort --------------------------------------------------------===//

// Whether the assignment of buffers to pools is searched.
static bool searches_pools(const trial_t *trial) {
  return trial->has_moves && trial->pools.engine->searches_pools;
}

// With fast effort, while some buffers are not in their best pool.
static gmem_status_t try_fast(trial_t *trial, gmem_effort_t effort) {
  if (searches_pools(trial)) {
    GMEM_TRY(try_all(trial));
    trial->pools.is_quick = trial->was_quick = !is_worth_most(trial);
  }
  return explore(trial, effort);
}

static gmem_status_t try_with_effort(trial_t *trial) {
  gmem_search_t *search = trial->pools.search;
  gmem_effort_t effort = search->effort;
  trial->pools.share = 16;
  search->effort = GMEM_EFFORT_FAST;
  gmem_status_t status = try_fast(trial, effort);
  search->effort = effort;
  GMEM_TRY(status);
  if (effort != GMEM_EFFORT_FAST && !trial->pools.is_quick)
    GMEM_TRY(try_full_effort(trial));
  trial->pools.share = 4;
  if (trial->choice.leaf_count <= FEW_ALIASES &&
      trial->buffer_count <= FEW_BUFFERS && !is_done(trial))
    GMEM_TRY(try_all_subsets(trial));
  if (effort != GMEM_EFFORT_FAST && !trial->has_moves)
    GMEM_TRY(move_buffers(trial));
  if (effort != GMEM_EFFORT_FAST && !trial->has_moves)
    GMEM_TRY(search_other_kinds(trial, effort));
  return GMEM_OK;
}

static gmem_status_t try_choices(trial_t *trial) {
  GMEM_TRY(try_with_effort(trial));
  trial->pools.is_quick = false;
  trial->pools.search->proved = false;
  return trial->best_peak == GMEM_UNLIMITED ? trial->status : GMEM_OK;
}

//===--- several pools ----------------------------------------------------===//

// Packs with the aliases of |order|, moves buffers between pools, and keeps the
// plan if it is the best so far.
static gmem_status_t improve_choice(trial_t *trial, const selection_t *order) {
  gmem_pools_t *pools = &trial->pools;
  GMEM_TRY(choose(trial, order));
  pools->search->proved = false;
  gmem_status_t status = gmem_improve_pools(pools, pack_choice(trial));
  if (status == GMEM_OK)
    (void)keep_better(trial);
  return status == GMEM_ERR_OUT_OF_MEMORY ? status : GMEM_OK;
}

// With the best selection, without aliases, and with all: a larger group is
// less likely to fit in a small pool.
static gmem_status_t improve_pools(trial_t *trial) {
  const selection_t none = {trial->order.at, 0};
  trial->pools.share = 4;
  list_all(trial, &trial->order);
  if (trial->best_peak != GMEM_UNLIMITED && trial->best.count)
    GMEM_TRY(improve_choice(trial, &trial->best));
  if (!is_worth_most(trial))
    GMEM_TRY(improve_choice(trial, &trial->order));
  if (!is_worth_most(trial))
    GMEM_TRY(improve_choice(trial, &none));
  if (trial->best_peak != GMEM_UNLIMITED)
    return GMEM_OK;
  // The last attempt has filled the diagnostic.
  GMEM_TRY(choose(trial, &none));
  return pack_choice(trial);
}

static gmem_status_t search_choices(trial_t *trial) {
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
  trial_t trial = {
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
