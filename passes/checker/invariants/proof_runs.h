// proof_runs.h - where functions run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PROOF_RUNS_H_
#define GMEM_PASSES_PROOF_RUNS_H_

#include "csr.h"
#include "proof_program.h"

typedef GMEM_LIST(uint32_t) gmem_proof_run_ops_t;

typedef struct gmem_proof_runs_s {
  const gmem_proof_program_t *program;
  gmem_csr_t callers;        // by function: ops that name it
  gmem_proof_run_ops_t **of; // by function; NULL: not known yet
  uint32_t *found_by;        // by function: the last one that it may run, + 1
  gmem_bump_t *arena;
} gmem_proof_runs_t;

// Everything is allocated in |arena|. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_proof_runs_find(const gmem_proof_program_t *program,
                                   gmem_bump_t *arena,
                                   gmem_proof_runs_t *out_runs,
                                   gmem_diag_t *diag);

// The ops in which |function| may run, ascending, those that call its callers
// among them. NULL: no memory; the arena knows it.
const gmem_proof_run_ops_t *gmem_proof_runs_of(gmem_proof_runs_t *runs,
                                               uint32_t function);

#endif // GMEM_PASSES_PROOF_RUNS_H_
