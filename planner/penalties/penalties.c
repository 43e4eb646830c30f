// penalties.c - see penalties.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The search needs ceilings of the pools: the lowest are the sizes of the pools
// in the plan, plus the slack; the highest are the capacities. For PEAK they
// rise only while no placement meets the hard constraints, and the lowest that
// are found win. The other objectives try a row of ceilings, and more around
// the best.

#include <assert.h>
#include <string.h>

#include "penalties.h"
#include "penalty_bound.h"
#include "penalty_climb.h"
#include "penalty_start.h"
#include "penalty_tree.h"
#include "units.h"

// Ceilings are at |share| / WHOLE of the way from the lowest to the highest.
#define WHOLE (UINT64_C(1) << 16)
#define FIRST_SHARE (WHOLE >> 10)
enum { HALVINGS = 6 };

// A placement of all units, and what it is worth.
typedef struct kept_s {
  uint64_t *offset; // by unit
  gmem_cost_t cost;
  uint64_t peak, share;
  bool is_proved;
} kept_t;

typedef struct reducer_s {
  const gmem_solve_options_t *options;
  gmem_units_t units;
  uint64_t *first_offset; // by unit: of the plan that ignores constraints
  gmem_cost_t first_cost;
  uint64_t *low, *high; // by pool: the lowest and the highest ceilings
  uint64_t *sizes;      // by pool: scratch
  uint64_t steps;       // of all searches
  uint64_t share;       // of the current ceilings
  uint64_t bound;       // of the penalty, at the ceilings that the figures are
                        //   about: the best, or the highest
  kept_t best;
} reducer_t;

//===--- ceilings ---------------------------------------------------------===//

static void measure_pools(const reducer_t *reducer, uint64_t *sizes) {
  const gmem_units_t *units = &reducer->units;
  memset(sizes, 0, gmem_problem_pool_count(units->problem) * sizeof *sizes);
  for (uint32_t u = 0; u < units->count; ++u) {
    uint64_t end = units->offset[u] + units->at[u].size;
    uint64_t *size = &sizes[units->at[u].pool];
    *size = end > *size ? end : *size;
  }
}

// The sum of the pool sizes.
static uint64_t peak_of(const reducer_t *reducer) {
  uint64_t sum = 0;
  measure_pools(reducer, reducer->sizes);
  for (uint32_t i = 0; i < gmem_problem_pool_count(reducer->units.problem); ++i)
    if (!gmem_add_bytes(sum, reducer->sizes[i], &sum))
      return UINT64_MAX;
  return sum;
}

// A pool without a capacity needs no more than all units one above the other,
// each with its alignment and slices in between.
static uint64_t most_bytes(const gmem_units_t *units, uint32_t pool) {
  uint64_t sum = 0,
           limit = gmem_pool_limit(gmem_problem_pool(units->problem, pool));
  uint64_t step = 0;
  for (size_t i = 0; i < gmem_problem_constraint_count(units->problem); ++i) {
    const gmem_constraint_t *spec = gmem_problem_constraint(units->problem, i);
    uint64_t bytes = spec->bytes;
    if (spec->kind == GMEM_BANKS &&
        __builtin_mul_overflow(bytes, spec->banks, &bytes))
      return limit;
    if (spec->kind != GMEM_NEAR && bytes > step)
      step = bytes;
  }
  for (uint32_t u = 0; u < units->count; ++u)
    if (units->at[u].pool == pool &&
        (!gmem_add_bytes(sum, units->at[u].size, &sum) ||
         !gmem_add_bytes(sum, units->at[u].alignment, &sum)))
      return limit;
  // A slice or a named place is needed now and then, not below every unit.
  if (step > GMEM_MAX_ADDRESS / 4 || !gmem_add_bytes(sum, 4 * step, &sum))
    return limit;
  return sum < limit ? sum : limit;
}

static void raise_low(reducer_t *reducer, uint64_t bytes) {
  const gmem_units_t *units = &reducer->units;
  for (uint32_t i = 0; i < gmem_problem_pool_count(units->problem); ++i) {
    const gmem_pool_spec_t *pool = gmem_problem_pool(units->problem, i);
    uint64_t more = gmem_pool_limit(pool) - reducer->low[i];
    reducer->low[i] += bytes < more ? bytes : more;
    if (reducer->high[i] < reducer->low[i])
      reducer->high[i] = reducer->low[i];
  }
}

