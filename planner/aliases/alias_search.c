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
// 3. no alias;
// 4. from the best of these, single changes among the aliases of buffers that
//    are live at the peak of the plan;
// 5. a random walk over selections whose pressure does not increase;
// 6. the best selection again with all remaining work and, for few aliases, all
//    subsets.
//
// Steps 1. to 5. plan at fast effort. All work counts towards the limit, so the
// result is the same on every machine.

#include "alias_search.h"

#include <assert.h>
#include <string.h>

#include "benefit.h"
#include "choose_aliases.h"
#include "problem_store.h"

// The limits for trying all subsets of the aliases.
enum { FEW_ALIASES = 10, FEW_BUFFERS = 64 };

// The approximate work to inspect a stay while aliases are selected.
enum { STEPS_PER_STAY = 64 };

// Work for each of 2., 4. and 5., by effort.
static uint64_t steps_of(gmem_effort_t effort) {
  return gmem_by_effort(effort, UINT64_C(1) << 20, UINT64_C(1) << 27,
                        UINT64_C(1) << 31);
}

// The pressure that results from an order of aliases.
typedef struct pressure_s {
  uint64_t most;  // bytes
  uint64_t count; // number of times with that pressure
} pressure_t;

typedef struct trial_s {
  gmem_pools_t pools; // |plan| of the current attempt
  gmem_scratch_t memory;
  gmem_choice_t choice;
  gmem_placement_t *best_plan;
  uint64_t best_peak;        // of all pools; GMEM_UNLIMITED: no plan yet
  gmem_benefit_t best_worth; // benefit of its placements in several pools
  bool has_moves; // several pools: the benefit takes precedence over the peak
  bool was_quick; // not every buffer could be in its most beneficial pool
  size_t kept;    // number of improvements so far
  uint32_t *order, *best_order, *next_order; // aliases
  uint32_t *candidates;                      // aliases to promote or change
  size_t count, best_count;                  // of those in |order|
  size_t alias_count, buffer_count;
  uint64_t *tried; // digests of selections that were packed
  size_t tried_count, tried_room;
  // Pressure over time.
  gmem_order_t *times; // distinct begins and ends of live ranges; and scratch
  size_t time_count;
  int64_t *change;    // by time
  uint32_t *slots;    // begin and end of each live range, in |times|
  size_t *first_slot; // by buffer, and one more
  bool *is_full;      // by buffer: live at the peak of the plan
  gmem_status_t status;
} trial_t;

//===--- pressure ---------------------------------------------------------===//

static size_t count_ranges(const gmem_problem_t *problem) {
  size_t count = 0;
  for (uint32_t i = 0; i < gmem_problem_buffer_count(problem); ++i)
    count += gmem_problem_buffer(problem, i)->range_count;
  return count;
}

// Numbers the times of all live ranges.
static void number_times(trial_t *trial) {
  const gmem_problem_t *problem = trial->pools.problem;
  size_t count = 0, distinct = 0;
  for (uint32_t i = 0; i < trial->buffer_count; ++i) {
    const gmem_buffer_spec_t *spec = gmem_problem_buffer(problem, i);
    trial->first_slot[i] = count;
    for (size_t k = 0; k < spec->range_count; ++k, count += 2) {
      trial->times[count] =
          (gmem_order_t){gmem_time_key(spec->ranges[k].begin), (uint32_t)count};
      trial->times[count + 1] = (gmem_order_t){
          gmem_time_key(spec->ranges[k].end), (uint32_t)count + 1};
    }
  }
  trial->first_slot[trial->buffer_count] = count;
  gmem_sort_order(trial->times, trial->times + count, count);
  uint64_t last = 0;
  for (size_t i = 0; i < count; ++i) {
    distinct += i == 0 || trial->times[i].key != last;
    last = trial->times[i].key;
    trial->slots[trial->times[i].index] = (uint32_t)distinct - 1;
  }
  trial->time_count = distinct;
}

