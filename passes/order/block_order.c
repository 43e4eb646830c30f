// block_order.c - see block_order.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "block_order.h"

#include <assert.h>

// Lists the ops in the order of their nodes.
static void list_ops(const gmem_block_graph_t *graph, const uint32_t *nodes,
                     gmem_block_order_t *order) {
  uint32_t listed = 0;
  for (uint32_t k = 0; k < graph->nodes.count; ++k) {
    uint32_t node = nodes[k];
    order->moved += k == 0 ? node != 0 : node != nodes[k - 1] + 1;
    for (uint32_t i = graph->nodes.first[node];
         i < graph->nodes.first[node + 1]; ++i)
      order->best[listed++] = graph->nodes.ops[i];
  }
  assert(listed == order->op_count);
}

static gmem_status_t solve(const gmem_block_graph_t *graph,
                           gmem_effort_t effort, gmem_bump_t *arena,
                           gmem_block_order_t *order, gmem_diag_t *diag) {
  uint32_t *nodes;
  const gmem_order_options_t options = {.effort = effort};
  order->op_count = graph->nodes.first[graph->nodes.count];
  order->given = graph->nodes.ops;
  GMEM_TRY_ALLOC(nodes, arena, graph->nodes.count, diag);
  GMEM_TRY_ALLOC(order->best, arena, order->op_count, diag);
  GMEM_TRY(
      gmem_order_solve(graph->graph, &options, nodes, &order->figures, diag));
  list_ops(graph, nodes, order);
  return GMEM_OK;
}

gmem_status_t gmem_block_order_find(const gmem_order_inputs_t *inputs,
                                    uint32_t block, gmem_effort_t effort,
                                    gmem_block_order_t *out_order,
                                    gmem_diag_t *diag) {
  gmem_block_graph_t graph;
  *out_order = (gmem_block_order_t){.block = block};
  gmem_status_t status = gmem_block_graph_build(inputs, block, &graph, diag);
  if (status == GMEM_OK)
    status = solve(&graph, effort, inputs->analysis->arena, out_order, diag);
  gmem_block_graph_destroy(&graph);
  return status;
}

//===--- moving -----------------------------------------------------------===//

static void move_all(const MlirOperation *ops, uint32_t count) {
  MlirOperation last = mlirBlockGetTerminator(mlirOperationGetBlock(ops[0]));
  for (uint32_t i = 0; i < count; ++i)
    mlirOperationMoveBefore(ops[i], last);
}

void gmem_block_order_apply(const gmem_block_order_t *order) {
  move_all(order->best, order->op_count);
}

void gmem_block_order_undo(const gmem_block_order_t *order) {
  move_all(order->given, order->op_count);
}
