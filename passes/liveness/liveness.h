// liveness.h - which values of a scope need global memory, when, and which of
// them share it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value is live at the step that defines it, at the last steps that use it
// and at all steps on the way that control may take from the one to the other:
// a list of ranges [begin, end) in the order of the text. The results of an op
// and its operands are live together at it. An op whose control flow is known
// (control_flow.h) takes its operands at its first step and gives its results
// at its last. Values that are one piece of memory (a reshape and its operand,
// an argument and what is passed for it) form a *class*, named by its *root*,
// which lives as long as any of them, and as long as the functions run that are
// called in this time. The life of a class is one on the timeline of all calls
// (call_contexts.h), on which a function that is called twice runs at two
// times; the life of a value, in the steps of its own function. Where control
// flow or calls leave a doubt, lives are made longer: a plan may be larger than
// it could be, never wrong.

#ifndef GMEM_PASSES_LIVENESS_H_
#define GMEM_PASSES_LIVENESS_H_

#include "alias_sets.h"
#include "allocation_sites.h"
#include "call_contexts.h"
#include "call_graph.h"
#include "control_flow.h"
#include "gmem/passes.h"
#include "gmem/planner.h"
#include "streams.h"
#include "uses.h"
#include "value_liveness.h"

struct gmem_happens_before_s;

typedef struct gmem_liveness_s {
  const gmem_program_t *program;
  const gmem_calls_t *calls;
  const gmem_call_contexts_t *contexts;
  const gmem_streams_t *streams;
  const gmem_uses_t *uses;
  gmem_live_value_t *live_values; // one per value of the schedule
  gmem_alias_set_t *sets;         // in the order of their roots
  size_t set_count;
  uint32_t *set_of;      // by value: its index in |sets|, or GMEM_NO_INDEX
  const bool *unordered; // by region: its ops do not run as the text says
  // All copies that control flow implies: from tensors and weights to tensors
  // of another place, in op order.
  gmem_transfer_t *transfers;
  size_t transfer_count;
  gmem_memrefs_t memrefs;
  // What streams leave unordered; NULL until that is known, and if nothing is
  // in a stream.
  const struct gmem_happens_before_s *order;
} gmem_liveness_t;

// Analyses |program|, as |options| say: whether inputs of entry functions live
// until their function ends, and which memrefs are planned. Everything lives in
// |arena|. Fails with OUT_OF_MEMORY.
gmem_status_t
gmem_liveness_analyse(const gmem_program_t *program, const gmem_calls_t *calls,
                      const gmem_streams_t *streams,
                      const gmem_model_options_t *options, gmem_bump_t *arena,
                      gmem_liveness_t *out_liveness, gmem_diag_t *diag);

// Whether two classes are ever live together.
bool gmem_alias_sets_meet(const gmem_liveness_t *liveness, uint32_t set_a,
                          uint32_t set_b);

// Whether a class is live at |step|, in any context of its function.
bool gmem_alias_set_is_live_at(const gmem_liveness_t *liveness, uint32_t set,
                               int64_t step);

#endif // GMEM_PASSES_LIVENESS_H_
