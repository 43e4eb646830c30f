// change_list.h - the changes of a program and its options that are worth a
// plan.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_CHANGE_LIST_H_
#define GMEM_PASSES_CHANGE_LIST_H_

#include "program.h"
#include "program_change.h"

// Where most bytes are live: the numbers of ops, of the op that runs there and
// of those that made the values that are live there, the largest first.
// GMEM_NO_INDEX and 0: nothing is known.
typedef struct gmem_peak_ops_s {
  uint32_t at;
  const bool *is_plain; // by op: gmem_op_is_plain
  const uint32_t *makers;
  size_t maker_count;
} gmem_peak_ops_t;

typedef GMEM_LIST(gmem_change_t) gmem_changes_t;

// Whether |op| computes its results from its operands element by element, or in
// a way that no model states, and has no other effect: only such an op may get
// another model.
bool gmem_op_is_plain(const gmem_program_op_t *op);

// Lists the changes, without duplicates: of options first, then of ops: all
// places of a kind before single ones.
gmem_status_t gmem_changes_list(const gmem_plan_options_t *options,
                                const gmem_numbered_ops_t *ops,
                                const gmem_peak_ops_t *peak, gmem_bump_t *arena,
                                gmem_changes_t *out_changes, gmem_diag_t *diag);

#endif // GMEM_PASSES_CHANGE_LIST_H_
