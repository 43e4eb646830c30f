// liveness.h - live ranges of values and alias sets: which values of a scope
// need memory, when, and which share it by definition.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value is live at the step that defines it, at its last uses, and at all
// steps on control-flow paths between them: a list of ranges [begin, end) in
// program order. The results and operands of one op are live together at that
// op. An op with known control flow (control_flow.h) reads its operands at its
// first step and defines its results at its last.
//
// Values that always occupy the same memory (a reshape and its operand, a
// function argument and the operand passed for it, the values of a chain of
// inserts) form an *alias set*, named
// by its *representative*. The set is live while any member is live, which
// includes the callees that run in this time. Ranges of a set are on the
// timeline of all calls (call_contexts.h), where a function that is called
// twice runs at two times; ranges of a value are in the steps of its own
// function.
//
// Live ranges are conservative: where control flow or calls are not fully
// known, they are extended. A plan may therefore be larger than necessary, but
// never incorrect.

#ifndef GMEM_PASSES_LIVENESS_H_
#define GMEM_PASSES_LIVENESS_H_

#include "gmem/passes.h"
#include "happens_before.h"

// Nothing of it changes after gmem_liveness_analyse.
typedef struct gmem_liveness_s {
  const gmem_program_t *program; // these three are also in |facts|
  const gmem_calls_t *calls;
  const gmem_call_contexts_t *contexts;
  const gmem_program_facts_t *facts;
  const gmem_live_value_t *live_values; // one per value of the program
  const gmem_alias_set_t *sets;         // ordered by representative
  size_t set_count;
  const uint32_t *set_of; // by value: index in |sets|, or GMEM_NO_INDEX
  const bool *links;      // by op: its result has the memory of its destination
                          //   (insert_chains.h)
  // Copies that control flow implies, in op order: the source is a tensor or
  // weight, the target a tensor of another alias set.
  const gmem_transfer_t *transfers;
  size_t transfer_count;
  gmem_memrefs_t memrefs;
  gmem_happens_before_t order; // empty if no op is in a stream
} gmem_liveness_t;

// What liveness is computed from. |options| determine whether inputs of entry
// functions stay live until their function returns, and which memrefs are
// planned. |is_placed|: the plan is in the IR. The |buffer_ops| are ops with
// one more buffer each (a workbuffer), which streams may keep live.
typedef struct gmem_liveness_inputs_s {
  const gmem_program_facts_t *facts;
  const gmem_model_options_t *options;
  bool is_placed;
  const uint32_t *buffer_ops;
  size_t buffer_count;
} gmem_liveness_inputs_t;

// All results are allocated in |arena|. Returns OUT_OF_MEMORY on allocation
// failure.
gmem_status_t gmem_liveness_analyse(const gmem_liveness_inputs_t *inputs,
                                    gmem_bump_t *arena,
                                    gmem_liveness_t *out_liveness,
                                    gmem_diag_t *diag);

// Whether the live ranges of two alias sets overlap.
bool gmem_alias_sets_meet(const gmem_liveness_t *liveness, uint32_t set_a,
                          uint32_t set_b);

// Whether an alias set is live at |step| in any context of its function.
bool gmem_alias_set_is_live_at(const gmem_liveness_t *liveness, uint32_t set,
                               int64_t step);

// Whether live ranges are sorted and disjoint, and the representative of every
// alias set is its own.
bool gmem_liveness_check(const gmem_liveness_t *liveness);

#endif // GMEM_PASSES_LIVENESS_H_
