// order_limits_test.c - step limits, cancellation, determinism: the best order
// so far is returned, and it is always a valid one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %unit/order_limits_test

#include <string.h>

#include "check.h"
#include "order_networks.h"

typedef struct watcher_s {
  uint64_t calls, stop_at, last_steps;
  uint64_t peak;
} watcher_t;

static bool watch(void *user, const gmem_progress_t *progress) {
  watcher_t *watcher = user;
  CHECK(progress->lower_bound <= progress->peak);
  CHECK(progress->stage != NULL);
  watcher->peak = progress->peak;
  return ++watcher->calls != watcher->stop_at;
}

static gmem_order_figures_t solve(const gmem_order_graph_t *graph,
                                  const gmem_order_options_t *options,
                                  uint32_t *order) {
  gmem_order_figures_t figures = {0};
  gmem_diag_t diag;
  uint64_t peak = 0;
  CHECK(gmem_order_solve(graph, options, order, &figures, &diag) == GMEM_OK);
  CHECK(gmem_order_verify(graph, order, &peak, &diag) == GMEM_OK);
  CHECK(peak == figures.peak && peak <= figures.given_peak);
  CHECK(figures.lower_bound <= peak);
  return figures;
}

// More steps never give a higher peak or a lower bound; few end soon.
static void check_steps(const gmem_order_graph_t *graph) {
  uint32_t order[MOST_NETWORK_OPS];
  gmem_order_figures_t before =
      solve(graph, &(gmem_order_options_t){.step_limit = 1}, order);
  CHECK(!before.proved && before.gave_up != NULL);
  for (uint64_t steps = 1000; steps <= 4000000; steps *= 20) {
    gmem_order_options_t options = {.step_limit = steps};
    gmem_order_figures_t figures = solve(graph, &options, order);
    CHECK(figures.lower_bound >= before.lower_bound);
    CHECK(figures.steps < steps + 200000);
    CHECK(figures.proved || strcmp(figures.gave_up, "local") == 0 ||
          figures.gave_up);
    before = figures;
  }
}

static void check_cancel(const gmem_order_graph_t *graph) {
  uint32_t order[MOST_NETWORK_OPS];
  for (uint64_t stop = 1; stop <= 3; ++stop) {
    watcher_t watcher = {.stop_at = stop};
    gmem_order_options_t options = {.progress = watch,
                                    .progress_user = &watcher};
    gmem_order_figures_t figures = solve(graph, &options, order);
    CHECK(figures.cancelled && !figures.proved);
    CHECK(watcher.calls == stop);
  }
}

static void check_determinism(const gmem_order_graph_t *graph) {
  for (size_t i = 0; i < gmem_order_algorithm_count(); ++i) {
    uint32_t one[MOST_NETWORK_OPS], two[MOST_NETWORK_OPS];
    gmem_order_options_t options = {.algorithm = gmem_order_algorithm_at(i),
                                    .effort = GMEM_EFFORT_FAST};
    gmem_order_figures_t a = solve(graph, &options, one);
    gmem_order_figures_t b = solve(graph, &options, two);
    CHECK(a.peak == b.peak && a.steps == b.steps);
    CHECK(memcmp(one, two, gmem_order_op_count(graph) * sizeof *one) == 0);
  }
}

// Each search improves on the simple orders somewhere.
static void check_searches(void) {
  static const char *const names[] = {"local", "window", "beam", "exact"};
  uint32_t better[4] = {0};
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    uint32_t order[MOST_NETWORK_OPS];
    uint64_t simple = UINT64_MAX;
    gmem_order_graph_t *graph = make_layers(80, 6, seed);
    for (size_t i = 1; i < 5; ++i) {
      gmem_order_options_t options = {.algorithm = gmem_order_algorithm_at(i)};
      gmem_order_figures_t figures = solve(graph, &options, order);
      simple = figures.peak < simple ? figures.peak : simple;
    }
    for (size_t i = 0; i < 4; ++i) {
      gmem_order_options_t options = {.algorithm =
                                          gmem_order_algorithm_find(names[i]),
                                      .effort = GMEM_EFFORT_FAST};
      gmem_order_figures_t figures = solve(graph, &options, order);
      better[i] += figures.peak < simple;
    }
    gmem_order_graph_destroy(graph);
  }
  for (size_t i = 0; i < 4; ++i)
    CHECK(better[i] > 0);
}

// Identical branches take few states: without symmetry there are millions.
static void check_branches(void) {
  uint32_t order[MOST_NETWORK_OPS];
  gmem_order_graph_t *graph = make_branches(16);
  gmem_order_figures_t figures = solve(graph, NULL, order);
  CHECK(figures.proved);
  CHECK(figures.peak < figures.given_peak);
  CHECK(figures.steps < 200000);
  if (check_failures)
    fprintf(stderr, "%llu steps\n", (unsigned long long)figures.steps);
  gmem_order_graph_destroy(graph);
}

int main(void) {
  gmem_order_graph_t *graph = make_layers(200, 8, 3);
  check_steps(graph);
  check_cancel(graph);
  check_determinism(graph);
  gmem_order_graph_destroy(graph);
  check_searches();
  check_branches();
  return CHECK_RESULT();
}
