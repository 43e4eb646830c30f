// call_graph.h - what calls mean beyond the function that makes them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_CALL_GRAPH_H_
#define GMEM_PASSES_CALL_GRAPH_H_

#include "bump.h"
#include "program.h"

// An op that names a function of the scope in any of its attributes, or holds
// such an op in an opaque body: it may run that function.
typedef struct gmem_call_s {
  uint32_t op;     // the op of the schedule inside whose step it runs
  uint32_t callee; // function
  // It does nothing but run the callee, between its two steps: its operands are
  // the arguments, what is returned are its results.
  bool is_plain;
  // And it is the only mention of the callee: both can use the same memory.
  bool by_reference;
} gmem_call_t;

typedef struct gmem_callee_s {
  uint32_t mentions;     // calls that name this function
  bool recursive;        // it may run while it runs: it calls itself
  bool parallel;         // or because a parallel op runs it
  bool escapes;          // its address is taken: it may run any time
  uint32_t first_call;   // calls made in it: [first_call, end_call)
  uint32_t end_call;     //
  uint32_t first_return; // what ends it: [first_return, end_return)
  uint32_t end_return;   //   of gmem_calls_t.returns
  uint32_t component;    // place in the order of the first of those
                         //   with which it calls itself; or its own
} gmem_callee_t;

typedef struct gmem_calls_s {
  gmem_call_t *calls; // in the order of the ops
  size_t count, room;
  gmem_callee_t *callees; // one per function
  uint32_t *returns;      // ops, in their order
  uint32_t *order;        // functions, callees first, those that call one
                          //   another in a circle in a row
} gmem_calls_t;

// From the calls and what is known of each function by itself: which functions
// are recursive, what escapes or runs in parallel by way of a caller, and an
// order of all functions, callees first. Time and memory are linear in the
// calls. Returns whether there was memory.
bool gmem_call_graph_solve(const gmem_program_t *program, gmem_calls_t *calls,
                           gmem_bump_t *arena);

#endif // GMEM_PASSES_CALL_GRAPH_H_
