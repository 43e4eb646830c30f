// placement_constraints.h - externally imposed placement constraints: pools of
// network inputs and outputs, of memory spaces and of workbuffers, fixed
// offsets, results in the memory of arguments.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// requires: liveness with alias sets. Does not depend on any placement.

#ifndef GMEM_PASSES_PLACEMENT_CONSTRAINTS_H_
#define GMEM_PASSES_PLACEMENT_CONSTRAINTS_H_

#include "buffer_constraint.h"
#include "placement_inputs.h"
#include "set_constraints.h"

typedef struct gmem_placement_constraints_s {
  gmem_buffer_constraint_t *sets; // by alias set of the liveness
  gmem_candidate_pools_t pools;   // workspace pools: memories of the machine,
                                  //   then others in order of their kinds
  gmem_aliases_t aliases; // those of the inputs and those that gmem.same_as
                          //   requires
  const gmem_workbuffer_demand_t *work; // by workbuffer, of mutable ones
  gmem_set_constraints_t rules;         // of gmem.constraints
} gmem_placement_constraints_t;

// Finds all placement constraints. Allocates in |arena|. Fails with
// OUT_OF_MEMORY or, reported at the op, INVALID_ARGUMENT: a malformed
// gmem.fixed, gmem.same_as or gmem.constraints, a constraint on a value without
// memory, two fixed offsets for one buffer, a result that cannot use the memory
// of its argument, and like gmem_workbuffer_demands_find.
gmem_status_t gmem_placement_constraints_find(
    const gmem_placement_inputs_t *inputs, gmem_bump_t *arena,
    gmem_placement_constraints_t *out_constraints, gmem_diag_t *diag);

#endif // GMEM_PASSES_PLACEMENT_CONSTRAINTS_H_
