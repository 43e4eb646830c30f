// block_order.h - the order of the ops of a block that keeps the fewest bytes
// live, and moving the ops.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_BLOCK_ORDER_H_
#define GMEM_PASSES_BLOCK_ORDER_H_

#include "block_graph.h"

typedef struct gmem_block_order_s {
  uint32_t block;               // of the program
  uint32_t op_count;            // ops of the block but its terminator
  const MlirOperation *given;   // in the order of the text
  MlirOperation *best;          // in the best order
  uint32_t moved;               // ops that follow another op than before
  gmem_order_figures_t figures; // in the model of gmem/order.h
} gmem_block_order_t;

// Finds the best order of a block that may be ordered (block_graph.h), with
// |effort|; |moved| is 0 if no order is better. Arrays are allocated in the
// arena of the analysis. Fails as gmem_block_graph_build.
gmem_status_t gmem_block_order_find(const gmem_order_inputs_t *inputs,
                                    uint32_t block, gmem_effort_t effort,
                                    gmem_block_order_t *out_order,
                                    gmem_diag_t *diag);

// Moves the ops of the block into the best order, or back.
void gmem_block_order_apply(const gmem_block_order_t *order);
void gmem_block_order_undo(const gmem_block_order_t *order);

#endif // GMEM_PASSES_BLOCK_ORDER_H_
