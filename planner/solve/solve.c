// solve.c - the table of algorithms, and gmem_solve: runs one and checks its
// plan.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "algorithms.h"
#include "auto.h"
#include "exact.h"
#include "packing.h"
#include "planner_memory.h"
#include "problem_store.h"
#include "search.h"
#include "solve_pools.h"
#include "sweep.h"

static gmem_status_t improve_exactly(const gmem_packing_t *packing,
                                     gmem_search_t *search, uint64_t *offsets,
                                     gmem_diag_t *diag) {
  return gmem_exact_pack(packing, search, offsets, &search->proved, diag);
}

static gmem_engine_t automatic = {gmem_auto_pack, NULL, true};
static gmem_engine_t none = {gmem_none_pack, NULL, false};
static gmem_engine_t ref_count = {gmem_ref_count_pack, NULL, false};
static gmem_engine_t first_fit = {gmem_first_fit_pack, NULL, false};
static gmem_engine_t best_fit = {gmem_best_fit_pack, NULL, false};
static gmem_engine_t greedy_by_size = {gmem_greedy_by_size_pack, NULL, false};
static gmem_engine_t greedy_by_conflicts = {gmem_greedy_by_conflicts_pack, NULL,
                                            false};
static gmem_engine_t sweep = {gmem_sweep_pack, NULL, false};
static gmem_engine_t hill_climb = {gmem_greedy_by_size_pack,
                                   gmem_hill_climb_pack, false};
static gmem_engine_t exact = {gmem_multi_order_pack, improve_exactly, true};

static const gmem_algorithm_t algorithms[] = {
    {"auto", "all algorithms in stages, until the lower bound is reached",
     gmem_pack_pools, &automatic},
    {"none", "no reuse: no two buffers share bytes", gmem_pack_pools, &none},
    {"ref-count", "in order of time, each in the first free slot it fits in",
     gmem_pack_pools, &ref_count},
    {"first-fit", "in order of time, each at the lowest offset",
     gmem_pack_pools, &first_fit},
    {"best-fit", "in order of time, each in the smallest gap it fits in",
     gmem_pack_pools, &best_fit},
    {"greedy-by-size",
     "largest buffers first, each in the smallest gap it fits in",
     gmem_pack_pools, &greedy_by_size},
    {"greedy-by-conflicts",
     "most conflicts first, each in the smallest gap it fits in",
     gmem_pack_pools, &greedy_by_conflicts},
    {"sweep", "from the time of peak pressure in both directions; n log n",
     gmem_pack_pools, &sweep},
    {"hill-climb", "greedy-by-size, then local search", gmem_pack_pools,
     &hill_climb},
    {"exact", "branch and bound; proves optimality when it ends",
     gmem_pack_pools, &exact},
};

size_t gmem_algorithm_count(void) {
  return sizeof algorithms / sizeof *algorithms;
}

const gmem_algorithm_t *gmem_algorithm_at(size_t index) {
  return index < gmem_algorithm_count() ? &algorithms[index] : NULL;
}

const gmem_algorithm_t *gmem_algorithm_find(const char *name) {
  for (size_t i = 0; name && i < gmem_algorithm_count(); ++i)
    if (strcmp(algorithms[i].name, name) == 0)
      return &algorithms[i];
  return NULL;
}

// Adds the lower bound to the text of OVER_BUDGET when it exceeds the capacity:
// then no other algorithm can succeed.
static void explain_over_budget(const gmem_problem_t *problem,
                                gmem_diag_t *diag) {
  if (!diag || diag->status != GMEM_ERR_OVER_BUDGET ||
      diag->object >= gmem_problem_buffer_count(problem))
    return;
  uint32_t pool =
      gmem_problem_buffer(problem, (uint32_t)diag->object)->pools[0];
  uint64_t bound = 0;
  if (gmem_lower_bound_of_pool(problem, pool, &bound, NULL) != GMEM_OK ||
      bound <= gmem_pool_limit(gmem_problem_pool(problem, pool)))
    return;
  size_t used = strlen(diag->text);
  if (bound > GMEM_MAX_ADDRESS)
    snprintf(diag->text + used, sizeof diag->text - used,
             "; every plan exceeds the address space");
  else
    snprintf(diag->text + used, sizeof diag->text - used,
             "; every plan needs at least %" PRIu64 " bytes there", bound);
}

