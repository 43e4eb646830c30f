// plan_ops.h - the ops of a planned scope in execution order, for interpreters
// that run them on the planned memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PLAN_OPS_H_
#define GMEM_PASSES_PLAN_OPS_H_

#include "control_copies.h"
#include "gmem/passes.h"
#include "plan_attributes.h"

typedef struct gmem_planned_ops_s {
  GMEM_LIST(gmem_planned_function_t) functions;
  GMEM_LIST(gmem_planned_op_t) all;
} gmem_planned_ops_t;

// A planned scope.
typedef struct gmem_planned_ops_source_s {
  const gmem_analysis_t *analysis;
  const gmem_value_place_t *places; // by value of the program
  const uint32_t *buffer_of;        // by value: the buffer of one with memory
  const gmem_control_copies_t *copies; // as read
  size_t first_workbuffer;             // the number of the scope's first one
} gmem_planned_ops_source_t;

// Appends the functions and ops of a scope to |ops|. Strings and arrays of the
// result are allocated in |arena|, temporary data in the arena of the analysis.
// Fails with OUT_OF_MEMORY, also if an earlier allocation in |arena| has
// failed.
gmem_status_t gmem_planned_ops_add(const gmem_planned_ops_source_t *source,
                                   gmem_bump_t *arena, gmem_planned_ops_t *ops,
                                   gmem_diag_t *diag);

#endif // GMEM_PASSES_PLAN_OPS_H_
