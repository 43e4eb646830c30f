// fuzz_graph.c - reads any bytes as a JSON graph; what can be read is ordered
// by every algorithm, and no order is below a bound.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %fuzz/fuzz_graph_replay %S/corpus/fuzz_graph

#include "fuzz_text.h"
#include "order_json.h"

enum { MOST_BYTES = 1 << 16, MOST_STEPS = 1 << 12 };

static gmem_order_figures_t order_with(const gmem_order_graph_t *graph,
                                       const gmem_order_algorithm_t *algorithm,
                                       uint32_t *order) {
  const gmem_order_options_t options = {.struct_size = sizeof options,
                                        .algorithm = algorithm,
                                        .step_limit = MOST_STEPS};
  gmem_order_figures_t figures;
  uint64_t peak;
  require(gmem_order_solve(graph, &options, order, &figures, NULL) == GMEM_OK);
  require(gmem_order_verify(graph, order, &peak, NULL) == GMEM_OK);
  require(peak == figures.peak && peak <= figures.given_peak);
  require(figures.lower_bound <= peak &&
          figures.proved == (figures.lower_bound == peak));
  return figures;
}

static void write_order(const gmem_order_graph_t *graph, const uint32_t *order,
                        const gmem_order_figures_t *figures) {
  text_t text = {NULL, 0, 0};
  require(gmem_order_json_write(graph, order, figures, append, &text, NULL) ==
          GMEM_OK);
  free(text.bytes);
}

static void order_with_all(const gmem_order_graph_t *graph) {
  uint32_t *order = calloc(gmem_order_op_count(graph) + 1u, sizeof *order);
  uint64_t least_peak = UINT64_MAX, most_bound = 0;
  require(order != NULL);
  for (size_t i = 0; i < gmem_order_algorithm_count(); ++i) {
    gmem_order_figures_t figures =
        order_with(graph, gmem_order_algorithm_at(i), order);
    if (figures.peak < least_peak)
      least_peak = figures.peak;
    if (figures.lower_bound > most_bound)
      most_bound = figures.lower_bound;
    write_order(graph, order, &figures);
  }
  require(most_bound <= least_peak);
  free(order);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  gmem_order_graph_t *graph = NULL;
  gmem_diag_t diag = {.status = GMEM_OK};
  if (size > MOST_BYTES)
    return 0;
  gmem_status_t status =
      gmem_graph_json_read((const char *)data, size, NULL, &graph, &diag);
  require(status == GMEM_OK || (diag.status == status && diag.text[0]));
  require((status == GMEM_OK) == (graph != NULL));
  if (graph)
    order_with_all(graph);
  gmem_order_graph_destroy(graph);
  return 0;
}
