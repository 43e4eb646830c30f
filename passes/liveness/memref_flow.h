// memref_flow.h - flow graph of memrefs: an edge leads from a memref to each
// memref that may denote the same memory. Also marks memrefs that may denote
// memory from outside of the program.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The nodes are the values of the program, followed by one node per op. An op
// with unknown semantics may forward any operand to any result; its node stands
// for all these edges, so that the graph stays linear in the operands and
// results.

#ifndef GMEM_PASSES_MEMREF_FLOW_H_
#define GMEM_PASSES_MEMREF_FLOW_H_

#include "program_facts.h"

typedef struct gmem_memref_edge_s {
  uint32_t from, to; // nodes
  uint32_t call;     // the plain call (gmem_calls_t) that the edge enters or
                     // leaves, or GMEM_NO_INDEX
} gmem_memref_edge_t;

typedef struct gmem_memref_flow_s {
  size_t node_count;
  gmem_memref_edge_t *edges;
  gmem_csr_t by_source; // by node: the edges that leave it
  bool *is_foreign; // by node: may denote memory that no op of kind alloc made
  bool *has_unknown_callers; // by function: may have callers that are not known
} gmem_memref_flow_t;

// Builds the graph in |arena|, in linear time. Returns OUT_OF_MEMORY on
// allocation failure.
gmem_status_t gmem_memref_flow_find(const gmem_program_facts_t *facts,
                                    gmem_bump_t *arena,
                                    gmem_memref_flow_t *out_flow,
                                    gmem_diag_t *diag);

// The index of |value| if it is a memref, else GMEM_NO_INDEX.
uint32_t gmem_memref_of(const gmem_program_t *program, MlirValue value);

// Calls |visit| for each memref operand of op |index|, also in an opaque body.
void gmem_for_each_memref(const gmem_program_t *program, uint32_t index,
                          gmem_operand_fn visit, void *user);

// If op |index| terminates a block and forwards its operands to unknown
// targets, returns the innermost enclosing op with unknown control flow; the
// operands may reach any such op around it. Otherwise returns GMEM_NO_INDEX.
uint32_t gmem_unknown_target(const gmem_program_facts_t *facts, uint32_t index);

#endif // GMEM_PASSES_MEMREF_FLOW_H_
