// control_flow.h - where control goes, and what it hands on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_CONTROL_FLOW_H_
#define GMEM_PASSES_CONTROL_FLOW_H_

#include "block_chains.h"
#include "call_graph.h"

// How control passes through an op, as far as it is known for sure: an op whose
// regions are not what its model says of them is GMEM_FLOW_ANY.
typedef enum gmem_flow_e {
  GMEM_FLOW_STEP,   // it has no regions that are entered
  GMEM_FLOW_ANY,    // its regions run in any order, any number of times
  GMEM_FLOW_BRANCH, // the kinds of gmem_op_kind_t
  GMEM_FLOW_FOR,    //
  GMEM_FLOW_WHILE,  //
  GMEM_FLOW_CALL,   // a plain call (calls.h)
} gmem_flow_t;

// At step |time| control hands the contents of |from| to |to|: a copy, unless
// both are the same memory (a terminator's operand and the argument of the
// block it goes to, what a loop carries, what a branch results in, an operand
// of a call and the argument of its callee). All handed on at one time are read
// before any is written.
typedef struct gmem_transfer_s {
  uint32_t from, to; // values
  uint32_t op;       // that hands it on
  int64_t time;      // both are live at it
  // Control flow makes this one or another to the same target at the same step
  // (gmem_liveness_t.transfers; not set before).
  bool is_one_of_several;
} gmem_transfer_t;

// Control flow reads or writes |value| at these steps, beside what ops do.
typedef struct gmem_memory_access_s {
  uint32_t value;
  int64_t begin, end;
} gmem_memory_access_t;

typedef struct gmem_control_flow_s {
  uint8_t *flows;              // by op: gmem_flow_t
  uint32_t *first_predecessor; // by block: where its own begin, and those of
  uint32_t *predecessors;      //   the next end
  gmem_block_chains_t chains;
  gmem_transfer_t *transfers; // by op, time, to, from
  size_t transfer_count, transfer_room;
  gmem_memory_access_t *touches;
  size_t touch_count, touch_room;
} gmem_control_flow_t;

// |unordered|: by region, that its ops do not run in the order of the text.
// Everything lives in |arena|. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_control_flow_find(const gmem_program_t *program,
                                     const gmem_calls_t *calls,
                                     const bool *unordered, gmem_bump_t *arena,
                                     gmem_control_flow_t *out_flow,
                                     gmem_diag_t *diag);

// Whether the op takes its operands at its first step and gives its results at
// its last, with something else in between.
static inline bool gmem_flow_is_exact(uint8_t flow) {
  return flow >= GMEM_FLOW_BRANCH;
}

#endif // GMEM_PASSES_CONTROL_FLOW_H_
