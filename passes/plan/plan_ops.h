// plan_ops.h - the ops of a planned scope in execution order, for interpreters
// that run them on the planned memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PLAN_OPS_H_
#define GMEM_PASSES_PLAN_OPS_H_

#include "analysis.h"
#include "gmem/passes.h"
#include "plan_attributes.h"

typedef struct gmem_planned_ops_s {
  gmem_planned_function_t *functions;
  gmem_planned_op_t *ops;
  size_t function_count, function_room;
  size_t op_count, op_room;
} gmem_planned_ops_t;

// Appends the functions and ops of a scope to |ops|. |buffer_of|: by value of
// the program, the buffer of those with memory. |first_workbuffer|: the number
// of the scope's first workbuffer. Strings and arrays of the result are
// allocated in |arena|, temporary data in the arena of |analysis|. Fails with
// OUT_OF_MEMORY.
gmem_status_t gmem_planned_ops_add(const gmem_analysis_t *analysis,
                                   const gmem_value_place_t *places,
                                   const uint32_t *buffer_of,
                                   size_t first_workbuffer, gmem_bump_t *arena,
                                   gmem_planned_ops_t *ops, gmem_diag_t *diag);

#endif // GMEM_PASSES_PLAN_OPS_H_