static void add_range(trial_t *trial, uint32_t begin, uint32_t end,
                      int64_t bytes) {
  trial->change[begin] += bytes;
  trial->change[end] -= bytes;
}

// The first slots, from |low| on, of a live range that ends after |time|.
static size_t slots_after(const trial_t *trial, size_t low, size_t high,
                          uint32_t time) {
  while (low < high) {
    size_t middle = low + ((high - low) / 2 & ~(size_t)1);
    if (trial->slots[middle + 1] <= time)
      low = middle + 2;
    else
      high = middle;
  }
  return low;
}

// Subtracts the bytes of |child| while |parent| is live. Either may have very
// many live ranges.
static void subtract_shared(trial_t *trial, uint32_t child, uint32_t parent) {
  const size_t *first = trial->first_slot;
  int64_t size =
      (int64_t)gmem_problem_buffer(trial->pools.problem, child)->size;
  bool has_more =
      first[child + 1] - first[child] > first[parent + 1] - first[parent];
  uint32_t few = has_more ? parent : child, many = has_more ? child : parent;
  for (size_t i = first[few]; i < first[few + 1]; i += 2) {
    const uint32_t *one = &trial->slots[i];
    for (size_t k = slots_after(trial, first[many], first[many + 1], one[0]);
         k < first[many + 1] && trial->slots[k] < one[1]; k += 2) {
      const uint32_t *other = &trial->slots[k];
      add_range(trial, one[0] > other[0] ? one[0] : other[0],
                one[1] < other[1] ? one[1] : other[1], -size);
    }
  }
}

// The pressure over time, in |change|, minus the bytes that chosen aliases
// share. An estimate: a child with two parents that are live at one time is
// subtracted twice.
static pressure_t find_pressure(trial_t *trial) {
  const gmem_problem_t *problem = trial->pools.problem;
  memset(trial->change, 0, trial->time_count * sizeof *trial->change);
  for (uint32_t i = 0; i < trial->buffer_count; ++i)
    for (size_t k = trial->first_slot[i]; k < trial->first_slot[i + 1]; k += 2)
      add_range(trial, trial->slots[k], trial->slots[k + 1],
                (int64_t)gmem_problem_buffer(problem, i)->size);
  for (size_t i = 0; i < trial->choice.alias_count; ++i)
    if (trial->choice.chosen[i])
      subtract_shared(trial, gmem_problem_alias(problem, i)->child,
                      gmem_problem_alias(problem, i)->parent);
  pressure_t pressure = {0, 0};
  int64_t sum = 0;
  for (size_t i = 0; i < trial->time_count; ++i) {
    sum += trial->change[i];
    trial->change[i] = sum;
    if (sum > 0 && (uint64_t)sum > pressure.most)
      pressure = (pressure_t){(uint64_t)sum, 0};
    pressure.count += sum > 0 && (uint64_t)sum == pressure.most;
  }
  return pressure;
}

//===--- orders -----------------------------------------------------------===//

// |to| = |order| with |alias| in front, or without it.
static size_t move_alias(const uint32_t *order, size_t count, uint32_t alias,
                         bool to_front, uint32_t *to) {
  size_t next = 0;
  if (to_front)
    to[next++] = alias;
  for (size_t i = 0; i < count; ++i)
    if (order[i] != alias)
      to[next++] = order[i];
  return next;
}

static size_t list_all(const trial_t *trial, uint32_t *order) {
  size_t count = 0;
  for (size_t i = 0; i < trial->alias_count; ++i)
    if (gmem_problem_alias(trial->pools.problem, i)->is_optional)
      order[count++] = (uint32_t)i;
  return count;
}

static void keep_order(trial_t *trial, const uint32_t *order, size_t count) {
  memcpy(trial->best_order, order, count * sizeof *order);
  trial->best_count = count;
}

//===--- one attempt ------------------------------------------------------===//

