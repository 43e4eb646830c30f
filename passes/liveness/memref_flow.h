// memref_flow.h - which memref may be handed on as which other, and which may
// be memory that the program has from elsewhere.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nodes are the values of the schedule, and behind them its ops: what an op
// that nobody knows takes goes to the op, and from there to all that it gives.

#ifndef GMEM_PASSES_MEMREF_FLOW_H_
#define GMEM_PASSES_MEMREF_FLOW_H_

#include "call_graph.h"
#include "control_flow.h"
#include "program.h"

typedef struct gmem_memref_edge_s {
  uint32_t from, to; // nodes
  uint32_t call; // of gmem_calls_t: the plain call by which it goes from one
                 //   function to another, or GMEM_NO_INDEX
} gmem_memref_edge_t;

typedef struct gmem_memref_flow_s {
  size_t node_count;
  gmem_memref_edge_t *edges; // by the node they come from
  uint32_t *first_edge;      // by node: where its own begin, and those of the
                             //   next end
  bool *is_foreign; // by node: it may be what no op of kind alloc has made
  bool *is_open;    // by function: it may be called by what nobody knows
} gmem_memref_flow_t;

// Everything lives in |arena|. Fails with OUT_OF_MEMORY. Linear.
gmem_status_t
gmem_memref_flow_find(const gmem_program_t *program, const gmem_calls_t *calls,
                      const gmem_control_flow_t *control, gmem_bump_t *arena,
                      gmem_memref_flow_t *out_flow, gmem_diag_t *diag);

// The value of the schedule that |value| is, if that is a memref; or
// GMEM_NO_INDEX.
uint32_t gmem_memref_of(const gmem_program_t *program, MlirValue value);

// Calls |visit| with every memref that op |index| takes, in its opaque body
// too.
typedef void (*gmem_memref_fn)(uint32_t value, void *user);
void gmem_for_each_memref(const gmem_program_t *program, uint32_t index,
                          gmem_memref_fn visit, void *user);

// Whether elements of the memref type may be memrefs or pointers.
bool gmem_holds_memrefs(MlirType type);

// Whether op |index| stands at the end of a block of a region and hands on what
// it takes, nobody knows where: to the ops around it of which that is true,
// too. The first of these, or GMEM_NO_INDEX.
uint32_t gmem_unknown_target(const gmem_program_t *program,
                             const gmem_control_flow_t *control,
                             uint32_t index);

#endif // GMEM_PASSES_MEMREF_FLOW_H_
