// solve.c - the table of algorithms, and gmem_solve: runs one and checks its
// plan.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "algorithms.h"
#include "alias_search.h"
#include "benefit.h"
#include "canonical.h"
#include "empty_buffers.h"
#include "penalties.h"
#include "problem_store.h"

//===--- aliases and pools ------------------------------------------------===//

// |has_optional|: optional aliases may be used.
static gmem_status_t pack_pools(gmem_pools_t *pools, bool has_optional,
                                gmem_scratch_t *memory) {
  const gmem_problem_t *problem = pools->problem;
  uint32_t buffers = gmem_problem_buffer_count(problem);
  uint32_t count = gmem_problem_pool_count(problem);
  pools->search->is_partial = count > 1 || has_optional;
  GMEM_TRY_NEW(pools->pool_of, memory, buffers);
  GMEM_TRY_NEW(pools->candidate, memory, buffers);
  GMEM_TRY_NEW(pools->visits, memory, count);
  if (has_optional)
    return gmem_pack_with_choices(pools);
  return gmem_improve_pools(pools, gmem_pack_once(pools));
}

// Assigns every buffer to a pool, runs the engine on every pool, compares with
// its limit and writes the plan. All buffers start in their first candidate;
// spill.c selects the ones that leave a pool that is too small.
static gmem_status_t run_with(const gmem_problem_t *problem, bool has_optional,
                              gmem_search_t *search, gmem_placement_t *plan,
                              const gmem_engine_t *engine, gmem_diag_t *diag) {
  gmem_scratch_t memory = {.allocator = gmem_problem_allocator(problem),
                           .diag = diag};
  gmem_pools_t pools = {.problem = problem,
                        .search = search,
                        .diag = diag,
                        .engine = engine,
                        .plan = plan,
                        .groups = gmem_problem_offset_groups(problem),
                        .share = 1,
                        .ceiling = GMEM_UNLIMITED};
  gmem_status_t status = pack_pools(&pools, has_optional, &memory);
  gmem_scratch_free(&memory);
  return status;
}

static gmem_status_t run_once(const gmem_problem_t *problem,
                              gmem_search_t *search, gmem_placement_t *plan,
                              const gmem_engine_t *engine, gmem_diag_t *diag) {
  return run_with(problem, gmem_problem_traits(problem).has_optional, search,
                  plan, engine, diag);
}

//===--- exhaustive effort ------------------------------------------------===//

// Exactly what normal effort does: also its limit.
static gmem_status_t run_at_normal(const gmem_problem_t *problem,
                                   gmem_search_t *search,
                                   gmem_placement_t *plan,
                                   const gmem_engine_t *engine,
                                   gmem_diag_t *diag) {
  uint64_t limit = search->step_limit;
  search->effort = GMEM_EFFORT_NORMAL;
  if (!search->has_own_limit)
    search->step_limit = gmem_steps_of_effort(GMEM_EFFORT_NORMAL);
  search->stage_limit = search->step_limit;
  gmem_status_t status = run_once(problem, search, plan, engine, diag);
  search->effort = GMEM_EFFORT_EXHAUSTIVE;
  search->step_limit = search->stage_limit = limit;
  return status;
}

static bool is_better(const gmem_problem_t *problem,
                      const gmem_placement_t *plan,
                      const gmem_placement_t *other) {
  gmem_benefit_t worth = gmem_plan_worth(problem, plan);
  gmem_benefit_t other_worth = gmem_plan_worth(problem, other);
  return worth != other_worth
             ? worth > other_worth
             : gmem_plan_peak(problem, plan) < gmem_plan_peak(problem, other);
}

// Replaces |plan|, which normal effort has found unless it |failed|, if more
// effort finds a better one.
static gmem_status_t run_on(const gmem_problem_t *problem,
                            gmem_search_t *search, gmem_placement_t *plan,
                            const gmem_engine_t *engine, bool failed,
                            gmem_diag_t *diag) {
  gmem_scratch_t memory = {.allocator = gmem_problem_allocator(problem),
                           .diag = diag};
  size_t count = gmem_problem_buffer_count(problem);
  gmem_placement_t *trial;
  GMEM_TRY_NEW(trial, &memory, count);
  search->proved = false;
  gmem_status_t status = run_once(problem, search, trial, engine, diag);
  if (status == GMEM_OK && (failed || is_better(problem, trial, plan)))
    memcpy(plan, trial, count * sizeof *plan);
  gmem_scratch_free(&memory);
  return status == GMEM_OK || failed || status == GMEM_ERR_OUT_OF_MEMORY
             ? status
             : GMEM_OK;
}

