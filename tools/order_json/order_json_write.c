// order_json_write.c - writes an order as JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "json_writer.h"
#include "order_json.h"

gmem_status_t gmem_order_json_write(const gmem_order_graph_t *graph,
                                    const uint32_t *order,
                                    const gmem_order_figures_t *figures,
                                    gmem_write_fn write, void *user,
                                    gmem_diag_t *diag) {
  gmem_json_t json;
  uint32_t count = gmem_order_op_count(graph);
  gmem_json_start(&json, write, user);
  gmem_json_open(&json, NULL, '{');
  gmem_json_line(&json, 0);
  gmem_json_text(&json, "format", GMEM_ORDER_JSON_FORMAT);
  gmem_json_line(&json, 0);
  gmem_json_number(&json, "version", GMEM_GRAPH_JSON_VERSION);
  gmem_json_line(&json, 0);
  gmem_json_number(&json, "peak", figures->peak);
  gmem_json_number(&json, "given_peak", figures->given_peak);
  gmem_json_number(&json, "lower_bound", figures->lower_bound);
  gmem_json_bool(&json, "proved", figures->proved);
  gmem_json_line(&json, 0);
  gmem_json_open(&json, "order", '[');
  for (uint32_t p = 0; p < count; ++p)
    gmem_json_number(&json, NULL, order[p]);
  gmem_json_close(&json);
  gmem_json_line(&json, 0);
  gmem_json_open(&json, "names", '[');
  for (uint32_t p = 0; p < count; ++p)
    gmem_json_text(&json, NULL, gmem_order_op_at(graph, order[p])->name);
  gmem_json_close(&json);
  gmem_json_line(&json, 0);
  gmem_json_close(&json);
  return gmem_json_end(&json, "the order", diag);
}
