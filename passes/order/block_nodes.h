// block_nodes.h - the ops of one block as nodes, and what keeps their order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A node is an op of the block, or all ops from the first to the last of a flat
// layer group, which execute as a unit; the terminator is in no node. A node
// runs after the nodes whose results it or its regions use. Ops that are not
// known to be free of effects, ops in hardware queues, and ops that use memrefs
// or tensors that are written in place keep their order among themselves; an op
// with gmem.keep_order stays where it is.

#ifndef GMEM_PASSES_BLOCK_NODES_H_
#define GMEM_PASSES_BLOCK_NODES_H_

#include "order_inputs.h"

// Operand |value| (GMEM_NO_INDEX: it needs no memory) of |node| or of its
// regions, a result of another node, |from|, or of none: GMEM_NO_INDEX.
typedef struct gmem_node_use_s {
  uint32_t node, value, from;
} gmem_node_use_t;

typedef struct gmem_block_nodes_s {
  uint32_t block; // of the program
  uint32_t count;
  MlirOperation *ops;         // all ops in nodes, in the order of the text
  uint32_t *first;            // by node, and one more: its first op in |ops|
  gmem_pointer_map_t node_of; // from the ops
  GMEM_LIST(gmem_node_use_t) uses; // by node, ascending
  gmem_csr_pairs_t effects;        // node |key| runs before |item|
} gmem_block_nodes_t;

// Whether the ops of |block| may be ordered at all: values are defined before
// they are used, it has at least three ops and a terminator, and neither its
// terminator nor its function has gmem.keep_order.
bool gmem_block_may_be_ordered(const gmem_program_facts_t *facts,
                               uint32_t block);

// Lists the nodes of |block|. Allocates in the arena of the analysis. Fails
// with OUT_OF_MEMORY.
gmem_status_t gmem_block_nodes_find(const gmem_order_inputs_t *inputs,
                                    uint32_t block,
                                    gmem_block_nodes_t *out_nodes,
                                    gmem_diag_t *diag);

// The node with |op| or the op around it, or GMEM_NO_INDEX: the terminator.
uint32_t gmem_block_node_of(const gmem_program_t *program,
                            const gmem_block_nodes_t *nodes, MlirOperation op);

#endif // GMEM_PASSES_BLOCK_NODES_H_
