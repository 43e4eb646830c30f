// order_net.h - a graph in the form that the searches read: ops, buffers (the
// views of one storage are one), and lists by op and by buffer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_ORDER_ORDER_NET_H_
#define GMEM_ORDER_ORDER_NET_H_

#include "order_graph.h"

// The list of i is items[begin[i]] to items[begin[i + 1] - 1], ascending.
typedef struct gmem_order_lists_s {
  uint32_t *begin;
  uint32_t *items;
} gmem_order_lists_t;

// |output| of |op| may be written over |input| if |input| dies there.
typedef struct gmem_order_fact_s {
  uint32_t op;
  uint32_t input, output; // buffers
  bool is_part;
} gmem_order_fact_t;

// Bytes of an op.
typedef struct gmem_order_cost_s {
  uint64_t scratch;
  uint64_t made;  // of all its outputs
  uint64_t stays; // of the outputs that are live after it
} gmem_order_cost_t;

typedef struct gmem_order_buffer_s {
  uint64_t bytes;
  uint32_t producer; // GMEM_ORDER_NONE: live at the begin
  bool is_kept;
} gmem_order_buffer_t;

// Ops are numbered in a topological order. A buffer may be produced and used by
// the same op: it is then live only while that op executes.
typedef struct gmem_order_net_s {
  uint32_t op_count, buffer_count;
  uint64_t base; // bytes that are live throughout
  gmem_order_cost_t *costs;
  gmem_order_buffer_t *buffers;
  gmem_order_lists_t outs, ins;    // by op: buffers
  gmem_order_lists_t users;        // by buffer: ops
  gmem_order_lists_t succs, preds; // by op: ops
  uint32_t *fact_begin;            // by op
  gmem_order_fact_t *facts;        // sorted by op, then by output
} gmem_order_net_t;

// The input of gmem_order_net_create. Edges include those of data. Repeated
// uses, edges and facts are ignored.
typedef struct gmem_order_draft_s {
  uint32_t op_count, buffer_count;
  uint64_t base;
  uint64_t *scratch; // by op
  gmem_order_buffer_t *buffers;
  gmem_order_edge_t *uses; // buffer |before| is used by op |after|
  gmem_order_edge_t *edges;
  gmem_order_fact_t *facts; // sorted by op
  size_t use_count, edge_count, fact_count;
} gmem_order_draft_t;

// Makes a net; it owns |buffers| and |facts| of the draft, all in |memory|.
GMEM_MUST_USE gmem_status_t gmem_order_net_create(gmem_order_draft_t *draft,
                                                  gmem_scratch_t *memory,
                                                  gmem_order_net_t *out_net);

// The net of a graph: op i of the net is op i of the graph.
GMEM_MUST_USE gmem_status_t
gmem_order_net_of_graph(const gmem_order_graph_t *graph, gmem_scratch_t *memory,
                        gmem_order_net_t *out_net);

// Asserts: lists in bounds, edges ascending.
void gmem_order_net_check(const gmem_order_net_t *net);

#endif // GMEM_ORDER_ORDER_NET_H_