// Exhaustive effort begins with normal effort, so that it is never worse.
static gmem_status_t run_efforts(const gmem_problem_t *problem,
                                 gmem_search_t *search, gmem_placement_t *plan,
                                 const gmem_engine_t *it, gmem_diag_t *diag) {
  if (search->effort != GMEM_EFFORT_EXHAUSTIVE || !it->searches_pools)
    return run_once(problem, search, plan, it, diag);
  gmem_status_t status = run_at_normal(problem, search, plan, it, diag);
  if (status == GMEM_ERR_OUT_OF_MEMORY || search->cancelled ||
      gmem_search_left(search) == 0 ||
      (status == GMEM_OK && (search->proved || gmem_plan_peak(problem, plan) <=
                                                   search->lower_bound)))
    return status;
  return run_on(problem, search, plan, it, status != GMEM_OK, diag);
}

//===--- form of the problem ----------------------------------------------===//

// In larger problems there is little work for each buffer, so that the form
// matters little, and the copy would be a tenth of the memory in use.
enum { MOST_IN_FORM = 1 << 16 };

// Plans the canonical form of |problem|; plan[i]: of its buffer i.
static gmem_status_t run_form(const gmem_canonical_t *form,
                              gmem_search_t *search, gmem_placement_t *plan,
                              const gmem_engine_t *engine, gmem_diag_t *diag) {
  gmem_status_t status = run_efforts(form->problem, search, plan, engine, diag);
  if (status != GMEM_OK && diag &&
      diag->object < gmem_problem_buffer_count(form->problem))
    diag->object = form->original[diag->object];
  return status;
}

static gmem_status_t run_canonical(const gmem_problem_t *problem,
                                   gmem_search_t *search,
                                   gmem_placement_t *plan,
                                   const gmem_engine_t *engine,
                                   gmem_scratch_t *memory) {
  gmem_canonical_t form;
  gmem_placement_t *found;
  GMEM_TRY(gmem_canonical_create(problem, memory, &form));
  size_t count = gmem_problem_buffer_count(form.problem);
  gmem_status_t status = run_form(&form, search, plan, engine, memory->diag);
  gmem_problem_destroy(form.problem);
  GMEM_TRY(status);
  GMEM_TRY_NEW(found, memory, count);
  memcpy(found, plan, count * sizeof *found);
  for (size_t i = 0; i < count; ++i)
    plan[form.original[i]] = found[i];
  return gmem_place_empty(problem, plan, memory->diag);
}

// A gmem_algorithm_fn; |engine| is a const gmem_engine_t *. Fails with
// OVER_BUDGET, or with the status of the engine.
static gmem_status_t run_engine(const gmem_problem_t *problem,
                                gmem_search_t *search, gmem_placement_t *plan,
                                void *engine, gmem_diag_t *diag) {
  const gmem_engine_t *it = engine;
  if (!it->is_search || gmem_problem_buffer_count(problem) > MOST_IN_FORM ||
      !gmem_canonical_helps(problem))
    return run_efforts(problem, search, plan, it, diag);
  gmem_scratch_t memory = {.allocator = gmem_problem_allocator(problem),
                           .diag = diag};
  gmem_status_t status = run_canonical(problem, search, plan, it, &memory);
  gmem_scratch_free(&memory);
  return status;
}

//===--- algorithms -------------------------------------------------------===//