static void find_ceilings(reducer_t *reducer) {
  const gmem_units_t *units = &reducer->units;
  measure_pools(reducer, reducer->low);
  for (uint32_t i = 0; i < gmem_problem_pool_count(units->problem); ++i)
    reducer->high[i] = most_bytes(units, i);
  raise_low(reducer, 0);
}

static void set_ceilings(reducer_t *reducer, uint64_t share) {
  gmem_units_t *units = &reducer->units;
  assert(share <= WHOLE);
  reducer->share = share;
  for (uint32_t i = 0; i < gmem_problem_pool_count(units->problem); ++i) {
    uint64_t way = reducer->high[i] - reducer->low[i];
    units->ceiling[i] =
        reducer->low[i] + way / WHOLE * share + way % WHOLE * share / WHOLE;
  }
}

//===--- the best ---------------------------------------------------------===//

static uint64_t weigh(const reducer_t *reducer, uint64_t peak,
                      uint64_t penalty) {
  uint64_t worth;
  if (__builtin_mul_overflow(penalty, reducer->options->penalty_bytes,
                             &worth) ||
      __builtin_add_overflow(worth, peak, &worth))
    return UINT64_MAX;
  return worth;
}

// Below 0: the current placement is better than the best by the objective; 0:
// it is worth the same. Where peaks come first, the ceilings decide.
static int compare_to_best(const reducer_t *reducer, uint64_t peak) {
  const kept_t *best = &reducer->best;
  gmem_cost_t cost = reducer->units.cost;
  int order = gmem_compare_numbers(cost.hard, best->cost.hard);
  if (order)
    return order;
  if (reducer->options->objective == GMEM_OBJECTIVE_WEIGHTED)
    return gmem_compare_numbers(weigh(reducer, peak, cost.penalty),
                                weigh(reducer, best->peak, best->cost.penalty));
  if (reducer->options->objective == GMEM_OBJECTIVE_PEAK)
    order = gmem_compare_numbers(reducer->share, best->share);
  return order ? order : gmem_compare_numbers(cost.penalty, best->cost.penalty);
}

static void keep(reducer_t *reducer, uint64_t peak) {
  kept_t *best = &reducer->best;
  const gmem_units_t *units = &reducer->units;
  memcpy(best->offset, units->offset, units->count * sizeof *best->offset);
  best->cost = units->cost;
  best->peak = peak;
  best->share = reducer->share;
  best->is_proved = false;
}

// A proof at the highest ceilings is one about all plans.
static void consider(reducer_t *reducer, bool is_proved) {
  uint64_t peak = peak_of(reducer);
  bool is_peak = reducer->options->objective == GMEM_OBJECTIVE_PEAK;
  int order = compare_to_best(reducer, peak);
  if (order < 0 || (order == 0 && peak < reducer->best.peak))
    keep(reducer, peak);
  if (is_proved && order <= 0 && reducer->units.cost.hard == 0 &&
      (is_peak || reducer->share == WHOLE))
    reducer->best.is_proved = true;
}

//===--- searches ---------------------------------------------------------===//

// Improves the current placement below the current ceilings: a short climb,
// branch and bound, and, if that does not end, a long climb. *out_ended: it
// cannot be improved.
static gmem_status_t improve(reducer_t *reducer, uint64_t steps, uint64_t bound,
                             bool *out_ended) {
  gmem_units_t *units = &reducer->units;
  bool is_weighted = reducer->options->objective == GMEM_OBJECTIVE_WEIGHTED;
  const gmem_penalty_tree_t tree = {
      .peak_weight = is_weighted,
      .penalty_weight = is_weighted ? reducer->options->penalty_bytes : 1,
      .steps = steps};
  uint64_t few = (uint64_t)units->count << 12;
  GMEM_TRY(gmem_penalty_climb(units, bound, few < steps / 8 ? few : steps / 8));
  *out_ended =
      !is_weighted && units->cost.hard == 0 && units->cost.penalty == bound;
  if (!*out_ended)
    GMEM_TRY(gmem_penalty_search(units, &tree, out_ended));
  if (!*out_ended)
    GMEM_TRY(gmem_penalty_climb(units, bound, steps));
  return GMEM_OK;
}

// Restores the plan that ignores constraints.
static void restore_first(reducer_t *reducer) {
  gmem_units_t *units = &reducer->units;
  memcpy(units->offset, reducer->first_offset,
         units->count * sizeof *units->offset);
  units->cost = reducer->first_cost;
}

static void restore_best(reducer_t *reducer) {
  gmem_units_t *units = &reducer->units;
  memcpy(units->offset, reducer->best.offset,
         units->count * sizeof *units->offset);
  units->cost = reducer->best.cost;
}

