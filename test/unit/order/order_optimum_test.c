// order_optimum_test.c - against all orders of all graphs of six ops, and of
// random graphs with views, reuses and precedence.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: long_tests
// RUN: %unit/order_optimum_test

// With "--ops=7" all graphs of seven ops: "./dev nightly".

#include <inttypes.h>
#include <string.h>

#include "order_reference.h"

// Checks every algorithm against the least peak. Returns whether the order
// could be improved.
static bool check_graph(const spec_t *spec, bool all_algorithms) {
  gmem_order_graph_t *graph = NULL;
  gmem_diag_t diag = {0};
  uint32_t order[SPEC_OPS];
  uint64_t best = least_peak(spec), given = 0;
  spec_check(spec_build(spec, NULL, &graph, &diag), &diag);
  for (size_t i = 0; i < gmem_order_algorithm_count(); ++i) {
    gmem_order_options_t options = {.algorithm = gmem_order_algorithm_at(i)};
    gmem_order_figures_t figures = {0};
    bool is_exact = i == 0 || strcmp(options.algorithm->name, "exact") == 0;
    if (i > 0 && !all_algorithms)
      break;
    spec_check(gmem_order_solve(graph, &options, order, &figures, &diag),
               &diag);
    given = figures.given_peak;
    CHECK(figures.peak == peak_of(spec, order));
    CHECK(figures.lower_bound <= best && best <= figures.peak);
    CHECK(figures.peak <= given);
    CHECK(figures.proved == (figures.peak == figures.lower_bound));
    CHECK(!is_exact || (figures.peak == best && figures.proved));
    for (uint32_t p = 0; figures.peak == given && p < spec->ops; ++p)
      CHECK(order[p] == p); // without a gain the given order itself
    if (check_failures) {
      fprintf(stderr,
              "%s: peak %" PRIu64 ", bound %" PRIu64 ", least %" PRIu64
              ", given %" PRIu64 "\n",
              options.algorithm->name, figures.peak, figures.lower_bound, best,
              given);
      exit(1);
    }
  }
  gmem_order_graph_destroy(graph);
  return best < given;
}

// All graphs of |ops| ops, plain; every |stride|-th also decorated.
static void check_all(uint32_t ops, uint32_t stride) {
  uint64_t graphs = UINT64_C(1) << ops * (ops - 1) / 2, seed = 7, better = 0;
  for (uint64_t edges = 0; edges < graphs; ++edges) {
    spec_t spec;
    spec_of_edges(&spec, ops, edges, &seed);
    better += check_graph(&spec, edges % 64 == 0);
    if (edges % stride)
      continue;
    spec_decorate(&spec, &seed);
    better += check_graph(&spec, true);
  }
  printf("%" PRIu32 " ops: %" PRIu64 " graphs, %" PRIu64 " improved\n", ops,
         graphs, better);
  CHECK(ops < 5 || better > graphs / 50);
}

// Sparse graphs of more ops.
static void check_random(uint32_t ops, uint32_t count) {
  uint64_t seed = 1000 + ops;
  for (uint32_t i = 0; i < count; ++i) {
    spec_t spec;
    spec_of_edges(&spec, ops, 0, &seed);
    for (uint32_t b = 1; b < ops; ++b)
      for (uint32_t a = 0; a < b; ++a)
        if (spec_random(&seed) % ops < 3)
          spec.tensor[a].users |= 1u << b;
    if (i % 2)
      spec_decorate(&spec, &seed);
    check_graph(&spec, i % 4 == 1);
  }
}

// Branches that are the same: the search exchanges them.
static void check_twins(void) {
  for (uint64_t seed = 3, i = 0; i < 300; ++i) {
    spec_t spec = {.ops = 11};
    uint64_t sizes[3];
    bool has_reuse = spec_random(&seed) % 2;
    for (int k = 0; k < 3; ++k)
      sizes[k] = spec_random(&seed) % 9;
    spec_add(&spec, spec_random(&seed) % 9, 0, 0);
    for (uint32_t op = 1; op < 10; ++op) { // three chains of three
      uint32_t at = (op - 1) % 3;
      spec_add(&spec, sizes[at], op, 1u << (at == 2 ? 10 : op + 1));
      if (at == 0)
        spec.tensor[0].users |= 1u << op;
      if (has_reuse && at == 1)
        spec.reuse[spec.reuses++] = (gmem_order_reuse_t){op, op - 1, false};
    }
    spec_add(&spec, spec_random(&seed) % 9, 10, 0);
    spec.tensor[10].is_kept = true;
    if (has_reuse) // not symmetric: one of them only
      spec.reuse[spec.reuses++] = (gmem_order_reuse_t){10, 6, false};
    check_graph(&spec, true);
  }
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "--ops=7") == 0) {
    check_all(7, 16);
    return CHECK_RESULT();
  }
  for (uint32_t ops = 1; ops <= 6; ++ops)
    check_all(ops, 1);
  check_random(8, 2000);
  check_random(10, 400);
  check_random(12, 60);
  check_twins();
  return CHECK_RESULT();
}
