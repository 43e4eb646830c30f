// placement_constraints.h - what the world outside asks of places: the pools
// of network inputs and outputs and of memory spaces, fixed offsets, results
// in the memory of arguments.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// requires lives and classes; knows nothing of placement.

#ifndef GMEM_PASSES_PLACEMENT_CONSTRAINTS_H_
#define GMEM_PASSES_PLACEMENT_CONSTRAINTS_H_

#include "buffer_constraint.h"
#include "gmem/passes.h"
#include "liveness.h"
#include "sharing_finder.h"

typedef enum gmem_workspace_kind_e {
  GMEM_WORKSPACE_TENSORS,
  GMEM_WORKSPACE_IO,        // behind the tensors
  GMEM_WORKSPACE_TAG,       // of one input or output; it has no address
  GMEM_WORKSPACE_MEMORY,    // a memory space of memrefs; the same
  GMEM_WORKSPACE_DESCRIBED, // a memory of the machine (gmem.memories)
} gmem_workspace_kind_t;

typedef struct gmem_workspace_pool_s {
  const char *name;
  gmem_workspace_kind_t kind;
  uint64_t alignment; // bytes: the most of the memrefs and workbuffers that may
                      //   be there
  const gmem_memory_t *memory; // of GMEM_WORKSPACE_DESCRIBED, or NULL
  bool has_tensors;            // of the same: others may be there, too
} gmem_workspace_pool_t;

typedef struct gmem_placement_constraints_s {
  gmem_buffer_constraint_t *sets; // one per class of the liveness
  gmem_workspace_pool_t *pools; // memories of the machine in their order, then
                                //   others in the order of their kinds
  uint32_t pool_count;
  uint64_t memref_alignment; // bytes: the least of all memrefs
} gmem_placement_constraints_t;

// Bytes to which every address in a pool is a multiple, and those to which its
// start is. |usual|: what is usual for tensors.
uint64_t gmem_workspace_unit(const gmem_placement_constraints_t *constraints,
                             uint32_t pool, uint64_t usual);
uint64_t
gmem_workspace_alignment(const gmem_placement_constraints_t *constraints,
                         uint32_t pool, uint64_t usual);

// Adds to |aliases|, those of the plan, what gmem.same_as needs beyond them.
// Everything lives in |arena|. Fails with OUT_OF_MEMORY or, reported where it
// stands, INVALID_ARGUMENT: a malformed gmem.fixed or gmem.same_as, a place for
// what has no memory, two places for one memory, a result that cannot be in
// the memory of its argument.
gmem_status_t gmem_placement_constraints_find(
    const gmem_liveness_t *liveness, const gmem_op_models_t *models,
    const gmem_model_options_t *options, gmem_bump_t *arena,
    gmem_aliases_t *aliases, gmem_placement_constraints_t *out_boundaries,
    gmem_diag_t *diag);

// Whether the pool has an address, behind those before it.
bool gmem_workspace_is_based(const gmem_workspace_pool_t *pool);

// Whether a workspace pool of this name may exist.
bool gmem_is_workspace_name(MlirStringRef name);

#endif // GMEM_PASSES_PLACEMENT_CONSTRAINTS_H_
