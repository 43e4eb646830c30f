// call_contexts.h - the timeline of a scope: its functions one after the other,
// each call with the run of its callee inside of it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A *context* is one way to get into a function: a row of plain calls from a
// function that nothing calls. Two calls of one function are two contexts, with
// times of their own: what is live at the one does not meet what is live at the
// other. Inside a context, time goes on as in the function, but for the time of
// the callee between the two steps of each plain call:
//
//   func @f() { call @g; call @g }    @f  0 1         5 6         10
//   func @g() { op }                  @g      2 3 4       7 8 9
//
// (each function has a step for its beginning, g one for its op and one for its
// return). A function has *one* context, at its place in the text and beside
// all others, when nothing calls it, when nobody knows when it runs (it is
// recursive, called by ops that do more than that, its address is taken), or
// when there would be too many contexts. Then it runs *elsewhere*: what is live
// across a call of it is live in all of that one context.
//
// Many contexts are no longer worth their time: the timeline has at most four
// steps for each of the schedule, and 65,536 more. The functions with the most
// contexts are the first to run elsewhere.

#ifndef GMEM_PASSES_CALL_CONTEXTS_H_
#define GMEM_PASSES_CALL_CONTEXTS_H_

#include "call_graph.h"
#include "live_ranges.h"
#include "program.h"

typedef struct gmem_call_context_s {
  uint32_t function;
  uint32_t caller; // context, or GMEM_NO_INDEX: it is not inside of another
  uint32_t call;   // of gmem_calls_t, by which the caller gets here
  int64_t begin;   // on the timeline
} gmem_call_context_t;

typedef struct gmem_call_contexts_s gmem_call_contexts_t;

// Everything lives in |arena|. Fails with OUT_OF_MEMORY. Deterministic; linear
// in steps and contexts but for a logarithm, and for what runs elsewhere.
gmem_status_t gmem_call_contexts_find(const gmem_program_t *program,
                                      const gmem_calls_t *calls,
                                      gmem_bump_t *arena,
                                      const gmem_call_contexts_t **out_contexts,
                                      gmem_diag_t *diag);

// The steps of the timeline. Without calls it is that of the schedule.
int64_t gmem_call_contexts_length(const gmem_call_contexts_t *contexts);

// The contexts of |function|, in ascending order; there is at least one.
const uint32_t *gmem_contexts_of(const gmem_call_contexts_t *contexts,
                                 uint32_t function, size_t *out_count);

// Contexts are in the order of their beginnings, so that a caller comes before
// its callees.
const gmem_call_context_t *
gmem_call_context(const gmem_call_contexts_t *contexts, uint32_t context);

// The context that |call|, one of the function of |context|, leads to.
uint32_t gmem_callee_context(const gmem_call_contexts_t *contexts,
                             uint32_t context, uint32_t call);

// When |step| of the function of |context| is there.
int64_t gmem_context_time(const gmem_call_contexts_t *contexts,
                          uint32_t context, int64_t step);

// Adds to |ranges| what steps [begin, end) of |function| are on the timeline,
// in all its contexts, with the runs of all callees for which they last from
// before to after them.
void gmem_contexts_add_range(const gmem_call_contexts_t *contexts,
                             uint32_t function, int64_t begin, int64_t end,
                             gmem_ranges_t *ranges);

// The same in |context|, which is |base| or inside of it, and in what that is
// to |base| in all other contexts of the function of |base|.
void gmem_contexts_add_range_below(const gmem_call_contexts_t *contexts,
                                   uint32_t context, uint32_t base,
                                   int64_t begin, int64_t end,
                                   gmem_ranges_t *ranges);

// Adds the steps [begin, end) of |function| themselves, in all its contexts,
// without anything that callees do.
void gmem_contexts_add_steps(const gmem_call_contexts_t *contexts,
                             uint32_t function, int64_t begin, int64_t end,
                             gmem_ranges_t *ranges);

// The op that runs at |time| of the timeline, in whatever context.
MlirOperation gmem_contexts_op_at(const gmem_call_contexts_t *contexts,
                                  int64_t time);

#endif // GMEM_PASSES_CALL_CONTEXTS_H_
