// plan_copies.h - the copies that control flow makes in a planned scope, for
// tools.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef GMEM_PASSES_PLAN_COPIES_H_
#define GMEM_PASSES_PLAN_COPIES_H_

#include "control_copies.h"
#include "gmem/passes.h"

typedef struct gmem_planned_flow_copies_s {
  gmem_planned_flow_copy_t *at;
  size_t count, room;
} gmem_planned_flow_copies_t;

// A planned scope.
typedef struct gmem_planned_copies_source_s {
  const gmem_analysis_t *analysis;
  const gmem_control_copies_t *copies; // as read
  const uint32_t *buffer_of;           // by value: of one with memory
  uint32_t first_pool;                 // the number of the scope's first pool
  int64_t first_step;                  // and of its first step
} gmem_planned_copies_source_t;

// Appends the copies of a scope to |out_copies|; strings and arrays are
// allocated in |arena|. Fails with OUT_OF_MEMORY.
gmem_status_t gmem_planned_copies_add(
    const gmem_planned_copies_source_t *source, gmem_bump_t *arena,
    gmem_planned_flow_copies_t *out_copies, gmem_diag_t *diag);

#endif // GMEM_PASSES_PLAN_COPIES_H_
