// calls.h - who may call whom inside one planning scope.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_CALLS_H_
#define GMEM_PASSES_CALLS_H_

#include "schedule.h"

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

// Whether |op| ends the function that it is directly in.
bool gmem_is_return(const gmem_schedule_t *schedule, uint32_t op);

// Finds the calls of |schedule|. Everything lives in |arena|. Fails with
// OUT_OF_MEMORY.
gmem_status_t gmem_calls_find(const gmem_schedule_t *schedule,
                              gmem_arena_t *arena, gmem_calls_t *out_calls,
                              gmem_diag_t *diag);

// The first call of |function| at or after |step|, or its last and one more.
uint32_t gmem_first_call_from(const gmem_schedule_t *schedule,
                              const gmem_calls_t *calls, uint32_t function,
                              int64_t step);

#endif // GMEM_PASSES_CALLS_H_
