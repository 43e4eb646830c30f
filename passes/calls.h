// calls.h - who may call whom inside one planning scope.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_CALLS_H_
#define GMEM_PASSES_CALLS_H_

#include "gmem/planner.h"
#include "live_ranges.h"
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
  uint32_t mentions;               // calls that name this function
  bool recursive;                  // it may run while it runs: it calls itself
  bool parallel;                   // or because a parallel op runs it
  bool escapes;                    // its address is taken: it may run any time
  uint32_t first_call;             // calls made in it: [first_call, end_call)
  uint32_t end_call;               //
  uint32_t first_return;           // what ends it: [first_return, end_return)
  uint32_t end_return;             //   of gmem_calls_t.returns
  const gmem_live_range_t *ranges; // when it and what it calls runs, sorted and
  size_t range_count;              //   joined
} gmem_callee_t;

// The steps at which a number of callees run, as those of one.
typedef struct gmem_call_span_s {
  const gmem_live_range_t *ranges;
  size_t range_count;
} gmem_call_span_t;

typedef struct gmem_calls_s {
  gmem_call_t *calls; // in the order of the ops
  size_t count, room;
  gmem_callee_t *callees;  // one per function
  uint32_t *returns;       // ops, in their order
  gmem_call_span_t *spans; // a tree: node i joins 2i and 2i + 1, and the last
                           //   |count| of 2 * count nodes are the calls
} gmem_calls_t;

// Whether |op| ends the function that it is directly in.
bool gmem_is_return(const gmem_schedule_t *schedule, uint32_t op);

// Finds the calls of |schedule|. Everything lives in |arena|. Fails with
// OUT_OF_MEMORY.
gmem_status_t gmem_calls_find(const gmem_schedule_t *schedule,
                              gmem_arena_t *arena, gmem_calls_t *out_calls,
                              gmem_diag_t *diag);

// Adds to |ranges| when the callees run of those calls of |function| for which
// [begin, end) lasts from before to after the callee.
void gmem_calls_add_ranges(const gmem_schedule_t *schedule,
                           const gmem_calls_t *calls, uint32_t function,
                           int64_t begin, int64_t end, gmem_ranges_t *ranges);

#endif // GMEM_PASSES_CALLS_H_