// FNV-1a of the selection and the effort. On a collision, which is very
// unlikely, one selection is not tried.
static uint64_t digest_of(const trial_t *trial) {
  const uint64_t prime = UINT64_C(0x100000001b3);
  uint64_t digest = UINT64_C(0xcbf29ce484222325);
  digest = (digest ^ (uint64_t)trial->pools.search->effort) * prime;
  for (size_t i = 0; i < trial->alias_count; ++i)
    digest = (digest ^ trial->choice.chosen[i]) * prime;
  return digest;
}

// Records that the selection is packed with this effort; returns whether it had
// been already.
static gmem_status_t was_tried(trial_t *trial, bool *out_was_tried) {
  uint64_t digest = digest_of(trial);
  *out_was_tried = false;
  for (size_t i = 0; i < trial->tried_count; ++i)
    *out_was_tried = *out_was_tried || trial->tried[i] == digest;
  if (*out_was_tried)
    return GMEM_OK;
  GMEM_TRY_ROOM(trial->tried, &trial->memory, trial->tried_count,
                trial->tried_room);
  trial->tried[trial->tried_count++] = digest;
  return GMEM_OK;
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

static gmem_status_t pack_choice(trial_t *trial) {
  gmem_pools_t *pools = &trial->pools;
  pools->chosen = trial->choice.chosen;
  pools->groups = &trial->choice.groups;
  if (pools->is_quick)
    return pack_quickly(pools);
  if (!trial->has_moves)
    pools->ceiling = trial->best_peak;
  GMEM_TRY(gmem_pack_once(pools));
  // Fixed buffers may overlap those that were placed in their parents.
  return gmem_check(pools->problem, pools->plan, NULL, pools->diag);
}

// Whether the plan of the pools, of that peak, is the best so far. The benefit
// takes precedence.
static bool is_better(const trial_t *trial, uint64_t peak,
                      gmem_benefit_t *out_worth) {
  const gmem_pools_t *pools = &trial->pools;
  *out_worth =
      trial->has_moves ? gmem_plan_worth(pools->problem, pools->plan) : 0;
  if (trial->best_peak != GMEM_UNLIMITED && *out_worth != trial->best_worth)
    return *out_worth > trial->best_worth;
  return peak < trial->best_peak;
}

static void keep_plan(trial_t *trial, uint64_t peak, gmem_benefit_t benefit) {
  trial->best_peak = trial->pools.search->peak = peak;
  trial->best_worth = benefit;
  ++trial->kept;
  memcpy(trial->best_plan, trial->pools.plan,
         trial->buffer_count * sizeof *trial->pools.plan);
}

// Packs with the aliases of |order| and keeps the plan if it is the best so
// far. Returns only failures that end the search.
static gmem_status_t try_order(trial_t *trial, const uint32_t *order,
                               size_t count) {
  gmem_pools_t *pools = &trial->pools;
  gmem_benefit_t benefit = 0;
  bool is_known = false;
  GMEM_TRY(gmem_choose_aliases(&trial->choice, order, count));
  GMEM_TRY(was_tried(trial, &is_known));
  if (is_known)
    return GMEM_OK;
  gmem_status_t status = pack_choice(trial);
  if (status == GMEM_ERR_OUT_OF_MEMORY)
    return status;
  if (status != GMEM_OK) {
    trial->status = status; // another selection may fit
    return GMEM_OK;
  }
  uint64_t peak = gmem_plan_peak(pools->problem, pools->plan);
  if (!is_better(trial, peak, &benefit))
    return GMEM_OK;
  keep_plan(trial, peak, benefit);
  keep_order(trial, order, count);
  return GMEM_OK;
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
  return (trial->best_peak <= trial->pools.search->lower_bound &&
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

static bool is_live(const trial_t *trial, uint32_t buffer, uint32_t slot) {
  for (size_t i = trial->first_slot[buffer]; i < trial->first_slot[buffer + 1];
       i += 2)
    if (trial->slots[i] <= slot && slot < trial->slots[i + 1])
      return true;
  return false;
}

// Lists the unused aliases that would lower the pressure at the first time of
// maximum pressure.
static size_t list_savers(const trial_t *trial, pressure_t pressure) {
  uint32_t slot = 0;
  size_t count = 0;
  while ((uint64_t)trial->change[slot] != pressure.most)
    ++slot;
  for (size_t i = 0; i < trial->count; ++i) {
    uint32_t index = trial->order[i];
    const gmem_alias_spec_t *alias =
        gmem_problem_alias(trial->pools.problem, index);
    if (!trial->choice.chosen[index] && is_live(trial, alias->child, slot) &&
        is_live(trial, alias->parent, slot))
      trial->candidates[count++] = index;
  }
  return count;
}

static bool is_less(pressure_t a, pressure_t b) {
  return a.most != b.most ? a.most < b.most : a.count < b.count;
}

// Moves the first of the |count| candidates that lowers the pressure to the
// front; updates *pressure.
static gmem_status_t promote_one(trial_t *trial, size_t count, uint64_t until,
                                 pressure_t *pressure, bool *out_found) {
  *out_found = false;
  for (size_t i = 0; i < count && has_work_left(trial, until); ++i) {
    size_t moved = move_alias(trial->order, trial->count, trial->candidates[i],
                              true, trial->next_order);
    GMEM_TRY(gmem_choose_aliases(&trial->choice, trial->next_order, moved));
    pressure_t next = find_pressure(trial);
    if (!is_less(next, *pressure))
      continue;
    memcpy(trial->order, trial->next_order, moved * sizeof *trial->order);
    *pressure = next;
    *out_found = true;
    return GMEM_OK;
  }
  return GMEM_OK;
}

static gmem_status_t improve_pressure(trial_t *trial, uint64_t until) {
  GMEM_TRY(gmem_choose_aliases(&trial->choice, trial->order, trial->count));
  pressure_t pressure = find_pressure(trial);
  bool found = true;
  while (found && pressure.most > trial->pools.search->lower_bound &&
         has_work_left(trial, until)) {
    size_t count = list_savers(trial, pressure);
    GMEM_TRY(promote_one(trial, count, until, &pressure, &found));
  }
  return GMEM_OK;
}

//===--- 4. single changes ------------------------------------------------===//

// Counts, in |change|, the times before each at which a buffer with the highest
// end is live.
static void find_full_times(trial_t *trial) {
  const gmem_problem_t *problem = trial->pools.problem;
  uint64_t top = 0;
  for (uint32_t i = 0; i < trial->buffer_count; ++i) {
    uint64_t end =
        trial->best_plan[i].offset + gmem_problem_buffer(problem, i)->size;
    top = end > top ? end : top;
  }
  memset(trial->change, 0, trial->time_count * sizeof *trial->change);
  for (uint32_t i = 0; i < trial->buffer_count; ++i)
    for (size_t k = trial->first_slot[i]; k < trial->first_slot[i + 1]; k += 2)
      if (trial->best_plan[i].offset + gmem_problem_buffer(problem, i)->size ==
          top)
        add_range(trial, trial->slots[k], trial->slots[k + 1], 1);
  int64_t open = 0, before = 0;
  for (size_t i = 0; i < trial->time_count; ++i) {
    open += trial->change[i];
    trial->change[i] = before;
    before += open > 0;
  }
}

// Marks the buffers that are live together with a buffer with the highest end.
static void find_fullest(trial_t *trial) {
  find_full_times(trial);
  for (uint32_t i = 0; i < trial->buffer_count; ++i) {
    trial->is_full[i] = false;
    for (size_t k = trial->first_slot[i]; k < trial->first_slot[i + 1]; k += 2)
      trial->is_full[i] =
          trial->is_full[i] ||
          trial->change[trial->slots[k]] < trial->change[trial->slots[k + 1]];
  }
}

static size_t list_at_fullest(trial_t *trial) {
  if (trial->has_moves) // any alias may change the benefit
    return list_all(trial, trial->candidates);
  size_t count = 0;
  find_fullest(trial);
  for (size_t i = 0; i < trial->alias_count; ++i) {
    const gmem_alias_spec_t *alias =
        gmem_problem_alias(trial->pools.problem, i);
    if (alias->is_optional &&
        (trial->is_full[alias->child] || trial->is_full[alias->parent]))
      trial->candidates[count++] = (uint32_t)i;
  }
  return count;
}

// The best selection with |alias| moved to the front if it is unused there, or
// without it.
static gmem_status_t try_change(trial_t *trial, uint32_t alias) {
  GMEM_TRY(gmem_choose_aliases(&trial->choice, trial->best_order,
                               trial->best_count));
  size_t count = move_alias(trial->best_order, trial->best_count, alias,
                            !trial->choice.chosen[alias], trial->next_order);
  return try_order(trial, trial->next_order, count);
}

static gmem_status_t try_changes(trial_t *trial, uint64_t until) {
  bool found = trial->best_peak != GMEM_UNLIMITED;
  while (found) {
    size_t count = list_at_fullest(trial), before = trial->kept;
    found = false;
    for (size_t i = 0; i < count && !found && has_work_left(trial, until);
         ++i) {
      GMEM_TRY(try_change(trial, trial->candidates[i]));
      found = trial->kept > before;
    }
  }
  return GMEM_OK;
}

// |order| = all aliases, those used by the best selection first.
static gmem_status_t order_by_best(trial_t *trial) {
  GMEM_TRY(gmem_choose_aliases(&trial->choice, trial->best_order,
                               trial->best_count));
  size_t all = list_all(trial, trial->next_order);
  trial->count = 0;
  for (int pass = 0; pass < 2; ++pass)
    for (size_t i = 0; i < all; ++i)
      if (trial->choice.chosen[trial->next_order[i]] == (pass == 0))
        trial->order[trial->count++] = trial->next_order[i];
  assert(trial->count == all);
  return gmem_choose_aliases(&trial->choice, trial->order, trial->count);
}

//===--- 5. random walk ---------------------------------------------------===//

// Moves an alias to the front of |order| when it is unused there, otherwise to
// the back. |choice| is the selection of |order|. Usually the alias is one of
// the candidates.
static void take_step(trial_t *trial, size_t count, uint64_t *random) {
  enum { ONE_OF = 4 };
  bool anywhere = count == 0 || gmem_xorshift(random) % ONE_OF == 0;
  uint32_t alias = anywhere ? trial->order[gmem_xorshift(random) % trial->count]
                            : trial->candidates[gmem_xorshift(random) % count];
  bool is_chosen = trial->choice.chosen[alias];
  size_t moved = move_alias(trial->order, trial->count, alias, !is_chosen,
                            trial->next_order);
  if (is_chosen)
    trial->next_order[moved] = alias;
}

// Ends the walk after this many steps without a new selection.
enum { MOST_STALE = 512 };

// Starts from all aliases, those of the best selection first. Accepts steps
// that do not raise the pressure, and packs selections that may improve on the
// best.
static gmem_status_t walk(trial_t *trial, uint64_t until) {
  gmem_choice_t *choice = &trial->choice;
  uint64_t random = UINT64_C(0x9e3779b97f4a7c15);
  size_t count = 0, kept = SIZE_MAX;
  GMEM_TRY(order_by_best(trial));
  pressure_t pressure = find_pressure(trial);
  for (size_t stale = 1; has_work_left(trial, until) && stale <= MOST_STALE;
       ++stale) {
    size_t tried = trial->tried_count;
    if (trial->kept != kept && trial->best_peak != GMEM_UNLIMITED) {
      count = list_at_fullest(trial);
      kept = trial->kept;
    }
    GMEM_TRY(gmem_choose_aliases(choice, trial->order, trial->count));
    take_step(trial, count, &random);
    GMEM_TRY(gmem_choose_aliases(choice, trial->next_order, trial->count));
    pressure_t next = find_pressure(trial);
    if (is_less(pressure, next))
      continue;
    pressure = next;
    memcpy(trial->order, trial->next_order,
           trial->count * sizeof *trial->order);
    if (pressure.most < trial->best_peak || trial->has_moves)
      GMEM_TRY(try_order(trial, trial->order, trial->count));
    if (trial->tried_count > tried || !trial->has_moves)
      stale = 0;
  }
  return GMEM_OK;
}

//===--- few aliases ------------------------------------------------------===//

static gmem_status_t try_subsets(trial_t *trial) {
  const gmem_problem_t *problem = trial->pools.problem;
  size_t listed = list_all(trial, trial->order), all = 0;
  for (size_t i = 0; i < listed; ++i) { // an empty child changes nothing
    uint32_t child = gmem_problem_alias(problem, trial->order[i])->child;
    if (listed <= FEW_ALIASES || gmem_problem_buffer(problem, child)->size)
      trial->order[all++] = trial->order[i];
  }
  assert(all <= FEW_ALIASES);
  const gmem_search_t *search = trial->pools.search;
  uint64_t steps = trial->has_moves ? steps_of(search->effort) / 4 : UINT64_MAX;
  uint64_t until =
      steps < UINT64_MAX - search->steps ? search->steps + steps : UINT64_MAX;
  for (uint32_t mask = 1u << all; mask-- > 0 && search->steps < until;) {
    size_t count = 0;
    for (size_t i = 0; i < all; ++i)
      if (mask >> i & 1)
        trial->next_order[count++] = trial->order[i];
    if (is_done(trial))
      break;
    GMEM_TRY(try_order(trial, trial->next_order, count));
  }
  return GMEM_OK;
}

//===--- the whole search -------------------------------------------------===//

// Whether every selection is infeasible.
static bool is_infeasible(const trial_t *trial) {
  const gmem_problem_t *problem = trial->pools.problem;
  return gmem_problem_pool_count(problem) == 1 &&
         trial->pools.search->lower_bound >
             gmem_pool_limit(gmem_problem_pool(problem, 0));
}

static gmem_status_t explore(trial_t *trial, gmem_effort_t effort) {
  gmem_search_t *search = trial->pools.search;
  uint64_t steps = steps_of(trial->has_moves ? effort : search->effort);
  uint64_t until = search->steps + steps;
  trial->count = list_all(trial, trial->order);
  GMEM_TRY(try_order(trial, trial->order, trial->count));
  if (!is_done(trial))
    GMEM_TRY(improve_pressure(trial, until));
  if (!is_done(trial))
    GMEM_TRY(try_order(trial, trial->order, trial->count));
  if (!is_done(trial))
    GMEM_TRY(try_order(trial, trial->order, 0));
  until = search->steps + steps;
  if (!is_done(trial))
    GMEM_TRY(try_changes(trial, until));
  until = search->steps + steps;
  if (!is_done(trial) && !is_infeasible(trial))
    GMEM_TRY(walk(trial, until));
  return GMEM_OK;
}

// The best selection with full effort, or all aliases if nothing fits so far;
// then none, so that sharing never makes the result worse.
static gmem_status_t try_full_effort(trial_t *trial) {
  bool found = trial->best_peak != GMEM_UNLIMITED;
  trial->pools.share = 2;
  trial->count = found ? trial->best_count : list_all(trial, trial->order);
  if (found)
    memcpy(trial->order, trial->best_order,
           trial->count * sizeof *trial->order);
  if (!is_done(trial))
    GMEM_TRY(try_order(trial, trial->order, trial->count));
  if (!is_done(trial))
    GMEM_TRY(try_order(trial, trial->order, 0));
  return GMEM_OK;
}

// Whether the assignment of buffers to pools is searched.
static bool searches_pools(const trial_t *trial) {
  return trial->has_moves && trial->pools.engine->searches_pools;
}

// With fast effort, while some buffers are not in their best pool.
static gmem_status_t try_fast(trial_t *trial, gmem_effort_t effort) {
  if (searches_pools(trial)) {
    size_t count = list_all(trial, trial->order);
    GMEM_TRY(try_order(trial, trial->order, count));
    trial->pools.is_quick = trial->was_quick = !is_worth_most(trial);
  }
  return explore(trial, effort);
}

static gmem_status_t try_choices(trial_t *trial) {
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
  if (trial->choice.optional_count <= FEW_ALIASES &&
      trial->buffer_count <= FEW_BUFFERS && !is_done(trial))
    GMEM_TRY(try_subsets(trial));
  trial->pools.is_quick = false;
  search->proved = false;
  return trial->best_peak == GMEM_UNLIMITED ? trial->status : GMEM_OK;
}

//===--- several pools ----------------------------------------------------===//

// Packs with the aliases of |order|, moves buffers between pools, and keeps the
// plan if it is the best so far.
static gmem_status_t improve_choice(trial_t *trial, const uint32_t *order,
                                    size_t count) {
  gmem_pools_t *pools = &trial->pools;
  gmem_benefit_t benefit = 0;
  GMEM_TRY(gmem_choose_aliases(&trial->choice, order, count));
  pools->search->proved = false;
  gmem_status_t status = gmem_improve_pools(pools, pack_choice(trial));
  if (status != GMEM_OK)
    return status == GMEM_ERR_OUT_OF_MEMORY ? status : GMEM_OK;
  uint64_t peak = gmem_plan_peak(pools->problem, pools->plan);
  if (is_better(trial, peak, &benefit))
    keep_plan(trial, peak, benefit);
  return GMEM_OK;
}

// With the best selection, without aliases, and with all: a larger group is
// less likely to fit in a small pool.
static gmem_status_t improve_pools(trial_t *trial) {
  size_t all = list_all(trial, trial->order);
  trial->pools.share = 4;
  if (trial->best_peak != GMEM_UNLIMITED && trial->best_count)
    GMEM_TRY(improve_choice(trial, trial->best_order, trial->best_count));
  if (!is_worth_most(trial))
    GMEM_TRY(improve_choice(trial, trial->order, all));
  if (!is_worth_most(trial))
    GMEM_TRY(improve_choice(trial, trial->order, 0));
  if (trial->best_peak != GMEM_UNLIMITED)
    return GMEM_OK;
  // The last attempt has filled the diagnostic.
  GMEM_TRY(gmem_choose_aliases(&trial->choice, trial->order, 0));
  return pack_choice(trial);
}

static gmem_status_t search_choices(trial_t *trial) {
  gmem_scratch_t *memory = &trial->memory;
  size_t buffers = trial->buffer_count, aliases = trial->alias_count;
  size_t times = 2 * count_ranges(trial->pools.problem);
  GMEM_TRY(
      gmem_choice_create(trial->pools.problem, &trial->choice, memory->diag));
  GMEM_TRY_NEW(trial->pools.plan, memory, buffers);
  GMEM_TRY_NEW(trial->order, memory, aliases);
  GMEM_TRY_NEW(trial->best_order, memory, aliases);
  GMEM_TRY_NEW(trial->next_order, memory, aliases);
  GMEM_TRY_NEW(trial->candidates, memory, aliases);
  GMEM_TRY_NEW(trial->times, memory, 2 * times);
  GMEM_TRY_NEW(trial->change, memory, times);
  GMEM_TRY_NEW(trial->slots, memory, times);
  GMEM_TRY_NEW(trial->first_slot, memory, buffers + 1);
  GMEM_TRY_NEW(trial->is_full, memory, buffers);
  number_times(trial);
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
      .choice = {.memory = {.allocator =
                                gmem_problem_allocator(pools->problem)}},
      .best_plan = pools->plan,
      .best_peak = GMEM_UNLIMITED,
      .alias_count = gmem_problem_alias_count(pools->problem),
      .buffer_count = gmem_problem_buffer_count(pools->problem),
      .has_moves = gmem_pools_have_alternatives(pools->problem)};
  gmem_status_t status = search_choices(&trial);
  gmem_choice_destroy(&trial.choice);
  gmem_scratch_free(&trial.memory);
  return status;
}
