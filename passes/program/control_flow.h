// control_flow.h - control flow between blocks, regions and functions, and the
// values transferred along it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_CONTROL_FLOW_H_
#define GMEM_PASSES_CONTROL_FLOW_H_

#include "calls.h"
#include "csr.h"
#include "uses.h"

// The control flow of an op, as far as it is certain: an op whose regions do
// not match its model is GMEM_FLOW_ANY.
typedef enum gmem_flow_e {
  GMEM_FLOW_STEP,   // no regions are entered
  GMEM_FLOW_ANY,    // regions run in any order, any number of times
  GMEM_FLOW_BRANCH, // the kinds of gmem_op_kind_t
  GMEM_FLOW_FOR,    //
  GMEM_FLOW_WHILE,  //
  GMEM_FLOW_CALL,   // a plain call (calls.h)
} gmem_flow_t;

// At step |time| control flow transfers the contents of |from| to |to|: a copy,
// unless both are the same memory. Examples: a terminator's operand and the
// argument of its successor, loop-carried values, the results of a branch, an
// operand of a call and the argument of the callee. All transfers at one time
// read before any of them writes.
typedef struct gmem_transfer_s {
  uint32_t from, to; // values
  uint32_t op;       // the op that transfers control
  int64_t time;      // both are live at this step
  // One of several transfers from different values to the same target at the
  // same step (set in gmem_liveness_t.transfers only).
  bool is_one_of_several;
} gmem_transfer_t;

// Control flow reads or writes |value| at these steps, in addition to the ops.
typedef struct gmem_memory_access_s {
  uint32_t value;
  int64_t begin, end;
} gmem_memory_access_t;

typedef struct gmem_transfers_s {
  gmem_transfer_t *at; // by op, time, to, from
  size_t count, room;
} gmem_transfers_t;

typedef struct gmem_memory_access_list_s {
  gmem_memory_access_t *at;
  size_t count, room;
} gmem_memory_access_list_t;

typedef struct gmem_control_flow_s {
  uint8_t *flows;          // by op: gmem_flow_t
  gmem_csr_t predecessors; // by block, of regions with several blocks
  gmem_transfers_t transfers;
  gmem_memory_access_list_t accesses;
} gmem_control_flow_t;

// Everything is allocated in |arena|. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_control_flow_find(const gmem_calls_t *calls,
                                     const gmem_uses_t *uses,
                                     gmem_bump_t *arena,
                                     gmem_control_flow_t *out_flow,
                                     gmem_diag_t *diag);

// Whether the op reads its operands at its first step and writes its results at
// its last, with other ops between them.
static inline bool gmem_flow_is_exact(uint8_t flow) {
  return flow >= GMEM_FLOW_BRANCH;
}

#endif // GMEM_PASSES_CONTROL_FLOW_H_
