// memory_candidates.h - which of the machine's memories each class of values
// may go to, best first.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// requires lives and classes, and memories that are workspaces. A candidate is
// reached by every op that touches a value of the class (targets.h), and takes
// its memory space if it is a memref. The faster ones are better, of equals the
// one that is described first, unless gmem.pools says something else.

#ifndef GMEM_PASSES_MEMORY_CANDIDATES_H_
#define GMEM_PASSES_MEMORY_CANDIDATES_H_

#include "liveness.h"
#include "workspaces.h"

typedef struct gmem_candidate_options_s {
  const gmem_liveness_t *liveness;
  const gmem_calls_t *calls;
  const uint32_t *heads;     // by class: the one that stands for all that lie
                             //   at its place
  const char *const *spaces; // by class: the usual pool of its memory space, or
                             //   NULL: it is no memref
  const bool *is_wanted;     // by class that stands for others
} gmem_candidate_options_t;

// Fills |*out_candidates|, an array in |arena|, for all classes that are wanted
// and stand for others. Fails with OUT_OF_MEMORY or, reported where it stands,
// INVALID_ARGUMENT: a malformed gmem.target or gmem.pools, no candidate.
gmem_status_t gmem_memory_candidates_find(
    const gmem_candidate_options_t *options,
    const gmem_workspaces_t *workspaces, gmem_bump_t *arena,
    gmem_memory_candidates_t **out_candidates, gmem_diag_t *diag);

// Those of memory that |op| wants for itself. |asked|: an array of names that
// narrows and orders them, or null. Fails as the above.
gmem_status_t gmem_memory_candidates_of_op(
    const gmem_program_t *program, const gmem_workspaces_t *workspaces,
    MlirOperation op, MlirAttribute asked, gmem_bump_t *arena,
    gmem_memory_candidates_t *out_candidates, gmem_diag_t *diag);

// What gmem.pools asks for |value|, an array of texts, at least one; null when
// it says nothing. Fails with INVALID_ARGUMENT, reported where it stands.
gmem_status_t gmem_pools_asked(const gmem_program_t *program, uint32_t value,
                               MlirAttribute *out_names, gmem_diag_t *diag);

// The same of result |number| of |op|.
gmem_status_t gmem_pools_asked_of(MlirOperation op, intptr_t number,
                                  MlirAttribute *out_names, gmem_diag_t *diag);

#endif // GMEM_PASSES_MEMORY_CANDIDATES_H_
