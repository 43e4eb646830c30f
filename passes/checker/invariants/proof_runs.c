// proof_runs.c - see proof_runs.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "proof_runs.h"

#include <stdlib.h>

gmem_status_t gmem_proof_runs_find(const gmem_proof_program_t *program,
                                   gmem_bump_t *arena,
                                   gmem_proof_runs_t *out_runs,
                                   gmem_diag_t *diag) {
  size_t count = program->functions.count;
  gmem_csr_pairs_t callers = {0};
  *out_runs = (gmem_proof_runs_t){.program = program, .arena = arena};
  for (uint32_t i = 0; i < program->ops.count; ++i) {
    const gmem_proof_op_t *op = &program->ops.at[i];
    if (!program->blocks.at[op->block].is_reached) {
      i = op->end - 1; // nothing runs what is inside of it either
      continue;
    }
    for (uint32_t c = 0; c < op->callee_count; ++c)
      GMEM_APPEND(
          arena, &callers,
          (gmem_csr_pair_t){program->callees.at[op->first_callee + c], i});
  }
  GMEM_TRY_ALLOC(out_runs->of, arena, count, diag);
  GMEM_TRY_ALLOC(out_runs->found_by, arena, count, diag);
  return gmem_csr_build(&callers, count, arena, &out_runs->callers, diag);
}

static int compare_numbers(const void *left, const void *right) {
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return (a > b) - (a < b);
}

const gmem_proof_run_ops_t *gmem_proof_runs_of(gmem_proof_runs_t *runs,
                                               uint32_t function) {
  gmem_proof_run_ops_t *found = runs->of[function], next = {0};
  if (found)
    return found;
  found = gmem_bump_alloc(runs->arena, 1, sizeof *found);
  runs->of[function] = found;
  GMEM_APPEND(runs->arena, &next, function);
  while (found && next.count) {
    uint32_t callee = next.at[--next.count];
    GMEM_CSR_EACH (op, &runs->callers, callee) {
      uint32_t caller = gmem_proof_op_at(runs->program, *op)->function;
      GMEM_APPEND(runs->arena, found, *op);
      if (runs->found_by[caller] != function + 1)
        GMEM_APPEND(runs->arena, &next, caller);
      runs->found_by[caller] = function + 1;
    }
  }
  if (found && found->count)
    qsort(found->at, found->count, sizeof *found->at, compare_numbers);
  return found;
}
