// set_constraints.h - the attributes gmem.constraints and gmem.tag: hard and
// soft constraints on the places of tagged values (docs/penalties.md).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_SET_CONSTRAINTS_H_
#define GMEM_PASSES_SET_CONSTRAINTS_H_

#include "candidate_pools.h"
#include "liveness.h"

typedef struct gmem_set_constraints_s {
  gmem_constraint_t *at; // |first| and |second|: alias sets of the liveness,
                         //   |pool|: a candidate pool
  size_t count, room;
  // Entries that need two alias sets, of which a single one has the tags: they
  // constrain nothing. |idle| is the number of the first one on |idle_op|.
  size_t idle_count, idle;
  MlirOperation idle_op;
} gmem_set_constraints_t;

// Reads the constraints of a scope and of its functions. Values without an
// alias set are left out. Allocates in |arena|. Fails with OUT_OF_MEMORY or,
// reported at the op, INVALID_ARGUMENT: a malformed attribute, a kind, key, tag
// or pool that is not known, a key that the kind does not have or lacks, or
// more pairs than the planner can take.
gmem_status_t gmem_set_constraints_find(const gmem_liveness_t *liveness,
                                        const gmem_candidate_pools_t *pools,
                                        gmem_bump_t *arena,
                                        gmem_set_constraints_t *out_constraints,
                                        gmem_diag_t *diag);

#endif // GMEM_PASSES_SET_CONSTRAINTS_H_