// The placement from which the search starts: the best below ceilings that are
// no higher, or the plan that ignores constraints. Or one with units at named
// places, if it pays less and there was no search below lower ceilings.
static gmem_status_t start_at(reducer_t *reducer, uint64_t steps) {
  gmem_units_t *units = &reducer->units;
  bool fits = true;
  void (*restore)(reducer_t *) =
      reducer->best.share <= reducer->share ? restore_best : restore_first;
  restore(reducer);
  if (reducer->best.share < reducer->share || !gmem_names_places(units))
    return GMEM_OK;
  gmem_cost_t cost = units->cost;
  GMEM_TRY(gmem_penalty_start(units, steps, &fits));
  if (!fits || gmem_cost_below(cost, units->cost))
    restore(reducer);
  return GMEM_OK;
}

// Searches below the ceilings of |share|.
static gmem_status_t search_at(reducer_t *reducer, uint64_t share,
                               uint64_t steps) {
  gmem_units_t *units = &reducer->units;
  uint64_t bound;
  bool has_ended;
  set_ceilings(reducer, share);
  GMEM_TRY(start_at(reducer, steps));
  GMEM_TRY(gmem_penalty_bound(units, steps, &bound));
  GMEM_TRY(improve(reducer, steps, bound, &has_ended));
  consider(reducer, has_ended && gmem_units_cover_all_plans(units));
  if (reducer->options->objective == GMEM_OBJECTIVE_PEAK &&
      reducer->best.share == share)
    reducer->bound =
        reducer->best.is_proved ? reducer->best.cost.penalty : bound;
  return GMEM_OK;
}

// Whether higher ceilings cannot lead to a better plan.
static bool is_done(const reducer_t *reducer) {
  const kept_t *best = &reducer->best;
  if (best->cost.hard ||
      reducer->options->objective == GMEM_OBJECTIVE_WEIGHTED) // proved at WHOLE
    return false;
  return reducer->options->objective == GMEM_OBJECTIVE_PEAK ||
         best->cost.penalty == reducer->bound;
}

// Lower ceilings than those of the best, and, for the weighted sum, higher
// ones.
static gmem_status_t search_around(reducer_t *reducer, uint64_t steps) {
  uint64_t step = reducer->best.share / 4;
  for (int i = 0; i < HALVINGS && step; ++i, step /= 2) {
    uint64_t share = reducer->best.share;
    GMEM_TRY(search_at(reducer, share - step, steps));
    if (reducer->options->objective == GMEM_OBJECTIVE_WEIGHTED &&
        share + step <= WHOLE)
      GMEM_TRY(search_at(reducer, share + step, steps));
  }
  return GMEM_OK;
}

// Below the lowest ceilings: first without slack, so that slack never makes the
// penalty larger, and is not used where it makes it no lower.
static gmem_status_t search_lowest(reducer_t *reducer, uint64_t steps) {
  uint64_t slack = reducer->options->peak_slack;
  GMEM_TRY(search_at(reducer, 0, steps));
  if (reducer->options->objective != GMEM_OBJECTIVE_PEAK || slack == 0)
    return GMEM_OK;
  raise_low(reducer, slack);
  reducer->best.is_proved = false;
  return search_at(reducer, 0, steps);
}

static gmem_status_t search_all(reducer_t *reducer) {
  gmem_objective_t objective = reducer->options->objective;
  uint64_t few = reducer->steps / 64, many = reducer->steps / 4;
  if (objective != GMEM_OBJECTIVE_PEAK) {
    set_ceilings(reducer, WHOLE);
    GMEM_TRY(gmem_penalty_bound(&reducer->units, many, &reducer->bound));
  }
  GMEM_TRY(
      search_lowest(reducer, objective == GMEM_OBJECTIVE_PEAK ? many : few));
  if (objective == GMEM_OBJECTIVE_PENALTY && !is_done(reducer))
    GMEM_TRY(search_at(reducer, WHOLE, many));
  else
    for (uint64_t share = FIRST_SHARE; share <= WHOLE && !is_done(reducer);
         share *= 2)
      GMEM_TRY(search_at(reducer, share, few));
  GMEM_TRY(search_around(reducer, few));
  if (objective != GMEM_OBJECTIVE_WEIGHTED && reducer->best.cost.hard == 0 &&
      reducer->best.cost.penalty == reducer->bound)
    reducer->best.is_proved = true;
  return GMEM_OK;
}

//===--- the whole --------------------------------------------------------===//

