// block_graph.h - one block as a graph of gmem/order.h: which orders of its ops
// are allowed, and what they keep live.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A node is an op of the block, or all ops from the first to the last of a flat
// layer group, which execute as a unit; the terminator is in no node. A node
// runs after the nodes whose results it or its regions use. Ops that are not
// known to be free of effects, ops in hardware queues, and ops that use memrefs
// or tensors that are written in place keep their order among themselves; an op
// with gmem.keep_order stays where it is.
//
// Tensors of the graph are the results that have memory, and values from
// outside of the block that have, as they may die in it. The regions of an op
// count as scratch bytes: what they keep live at most.

#ifndef GMEM_PASSES_BLOCK_GRAPH_H_
#define GMEM_PASSES_BLOCK_GRAPH_H_

#include "aliases.h"
#include "analysis.h"
#include "gmem/order.h"
#include "region_needs.h"

typedef struct gmem_block_graph_s {
  uint32_t block; // of the program
  uint32_t node_count;
  MlirOperation *ops;        // all ops in nodes, in the order of the text
  uint32_t *first;           // by node, and one more: its first op in |ops|
  gmem_order_graph_t *graph; // owned; nodes are numbered as its ops
} gmem_block_graph_t;

// Whether the ops of |block| may be ordered at all: values are defined before
// they are used, it has at least three ops and a terminator, and neither its
// terminator nor its function has gmem.keep_order.
bool gmem_block_may_be_ordered(const gmem_program_facts_t *facts,
                               uint32_t block);

// What is known of a scope.
typedef struct gmem_order_inputs_s {
  const gmem_analysis_t *analysis;
  const gmem_aliases_t *aliases;  // also those that live ranges in the given
                                  // order forbid
  const uint64_t *function_needs; // region_needs.h
  gmem_io_t io;
  bool writes_unplanned; // gmem_writes_unplanned
} gmem_order_inputs_t;

// Whether ops write a tensor in place that has no plan, so that its views are
// not known.
bool gmem_writes_unplanned(const gmem_liveness_t *liveness);

// Builds the graph of a block that may be ordered. Arrays are allocated in the
// arena of the analysis; the caller destroys |out_graph|, also after failure.
// Fails with OUT_OF_MEMORY or OUT_OF_RANGE (sizes).
gmem_status_t gmem_block_graph_build(const gmem_order_inputs_t *inputs,
                                     uint32_t block,
                                     gmem_block_graph_t *out_graph,
                                     gmem_diag_t *diag);

void gmem_block_graph_destroy(gmem_block_graph_t *graph);

#endif // GMEM_PASSES_BLOCK_GRAPH_H_
