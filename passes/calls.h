// calls.h - who may call whom inside one planning scope.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_CALLS_H_
#define GMEM_PASSES_CALLS_H_

#include "gmem/planner.h"
#include "schedule.h"

// An op that names a function of the scope in any of its attributes, or holds
// such an op in an opaque body: it may run that function.
typedef struct gmem_call_s {
  uint32_t op;     // the op of the schedule inside whose step it runs
  uint32_t callee; // function
  // The only mention of the callee, by an op that passes its operands as the
  // arguments: callee and caller can use the same memory for them.
  bool by_reference;
} gmem_call_t;

typedef struct gmem_callee_s {
  uint32_t mentions;         // calls that name this function
  bool recursive;            // it may run while it runs, for it calls itself
  bool parallel;             // or because a parallel op runs it
  bool escapes;              // its address is taken: it may run at any time
  uint32_t first_call;       // calls made in it: [first_call, end_call)
  uint32_t end_call;         //
  uint32_t *reachable;       // functions that run while it runs, itself too,
  uint32_t reachable_count;  // in ascending order
  gmem_live_range_t *ranges; // when those run, sorted and joined
  uint32_t range_count;      //
  uint32_t sole_return;      // op that alone ends it, or GMEM_NO_INDEX
} gmem_callee_t;

typedef struct gmem_calls_s {
  gmem_call_t *calls; // in the order of the ops
  size_t count, room;
  gmem_callee_t *callees; // one per function
} gmem_calls_t;

// Whether |op| ends the function that it is directly in.
bool gmem_is_return(const gmem_schedule_t *schedule, uint32_t op);

// Finds the calls of |schedule|. Everything lives in |arena|. Fails with
// OUT_OF_MEMORY.
gmem_status_t gmem_calls_find(const gmem_schedule_t *schedule,
                              gmem_arena_t *arena, gmem_calls_t *out_calls,
                              gmem_diag_t *diag);

#endif // GMEM_PASSES_CALLS_H_
