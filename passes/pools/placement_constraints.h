// placement_constraints.h - externally imposed placement constraints: pools of
// network inputs and outputs and of memory spaces, fixed offsets, results in
// the memory of arguments.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// requires: liveness with alias sets. Does not depend on any placement.

#ifndef GMEM_PASSES_PLACEMENT_CONSTRAINTS_H_
#define GMEM_PASSES_PLACEMENT_CONSTRAINTS_H_

#include "buffer_constraint.h"
#include "gmem/passes.h"
#include "liveness.h"
#include "sharing_finder.h"

typedef enum gmem_workspace_kind_e {
  GMEM_WORKSPACE_TENSORS,
  GMEM_WORKSPACE_IO,        // inputs and outputs, addressed after the tensors
  GMEM_WORKSPACE_TAG,       // a single input or output; no base address
  GMEM_WORKSPACE_MEMORY,    // a memory space of memrefs; no base address
  GMEM_WORKSPACE_DESCRIBED, // a memory of the machine (gmem.memories)
} gmem_workspace_kind_t;

typedef struct gmem_workspace_pool_s {
  const char *name;
  gmem_workspace_kind_t kind;
  uint64_t alignment; // bytes: the largest alignment of the memrefs and
                      //   workbuffers that may be placed in it
  const gmem_memory_t *memory; // of GMEM_WORKSPACE_DESCRIBED, or NULL
  bool has_tensors; // of GMEM_WORKSPACE_DESCRIBED: tensors may be placed in it
} gmem_workspace_pool_t;

typedef struct gmem_placement_constraints_s {
  gmem_buffer_constraint_t *sets; // by alias set of the liveness
  gmem_workspace_pool_t *pools;   // memories of the machine in their order,
                                  //   then the others in order of their kinds
  uint32_t pool_count;
  uint64_t memref_alignment; // bytes: the minimum of all memrefs
} gmem_placement_constraints_t;

// The alignment in bytes of every offset in a pool, and of the start of the
// pool. |usual|: the default alignment of tensors.
uint64_t gmem_workspace_unit(const gmem_placement_constraints_t *constraints,
                             uint32_t pool, uint64_t usual);
uint64_t
gmem_workspace_alignment(const gmem_placement_constraints_t *constraints,
                         uint32_t pool, uint64_t usual);

// Finds all placement constraints. Adds to |aliases|, those of the plan, the
// ones that gmem.same_as requires. Allocates in |arena|. Fails with
// OUT_OF_MEMORY or, reported at the op, INVALID_ARGUMENT: a malformed
// gmem.fixed or gmem.same_as, a constraint on a value without memory, two fixed
// offsets for one buffer, a result that cannot use the memory of its argument.
gmem_status_t gmem_placement_constraints_find(
    const gmem_liveness_t *liveness, const gmem_op_models_t *models,
    const gmem_model_options_t *options, gmem_bump_t *arena,
    gmem_aliases_t *aliases, gmem_placement_constraints_t *out_boundaries,
    gmem_diag_t *diag);

// Returns whether the pool has a base address, after the pools before it.
bool gmem_workspace_is_based(const gmem_workspace_pool_t *pool);

// Returns whether |name| is a valid name of a workspace pool.
bool gmem_is_workspace_name(MlirStringRef name);

#endif // GMEM_PASSES_PLACEMENT_CONSTRAINTS_H_
