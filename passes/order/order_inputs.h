// order_inputs.h - what the graphs of all blocks of a scope are built from.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_ORDER_INPUTS_H_
#define GMEM_PASSES_ORDER_INPUTS_H_

#include "aliases.h"
#include "analysis.h"

typedef struct gmem_order_inputs_s {
  const gmem_analysis_t *analysis;
  const gmem_model_options_t *options;
  gmem_aliases_t aliases;   // also those that live ranges in the given order
                            // forbid
  uint64_t *function_needs; // region_needs.h
  bool writes_unplanned;    // ops write a tensor in place that has no plan, so
                            // that its views are not known
  // By block, of its own ops:
  gmem_csr_t groups;           // layer groups
  gmem_csr_t aliases_by_block; // indices of |aliases|
  // By block, of it and of the blocks nested in it:
  gmem_csr_t inner_values; // nested blocks only: representatives with memory
  gmem_csr_t workbuffers;  // mutable ones, as indices of all workbuffers
  uint32_t *tensor_of;     // by value: GMEM_NO_INDEX; scratch of one graph
} gmem_order_inputs_t;

// Arrays are allocated in the arena of |analysis|. Fails with OUT_OF_MEMORY.
// Linear in the program, times the depth of its regions.
gmem_status_t gmem_order_inputs_find(const gmem_analysis_t *analysis,
                                     const gmem_model_options_t *options,
                                     gmem_order_inputs_t *out_inputs,
                                     gmem_diag_t *diag);

// The block that |block| is nested in, or GMEM_NO_INDEX: its region is the body
// of a function.
static inline uint32_t gmem_block_around(const gmem_program_t *program,
                                         uint32_t block) {
  uint32_t owner = gmem_region_of(program, block)->owner;
  return owner == GMEM_NO_INDEX ? GMEM_NO_INDEX : program->ops[owner].block;
}

#endif // GMEM_PASSES_ORDER_INPUTS_H_