#define DESCRIBE(name, function, is_search, searches_pools, summary)           \
  {name, summary, run_engine,                                                  \
   &(gmem_engine_t){gmem_##function##_pack, is_search, searches_pools}},
static const gmem_algorithm_t algorithms[] = {GMEM_ALGORITHMS(DESCRIBE)};

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
  if (status != GMEM_OK && diag && algorithm->run != run_engine) {
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
  return algorithm->run == run_engine &&
         gmem_problem_pool_count(problem) == 1 &&
         gmem_problem_alias_count(problem) == 0 &&
         gmem_problem_block_count(problem) == 0 &&
         !gmem_problem_traits(problem).has_fixed;
}

//===--- constraints ------------------------------------------------------===//

// Whether the objective prefers |a|, found from a plan of no larger a peak.
static bool costs_less(const gmem_problem_t *problem,
                       const gmem_solve_options_t *options,
                       const gmem_placement_t *a, const gmem_placement_t *b) {
  uint64_t peak = gmem_plan_peak(problem, a), than = gmem_plan_peak(problem, b);
  uint64_t pays = gmem_plan_penalty(problem, a);
  uint64_t other = gmem_plan_penalty(problem, b);
  if (options->objective == GMEM_OBJECTIVE_PEAK)
    return pays < other;
  return pays <= other && peak <= than && (pays < other || peak < than);
}

// The plan without optional aliases, if it has no larger a peak than
// |most_bytes|: what an alias ties together shares bytes, and may pay for that.
// At fast effort: where the peak is hard to reach, aliases are there for it.
static gmem_status_t
start_without_aliases(const gmem_problem_t *problem, gmem_search_t *search,
                      gmem_placement_t *trial, const gmem_engine_t *engine,
                      uint64_t most_bytes, bool *out_found, gmem_diag_t *diag) {
  gmem_effort_t effort = search->effort;
  gmem_diag_t ignored;
  if (!search->has_own_limit)
    search->step_limit = search->steps + gmem_steps_of_effort(effort);
  search->stage_limit = search->step_limit;
  search->effort = GMEM_EFFORT_FAST;
  gmem_status_t status =
      run_with(problem, false, search, trial, engine, &ignored);
  search->effort = effort;
  *out_found =
      status == GMEM_OK && gmem_plan_peak(problem, trial) <= most_bytes;
  return status == GMEM_ERR_OUT_OF_MEMORY ? gmem_planner_out_of_memory(diag)
                                          : GMEM_OK;
}

// Reduces the penalty of the plan without optional aliases, too, and takes it
// if it costs less. |most_bytes|: the peak of the plan before.
static gmem_status_t
try_without_aliases(const gmem_problem_t *problem,
                    const gmem_solve_options_t *options, gmem_search_t *search,
                    const gmem_engine_t *engine, uint64_t most_bytes,
                    gmem_placement_t *plan, gmem_penalty_figures_t *figures,
                    gmem_scratch_t *memory) {
  size_t count = gmem_problem_buffer_count(problem);
  gmem_penalty_figures_t others;
  gmem_placement_t *trial;
  gmem_diag_t ignored;
  bool found;
  GMEM_TRY_NEW(trial, memory, count);
  GMEM_TRY(start_without_aliases(problem, search, trial, engine, most_bytes,
                                 &found, memory->diag));
  if (!found)
    return GMEM_OK;
  gmem_status_t status =
      gmem_reduce_penalty(problem, options, search, trial, &others, &ignored);
  if (status == GMEM_OK && costs_less(problem, options, trial, plan)) {
    memcpy(plan, trial, count * sizeof *plan);
    figures->penalty = others.penalty;
    figures->lower_bound = others.lower_bound;
    figures->optimal = others.optimal;
  }
  return status == GMEM_ERR_OUT_OF_MEMORY
             ? gmem_planner_out_of_memory(memory->diag)
             : GMEM_OK;
}

static gmem_status_t
reduce_penalty(const gmem_problem_t *problem,
               const gmem_solve_options_t *options, gmem_search_t *search,
               const gmem_engine_t *engine, gmem_placement_t *plan,
               gmem_penalty_figures_t *figures, gmem_diag_t *diag) {
  gmem_scratch_t memory = {.allocator = gmem_problem_allocator(problem),
                           .diag = diag};
  uint64_t peak = gmem_plan_peak(problem, plan);
  GMEM_TRY(gmem_reduce_penalty(problem, options, search, plan, figures, diag));
  if (figures->penalty == figures->lower_bound || search->cancelled ||
      !gmem_problem_traits(problem).has_optional ||
      gmem_problem_pool_count(problem) > 1)
    return GMEM_OK;
  gmem_status_t status = try_without_aliases(problem, options, search, engine,
                                             peak, plan, figures, &memory);
  gmem_scratch_free(&memory);
  return status;
}

// Moves the buffers until the constraints hold, if the algorithm searches. For
// others the figures tell what the plan pays.
static gmem_status_t meet_constraints(const gmem_problem_t *problem,
                                      const gmem_solve_options_t *options,
                                      gmem_search_t *search,
                                      const gmem_algorithm_t *algorithm,
                                      gmem_placement_t *plan,
                                      gmem_diag_t *diag) {
  const gmem_engine_t *engine = algorithm->user;
  gmem_penalty_figures_t ignored, *figures = options->penalties;
  figures = figures ? figures : &ignored;
  bool is_search = algorithm->run == run_engine && engine->searches_pools;
  if (is_search && gmem_problem_constraint_count(problem)) {
    bool is_proved = search->proved;
    uint64_t peak = gmem_plan_peak(problem, plan);
    GMEM_TRY(
        reduce_penalty(problem, options, search, engine, plan, figures, diag));
    // The proof was about the plan that ignores constraints.
    search->proved = is_proved && gmem_plan_peak(problem, plan) <= peak;
    return GMEM_OK;
  }
  uint64_t penalty = gmem_plan_penalty(problem, plan);
  *figures =
      (gmem_penalty_figures_t){.penalty = penalty,
                               .optimal = penalty == 0,
                               .peak_before = gmem_plan_peak(problem, plan),
                               .penalty_before = penalty};
  return GMEM_OK;
}

// Looks for a higher bound where the work is not limited.
static gmem_status_t raise_bound(const gmem_problem_t *problem,
                                 const gmem_solve_options_t *options,
                                 const gmem_algorithm_t *algorithm,
                                 const gmem_placement_t *plan,
                                 gmem_search_t *search, gmem_diag_t *diag) {
  const gmem_engine_t *engine = algorithm->user;
  uint64_t bound = 0, peak = gmem_plan_peak(problem, plan);
  if (algorithm->run != run_engine || !engine->searches_pools ||
      options->effort == GMEM_EFFORT_FAST || options->step_limit ||
      search->cancelled || search->proved || peak <= search->lower_bound ||
      gmem_problem_alias_count(problem) == 0)
    return GMEM_OK;
  GMEM_TRY(gmem_lower_bound_below(problem, peak, &bound, diag));
  search->lower_bound =
      bound > search->lower_bound ? bound : search->lower_bound;
  return GMEM_OK;
}

gmem_status_t gmem_solve(const gmem_problem_t *problem,
                         const gmem_solve_options_t *given,
                         gmem_placement_t *plan,
                         gmem_plan_figures_t *out_figures, gmem_diag_t *diag) {
  GMEM_PLANNER_NEED(
      problem && (plan || gmem_problem_buffer_count(problem) == 0), diag);
  gmem_solve_options_t copy;
  GMEM_TRY(gmem_solve_options_copy(given, &copy, diag));
  const gmem_solve_options_t *options = &copy;
  const gmem_algorithm_t *algorithm =
      options->algorithm ? options->algorithm : &algorithms[0];
  if (!algorithm->run)
    return gmem_planner_fail(diag, GMEM_ERR_INVALID_ARGUMENT, GMEM_NO_BUFFER,
                             "the algorithm has no function 'run'");
  gmem_plan_figures_t figures = {0};
  bool takes_bound = has_one_packing(problem, algorithm);
  if (!takes_bound)
    GMEM_TRY(gmem_lower_bound(problem, &figures.lower_bound, diag));
  gmem_search_t search =
      gmem_search_start(options, algorithm->name, figures.lower_bound);
  search.takes_bound = takes_bound;
  gmem_status_t status =
      algorithm->run == run_engine
          ? run_engine(problem, &search, plan, algorithm->user, diag)
          : run_foreign(problem, algorithm, &search, plan, diag);
  if (status == GMEM_ERR_OVER_BUDGET)
    explain_over_budget(problem, diag);
  GMEM_TRY(status);
  GMEM_TRY(meet_constraints(problem, options, &search, algorithm, plan, diag));
  GMEM_TRY(check_plan(problem, algorithm, plan, diag));
  GMEM_TRY(raise_bound(problem, options, algorithm, plan, &search, diag));
  if (options->problem_bound)
    *options->problem_bound = search.lower_bound;
  if (!out_figures)
    return GMEM_OK;
  figures.lower_bound = search.lower_bound;
  figures.steps = search.steps;
  figures.peak = gmem_plan_peak(problem, plan);
  if (search.proved) // a proof other than the lower bound
    figures.lower_bound = figures.peak;
  assert(algorithm->run != run_engine || figures.peak >= figures.lower_bound);
  figures.optimal = figures.peak == figures.lower_bound;
  figures.cancelled = search.cancelled;
  *out_figures = figures;
  return GMEM_OK;
}