static gmem_status_t allocate(reducer_t *reducer) {
  gmem_units_t *units = &reducer->units;
  gmem_scratch_t *memory = &units->memory;
  uint32_t pools = gmem_problem_pool_count(units->problem);
  GMEM_TRY_NEW(reducer->first_offset, memory, units->count);
  GMEM_TRY_NEW(reducer->best.offset, memory, units->count);
  GMEM_TRY_NEW(reducer->low, memory, pools);
  GMEM_TRY_NEW(reducer->high, memory, pools);
  GMEM_TRY_NEW(reducer->sizes, memory, pools);
  return GMEM_OK;
}

static void start(reducer_t *reducer) {
  gmem_units_t *units = &reducer->units;
  gmem_search_t *search = units->search;
  uint64_t steps = gmem_by_effort(search->effort, UINT64_C(1) << 24,
                                  UINT64_C(1) << 28, UINT64_C(1) << 32);
  if (!search->has_own_limit)
    search->step_limit = search->steps + steps;
  gmem_search_begin_stage(search, "penalties", steps);
  reducer->steps = search->stage_limit - search->steps;
  memcpy(reducer->first_offset, units->offset,
         units->count * sizeof *units->offset);
  reducer->first_cost = units->cost;
  find_ceilings(reducer);
  reducer->share = 0;
  keep(reducer, peak_of(reducer));
}

static gmem_status_t fail_hard(const gmem_problem_t *problem,
                               const gmem_placement_t *plan, const char *reason,
                               gmem_diag_t *diag) {
  size_t i = 0;
  while (gmem_problem_constraint(problem, i)->penalty != GMEM_HARD ||
         !gmem_plan_breaks(problem, plan, i))
    ++i;
  const gmem_constraint_t *spec = gmem_problem_constraint(problem, i);
  return gmem_planner_fail(
      diag, GMEM_ERR_OVER_BUDGET, spec->first,
      "no plan was found in which the hard constraint of kind '%s' of buffer "
      "'%.60s' holds%s",
      gmem_constraint_kind_name(spec->kind),
      gmem_problem_buffer(problem, spec->first)->name, reason);
}

static gmem_status_t reduce(reducer_t *reducer, gmem_placement_t *plan,
                            gmem_penalty_figures_t *figures) {
  gmem_units_t *units = &reducer->units;
  GMEM_TRY(allocate(reducer));
  start(reducer);
  GMEM_TRY(search_all(reducer));
  restore_best(reducer);
  gmem_units_write(units, plan);
  if (reducer->best.cost.hard)
    return fail_hard(units->problem, plan, "", units->memory.diag);
  figures->lower_bound = reducer->bound;
  figures->optimal = reducer->best.is_proved;
  return GMEM_OK;
}

static uint32_t count_broken(const gmem_problem_t *problem,
                             const gmem_placement_t *plan) {
  uint32_t count = 0;
  for (size_t i = 0; i < gmem_problem_constraint_count(problem); ++i)
    if (gmem_problem_constraint(problem, i)->penalty == GMEM_HARD)
      count += gmem_plan_breaks(problem, plan, i);
  return count;
}

gmem_status_t gmem_reduce_penalty(const gmem_problem_t *problem,
                                  const gmem_solve_options_t *options,
                                  gmem_search_t *search, gmem_placement_t *plan,
                                  gmem_penalty_figures_t *out_figures,
                                  gmem_diag_t *diag) {
  gmem_penalty_figures_t figures = {
      .peak_before = gmem_plan_peak(problem, plan),
      .penalty_before = gmem_plan_penalty(problem, plan),
      .broken_before = count_broken(problem, plan),
      .optimal = true};
  reducer_t reducer = {.options = options};
  gmem_status_t status = GMEM_OK;
  if (figures.penalty_before || figures.broken_before) {
    figures.optimal = false;
    status = gmem_units_create(problem, search, plan, &reducer.units, diag);
    // Without lists of conflicts the plan stays, if it is valid.
    if (status == GMEM_OK)
      status = reduce(&reducer, plan, &figures);
    else if (status == GMEM_ERR_OUT_OF_RANGE && figures.broken_before)
      status = fail_hard(problem, plan,
                         ": with so many buffers in conflict it is not "
                         "searched for",
                         diag);
    else if (status == GMEM_ERR_OUT_OF_RANGE) {
      if (diag)
        *diag = (gmem_diag_t){.status = GMEM_OK};
      status = GMEM_OK;
    }
    gmem_units_destroy(&reducer.units);
  }
  figures.penalty = gmem_plan_penalty(problem, plan);
  *out_figures = figures;
  return status;
}
