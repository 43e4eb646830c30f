// order_json.h - the JSON formats of graphs and orders (docs/graph-json.md).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_TOOLS_ORDER_JSON_H_
#define GMEM_TOOLS_ORDER_JSON_H_

#include "gmem/order.h"
#include "gmem/planner/output.h"

#define GMEM_GRAPH_JSON_FORMAT "gmem-graph"
#define GMEM_ORDER_JSON_FORMAT "gmem-order"
#define GMEM_GRAPH_JSON_VERSION 1

// Parses a graph. diag->text names the member ("tensors[3].bytes"); diag->line
// is set if the text is not valid JSON. Fails with PARSE, OUT_OF_RANGE, VERSION
// or OUT_OF_MEMORY (jansson may report that as PARSE); *out_graph is then NULL.
GMEM_MUST_USE gmem_status_t gmem_graph_json_read(
    const char *text, size_t length, const gmem_allocator_t *allocator,
    gmem_order_graph_t **out_graph, gmem_diag_t *diag);

// Writes an order of |graph| and its figures, with the names of the ops. The
// output is deterministic. Fails with any error of |write|.
GMEM_MUST_USE gmem_status_t
gmem_order_json_write(const gmem_order_graph_t *graph, const uint32_t *order,
                      const gmem_order_figures_t *figures, gmem_write_fn write,
                      void *user, gmem_diag_t *diag);

#endif // GMEM_TOOLS_ORDER_JSON_H_
