// proof_reach.h - which memrefs control flow may pass on as which.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A directed graph of values is covered by paths. Who leads to a place of a
// path leads to all places behind it, so that one number for each path says
// where a value leads (Jagadish, "A Compression Technique to Materialize
// Transitive Closure", 1990). Sets of what memrefs may point to would be
// quadratic where these numbers are not.

#ifndef GMEM_PASSES_PROOF_REACH_H_
#define GMEM_PASSES_PROOF_REACH_H_

#include "csr.h"
#include "proof_program.h"

enum { GMEM_PROOF_PATHS = 16 }; // of one function

typedef struct gmem_proof_reach_s {
  gmem_csr_t next;        // by value: those that it is passed on as
  uint32_t *path, *place; // by value: where it is; GMEM_NO_INDEX: nowhere
  uint32_t *rank;         // by value: its row in |first|, + 1; 0: none
  const uint32_t *rows;   // the values of the rows
  uint32_t row_count;     // values that some value is passed on as
  // By row and path: the first place that the value leads to, or its own;
  // GMEM_NO_INDEX: none.
  uint32_t (*first)[GMEM_PROOF_PATHS];
} gmem_proof_reach_t;

// Finds that for |links|, each from a value to one of its function. Marks those
// values that lead to one that is marked, or to one for which there is no path.
// |*out_is_known|: all has been found; if not, a value may lead to any. Linear
// in the values and |links|. Allocates in |arena|; fails with OUT_OF_MEMORY.
gmem_status_t gmem_proof_reach_find(const gmem_proof_program_t *program,
                                    const gmem_csr_pairs_t *links,
                                    bool *is_marked, gmem_bump_t *arena,
                                    gmem_proof_reach_t *out_reach,
                                    bool *out_is_known, gmem_diag_t *diag);

#endif // GMEM_PASSES_PROOF_REACH_H_
