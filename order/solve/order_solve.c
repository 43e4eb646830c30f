// order_solve.c - the table of algorithms, and gmem_order_solve.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <assert.h>
#include <string.h>

#include "diag.h"
#include "executed.h"
#include "order_methods.h"

#define SIMPLE                                                                 \
  {                                                                            \
    gmem_order_given, gmem_order_depth_first, gmem_order_greedy,               \
        gmem_order_greedy_back                                                 \
  }

static const gmem_order_method_t methods[] = {
    {{"auto", "the best simple order, then exact, beam, window and local"},
     SIMPLE,
     {{"exact", gmem_order_best_first, 8},
      {"beam", gmem_order_beam, 6},
      {"window", gmem_order_window, 8},
      {"local", gmem_order_local, 8}}},
    {{"given", "the given order"}, {gmem_order_given}, {{0}}},
    {{"depth-first", "what an op needs directly before it"},
     {gmem_order_depth_first},
     {{0}}},
    {{"greedy", "always the op that leaves the fewest live bytes"},
     {gmem_order_greedy},
     {{0}}},
    {{"greedy-back", "the same, from the end"},
     {gmem_order_greedy_back},
     {{0}}},
    {{"local", "the best simple order, then moves of single ops"},
     SIMPLE,
     {{"local", gmem_order_local, 16}}},
    {{"window", "the best simple order, then exact around its peak"},
     SIMPLE,
     {{"window", gmem_order_window, 16}}},
    {{"beam", "best-first over a bounded number of states"},
     SIMPLE,
     {{"beam", gmem_order_beam, 16}}},
    {{"exact", "best-first over all states, proves the least peak"},
     SIMPLE,
     {{"exact", gmem_order_best_first, 16}}},
};
enum { METHODS = sizeof methods / sizeof *methods };

size_t gmem_order_algorithm_count(void) { return METHODS; }

const gmem_order_algorithm_t *gmem_order_algorithm_at(size_t index) {
  return index < METHODS ? &methods[index].about : NULL;
}

const gmem_order_algorithm_t *gmem_order_algorithm_find(const char *name) {
  for (size_t i = 0; i < METHODS; ++i)
    if (strcmp(methods[i].about.name, name) == 0)
      return &methods[i].about;
  return NULL;
}

static gmem_status_t find_method(const gmem_order_algorithm_t *algorithm,
                                 const gmem_order_method_t **out_method,
                                 gmem_diag_t *diag) {
  for (size_t i = 0; i < METHODS; ++i)
    if (!algorithm || algorithm == &methods[i].about) {
      *out_method = &methods[i];
      return GMEM_OK;
    }
  return gmem_fail(diag, GMEM_ERR_INVALID_ARGUMENT,
                   "options.algorithm is not one of gmem_order_algorithm_at");
}

// Without a gain the given order itself; else one as close to it as the peak
// allows.
static gmem_status_t finish(const gmem_order_net_t *net,
                            gmem_order_work_t *work, gmem_scratch_t *memory,
                            uint64_t given_peak, gmem_order_outcome_t *outcome,
                            uint32_t *order) {
  if (outcome->peak >= given_peak) {
    outcome->peak = given_peak;
    return gmem_order_given(net, memory, order);
  }
  gmem_order_work_stage(work, "restore", UINT64_MAX);
  return gmem_order_restore(net, work, memory, outcome->peak, order);
}

static gmem_status_t solve(const gmem_order_graph_t *graph,
                           const gmem_order_method_t *method,
                           gmem_order_work_t *work, gmem_scratch_t *memory,
                           uint32_t *order, gmem_order_figures_t *figures) {
  gmem_order_net_t net;
  gmem_order_outcome_t outcome;
  uint64_t peak = 0;
  GMEM_TRY(gmem_order_net_of_graph(graph, memory, &net));
  GMEM_TRY(gmem_order_given(&net, memory, order));
  GMEM_TRY(gmem_order_peak(&net, order, memory, NULL, &figures->given_peak));
  work->peak = figures->given_peak;
  GMEM_TRY(gmem_order_run(&net, method, work, memory, order, &outcome));
  GMEM_TRY(finish(&net, work, memory, figures->given_peak, &outcome, order));
  GMEM_TRY(gmem_order_verify(graph, order, &peak, memory->diag));
  assert(peak <= outcome.peak && outcome.bound <= peak);
  figures->peak = peak;
  figures->lower_bound = outcome.bound;
  figures->proved = peak == outcome.bound;
  figures->steps = work->steps;
  figures->cancelled = work->cancelled;
  figures->gave_up = figures->proved ? NULL : work->gave_up;
  return GMEM_OK;
}

gmem_status_t gmem_order_solve(const gmem_order_graph_t *graph,
                               const gmem_order_options_t *options,
                               uint32_t *order,
                               gmem_order_figures_t *out_figures,
                               gmem_diag_t *diag) {
  GMEM_NEED(graph, diag);
  static const gmem_order_options_t defaults = {0};
  const gmem_order_method_t *method = NULL;
  gmem_order_work_t work;
  gmem_order_figures_t figures = {0};
  gmem_scratch_t memory = {.allocator = &graph->allocator, .diag = diag};
  options = options ? options : &defaults;
  GMEM_TRY(find_method(options->algorithm, &method, diag));
  GMEM_TRY(
      gmem_order_work_start(options, gmem_order_op_count(graph), &work, diag));
  gmem_status_t status = solve(graph, method, &work, &memory, order, &figures);
  gmem_scratch_free(&memory);
  if (status == GMEM_OK && out_figures)
    *out_figures = figures;
  return status;
}
