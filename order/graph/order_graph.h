// order_graph.h - the data of a graph of ops and tensors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_ORDER_ORDER_GRAPH_H_
#define GMEM_ORDER_ORDER_GRAPH_H_

#include "gmem/order.h"
#include "scratch.h"

typedef struct gmem_order_edge_s {
  uint32_t before, after; // ops
} gmem_order_edge_t;

struct gmem_order_graph_s {
  gmem_allocator_t allocator;
  gmem_scratch_t memory;
  uint64_t bytes; // of all tensors and scratch: at most GMEM_ORDER_MAX_BYTES
  gmem_order_op_t *ops;
  gmem_order_tensor_t *tensors; // users are owned by the graph
  gmem_order_edge_t *edges;
  gmem_order_reuse_t *reuses;
  size_t op_count, op_room;
  size_t tensor_count, tensor_room;
  size_t edge_count, edge_room;
  size_t reuse_count, reuse_room;
};

// The tensor whose bytes |tensor| shares, directly or through other views.
static inline uint32_t gmem_order_root(const gmem_order_graph_t *graph,
                                       uint32_t tensor) {
  while (graph->tensors[tensor].view_of != GMEM_ORDER_NONE)
    tensor = graph->tensors[tensor].view_of; // added before: this ends
  return tensor;
}

#endif // GMEM_ORDER_ORDER_GRAPH_H_
