// relaxed_graph.h - one block as a graph of gmem/order.h whose peak is, in
// every order of the block, at most what a plan of that order needs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As block_graph.h, but a bound instead of an estimate: tensors are the alias
// sets that count in the block (countable_sets.h), live only where the analysis
// keeps them live in every order. An op with regions, and a call, is three ops
// in a row: its operands are live at the first, what its regions and callees
// need at the second, and its results from the third on. So are the ops of a
// layer group, which begin with what they read and end with what they leave
// behind.

#ifndef GMEM_PASSES_RELAXED_GRAPH_H_
#define GMEM_PASSES_RELAXED_GRAPH_H_

#include "block_nodes.h"
#include "countable_sets.h"
#include "gmem/order.h"

typedef struct gmem_relaxed_inputs_s {
  const gmem_order_inputs_t *inputs;
  const gmem_countable_sets_t *sets;
  uint32_t pool;  // only what counts in this pool
  uint64_t slack; // bytes by which sets are rounded up at most, to multiples of
                  //   the unit of the pool
  gmem_csr_t children;          // by block: blocks of the regions of its ops
  const uint64_t *of_blocks;    // bounds of these
  const uint64_t *of_functions; // bounds of those that are called
  uint32_t *first_tensor;       // by alias set: GMEM_NO_INDEX; scratch
  uint64_t *print;              // each graph changes it: a hash of all
} gmem_relaxed_inputs_t;

// Builds the graph of |nodes|; the values of their block are defined before
// they are used. Allocates in the arena of the analysis; the caller destroys
// *out_graph, also after failure. Fails with OUT_OF_MEMORY or OUT_OF_RANGE
// (sizes).
gmem_status_t gmem_relaxed_graph_build(const gmem_relaxed_inputs_t *inputs,
                                       const gmem_block_nodes_t *nodes,
                                       gmem_order_graph_t **out_graph,
                                       gmem_diag_t *diag);

#endif // GMEM_PASSES_RELAXED_GRAPH_H_
