// call_contexts.h - the timeline of a scope: its functions one after the other,
// each call with the run of its callee inside of it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A *context* is one way to get into a function: a row of calls from a function
// that nothing calls. Two calls of one function are two contexts, with times of
// their own: what is live at the one does not meet what is live at the other.
// Inside a context, time goes on as in the function, but for the time of the
// callee between the two steps of each plain call. A function that nobody knows
// when it runs (recursive, called by ops that do more than that, its address
// taken), or of which there would be too many contexts, has one context of its
// own, behind all others; what is live across its calls is live in it.

#ifndef GMEM_PASSES_CALL_CONTEXTS_H_
#define GMEM_PASSES_CALL_CONTEXTS_H_

#include "calls.h"
#include "live_ranges.h"
#include "schedule.h"

typedef struct gmem_call_context_s {
  uint32_t function;
  uint32_t caller; // context, or GMEM_NO_INDEX: it is not inside of another
  uint32_t call;   // of gmem_calls_t, by which the caller gets here
  int64_t begin;   // on the timeline
} gmem_call_context_t;

typedef struct gmem_call_contexts_s gmem_call_contexts_t;

// Everything lives in |arena|. Fails with OUT_OF_MEMORY. Deterministic; linear
// in the contexts, of which there are at most a constant times the steps.
gmem_status_t gmem_call_contexts_find(const gmem_schedule_t *schedule,
                                      const gmem_calls_t *calls,
                                      gmem_arena_t *arena,
                                      gmem_call_contexts_t **out_contexts,
                                      gmem_diag_t *diag);

// The steps of the timeline. Without calls it is that of the schedule.
int64_t gmem_call_contexts_length(const gmem_call_contexts_t *contexts);

// The contexts of |function|: *out_first, in |*out_list|.
const uint32_t *gmem_contexts_of(const gmem_call_contexts_t *contexts,
                                 uint32_t function, size_t *out_count);

const gmem_call_context_t *
gmem_call_context(const gmem_call_contexts_t *contexts, uint32_t context);

// The context that plain call |call| leads to from |context|.
uint32_t gmem_callee_context(const gmem_call_contexts_t *contexts,
                             uint32_t context, uint32_t call);

// Adds to |ranges|, on the timeline, what [begin, end) of the function of
// |context| is there: with the runs of all callees for which it lasts from
// before to after them.
void gmem_context_add_range(const gmem_call_contexts_t *contexts,
                            uint32_t context, int64_t begin, int64_t end,
                            gmem_ranges_t *ranges);

// The op that runs at |time| of the timeline, in whatever context.
MlirOperation gmem_contexts_op_at(const gmem_call_contexts_t *contexts,
                                  int64_t time);

#endif // GMEM_PASSES_CALL_CONTEXTS_H_