// Adds the name of a user's algorithm to failures without a message.
static gmem_status_t run_foreign(const gmem_problem_t *problem,
                                 const gmem_algorithm_t *algorithm,
                                 gmem_search_t *search, gmem_placement_t *plan,
                                 gmem_diag_t *diag) {
  gmem_diag_t own = {.object = GMEM_NO_BUFFER};
  gmem_status_t status =
      algorithm->run(problem, search, plan, algorithm->user, &own);
  if (status == GMEM_OK)
    return GMEM_OK;
  if (own.text[0] == '\0')
    return gmem_planner_fail(diag, status, own.object,
                             "algorithm '%.60s' failed without a message",
                             algorithm->name);
  own.text[sizeof own.text - 1] = '\0';
  own.status = status;
  if (diag)
    *diag = own;
  return status;
}

static gmem_status_t check_plan(const gmem_problem_t *problem,
                                const gmem_algorithm_t *algorithm,
                                const gmem_placement_t *plan,
                                gmem_diag_t *diag) {
  gmem_status_t status = gmem_check(problem, plan, NULL, diag);
  if (status != GMEM_OK && diag && algorithm->run != gmem_pack_pools) {
    size_t used = strlen(diag->text);
    snprintf(diag->text + used, sizeof diag->text - used,
             " in the plan of algorithm '%.63s'", algorithm->name);
  }
  return status;
}

// Whether the lower bound of the problem equals that of the single packing that
// will be made, so that it need not be computed twice. With views or blocks the
// bound of the packing may be higher: members of one item that are in different
// branches interfere with more than necessary.
static bool has_one_packing(const gmem_problem_t *problem,
                            const gmem_algorithm_t *algorithm) {
  return algorithm->run == gmem_pack_pools &&
         gmem_problem_pool_count(problem) == 1 &&
         gmem_problem_alias_count(problem) == 0 &&
         gmem_problem_block_count(problem) == 0 &&
         !gmem_problem_traits(problem).has_fixed;
}

gmem_status_t gmem_solve(const gmem_problem_t *problem,
                         const gmem_solve_options_t *options,
                         gmem_placement_t *plan,
                         gmem_plan_figures_t *out_figures, gmem_diag_t *diag) {
  static const gmem_solve_options_t defaults = {0};
  options = options ? options : &defaults;
  gmem_status_t status = gmem_solve_options_check(options, diag);
  if (status != GMEM_OK)
    return status;
  const gmem_algorithm_t *algorithm =
      options->algorithm ? options->algorithm : &algorithms[0];
  if (!algorithm->run)
    return gmem_planner_fail(diag, GMEM_ERR_INVALID_ARGUMENT, GMEM_NO_BUFFER,
                             "the algorithm has no function 'run'");
  gmem_plan_figures_t figures = {0};
  bool takes_bound = has_one_packing(problem, algorithm);
  if (!takes_bound)
    status = gmem_lower_bound(problem, &figures.lower_bound, diag);
  if (status != GMEM_OK)
    return status;
  gmem_search_t search =
      gmem_search_start(options, algorithm->name, figures.lower_bound);
  search.takes_bound = takes_bound;
  status = algorithm->run == gmem_pack_pools
               ? gmem_pack_pools(problem, &search, plan, algorithm->user, diag)
               : run_foreign(problem, algorithm, &search, plan, diag);
  if (status == GMEM_ERR_OVER_BUDGET)
    explain_over_budget(problem, diag);
  if (status == GMEM_OK)
    status = check_plan(problem, algorithm, plan, diag);
  if (status != GMEM_OK || !out_figures)
    return status;
  figures.lower_bound = search.lower_bound;
  figures.steps = search.steps;
  figures.peak = gmem_plan_peak(problem, plan);
  if (search.proved) // a proof other than the lower bound
    figures.lower_bound = figures.peak;
  figures.optimal = figures.peak == figures.lower_bound;
  figures.cancelled = search.cancelled;
  *out_figures = figures;
  return GMEM_OK;
}
