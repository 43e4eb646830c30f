// block_graph.h - one block as a graph of gmem/order.h: its nodes and their
// order (block_nodes.h), and what they keep live.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors of the graph are the results that have memory, and values from
// outside of the block that have, as they may die in it. The regions of an op
// count as scratch bytes: what they keep live at most.

#ifndef GMEM_PASSES_BLOCK_GRAPH_H_
#define GMEM_PASSES_BLOCK_GRAPH_H_

#include "block_nodes.h"
#include "gmem/order.h"

typedef struct gmem_block_graph_s {
  gmem_order_graph_t *graph; // owned; its ops are numbered as the nodes
  gmem_block_nodes_t nodes;
} gmem_block_graph_t;

// Builds the graph of a block that may be ordered. Arrays are allocated in the
// arena of the analysis; the caller destroys |out_graph|, also after failure.
// Fails with OUT_OF_MEMORY or OUT_OF_RANGE (sizes).
gmem_status_t gmem_block_graph_build(const gmem_order_inputs_t *inputs,
                                     uint32_t block,
                                     gmem_block_graph_t *out_graph,
                                     gmem_diag_t *diag);

void gmem_block_graph_destroy(gmem_block_graph_t *graph);

#endif // GMEM_PASSES_BLOCK_GRAPH_H_
