// calls.h - the calls in one planning scope, and properties of functions that
// propagate along them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_CALLS_H_
#define GMEM_PASSES_CALLS_H_

#include "bump.h"
#include "layer_groups.h"
#include "program.h"

// An op that names a function of the scope in any of its attributes, or holds
// such an op in an opaque body: it may call that function.
typedef struct gmem_call_s {
  uint32_t op;     // the op within whose steps the callee runs
  uint32_t callee; // function
  // The op only runs the callee, between its two steps: its operands are the
  // arguments, its results the returned values.
  bool is_direct;
  // Direct, and the callee runs only by such calls, one after the other.
  bool is_plain;
  // Plain, and the only mention of the callee: operands and arguments, returned
  // values and results can share memory.
  bool by_reference;
} gmem_call_t;

typedef struct gmem_callee_s {
  uint32_t mentions;     // calls that name this function
  bool recursive;        // may be active several times: calls itself, or
                         //   is taken and calls indirectly
  bool parallel;         // is called from a parallel op, or from several
                         //   where one is in concurrent code, or is
                         //   taken and such code calls indirectly
  bool concurrent;       // deferred code calls it: others may run beside it
  bool in_table;         // that is used
  bool is_taken;         // a table or a value may hold it or a caller
  bool escapes;          // may run at any time: taken, or in deferred code
  bool calls_indirectly; // it, or a callee, may run what a table or a
                         //   value holds
  uint32_t first_call;   // calls made in it: [first_call, end_call)
  uint32_t end_call;     //
  uint32_t first_return; // its returns: [first_return, end_return)
  uint32_t end_return;   //   of gmem_calls_t.returns
  uint32_t component;    // strongly connected component: position in
                         //   |order| of its first function
} gmem_callee_t;

typedef struct gmem_calls_s {
  const gmem_program_t *program;
  gmem_call_t *calls; // in the order of the ops
  size_t count;
  gmem_callee_t *callees; // one per function
  uint32_t *returns;      // ops, in their order
  uint32_t *order;        // functions, callees first; components are
                          //   contiguous
} gmem_calls_t;

// The end of the component that begins at |first| in the order.
static inline size_t gmem_component_end(const gmem_calls_t *calls,
                                        size_t first) {
  size_t end = first + 1;
  while (end < calls->program->function_count &&
         calls->callees[calls->order[end]].component == first)
    ++end;
  return end;
}

// Whether |op| is a return of its function.
bool gmem_is_return(const gmem_program_t *program, uint32_t op);

// The block of the arguments that |call| passes.
MlirBlock gmem_callee_entry(const gmem_calls_t *calls, const gmem_call_t *call);

// Finds the calls of |program|, the strongly connected components of the call
// graph, an order of the functions with callees first, and which functions are
// recursive, escape or run in parallel, directly or through a caller.
// Everything is allocated in |arena|. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_calls_find(const gmem_program_t *program,
                              const gmem_layer_groups_t *groups,
                              gmem_bump_t *arena, gmem_calls_t *out_calls,
                              gmem_diag_t *diag);

// The index of the first call in |function| at or after |step|, or the end of
// its calls.
uint32_t gmem_first_call_from(const gmem_calls_t *calls, uint32_t function,
                              int64_t step);

#endif // GMEM_PASSES_CALLS_H_
