// derivation_graph.h - which derived ops use which constants and derived ops.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_DERIVATION_GRAPH_H_
#define GMEM_PASSES_DERIVATION_GRAPH_H_

#include "csr.h"
#include "derivation.h"

// A node is an op or, after all ops, a value that is an argument. Constants at
// one place are one node, the first of them.
typedef struct gmem_derivation_graph_s {
  const gmem_derivation_t *derivation;
  uint32_t count;    // of nodes
  gmem_csr_t uses;   // by derived op: the nodes that it uses, with repetitions
  gmem_csr_t users;  // by node: the derived ops that use it, the same
  uint32_t *same;    // by node: the one that stands for it
  uint32_t *outside; // by node: uses by ops that are not derived
} gmem_derivation_graph_t;

// |constants| are those of the analysis. Allocates in |arena|. Fails with
// OUT_OF_MEMORY.
gmem_status_t gmem_derivation_graph_make(const gmem_derivation_t *derivation,
                                         const gmem_constants_t *constants,
                                         gmem_bump_t *arena,
                                         gmem_derivation_graph_t *out_graph,
                                         gmem_diag_t *diag);

// Whether the node is a constant, and whether a derived op.
bool gmem_node_is_constant(const gmem_derivation_graph_t *graph, uint32_t node);
bool gmem_node_is_derived(const gmem_derivation_graph_t *graph, uint32_t node);

// The bytes of the constants of a node, each rounded up to |unit|; 0 if another
// node stands for it.
uint64_t gmem_node_bytes(const gmem_derivation_graph_t *graph, uint32_t node,
                         uint64_t unit);

#endif // GMEM_PASSES_DERIVATION_GRAPH_H_
