// call_contexts.h - the timeline of a scope: its functions in textual order,
// with the execution of each callee nested inside its call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A *context* is a path of plain calls from a function without callers (the
// calling context of interprocedural analysis). Two calls of one function are
// two contexts with separate times, so that values live at one call do not
// interfere with values live at the other. Within a context, time advances as
// in the function, except that the callee's steps lie between the two steps of
// each plain call:
//
//   func @f() { call @g; call @g }    @f  0 1         5 6         10
//   func @g() { op }                  @g      2 3 4       7 8 9
//
// (Each function has a step for its entry; @g has one for its op and one for
// its return.) A function has a *single* context, at its own position and
// outside all others, when it has no callers, when its execution time is
// unknown (it is recursive, called by ops that are not plain calls, or its
// address is taken), or when there would be too many contexts. Calls of it are
// then *merged*: a value that is live across such a call is live throughout
// that single context.
//
// To bound the analysis time, all contexts together take at most four times the
// work of the program, plus that of two million values: a context, each value
// in it and, far less, each step are work. The functions whose contexts take
// the most are merged first.

#ifndef GMEM_PASSES_CALL_CONTEXTS_H_
#define GMEM_PASSES_CALL_CONTEXTS_H_

#include "calls.h"
#include "live_ranges.h"
#include "program.h"

typedef struct gmem_call_context_s {
  uint32_t function;
  uint32_t caller; // context, or GMEM_NO_INDEX: not nested in another
  uint32_t call;   // of gmem_calls_t, in the caller
  int64_t begin;   // on the timeline
} gmem_call_context_t;

typedef struct gmem_call_contexts_s gmem_call_contexts_t;

// Everything is allocated in |arena|. Fails with OUT_OF_MEMORY. Deterministic;
// O(n log n) in steps and contexts, excluding merged contexts.
gmem_status_t gmem_call_contexts_find(const gmem_calls_t *calls,
                                      gmem_bump_t *arena,
                                      const gmem_call_contexts_t **out_contexts,
                                      gmem_diag_t *diag);

// The length of the timeline in steps; without calls, the program's.
int64_t gmem_call_contexts_length(const gmem_call_contexts_t *contexts);

// The contexts of |function| in ascending order; there is at least one.
const uint32_t *gmem_contexts_of(const gmem_call_contexts_t *contexts,
                                 uint32_t function, size_t *out_count);

// Contexts are ordered by their beginning, so that callers precede callees.
const gmem_call_context_t *
gmem_call_context(const gmem_call_contexts_t *contexts, uint32_t context);

// The context that |call|, made by the function of |context|, leads to.
uint32_t gmem_callee_context(const gmem_call_contexts_t *contexts,
                             uint32_t context, uint32_t call);

// The time of |step| of the function of |context|.
int64_t gmem_context_time(const gmem_call_contexts_t *contexts,
                          uint32_t context, int64_t step);

// Adds to |ranges| the times of steps [begin, end) of |function| in all its
// contexts, including callees that run entirely within these steps.
void gmem_contexts_add_range(const gmem_call_contexts_t *contexts,
                             uint32_t function, int64_t begin, int64_t end,
                             gmem_ranges_t *ranges);

// The same for |context|, which is |base| or nested in it, and for the
// corresponding contexts nested in all other contexts of |base|'s function.
void gmem_contexts_add_range_below(const gmem_call_contexts_t *contexts,
                                   uint32_t context, uint32_t base,
                                   int64_t begin, int64_t end,
                                   gmem_ranges_t *ranges);

// Adds the steps [begin, end), which may span several functions, of a value
// defined in function |home|. There a range across a call covers the run of the
// callee; in other functions the value is only accessed by control flow, at
// single steps.
void gmem_contexts_add_range_of(const gmem_call_contexts_t *contexts,
                                uint32_t home, int64_t begin, int64_t end,
                                gmem_ranges_t *ranges);

// Adds the steps [begin, end) of |function| in all its contexts, without its
// callees.
void gmem_contexts_add_steps(const gmem_call_contexts_t *contexts,
                             uint32_t function, int64_t begin, int64_t end,
                             gmem_ranges_t *ranges);

// The op that runs at |time|, in any context.
MlirOperation gmem_contexts_op_at(const gmem_call_contexts_t *contexts,
                                  int64_t time);

#endif // GMEM_PASSES_CALL_CONTEXTS_H_
